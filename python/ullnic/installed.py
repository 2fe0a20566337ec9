# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""What the set-up has installed into .venv, and whether it is still there.

The launcher runs this file with .venv's own Python before each command: a Python that does not start is a fault too. It
imports little, since every call runs it: about 15 ms in all. Standard library only.

A folder's modification time changes with its entries. As long as no folder's time has changed, nothing was removed or
added, and only the files that a command needs to start are checked. `thorough` compares each file's size and checksum
too.
"""

import os
import stat
import sys

STAMP = "ullnic-stamp"
FOLDERS, FILES = "ullnic-folders", "ullnic-files"  # lists, in .venv
NOT_LISTED = {STAMP, FOLDERS, FILES}
BLOCK = 1 << 20


def interpreter() -> str:
    """The interpreter that compiled packages are made for."""
    return f"{sys.implementation.cache_tag} on {os.uname().machine}"


def record(venv: str) -> None:
    """Writes the lists. The folders' list comes last: it marks the other one as complete."""
    folders, files = survey(venv)
    lines = [f"{size} {checksum(os.path.join(venv, path))} {path}" for path, size in files.items()]
    write_lines(os.path.join(venv, FILES), lines)
    write_folders(venv, folders, files)


def fault(venv: str, thorough: bool = False) -> str:
    """What is wrong with .venv, in a few words; empty if nothing is."""
    try:
        made_for, *lines = read_lines(os.path.join(venv, FOLDERS))
        wanted = dict(reversed(line.split(" ", 1)) for line in lines)
    except (OSError, ValueError):
        return "its list of folders is not there or damaged"
    if made_for != interpreter():
        return f"it was made for {made_for}, and its Python is now {interpreter()}"
    if not thorough and all(state(venv, path) == found for path, found in wanted.items()):
        return ""
    found = fault_of_files(venv, thorough)
    if not found:  # something else was added, or caches were removed
        from contextlib import suppress  # not in every call

        with suppress(OSError):  # owned by another user: checked again next time
            write_folders(venv, *survey(venv))
    return found


def fault_of_files(venv: str, thorough: bool) -> str:
    try:
        wanted = [line.split(" ", 2) for line in read_lines(os.path.join(venv, FILES))]
        there = survey(venv)[1]
        for size, crc, path in wanted:
            if path not in there:
                return f"{path} is missing"
            if there[path] != int(size):
                return f"{path} has {there[path]} bytes instead of {size}"
            if thorough and checksum(os.path.join(venv, path)) != crc:
                return f"{path} has other content than when it was installed"
    except (OSError, ValueError) as error:
        return f"its files cannot be compared with their list: {error}"
    return "" if wanted else "its list of files is empty"


def survey(venv: str) -> tuple[list[str], dict[str, int]]:
    """The folders, and sizes of the files (of links: of the link itself).

    Caches of compiled Python are left out, and so are nested environments, which have their own stamp.
    """
    folders, files = [], {}
    for place, inside, names in os.walk(venv):
        at = os.path.relpath(place, venv)
        inside[:] = [name for name in inside if name != "__pycache__"]
        if at == ".":
            inside[:] = [name for name in inside if not os.path.exists(os.path.join(place, name, STAMP))]
            names = [name for name in names if name.removesuffix(".new") not in NOT_LISTED]
        else:  # the time of .venv itself changes with the lists
            folders.append(at)
        links = [name for name in inside if os.path.islink(os.path.join(place, name))]
        for name in (*names, *links):
            files[os.path.normpath(os.path.join(at, name))] = os.lstat(os.path.join(place, name)).st_size
    return folders, files


def starts_a_command(path: str) -> bool:
    return path == "pyvenv.cfg" or path.endswith(".pth") or os.path.dirname(path) == "bin"


def state(venv: str, path: str) -> str:
    """A folder's modification time, a file's size."""
    try:
        found = os.lstat(os.path.join(venv, path))
    except OSError:
        return "missing"
    return f"t{found.st_mtime_ns}" if stat.S_ISDIR(found.st_mode) else f"s{found.st_size}"


def checksum(path: str) -> str:
    import zlib  # not in every call

    if os.path.islink(path):
        return f"{zlib.crc32(os.fsencode(os.readlink(path))):08x}"
    crc = 0
    with open(path, "rb") as file:
        while block := file.read(BLOCK):
            crc = zlib.crc32(block, crc)
    return f"{crc:08x}"


def read_lines(path: str) -> list[str]:
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return file.read().splitlines()


def write_lines(path: str, lines: list[str]) -> None:
    with open(path + ".new", "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write("".join(f"{line}\n" for line in lines))
    os.replace(path + ".new", path)


def write_folders(venv: str, folders: list[str], files: dict[str, int]) -> None:
    paths = [*folders, *filter(starts_a_command, files)]
    write_lines(os.path.join(venv, FOLDERS), [interpreter(), *(f"{state(venv, path)} {path}" for path in paths)])


if __name__ == "__main__":
    FOUND = fault(sys.argv[1])
    sys.exit(f"fault: {FOUND}" if FOUND else 0)
