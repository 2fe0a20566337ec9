# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Which test runs which lines of C, by clang's source-based coverage."""

import json
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ullnic.errors import UllnicError

PROFILE = "LLVM_PROFILE_FILE"
# One file for each program and library, which their processes map when they start. So those that are killed, or may not
# open files any more, leave a profile, too.
PROFILE_NAME = "%m%c.profraw"
FLAGS = ("-fprofile-instr-generate", "-fcoverage-mapping", "-mllvm", "-runtime-counter-relocation")
HAS_MAP = b"__llvm_covmap"


@dataclass
class Coverage:
    """`tests`: name and seconds of each. `lines`: of each file the lines that are code; bit N: test N runs the line."""

    tests: list[tuple[str, float]] = field(default_factory=list)
    lines: dict[str, dict[int, int]] = field(default_factory=lambda: defaultdict(dict))

    def add(self, test: str, seconds: float, ran: dict[str, dict[int, bool]]) -> None:
        bit = 1 << len(self.tests)
        self.tests.append((test, seconds))
        for file, lines in ran.items():
            for line, runs in lines.items():
                self.lines[file][line] = self.lines[file].get(line, 0) | (bit if runs else 0)

    def of(self, file: str, line: int) -> list[tuple[str, float]]:
        """The tests that run the line, the quickest first."""
        bits = self.lines[file][line]
        found = [test for number, test in enumerate(self.tests) if bits >> number & 1]
        return sorted(found, key=lambda test: test[1])

    def save(self, path: Path, key: str) -> None:
        lines = {file: {line: f"{bits:x}" for line, bits in each.items()} for file, each in self.lines.items()}
        path.write_text(json.dumps({"key": key, "tests": self.tests, "lines": lines}))

    @classmethod
    def load(cls, path: Path, key: str) -> "Coverage | None":
        """None if it was not saved, or with another key."""
        saved = json.loads(path.read_text()) if path.exists() else {"key": None}
        if saved["key"] != key:
            return None
        lines = {
            file: {int(line): int(bits, 16) for line, bits in each.items()} for file, each in saved["lines"].items()
        }
        return cls([tuple(each) for each in saved["tests"]], lines)


def programs(build: Path) -> list[Path]:
    """The programs and libraries of a build folder whose lines can be counted."""
    files = [path for folder in ("bin", "lib") for path in sorted((build / folder).glob("*"))]
    return [path for path in files if path.is_file() and not path.is_symlink() and HAS_MAP in path.read_bytes()]


def ran_lines(root: Path, objects: list[Path], profiles: Path) -> dict[str, dict[int, bool]]:
    """Of each file below `root`, the lines that are code, and whether a process ran them."""
    raw = sorted(profiles.glob("*.profraw"))
    if not raw:
        return {}
    merged = profiles / "merged"
    _tool("llvm-profdata", "merge", "-o", merged, *raw)
    which = [word for each in objects for word in ("-object", each)]
    said = _tool("llvm-cov", "export", "-format=lcov", "-skip-functions", "-instr-profile", merged, *which)
    return {file: dict(lines) for file, lines in _lcov(root, said)}


def _lcov(root: Path, said: str) -> Iterator[tuple[str, list[tuple[int, bool]]]]:
    for record in said.split("end_of_record\n"):
        start, _, rest = record.partition("\n")
        path = Path(start.removeprefix("SF:"))
        if path.is_relative_to(root):
            counted = [line[3:].split(",") for line in rest.splitlines() if line.startswith("DA:")]
            yield str(path.relative_to(root)), [(int(line), count != "0") for line, count in counted]


def _tool(*argv: object) -> str:
    done = subprocess.run(list(map(str, argv)), capture_output=True, text=True)
    if done.returncode != 0:
        raise UllnicError(f"{argv[0]} failed: {done.stderr[-1000:]}", "clang and llvm must be of one version")
    return done.stdout
