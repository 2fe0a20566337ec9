# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Nothing in the current directory is run: no module, and no command by an entry of PATH that leads there."""

import os
import re
import sys

import pytest

from cli_call import run
from running_tests import running_tests
from setting_up import PACKAGE
from ullnic import toolchain
from ullnic.deep import deep
from ullnic.paths import ROOT, module_command

# What the interpreter, the launcher, the package, pip and pytest import or start at some time.
MODULES = ("contextlib", "os", "runpy", "json", "re", "subprocess", "click", "pytest", "pip", "venv", "ensurepip",
           "encodings", "site", "sitecustomize", "usercustomize", "execnet", "xdist", "cocotb")  # fmt: skip
PACKAGES = ("ullnic", "ullnic/run", "ullnic/run/link")
COMMANDS = ("bash", "sh", "dirname", "readlink", "sha256sum", "python", "python3", "python3.11", "verilator", "env",
            "apt-get", "git", "cmake", "ninja", "make", "c++", "ccache")  # fmt: skip


@pytest.fixture
def planted(tmp_path):
    """A directory full of them, and a function that reports which have run."""
    place, seen = tmp_path / "planted", tmp_path / "seen"
    seen.mkdir()
    for package in PACKAGES:
        (place / package).mkdir(parents=True, exist_ok=True)
    files = [*MODULES, *(f"{package}/__init__" for package in PACKAGES), "ullnic/bootstrap", "ullnic/__main__"]
    for name in [*files, "ullnic/cli", "ullnic/run/link/traffic"]:
        (place / f"{name}.py").write_text(f"open({str(seen / name.replace('/', '.'))!r}, 'w')\n")
    for name in COMMANDS:
        (place / name).write_text(f"#!/bin/sh\n: >'{seen}/{name}'\nexit 0\n")
        (place / name).chmod(0o755)
    hostile = {
        "PATH": os.pathsep.join(["", ".", "./", "bin/..", os.environ["PATH"], ""]),
        "PYTHONPATH": f":{place}:.",
        "PYTHONHOME": str(place),
        "PYTHONSTARTUP": "contextlib.py",
        "PYTHONUSERBASE": str(place),
        "PYTHONINSPECT": None,
        "PYTHONBREAKPOINT": "contextlib.open",
        "BASH_ENV": str(place / "sh"),
    }
    return place, hostile, lambda: sorted(path.name for path in seen.iterdir())


def test_what_is_planted_is_run_where_nothing_keeps_it_out(planted):
    place, _, seen = planted
    run(sys.executable, "-m", "ullnic", cwd=place, PYTHONSAFEPATH=None)  # which ./ullnic sets
    assert seen() != [], "or these tests would show nothing"


@pytest.mark.parametrize(
    "argv", [["--help"], ["doctor"], ["run", "--help"], ["lint", "--only", "licence", "--only", "ruff"]], ids=" ".join
)
def test_a_command_runs_nothing_of_the_current_directory(ullnic, planted, argv):
    place, hostile, seen = planted
    done = ullnic(*argv, cwd=place, **hostile)
    assert done.returncode == 0, done.stdout + done.stderr
    assert seen() == []


@running_tests(__file__)
def test_the_tests_do_not_either(ullnic, planted, tmp_path):
    """On two workers, each a separate Python."""
    place, hostile, seen = planted
    for name in ("test_one.py", "test_two.py"):
        (tmp_path / name).write_text("import os\ndef test_it():\n    assert os.environ['PYTEST_XDIST_WORKER']\n")
    tests = [tmp_path / "test_one.py", tmp_path / "test_two.py"]
    done = ullnic("test", "--workers", "2", "--", *tests, cwd=place, timeout_s=800, **hostile)
    assert done.returncode == 0 and "2 passed" in done.stdout, done.stdout + done.stderr
    assert seen() == []


def test_a_module_in_a_process_of_its_own_does_not_either(planted):
    """As ./ullnic run starts its clients and servers, in the user's directory."""
    place, hostile, seen = planted
    environment = {name: value for name, value in hostile.items() if name.startswith("PYTHON")}
    done = run(*module_command("ullnic.run.link.traffic", "--help"), cwd=place, **environment)
    assert done.returncode == 0 and "usage" in done.stdout.lower(), done.stderr
    assert seen() == []


@deep(__file__, *PACKAGE, "ullnic", "requirements.lock")
def test_the_set_up_does_not_either(bare_copy, planted):
    """Nor do `pip`, `venv` and the check of what is installed; the tree itself may also contain such files."""
    place, hostile, seen = planted
    for name in ("contextlib", "click", "venv", "pip"):
        (bare_copy / f"{name}.py").write_text((place / f"{name}.py").read_text())
    del hostile["BASH_ENV"]
    for directory in (place, bare_copy):
        done = run(bare_copy / "ullnic", "--help", cwd=directory, **hostile)
        assert done.returncode == 0 and "Usage: ullnic" in done.stdout, done.stderr
        assert seen() == []


def test_tools_are_not_looked_for_in_the_current_directory(planted, monkeypatch):
    place, hostile, seen = planted
    monkeypatch.chdir(place)
    monkeypatch.setenv("PATH", hostile["PATH"])
    toolchain.find_verilator.cache_clear()
    assert all(os.path.isabs(entry) for entry in toolchain.search_path().split(os.pathsep))
    assert toolchain.find_verilator().parent != place and seen() == []


def test_every_python_is_started_isolated():
    """Every Python that the package, the benches and CMake start: a module by module_command(), or with -I."""
    sources = [*(ROOT / "python").rglob("*.py"), *(ROOT / "cores").rglob("*.py"), *ROOT.glob("*/**/*.cmake")]
    sources += [path for path in ROOT.glob("*/**/CMakeLists.txt") if "build" not in path.parts]
    starts = re.compile(
        r'(sys\.executable,|Python3_EXECUTABLE\})\s+(?!"?-I\b)["\w$-]|/ "python", (?!"-I)"'  # command lines
    )
    found = [f"{path.relative_to(ROOT)}: {match[0]}" for path in sources for match in starts.finditer(path.read_text())]
    assert found == []
