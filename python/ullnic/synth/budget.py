# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Limits of a configuration's resources: the tables [synth.CONFIGURATION] in cores/CORE/budget.toml.

    [synth.nofifo_pma32_mac32]
    lut_packed = 1337
    ff = 838
    levels = { tx_clk = 8, rx_clk = 9 }

Any count of Resources is allowed there.
"""

from dataclasses import asdict, fields

from ullnic import budget as core_budget
from ullnic.budget import Limit
from ullnic.errors import UllnicError
from ullnic.synth.flow import Result
from ullnic.synth.resources import Resources

COUNTS = tuple(field.name for field in fields(Resources))
SHOWN = ("lut_cells", "lut_packed", "ff", "lutram", "bram36", "uram")  # the counts in a new table


def limits_in(budget: dict, config: str) -> dict[str, float]:
    """Limits of a configuration, flat: "ff", "levels of tx_clk"."""
    flat: dict[str, float] = {}
    for name, value in budget.get("synth", {}).get(config, {}).items():
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


def limits(result: Result, budget: dict, committed: dict) -> list[Limit]:
    """Every figure that has a limit; `committed` is the budget of the last commit, empty if there is none."""
    known, measured = limits_in(budget, result.config), figures_of(result)
    unknown = known.keys() - measured.keys()
    if unknown:
        raise UllnicError(
            f"budget.toml: [synth.{result.config}] limits {', '.join(sorted(unknown))}, which there is not",
            f"clocks of this configuration: {', '.join(each.clock for each in result.clocks)}",
        )
    before = limits_in(committed, result.config)
    return [Limit(result.config, name, measured[name], limit, before.get(name)) for name, limit in known.items()]


def check(results: list[Result], core: str) -> None:
    """Raises UllnicError that names every figure over its limit, or a configuration without limits."""
    budget, committed = core_budget.budgets(core)
    without = {each.config: lines(each) for each in results if not limits_in(budget, each.config)}
    core_budget.require_tables(core, "synth", without)
    core_budget.check([each for result in results for each in limits(result, budget, committed)], core)


def lines(result: Result) -> str:
    """A table with the current figures."""
    counts = asdict(result.resources)
    levels = ", ".join(f"{each.clock} = {each.levels}" for each in result.clocks)
    rows = [f"[synth.{result.config}]", *(f"{name} = {counts[name]:g}" for name in SHOWN)]
    return "\n".join([*rows, f"levels = {{ {levels} }}"])
