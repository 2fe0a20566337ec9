# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that the built files have what cmake/Hardening.cmake promises: every program and library of host and sim."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from ullnic.build import DIRECTORY, build_host
from ullnic.paths import VERSION

TARGETS = ("all", "libullnic-tests")
# Small libraries without an array on a stack.
UNTOUCHED = {"libexasock_ext.so", "libonload_ext.so", "libullnic-lock-check.so"}
INTERCEPTS = "libullnic-sockets.so"  # defines the fortified functions itself


def is_elf(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def built() -> list[Path]:
    host = build_host(progress=False, targets=TARGETS)
    folders = [host / "bin", host / "lib", DIRECTORY / "bin", DIRECTORY / "cards", DIRECTORY / "nics"]
    return [path for folder in folders if folder.exists() for path in folder.iterdir()
            if path.is_file() and not path.is_symlink() and is_elf(path)]  # fmt: skip


def readelf(path: Path, *options: str) -> str:
    done = subprocess.run(["readelf", "--wide", *options, path], capture_output=True, text=True, check=True)
    return done.stdout


@pytest.fixture(scope="module", autouse=True)
def not_sanitized():
    if os.environ.get("ULLNIC_SANITIZED"):
        pytest.skip("sanitizers take the place of these protections")


@pytest.fixture(scope="module")
def files() -> dict[Path, dict[str, str]]:
    found = {
        path: {
            "headers": readelf(path, "--file-header", "--program-headers"),
            "dynamic": readelf(path, "--dynamic"),
            "symbols": readelf(path, "--dyn-syms"),
        }
        for path in built()
    }
    names = {path.name for path in found}
    assert {"ullnicd", "ullnic-info", f"libullnic.so.{VERSION}", INTERCEPTS} <= names, names
    return found


def test_addresses_are_random(files):
    """Programs are position independent, and so is all code: it contains no relocations."""
    for path, read in files.items():
        assert re.search(r"Type: +DYN", read["headers"]), path
        assert "TEXTREL" not in read["dynamic"], path
        if ".so" not in path.name:
            assert re.search(r"FLAGS_1\).* PIE", read["dynamic"]), path


def test_tables_of_functions_are_read_only(files):
    """Full RELRO: bound at the start, and write-protected afterwards."""
    for path, read in files.items():
        assert "GNU_RELRO" in read["headers"], path
        assert re.search(r"\(FLAGS\).*BIND_NOW", read["dynamic"]), path
        assert re.search(r"FLAGS_1\).*\bNOW\b", read["dynamic"]), path


def test_no_memory_can_be_written_and_executed(files):
    for path, read in files.items():
        assert re.search(r"GNU_STACK .* RW +0x", read["headers"]), path
        assert not re.search(r"LOAD .* RWE ", read["headers"]), path


def test_libraries_are_looked_for_beside_the_program_only(files):
    """Not in the current directory, which an empty or relative entry would mean, nor at a place of this machine."""
    for path, read in files.items():
        for found in re.findall(r"R(?:UN)?PATH\).*\[(.*)\]", read["dynamic"]):
            assert all(entry.split("/")[0] == "$ORIGIN" for entry in found.split(":")), f"{path}: {found}"


def test_stacks_are_guarded(files):
    for path, read in files.items():
        if path.name not in UNTOUCHED:
            assert "__stack_chk_fail" in read["symbols"], path


def test_string_functions_know_the_size(files):
    checked = re.compile(r"UND __(\w+)_chk@")
    for path, read in files.items():
        if path.name in ("ullnicd", "ullnic-info", "ullnic-latency", "ullnic-card", "ullnic-link"):
            assert set(checked.findall(read["symbols"])) - {"stack"}, path


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="of this processor")
def test_indirect_branches_have_marked_targets(files):
    for path in files:
        if ".so" not in path.name and not path.name.endswith("_test"):  # GoogleTest's own main()
            show = ["objdump", "--disassemble=main", "--no-show-raw-insn", path]
            code = subprocess.run(show, capture_output=True, text=True, check=True).stdout
            assert "endbr64" in code, f"{path}: main() has no endbr64"


def test_no_library_of_the_current_directory_is_loaded(tmp_path):
    """An empty entry of the path in the file would have that effect."""
    host = build_host(progress=False, targets=TARGETS)
    for name in ("libc.so.6", "libullnic.so.0", "libfmt.so.9", "libstdc++.so.6"):
        (tmp_path / name).write_text("no library\n")
    for path in [*host.glob("bin/ullnic*"), DIRECTORY / "bin" / "ullnic-card"]:
        if path.exists() and is_elf(path):
            done = subprocess.run([path, "--version"], cwd=tmp_path, capture_output=True, text=True)
            assert "error while loading shared libraries" not in done.stderr, path
