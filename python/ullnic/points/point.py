# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A measurement point, and where its result is kept."""

import hashlib
import json
import os
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ullnic.errors import UllnicError
from ullnic.paths import BUILD

KEPT = 20  # results under one name


@dataclass(frozen=True)
class Point:
    """`options`: the options of `./ullnic run-point` that affect it. `content`: a digest of sources and tools.

    The result is kept under a key of all of this, so it is reused only as long as nothing changed.
    """

    core: str
    kind: str
    config: str
    variant: str
    options: tuple[tuple[str, int], ...]
    content: str
    cost_s: float  # estimate for one core: orders the points, and drives the progress if nothing better is known

    @property
    def name(self) -> str:
        return f"{self.core}/{self.kind}/{self.config}/{self.variant}"

    @cached_property
    def key(self) -> str:
        return digest(repr((self.name, self.options, self.content)).encode())

    @property
    def path(self) -> Path:
        return store() / f"{self.name}.{self.key}.json"

    def argv(self) -> list[str]:
        """Arguments of ./ullnic that measure it."""
        return ["run-point", self.name, *(part for name, value in self.options for part in (f"--{name}", str(value)))]

    @property
    def command(self) -> str:
        return " ".join(["./ullnic", *self.argv()])

    def result(self) -> dict | None:
        """The result; None if it was not measured, or the file is damaged."""
        try:
            kept = json.loads(self.path.read_text())
            return kept["result"] if kept["key"] == self.key else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def took_s(self) -> float | None:
        """How long the measurement took; None if it was not measured."""
        return _wall_s(self.path, self.options)

    def expected_s(self) -> float:
        """The expected duration: that of the last time, whatever the sources were then, or else about its cost."""
        with suppress(OSError):
            known = sorted(self.path.parent.glob(f"{self.variant}.*.json"), key=lambda path: path.stat().st_mtime)
            for path in reversed(known):
                if took_s := _wall_s(path, self.options):
                    return took_s
        return self.cost_s

    def keep(self, result: dict, wall_s: float) -> None:
        """Writes the file atomically. Under each name the newest results are kept, whatever their keys."""
        kept = {
            "point": self.name,
            "key": self.key,
            "command": self.command,
            "options": dict(self.options),
            "wall_s": round(wall_s, 1),
            "result": result,
        }
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            part = self.path.with_suffix(f".{os.getpid()}.part")
            part.write_text(json.dumps(kept) + "\n")
            part.replace(self.path)
            with suppress(FileNotFoundError):  # another process may do the same
                results = sorted(self.path.parent.glob(f"{self.variant}.*.json"), key=lambda path: path.stat().st_mtime)
                for old in results[:-KEPT]:
                    old.unlink()
        except OSError as error:
            raise UllnicError(
                f"cannot write {error.filename or self.path}: {error.strerror}",
                "name with ULLNIC_POINTS a folder that you may write to",
            ) from error


def _wall_s(path: Path, options: tuple[tuple[str, int], ...]) -> float | None:
    with suppress(OSError, ValueError, KeyError, TypeError):
        kept = json.loads(path.read_text())
        if kept["options"] == dict(options):
            return float(kept["wall_s"])
    return None


def store() -> Path:
    """The folder of results."""
    return Path(os.environ.get("ULLNIC_POINTS") or BUILD / "points").absolute()


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]
