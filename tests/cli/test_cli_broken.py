# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A .venv that is broken in any way: every command detects it, sets it up again, and then does its work."""

import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from cli_call import run
from setting_up import SETTING_UP
from ullnic import installed
from ullnic.paths import VENV

FOR_DOCTOR = ("click", "packaging", "rich", "markdown-it-py", "mdurl", "pygments")


def site(venv):
    return next(venv.glob("lib/python*/site-packages"))


def interpreter(venv):
    """The link in bin that points outside .venv."""
    return next(path for path in (venv / "bin").iterdir() if path.is_symlink() and path.readlink().is_absolute())


def replace_python(venv, script):
    python = interpreter(venv)
    python.unlink()
    python.write_text(script)
    python.chmod(0o755)


def interpreter_is_gone(venv):
    python = interpreter(venv)
    python.unlink()
    python.symlink_to("/no/such/python3")


def interpreter_does_not_start(venv):
    replace_python(venv, "#!/bin/sh\necho 'libpython3.so: cannot open shared object file' >&2\nexit 127\n")


def interpreter_is_killed(venv):
    replace_python(venv, "#!/bin/sh\nkill -SEGV $$\n")


def interpreter_has_another_version(venv):
    lists = venv / "ullnic-folders"
    made_for = installed.interpreter()
    lists.write_text(lists.read_text().replace(made_for, made_for.replace("cpython-3", "cpython-2"), 1))


def package_is_removed(venv):
    for part in site(venv).glob("click*"):
        shutil.rmtree(part)


def files_of_a_package_are_gone(venv):
    shutil.rmtree(site(venv) / "click")  # pip would report it as installed


def description_of_a_package_is_gone(venv):
    shutil.rmtree(next(site(venv).glob("click-*.dist-info")))


def one_module_is_gone(venv):
    (site(venv) / "click" / "_compat.py").unlink()


def deleted_halfway(venv):
    files = sorted(path for path in venv.rglob("*") if path.is_file() and path.name != "ullnic-stamp")
    for path in files[::2]:
        path.unlink()


def wrapper_is_gone(venv):
    (venv / "bin" / "sby").unlink()


def path_to_the_package_is_emptied(venv):
    (site(venv) / "ullnic.pth").write_text("")


def settings_are_gone(venv):
    (venv / "pyvenv.cfg").unlink()


def lists_are_gone(venv):
    (venv / "ullnic-folders").unlink()


def list_of_files_is_damaged(venv):
    (venv / "ullnic-files").write_text("x\n")
    one_module_is_gone(venv)


def module_is_emptied(venv):
    (site(venv) / "click" / "__init__.py").write_text("")


def module_has_other_bytes(venv):  # of the same size: as after a file system crash
    path = site(venv) / "click" / "core.py"
    path.write_bytes(bytes(path.stat().st_size))
    os.utime(path, (0, 0))  # a different second than at compilation, or Python would not check


def all_but_the_stamp_is_gone(venv):
    stamp = (venv / "ullnic-stamp").read_text()
    shutil.rmtree(venv)
    venv.mkdir()
    (venv / "ullnic-stamp").write_text(stamp)


FAULTS = {
    interpreter_is_gone: "its Python is not there any more",
    interpreter_does_not_start: "its Python does not start: libpython3.so: cannot open",
    interpreter_is_killed: "its Python does not start",
    interpreter_has_another_version: "it was made for cpython-2",
    package_is_removed: "is missing",
    files_of_a_package_are_gone: "is missing",
    description_of_a_package_is_gone: "is missing",
    one_module_is_gone: "click/_compat.py is missing",
    deleted_halfway: "",
    wrapper_is_gone: "bin/sby is missing",
    path_to_the_package_is_emptied: "ullnic.pth has 0 bytes",
    settings_are_gone: "pyvenv.cfg is missing",
    lists_are_gone: "its list of folders is not there",
    list_of_files_is_damaged: "",
    module_is_emptied: "click/__init__.py has 0 bytes",
    module_has_other_bytes: "click/core.py has other content",
    all_but_the_stamp_is_gone: "its Python is not there any more",
}


# Cases left to the real set-up; the others have a set-up that restores a copy of .venv, which is quicker.
REALLY_SET_UP = (interpreter_is_gone, deleted_halfway, module_has_other_bytes)
COPYING = """
import pathlib, shutil, sys
venv = pathlib.Path({venv!r})
print(f"ullnic: {{venv}} is broken: {{sys.argv[2]}}; setting up (test)", file=sys.stderr)
shutil.rmtree(venv, ignore_errors=True)
shutil.copytree({kept!r}, venv, symlinks=True)
(venv / "ullnic-stamp").write_text(sys.argv[1])
"""


def put_back_instead_of_setting_up(root):
    kept, venv = root / "kept", root / ".venv"
    shutil.copytree(venv, kept, symlinks=True)
    (root / "python/ullnic/bootstrap.py").write_text(COPYING.format(venv=str(venv), kept=str(kept)))
    assert run(root / "ullnic", "--help").returncode == 0


