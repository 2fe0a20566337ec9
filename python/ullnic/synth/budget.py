# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""What a configuration may take: the tables [synth.CONFIGURATION] in cores/CORE/budget.toml.

    [synth.nofifo_pma32_mac32]
    lut_packed = 1337
    ff = 838
    levels = { tx_clk = 8, rx_clk = 9 }

Any count of Resources can stand there. A figure over its limit is a failure, told with its change since the last
commit: against the limit that stood there then, which was the figure.
"""

import subprocess
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from ullnic.errors import UllnicError
from ullnic.paths import ROOT
from ullnic.synth.flow import Result
from ullnic.synth.resources import Resources

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib

COUNTS = tuple(field.name for field in fields(Resources))
SHOWN = ("lut_cells", "lut_packed", "ff", "lutram", "bram36", "uram")  # in the lines to begin with


@dataclass(frozen=True)
class Overrun:
    config: str
    figure: str
    measured: float
    limit: float
    committed: float | None  # the limit at the last commit

    def __str__(self) -> str:
        change = "new" if self.committed is None else f"{self.measured - self.committed:+g} since the last commit"
        return f"{self.config}: {self.figure} {self.measured:g}, limit {self.limit:g} ({change})"


def budget_path(core: str) -> Path:
    return ROOT / "cores" / core / "budget.toml"


def limits_in(text: str, config: str) -> dict[str, float]:
    """Limits of a configuration, flat: "ff", "levels of tx_clk"."""
    table = tomllib.loads(text).get("synth", {}).get(config, {})
    flat: dict[str, float] = {}
    for name, value in table.items():
        if name == "levels":
            flat |= {f"levels of {clock}": limit for clock, limit in value.items()}
        elif name in COUNTS:
            flat[name] = value
        else:
            raise UllnicError(
                f"budget.toml: [synth.{config}] has a limit for '{name}', which is not measured",
                f"known are: {', '.join(COUNTS)}, levels",
            )
    return flat


def figures_of(result: Result) -> dict[str, float]:
    return asdict(result.resources) | {f"levels of {each.clock}": each.levels for each in result.clocks}


def overruns(result: Result, text: str, committed_text: str) -> list[Overrun]:
    """Figures over their limits in `text`; `committed_text` is the budget of the last commit, "" if there is none."""
    limits, measured = limits_in(text, result.config), figures_of(result)
    unknown = limits.keys() - measured.keys()
    if unknown:
        raise UllnicError(
            f"budget.toml: [synth.{result.config}] limits {', '.join(sorted(unknown))}, which there is not",
            f"clocks of this configuration: {', '.join(each.clock for each in result.clocks)}",
        )
    committed = limits_in(committed_text, result.config)
    return [
        Overrun(result.config, name, measured[name], limit, committed.get(name))
        for name, limit in limits.items()
        if measured[name] > limit
    ]


def check(results: list[Result], core: str) -> None:
    """UllnicError that names every figure over its limit."""
    path = budget_path(core)
    text, committed = path.read_text(), committed_text(path)
    without = [result for result in results if not limits_in(text, result.config)]
    if without:
        names = ", ".join(f"[synth.{result.config}]" for result in without)
        raise UllnicError(
            f"budget.toml of {core} has no table {names}",
            "put in what holds now:\n" + "\n\n".join(lines(result) for result in without),
        )
    over = [str(each) for result in results for each in overruns(result, text, committed)]
    if over:
        raise UllnicError("over budget:\n" + "\n".join(over), f"make it smaller, or raise the limit in {path}")


def committed_text(path: Path) -> str:
    """The file as of the last commit; "" where there is no git or no such file."""
    git = ["git", "-c", f"safe.directory={ROOT}", "-C", str(ROOT), "show", f"HEAD:{path.relative_to(ROOT).as_posix()}"]
    try:
        shown = subprocess.run(git, capture_output=True, text=True)
    except OSError:
        return ""
    return shown.stdout if shown.returncode == 0 else ""


def lines(result: Result) -> str:
    """A table with the figures as they are."""
    counts = asdict(result.resources)
    levels = ", ".join(f"{each.clock} = {each.levels}" for each in result.clocks)
    rows = [f"[synth.{result.config}]", *(f"{name} = {counts[name]:g}" for name in SHOWN)]
    return "\n".join([*rows, f"levels = {{ {levels} }}"])
