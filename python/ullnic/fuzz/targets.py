# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The fuzz targets, and how each is built."""

import os
import platform
from dataclasses import dataclass
from pathlib import Path

from ullnic import extras
from ullnic.build import build_fuzz
from ullnic.errors import UllnicError
from ullnic.paths import BUILD, ROOT

DIRECTORY = BUILD / "fuzz"


@dataclass(frozen=True)
class Target:
    """`part`: where it is built; "" is Python. `longest_bytes`: limit of an input."""

    name: str
    what: str
    part: str
    corpus: Path
    longest_bytes: int

    @property
    def folder(self) -> Path:
        """Where it runs, and where its runs leave their files."""
        return DIRECTORY / self.name


def _host(name: str, what: str) -> Target:
    return Target(name, what, "host", ROOT / "host/fuzz/corpus" / name, 2048)


TARGETS = {
    each.name: each
    for each in (
        _host("wire", "frames into ullnicd's TCP/IP stack, with sockets open"),
        _host("control", "requests of programs to ullnicd, and what they do with its sockets"),
        _host("completion", "a card that lies to libullnic"),
        Target("vfio", "vfio-user messages, rings and memory of clients", "sim", ROOT / "sim/fuzz/corpus/vfio", 4096),
        Target("captures", "capture files of users", "", ROOT / "tests/fuzz/corpus/captures", 2048),
    )
}


def command(target: Target, progress: bool = True) -> tuple[list[str], dict[str, str]]:
    """Builds the target; returns its command line, to which libFuzzer's options are appended, and its environment."""
    if target.part:
        folder = build_fuzz(target.part, (f"{target.name}_fuzz",), progress)
        return [str(folder / f"{target.name}_fuzz")], dict(os.environ)
    if platform.machine() != "x86_64":
        raise UllnicError(
            f"Atheris has no package for {platform.machine()}, so the target {target.name} cannot run",
            "run it on x86_64; here, name the other targets with --only",
        )
    python = extras.ensure("fuzz") / "python"
    return [str(python), "-m", f"ullnic.fuzz.{target.name}_target"], os.environ | {"PYTHONPATH": str(ROOT / "python")}
