# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The project's source files by kind, and the licence line that each must have."""

import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ullnic.errors import UllnicError
from ullnic.paths import GIT, ROOT

LICENCE = "SPDX-License-Identifier: Apache-2.0"
# Linux is under the GPL, and so is a module of it.
GPL_LICENCE, GPL_FOLDER = "SPDX-License-Identifier: GPL-2.0-only", Path("host/linux")
LICENCE_LINES = 6  # it must be among the first lines
VERILOG = {".sv", ".svh", ".v", ".vh"}
CPP = {".cc", ".cpp", ".h", ".hpp", ".c"}
OTHER = {".cmake", ".toml", ".sby", ".tcl", ".ys", ".vlt", ".yml", ".yaml", ".in", ".rdl", ".sh", ".xdc", ".sdc"}
OTHER |= {".core", ".f"}
NAMES = {"CMakeLists.txt", ".clang-format", ".gitignore", ".rules.verible_lint"}
NOT_OURS = {".git", ".venv", ".cache", "build", "__pycache__"}


@dataclass
class Sources:
    """Paths relative to the project's root."""

    verilog: list[Path] = field(default_factory=list)
    # A top level's list of files, from the project's root: cards/NAME/rtl/TOP.f, cores/NAME/synth/TOP.f, template/TOP.f
    tops: list[Path] = field(default_factory=list)
    cores: list[Path] = field(default_factory=list)  # NAME.core: a core's description for FuseSoC
    python: list[Path] = field(default_factory=list)
    cpp: list[Path] = field(default_factory=list)
    shell: list[Path] = field(default_factory=list)
    pages: list[Path] = field(default_factory=list)  # Markdown
    licensed: list[Path] = field(default_factory=list)

    @classmethod
    def find(cls) -> "Sources":
        sources = cls()
        for path in sorted(project_files()):
            sources.add(path)
        return sources

    def add(self, path: Path) -> None:
        shell = path.suffix == ".sh" or (path.suffix == "" and is_shell_script(ROOT / path))
        kinds = {
            "verilog": path.suffix in VERILOG,
            "cores": path.suffix == ".core",
            "python": path.suffix == ".py",
            "cpp": path.suffix in CPP,
            "shell": shell,
        }
        if path.suffix == ".md":
            self.pages.append(path)
        for kind, matches in kinds.items():
            if matches:
                getattr(self, kind).append(path)
        if path.suffix == ".f" and path.parent.name in ("rtl", "synth", "template"):
            self.tops.append(path)
        if any(kinds.values()) or path.suffix in OTHER or path.name in NAMES:
            self.licensed.append(path)


def project_files() -> Iterator[Path]:
    """The files that git tracks or would add; in a tree without git, everything that is not generated."""
    git = [*GIT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listing = subprocess.run(git, capture_output=True, check=True).stdout.decode(errors="surrogateescape")
        names = [Path(name) for name in listing.split("\0") if name] if (ROOT / ".git").exists() else None
    except (OSError, subprocess.CalledProcessError):
        names = None
    for path in walk() if names is None else names:
        if (ROOT / path).is_file():  # a deleted file is still tracked until the next commit
            yield path


def listed_files(list_file: Path, base: Path | None = None) -> Iterator[Path]:
    """The files that a list (*.f) names, in order, as Verilator and slang read it with -F: relative to its folder.

    `base`: what its paths are relative to instead, as with -f. Lists that it includes with -F are read in the same way.
    """
    base = base or list_file.parent
    for number, line in enumerate(list_file.read_text().splitlines(), 1):
        line = line.split("//")[0].strip()
        if line.startswith("-F "):
            yield from listed_files(base / line.removeprefix("-F ").strip())
        elif line.startswith(("-", "+")):
            raise UllnicError(f"{list_file}:{number}: '{line}' is not known here", "name a file, or a list with -F")
        elif line:
            yield base / line


def walk() -> Iterator[Path]:
    for directory, subdirectories, files in os.walk(ROOT):
        subdirectories[:] = [name for name in subdirectories if name not in NOT_OURS]
        for name in files:
            yield (Path(directory) / name).relative_to(ROOT)


def is_shell_script(path: Path) -> bool:
    with path.open("rb") as file:
        first = file.readline(80)
    return first.startswith(b"#!") and first.rstrip().endswith((b"bash", b"/sh"))


def licences(path: Path) -> tuple[str, ...]:
    """Licences that a file may have; the first is the usual one."""
    return (GPL_LICENCE, LICENCE) if path.is_relative_to(GPL_FOLDER) else (LICENCE,)


def without_licence(files: list[Path]) -> Iterator[str]:
    for path in files:
        allowed = licences(path)
        with (ROOT / path).open(errors="replace") as file:
            first = [line for _, line in zip(range(LICENCE_LINES), file, strict=False)]
        if not any(licence in line for licence in allowed for line in first):
            yield f"{path}: no line '{allowed[0]}' among the first {LICENCE_LINES}"
