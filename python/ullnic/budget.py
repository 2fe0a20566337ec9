# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Limits of the figures of a core or card: budget.toml in its folder.

Its comments explain the entries; measure/budget.py (latency) and synth/budget.py (area and levels) check them.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ullnic import toml
from ullnic.errors import UllnicError
from ullnic.paths import ROOT
from ullnic.provenance import git


@dataclass(frozen=True)
class Limit:
    """A figure and its upper limit; `committed` is its limit in the last commit, if there was one."""

    config: str
    figure: str
    measured: float
    limit: float
    committed: float | None

    @property
    def over(self) -> bool:
        return self.measured > self.limit

    def __str__(self) -> str:
        change = "new"
        if self.committed is not None:
            change = f"{round(self.measured - self.committed, 3):+g} since the last commit"
        return f"{self.config}: {self.figure} {self.measured:g}, limit {self.limit:g} ({change})"


def budget_path(core: str) -> Path:
    """The path for a core or a card: its folder's name, with `_card` appended where a core has the same name."""
    own = ROOT / "cores" / core
    return (own if own.is_dir() else ROOT / "cards" / core.removesuffix("_card")) / "budget.toml"


def budgets(core: str) -> tuple[dict, dict]:
    """The core's current budget, and that of the last commit: empty without git or without the file."""
    path = budget_path(core)
    return toml.loads(path.read_text()), toml.loads(committed_text(path))


def committed_text(path: Path) -> str:
    """The file in the last commit; "" without git or without the file."""
    return git("show", f"HEAD:{path.relative_to(ROOT).as_posix()}")


def check(limits: Iterable[Limit], core: str) -> None:
    """Raises UllnicError that names every figure over its limit."""
    over = [str(each) for each in limits if each.over]
    if over:
        raise UllnicError(
            "over budget:\n" + "\n".join(over), f"make it smaller, or raise the limit in {budget_path(core)}"
        )


def require_tables(core: str, kind: str, missing: dict[str, str]) -> None:
    """Raises UllnicError if a configuration has no table [KIND.CONFIGURATION]; `missing`: current values by
    configuration.
    """
    if missing:
        names = ", ".join(f"[{kind}.{config}]" for config in missing)
        tables = "\n\n".join(missing.values())
        raise UllnicError(f"budget.toml of {core} has no table {names}", f"put in what holds now:\n{tables}")
