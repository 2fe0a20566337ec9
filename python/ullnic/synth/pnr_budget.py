# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The frequencies of a configuration when it was last placed and routed: the tables [pnr.CONFIGURATION] in
cores/CORE/budget.toml.

    [pnr.nofifo_pma32_mac32]
    fmax_mhz = { tx_clk = 168.12, rx_clk = 152.79 }

A small change of the RTL changes the placement, which alone changes a clock's frequency, so only a clock that lost more
than MARGIN fails. docs/timing.md has the spread from which the margin was chosen. Clocks that exceed their requirement
even on this device may be left out: their slowest part is the shift register around the core.
"""

from ullnic import toml
from ullnic.budget import budget_path, require_tables
from ullnic.errors import UllnicError
from ullnic.synth.pnr import PnrClock, PnrResult

MARGIN = 0.15  # share of the recorded frequency


def recorded_in(text: str, config: str) -> dict[str, float]:
    """MHz by clock; empty if there is no such table."""
    table = toml.loads(text).get("pnr", {}).get(config, {})
    unknown = table.keys() - {"fmax_mhz"}
    if unknown:
        raise UllnicError(f"budget.toml: [pnr.{config}] has {', '.join(sorted(unknown))}", "it can have fmax_mhz only")
    return table.get("fmax_mhz", {})


def losses(result: PnrResult, text: str) -> list[str]:
    """Clocks that are slower than their record allows."""
    recorded, measured = recorded_in(text, result.config), {each.clock: each.fmax_mhz for each in result.clocks}
    wrong = [f"has {name}, which there is not" for name in sorted(recorded.keys() - measured.keys())]
    wrong += [f"lacks {each.clock}" for each in guarded(result) if each.clock not in recorded]
    if wrong:
        raise UllnicError(
            f"budget.toml: [pnr.{result.config}] {', '.join(wrong)}", f"put in what holds now:\n{lines(result)}"
        )
    return [
        f"{result.config}: {clock} {measured[clock]:.1f} MHz routed, {1 - measured[clock] / mhz:.0%} less than {mhz:g}"
        for clock, mhz in recorded.items()
        if measured[clock] < mhz * (1 - MARGIN)
    ]


def check(results: list[PnrResult], core: str) -> None:
    """Raises UllnicError that names every clock that lost more than MARGIN, or a configuration without a table."""
    path = budget_path(core)
    text = path.read_text()
    require_tables(core, "pnr", {each.config: lines(each) for each in results if not recorded_in(text, each.config)})
    lost = [each for result in results for each in losses(result, text)]
    if lost:
        raise UllnicError(
            f"slower after place and route, by more than {MARGIN:.0%}:\n" + "\n".join(lost),
            f"look at several seeds (--pnr-seeds 5); if it is meant, put the new figures into {path}",
        )


def guarded(result: PnrResult) -> list[PnrClock]:
    return [each for each in result.clocks if each.fmax_mhz < each.mhz]


def lines(result: PnrResult) -> str:
    """A table with the current figures."""
    rates = ", ".join(f"{each.clock} = {each.fmax_mhz:g}" for each in guarded(result))
    return f"[pnr.{result.config}]\nfmax_mhz = {{ {rates} }}"
