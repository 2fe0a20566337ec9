# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic doctor`: everything the project needs, whether it is installed, and the remedy where it is not."""

import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from importlib import metadata

import click

from ullnic import apt, installed
from ullnic.errors import UllnicError
from ullnic.mend import BrokenVenv
from ullnic.paths import ROOT, VENV
from ullnic.toolchain import cpu_count, find_verilator, verilator_version, which

OK, MISSING, NOTE = "ok", "missing", "note"  # a note: optional, but something works less well or not at all
MIN_COMPILER = 11  # C++20
MIN_DISK_GB = 2


@dataclass(frozen=True)
class Check:
    name: str
    status: str
    detail: str
    remedy: str = ""
    needed_by: tuple[str, ...] = ()


def checks() -> Iterator[Check]:
    yield Check("Python", OK, f"{platform.python_version()} in {VENV}, from {sys.base_prefix}")
    yield python_packages()
    yield verilator()
    if which("c++"):
        yield compiler()
    for need in apt.NEEDS:
        yield system_package(need)
    yield namespaces()
    yield tun()
    yield disk()
    cores = cpu_count()
    yield Check("cores", OK if cores >= 2 else NOTE, str(cores), "" if cores >= 2 else "works, but slowly: give it two")


@cache  # it reads every installed file: two seconds
def look_at_files() -> None:
    """Compares every file in .venv with the set-up's list; a broken .venv is set up again, then this command starts
    again.
    """
    if fault := installed.fault(str(VENV), thorough=True):
        raise BrokenVenv(fault)


def python_packages() -> Check:
    look_at_files()
    from packaging.requirements import Requirement

    lines = (ROOT / "requirements.lock").read_text().splitlines()
    pins = [Requirement(line.rstrip("\\ ")) for line in lines if "==" in line and not line.startswith((" ", "#"))]
    pins = [pin for pin in pins if pin.marker is None or pin.marker.evaluate()]
    wrong = []
    for pin in pins:
        try:
            installed = metadata.version(pin.name)
        except metadata.PackageNotFoundError:
            wrong.append(f"{pin.name} is not installed")
            continue
        if not pin.specifier.contains(installed, prereleases=True):
            wrong.append(f"{pin.name} is {installed}, not {pin.specifier}")
    if wrong:
        return Check(
            "Python packages", MISSING, ", ".join(wrong), "rm -r .venv, then run ./ullnic again", ("run", "test")
        )
    return Check("Python packages", OK, f"{len(pins)} as in requirements.lock, every file as it was installed")


def verilator() -> Check:
    try:
        path = find_verilator()
    except UllnicError as error:
        return Check("Verilator", MISSING, error.message, error.remedy, ("run", "test", "measure", "lint"))
    return Check("Verilator", OK, "{}.{:03} at {}".format(*verilator_version(path), path))


def compiler() -> Check:
    path = which("c++")
    remedy = f"install g++ {MIN_COMPILER} or newer and make it c++ (update-alternatives --config c++)"
    version = subprocess.run([path, "-dumpversion"], capture_output=True, text=True).stdout.strip()
    major = int(version.split(".")[0] or 0) if version[:1].isdigit() else 0
    if major < MIN_COMPILER:
        return Check(
            "C++ compiler", MISSING, f"{path} is version {version or 'unknown'}", remedy, ("run", "test", "measure")
        )
    return Check("C++ compiler", OK, f"version {version} at {path}")


def system_package(need: apt.Need) -> Check:
    if need.present():
        return Check(need.package, OK, need.purpose)
    return Check(need.package, MISSING if need.users else NOTE, need.purpose, apt.remedy([need]), need.needed_by)


def namespaces() -> Check:
    from ullnic.run.sandbox import choose_user_namespace

    try:
        user_namespace = choose_user_namespace()
    except UllnicError as error:
        return Check("network namespaces", MISSING, error.message, error.remedy, ("run", "test"))
    return Check("network namespaces", OK, "as an ordinary user" if user_namespace else "as root")


def tun() -> Check:
    try:
        os.close(os.open("/dev/net/tun", os.O_RDWR))
    except OSError as error:
        return Check("/dev/net/tun", NOTE, error.strerror, "not needed: veth pairs are used instead")
    return Check("/dev/net/tun", OK, "can be opened")


def disk() -> Check:
    free_gb = shutil.disk_usage(ROOT).free / 1e9
    if free_gb < MIN_DISK_GB:
        return Check("free disk", MISSING, f"{free_gb:.1f} GB", f"free {MIN_DISK_GB} GB", ("run", "test"))
    return Check("free disk", OK, f"{free_gb:.0f} GB")


EXAMPLES = """\b
Examples:
  ./ullnic doctor             the table
  ./ullnic doctor --json      the same for a program: {"ok": ..., "checks": [...]}"""


@click.command(epilog=EXAMPLES)
@click.option("--json", "as_json", is_flag=True, help="As JSON on standard output.")
def doctor(as_json: bool) -> int:
    """Show what is installed, what is missing, and the remedy.

    Exit code 1 if something that `run` or `test` cannot do without is missing. A note is something that only makes
    them slower or poorer. A .venv that is broken is set up again first: every file in it is looked at.
    """
    found = list(checks())
    bad = [check for check in found if check.status == MISSING and {"run", "test"} & set(check.needed_by)]
    if as_json:
        click.echo(json.dumps({"ok": not bad, "checks": [asdict(check) for check in found]}, indent=2))
    else:
        show(found)
    return 1 if bad else 0


def show(found: list[Check]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    styles = {OK: "green", MISSING: "bold red", NOTE: "yellow"}
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("", "what", "found"):
        table.add_column(heading, overflow="fold")
    absent = [need for need in apt.NEEDS if need.package in {check.name for check in found if check.status != OK}]
    for check in found:
        needed = f" (needed by {', '.join(check.needed_by)})" if check.needed_by else ""
        table.add_row(Text(check.status, styles[check.status]), check.name, Text(check.detail + needed))
        if check.remedy and check.name not in {need.package for need in absent}:
            table.add_row("", "", Text(check.remedy, "italic"))
    console = Console()
    console.print(table)
    if absent:
        console.print(Text(f"\nThe system packages that are missing: {apt.remedy(absent)}"), soft_wrap=True)
    missing = sum(check.status == MISSING for check in found)
    click.echo(f"\n{missing} missing" if missing else "\nready: nothing is missing")
