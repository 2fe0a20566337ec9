# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic doctor`, and the error of a subcommand if a system package is missing."""

import json

import pytest
from click.testing import CliRunner

from ullnic import apt, doctor
from ullnic.errors import UllnicError


@pytest.fixture
def plant(monkeypatch):
    """Adds a need to the table that no machine satisfies."""

    def add(**more):
        need = apt.Need("no-such-package", "testing", commands=("no-such-command",), **more)
        monkeypatch.setattr(apt, "NEEDS", (*apt.NEEDS, need))
        monkeypatch.setattr(apt, "can_install", lambda: False)
        return need

    return add


def report():
    result = CliRunner().invoke(doctor.doctor, ["--json"], standalone_mode=False)
    assert result.exception is None, result.exception
    return result.return_value, json.loads(result.stdout)


def test_json_has_everything_that_is_checked():
    code, found = report()
    names = [check["name"] for check in found["checks"]]
    assert {"Python", "Python packages", "Verilator", "network namespaces", "/dev/net/tun", "free disk"} <= set(names)
    assert {need.package for need in apt.NEEDS} <= set(names)
    assert len(names) == len(set(names))
    assert all(check["status"] == "ok" or check["remedy"] for check in found["checks"]), "no remedy"
    assert found["ok"] == (code == 0)


def test_missing_package_that_run_needs_fails_and_is_named(plant):
    plant(users=("run",))
    code, found = report()
    assert code == 1 and found["ok"] is False
    check = next(check for check in found["checks"] if check["name"] == "no-such-package")
    assert check["status"] == "missing" and check["needed_by"] == ["run"]
    assert "apt-get install -y no-such-package" in check["remedy"] or "no-such-package" in check["remedy"]
    table = CliRunner().invoke(doctor.doctor, standalone_mode=False).stdout
    assert "no-such-package" in table and "missing" in table


def test_optional_package_is_only_a_note(plant):
    before, _ = report()
    plant()
    code, found = report()
    assert code == before
    assert [check["status"] for check in found["checks"] if check["name"] == "no-such-package"] == ["note"]


def test_wrong_package_version_is_seen(monkeypatch):
    version = doctor.metadata.version
    monkeypatch.setattr(doctor.metadata, "version", lambda name: "0.0.1" if name == "click" else version(name))
    check = doctor.python_packages()
    assert check.status == "missing" and "click is 0.0.1, not ==" in check.detail


def test_subcommand_names_what_it_lacks(plant):
    plant(users=("run",))
    with pytest.raises(UllnicError) as refused:
        apt.ensure("run")
    assert "`ullnic run` needs what is not installed" in refused.value.message
    assert "no-such-package (testing)" in refused.value.message
    assert "no-such-package" in refused.value.remedy


def test_subcommand_does_not_ask_for_what_another_needs(plant):
    plant(users=("run",))
    assert all(need.package != "no-such-package" for need in apt.missing("lint"))
    assert all(need.package != "no-such-package" for need in apt.missing(apt.REPLAY))


def test_headers_and_commands_are_really_looked_for(tmp_path, monkeypatch):
    (tmp_path / "planted.h").touch()
    assert not apt.has_header("planted.h")
    monkeypatch.setenv("CPATH", str(tmp_path))
    assert apt.has_header("planted.h")
    command = tmp_path / "planted-command"
    command.write_text("#!/bin/sh\n")
    command.chmod(0o755)
    assert not apt.Need("planted", "testing", commands=("planted-command",)).present()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert apt.Need("planted", "testing", commands=("planted-command",)).present()