@SETTING_UP
def test_every_fault_is_found_and_mended(bare_copy):
    venv, beside = bare_copy / ".venv", bare_copy / ".venv-of-mine"
    assert run(bare_copy / "ullnic", "--help").returncode == 0
    beside.mkdir()
    for harm in sorted(FAULTS, key=lambda harm: harm not in REALLY_SET_UP):
        words = FAULTS[harm]
        if harm not in REALLY_SET_UP and not (bare_copy / "kept").exists():
            put_back_instead_of_setting_up(bare_copy)
        harm(venv)
        done = run(bare_copy / "ullnic", "--help")
        assert done.returncode == 0 and "Usage: ullnic" in done.stdout, (harm.__name__, done.stderr)
        said = done.stderr.splitlines() or ["nothing"]
        assert f"{venv} is broken: " in said[0] and words in said[0] and "setting up" in said[0], (harm.__name__, said)
        assert "Traceback" not in done.stderr and "downloading" not in done.stderr, (harm.__name__, said)
        again = run(bare_copy / "ullnic", "--help")
        assert again.returncode == 0 and again.stderr == "", (harm.__name__, again.stderr)
    assert beside.is_dir(), "nothing but .venv is removed"


@SETTING_UP
@pytest.mark.parametrize("bare_copy", [FOR_DOCTOR], indirect=True)
def test_doctor_mends_first_and_once(bare_copy):
    """Also what no other command would detect; if a set-up does not repair it, doctor reports that instead of trying
    forever.
    """
    assert run(bare_copy / "ullnic", "--help").returncode == 0
    unused = site(bare_copy / ".venv") / "pygments" / "lexers" / "fortran.py"
    unused.write_bytes(bytes(unused.stat().st_size))
    assert run(bare_copy / "ullnic", "--help").stderr == ""
    mended = run(bare_copy / "ullnic", "doctor", "--json")
    assert "pygments/lexers/fortran.py has other content" in mended.stderr.splitlines()[0]
    checks = {check["name"]: check for check in json.loads(mended.stdout)["checks"]}
    assert checks["Python packages"]["status"] == "ok"
    bootstrap = bare_copy / "python" / "ullnic" / "mend.py"
    bootstrap.write_text(bootstrap.read_text().replace("thorough=True)", "thorough=True) or 'it is planted'"))
    main = bare_copy / "python" / "ullnic" / "cli.py"
    main.write_text(main.read_text().replace("def main() -> int:", "def main() -> int:\n    import no_such_package"))
    start_s = time.monotonic()
    failed = run(bare_copy / "ullnic", "--help")
    assert failed.returncode == 1 and "remedy: " in failed.stderr and "Traceback" not in failed.stderr
    assert "is broken (it is planted) although it has just been set up" in failed.stderr
    print(f"given up after {time.monotonic() - start_s:.0f} s")


@SETTING_UP
def test_a_link_to_another_place_is_replaced_and_the_place_kept(bare_copy, tmp_path):
    mine = tmp_path / "mine"
    (mine / "bin").mkdir(parents=True)
    (bare_copy / ".venv").symlink_to(mine)
    assert run(bare_copy / "ullnic", "--help").returncode == 0
    assert mine.is_dir() and not (bare_copy / ".venv").is_symlink()


@pytest.fixture
def open_copy(bare_copy):
    """A folder that other users may enter. Only its own user may enter pytest's, and each pytest enforces that at its
    start.
    """
    with tempfile.TemporaryDirectory(prefix="ullnic-") as folder:
        Path(folder).chmod(0o755)
        yield Path(shutil.move(bare_copy, folder))


@SETTING_UP
@pytest.mark.skipif(os.geteuid() != 0, reason="needs a second user")
def test_of_another_user_is_a_clear_error(open_copy):
    assert run(open_copy / "ullnic", "--help").returncode == 0
    for path in (open_copy, *open_copy.rglob("*")):
        if ".venv" not in path.parts:
            os.chown(path, 65534, 65534, follow_symlinks=False)
    as_nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env", "HOME=/tmp"]
    python = {"ULLNIC_PYTHON": "/usr/bin/python3"}  # a Python that this user can start
    shutil.rmtree(site(open_copy / ".venv") / "click")
    refused = run(*as_nobody, open_copy / "ullnic", "--help", **python)
    assert refused.returncode == 1 and "Traceback" not in refused.stderr
    first, second = refused.stderr.splitlines()
    assert first.startswith("error: ") and "it belongs to root, and may not be changed by nobody" in first
    assert second.startswith("remedy: run ./ullnic doctor once as root")
    os.chown(open_copy / ".venv", 65534, 65534)  # but not its contents
    refused = run(*as_nobody, open_copy / "ullnic", "--help", **python)
    assert refused.returncode == 1 and "cannot be removed" in refused.stderr
    assert f"remedy: remove it as the user who owns what is in it (sudo rm -r {open_copy}/.venv)" in refused.stderr


def test_a_look_at_each_call_is_quick_and_a_change_that_is_none_is_forgotten(tmp_path):
    """On this tree's own .venv: the share of a call's time that the promise of 50 ms covers."""
    times_s = []
    for _ in range(5):
        start_s = time.monotonic()
        subprocess.run([VENV / "bin/python", "-I", "-S", "-B", Path(installed.__file__), VENV], check=True)
        times_s.append(time.monotonic() - start_s)
    print(f"{min(times_s) * 1000:.0f} ms at best, {max(times_s) * 1000:.0f} ms at worst")
    assert min(times_s) < 0.1  # doubled for a loaded machine
    venv = tmp_path / "venv"
    (venv / "lib" / "package").mkdir(parents=True)
    (venv / "lib" / "package" / "module.py").write_text("x = 1\n")
    installed.record(str(venv))
    (venv / "lib" / "package" / "__pycache__").mkdir()
    before = (venv / "ullnic-folders").read_text()
    assert installed.fault(str(venv)) == ""
    assert (venv / "ullnic-folders").read_text() != before, "the next call looks at no file"
