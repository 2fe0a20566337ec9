# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The command that `pip install .` installs: it starts the tree that was installed, or says what is missing."""

import json
import re
import subprocess
import sys

import pytest

from cli_call import run
from ullnic import toml
from ullnic.deep import deep
from ullnic.paths import ROOT, VERSION

MODULE = ROOT / "python" / "ullnic_command.py"
GONE = {"url": "file:///no/where", "dir_info": {}}
PROJECT = toml.loads((ROOT / "pyproject.toml").read_text())


def command(site, *arguments, **env):
    """As pip's script runs it: with what is installed in the folder `site`."""
    code = f"import sys; sys.path.insert(0, {str(site)!r}); import ullnic_command; sys.exit(ullnic_command.main())"
    return run(sys.executable, "-I", "-c", code, *arguments, cwd=site.parent, **({"ULLNIC_ROOT": None} | env))


@pytest.fixture
def site(tmp_path):
    """A folder of installed packages with the command, not yet with a record of its origin."""
    folder = tmp_path / "site"
    (folder / "ullnic-0.dist-info").mkdir(parents=True)
    (folder / "ullnic-0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: ullnic\nVersion: 0\n")
    (folder / "ullnic_command.py").symlink_to(MODULE)
    return folder


@pytest.fixture
def tree(tmp_path):
    folder = tmp_path / "a tree"
    folder.mkdir()
    (folder / "VERSION").write_text("0\n")
    (folder / "ullnic").write_text('#!/bin/sh\nprintf "%s;" "$0" "$@"\nexit 3\n')
    (folder / "ullnic").chmod(0o755)
    return folder


def note(site, **source):
    (site / "ullnic-0.dist-info" / "direct_url.json").write_text(json.dumps(source))


def test_it_starts_the_tree_that_was_installed(site, tree):
    note(site, url=tree.as_uri(), dir_info={})
    done = command(site, "run", "--card", "a b")
    assert (done.returncode, done.stdout) == (3, f"{tree}/ullnic;run;--card;a b;"), done.stderr


def test_or_the_one_that_is_named(site, tree):
    note(site, url="file:///nowhere", dir_info={})
    assert command(site, ULLNIC_ROOT=str(tree)).stdout == f"{tree}/ullnic;"


@pytest.mark.parametrize(
    "source, env, complaint",
    [
        (None, {}, "this package is the command only"),
        ({"url": "https://example.org/ullnic.whl", "archive_info": {}}, {}, "this package is the command only"),
        (GONE, {}, "/no/where, from which this command was installed, does not hold the project"),
        (GONE, {"ULLNIC_ROOT": "/tmp"}, "/tmp, which ULLNIC_ROOT names, does not hold the project"),
    ],
)
def test_what_is_missing_is_said_with_the_remedy(site, source, env, complaint):
    if source:
        note(site, **source)
    failed = command(site, **env)
    assert failed.returncode == 1 and failed.stdout == ""
    error, remedy = failed.stderr.splitlines()
    assert error.startswith("error: ") and complaint in error
    assert remedy == "remedy: set ULLNIC_ROOT to a clone of the project, or go to one and call: pip install ."


def test_nothing_of_the_current_directory_is_run(site, tree):
    """Not even in the project's directory: `./ullnic` is the command for that."""
    failed = run(
        sys.executable, "-I", "-c",
        f"import sys; sys.path.insert(0, {str(site)!r}); import ullnic_command; sys.exit(ullnic_command.main())",
        cwd=tree, ULLNIC_ROOT=None,
    )  # fmt: skip
    assert failed.returncode == 1 and "this package is the command only" in failed.stderr


def test_the_package_has_the_version_of_the_project():
    assert PROJECT["project"]["dynamic"] == ["version"] and "version" not in PROJECT["project"]
    place = PROJECT["tool"]["hatch"]["version"]
    assert re.search(place["pattern"], (ROOT / place["path"]).read_text())["version"] == VERSION


@deep(__file__, "pyproject.toml", MODULE, "tests/cli/cli_call.py")
def test_pip_installs_it(tmp_path):
    """With a network: pip downloads the build backend."""
    subprocess.run([sys.executable, "-I", "-m", "venv", tmp_path / "venv"], check=True)
    done = run(tmp_path / "venv/bin/pip", "install", "--no-deps", ROOT, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"Successfully installed ullnic-{VERSION}" in done.stdout
    shown = run(tmp_path / "venv/bin/ullnic", "--version", cwd=tmp_path, ULLNIC_ROOT=None)
    assert (shown.returncode, shown.stdout) == (0, f"ullnic {VERSION}\n"), shown.stderr
