# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Nothing is written through a symbolic link in build/ or .cache/."""

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli_call import run
from ullnic import links
from ullnic.cli import cli
from ullnic.errors import UllnicError
from ullnic.locks import file_lock
from ullnic.run import folder as run_folder

PLACES = ("setup.log", "setup.lock", "sim.lock", "run", "run/.lock", "run/20260101-000000", "tb/run", "tb/shared.lock",
          "sim", "sim/bin", "sim/build.log", "sim/CMakeFiles/deep/down.o", "report/report.html")  # fmt: skip


@pytest.fixture
def build(tmp_path, monkeypatch):
    monkeypatch.setattr(links, "BUILD", tmp_path / "build")
    monkeypatch.setattr(links, "CACHE", tmp_path / ".cache")
    monkeypatch.setattr(links, "ROOT", tmp_path)
    (tmp_path / "build").mkdir()
    return tmp_path / "build"


@pytest.mark.parametrize("target", ["outside", "nowhere"])
@pytest.mark.parametrize("place", PLACES)
def test_a_command_refuses_a_link(build, tmp_path, place, target):
    """Also a link to nothing: writing through it would create the file."""
    (tmp_path / "outside").mkdir()
    link = build / place
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(tmp_path / target)
    with pytest.raises(UllnicError) as refused:
        CliRunner().invoke(cli, ["lint", "--only", "licence"], catch_exceptions=False)
    assert f"{link} is a symbolic link to {tmp_path / target}" in refused.value.message
    assert f"rm {link}" in refused.value.remedy
    assert list((tmp_path / "outside").iterdir()) == [] and not (tmp_path / "nowhere").exists()
    assert CliRunner().invoke(cli, ["doctor", "--help"]).exit_code == 0, "what writes nothing goes on"


@pytest.mark.parametrize("target", ["../../etc", "..", ".", "/etc/passwd", "sub/file"])
def test_a_relative_link_may_name_a_neighbour_only(build, target):
    (build / "lib.so").symlink_to("lib.so.0")
    (build / "lib.so.0").touch()
    links.check_links()
    (build / "link").symlink_to(target)
    with pytest.raises(UllnicError, match="is a symbolic link"):
        links.check_links()


def test_the_caches_folders_are_no_links(build, tmp_path, monkeypatch):
    (tmp_path / ".cache").mkdir()
    (tmp_path / ".cache" / "ccache").symlink_to(tmp_path)
    with pytest.raises(UllnicError, match="ccache is a symbolic link"):
        links.check_links()
    monkeypatch.setattr(links, "CACHE", tmp_path / "elsewhere")  # ULLNIC_CACHE: the user's own choice
    links.check_links()


def test_build_itself_may_be_the_users_link_but_not_a_strangers(build, tmp_path, monkeypatch):
    build.rename(tmp_path / "disk")
    build.symlink_to(tmp_path / "disk")
    links.check_links()
    (tmp_path / "disk" / "run").symlink_to("/etc")
    with pytest.raises(UllnicError, match="run is a symbolic link"):
        links.check_links()
    (tmp_path / "disk" / "run").unlink()
    if os.geteuid() == 0:
        os.lchown(build, 12345, -1)
    else:
        monkeypatch.setattr(links.os, "geteuid", lambda: 12345)
        monkeypatch.setattr(links, "ROOT", Path("/"))  # owned by root
    with pytest.raises(UllnicError, match="build is a symbolic link"):
        links.check_links()


def test_a_lock_is_not_taken_through_a_link(tmp_path):
    """Not even one that was created after the command checked."""
    (tmp_path / "x.lock").symlink_to(tmp_path / "outside")
    with pytest.raises(UllnicError, match="is a symbolic link"), file_lock(tmp_path / "x.lock", "build"):
        pass
    assert not (tmp_path / "outside").exists()


def test_a_runs_folder_is_not_written_through_links(tmp_path):
    """--out DIR: a link in place of the mark is refused, and the run's files replace links."""
    out = tmp_path / "out"
    out.mkdir()
    kept = tmp_path / "kept"
    kept.write_text("mine\n")
    (out / "summary.json").symlink_to(kept)
    with run_folder.run_folder(out, ["summary.json"]) as folder:
        folder.begin()
        (folder.path / "summary.json").write_text("the run's\n")
    assert kept.read_text() == "mine\n" and (out / "summary.json").read_text() == "the run's\n"
    (out / run_folder.MARK).symlink_to(tmp_path / "made")
    run_folder._locked.clear()
    with pytest.raises(UllnicError, match="cannot be written"), run_folder.run_folder(out, []):
        pass
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize("place", ["setup.log", "setup.lock", "run"])
def test_the_set_up_refuses_a_link(bare_copy, tmp_path, place):
    (bare_copy / "build").mkdir()
    (bare_copy / "build" / place).symlink_to(tmp_path / "outside")
    done = run(bare_copy / "ullnic", "--help")
    assert done.returncode == 1 and not (tmp_path / "outside").exists()
    assert "is a symbolic link" in done.stderr and "remedy: " in done.stderr and "Traceback" not in done.stderr
