# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The cores and cards that can be synthesised: their configurations, what is mapped, and the published figures."""

from collections.abc import Callable
from dataclasses import dataclass

from ullnic.configs import NAMES, UI_PS
from ullnic.configs import config as config_of
from ullnic.core_configs import Row, rows
from ullnic.measure.records import reference_rows
from ullnic.paths import ROOT
from ullnic.sources import listed_files
from ullnic.synth import cards
from ullnic.synth.domains import Boundary, Clock, PortRule, ate_boundary, macpcs_boundary, qdma_boundary
from ullnic.synth.mapping import Design

COMMON_FILES = tuple(listed_files(ROOT / "cores/common/common.f"))
MACPCS_FILES = (*COMMON_FILES, *listed_files(ROOT / "cores/macpcs/macpcs.f"))
ATE_FILES = (*COMMON_FILES, *listed_files(ROOT / "cores/ate/ate.f"))
TOE_FILES = (*COMMON_FILES, *listed_files(ROOT / "cores/toe/toe.f"))
QDMA_FILES = (*COMMON_FILES, *listed_files(ROOT / "cores/qdma/qdma.f"))
ATE_WITH_MAC_FILES = tuple(listed_files(ROOT / "cores/ate/synth/ate_with_mac.f", ROOT))
ATE_EARLY_WITH_MAC_FILES = tuple(listed_files(ROOT / "cores/ate/synth/ate_early_with_mac.f", ROOT))

Published = tuple[int | None, int | None]  # LUT, registers


@dataclass(frozen=True)
class Core:
    """`published` takes a configuration and a speed grade. `routed`: those that are placed and routed, if not all."""

    name: str
    configs: tuple[str, ...]
    label: Callable[[str], str]
    design: Callable[[str], Design]
    published: Callable[[str, int], Published]
    routed: tuple[str, ...] = ()


def unpublished(name: str, grade: int) -> Published:
    return None, None


def mapped(core: str) -> dict[str, Row]:
    """Rows of its configs.toml."""
    return {name: row for name, row in rows(core).items() if row.synth}


def labels(core: dict[str, Row]) -> Callable[[str], str]:
    return lambda name: core[name].label


MACPCS = mapped("macpcs")


def macpcs_design(name: str) -> Design:
    config = config_of(name)
    return Design(name, "macpcs", MACPCS_FILES, tuple(config.parameters.items()), macpcs_boundary(config))


def macpcs_row(name: str, grade: int) -> dict[str, str]:
    """Results of a vendor's tool for the closed core: a row of macpcs_resources.csv, empty if none was published for
    these generics.
    """
    config = config_of(name)
    if not config.compared:
        return {}
    wanted = [str(int(n)) for n in (grade, config.rx_fifo, config.tx_fifo, config.pma_bits, config.mac_bits)]
    for row in reference_rows("macpcs_resources.csv"):
        if [row[c] for c in ("speed_grade", "rx_fifo", "tx_fifo", "pma_bits", "mac_bits")] == wanted:
            return row
    return {}


def macpcs_published(name: str, grade: int) -> Published:
    row = macpcs_row(name, grade)
    return (int(row["lut"]), int(row["register"])) if row else (None, None)


ATE = mapped("ate")


def ate_tx_boundary(top: str) -> Boundary:
    """For a 16-bit transceiver: the MAC's clock, and for everything else half of it, edges aligned."""
    line_mhz = float(10**6 / (16 * UI_PS))
    rules = (
        PortRule("clk|tx_clk", ""),
        PortRule("pma_tx_data", "tx_clk", line=True),
        PortRule("tx_(rst|start|armed)|busy|m_axis_.*|stat_.*", "tx_clk"),
        PortRule("local_fault|remote_fault|prbs31|test_idle|stopped|payload_step", "tx_clk"),
        PortRule(".*", "clk"),
    )
    return Boundary(top, (Clock("tx_clk", line_mhz, "tx"), Clock("clk", line_mhz / 2, "tx")), rules)


ATE_TOPS = {
    "ate": (ATE_FILES, ate_boundary),
    "ate_tx": (ATE_FILES, ate_tx_boundary),
    "ate_with_mac": (ATE_WITH_MAC_FILES, ate_boundary),
    "ate_early_with_mac": (ATE_EARLY_WITH_MAC_FILES, ate_tx_boundary),
}


def ate_design(name: str) -> Design:
    top = ATE[name].top or "ate"
    files, boundary = ATE_TOPS[top]
    return Design(name, top, files, tuple(ATE[name].parameters.items()), boundary(top))


def ate_published(name: str, grade: int) -> Published:
    """The speed grade was not published."""
    [lut] = [int(row["value"]) for row in reference_rows("ate.csv") if row["item"] == "lut"]
    return (lut, None) if ATE[name].published else (None, None)


TOE = mapped("toe")


def toe_design(name: str) -> Design:
    return Design(name, "toe", TOE_FILES, tuple(TOE[name].parameters.items()), ate_boundary("toe"))


def toe_published(name: str, grade: int) -> Published:
    parameters = TOE[name].parameters
    wanted = (str(parameters["SESSION_COUNT"]), str(parameters["USER2TCP_DATA_WIDTH"]), str(grade))
    for row in reference_rows("tcp_resources.csv") if TOE[name].published else ():
        if (row["sessions"], row["data_bits"], row["speed_grade"]) == wanted and row["lut"]:
            return int(row["lut"]), int(row["register"])
    return None, None


QDMA = mapped("qdma")


def qdma_design(name: str) -> Design:
    """The implemented parts: BAR 0 with its contexts, and engines, each by itself."""
    top = QDMA[name].top or "qdma"
    return Design(name, top, QDMA_FILES, tuple(QDMA[name].parameters.items()), qdma_boundary(top))


CORES = {
    core.name: core
    for core in (
        Core("macpcs", tuple(MACPCS), labels(MACPCS), macpcs_design, macpcs_published, NAMES),
        Core("ate", tuple(ATE), labels(ATE), ate_design, ate_published),
    )
}


# toe, its card, qdma and whole cards take a few minutes of one processor core each, so the report omits them.
LARGE = {
    "toe": Core("toe", tuple(TOE), labels(TOE), toe_design, toe_published),
    "qdma": Core("qdma", tuple(QDMA), labels(QDMA), qdma_design, unpublished),
    "toe_card": Core("toe_card", tuple(cards.TOE_CARD), cards.toe_card_label, cards.toe_card_design, unpublished),
}
CARDS = {
    kind: Core(kind, cards.names(kind), cards.label, cards.design, unpublished)
    for kind in dict.fromkeys(config.card.kind for config in cards.CONFIGS.values())
}
ALL = CORES | LARGE | CARDS


def core_of(config: str) -> Core:
    """The core or card that has this configuration; each name belongs to only one."""
    return next(core for core in ALL.values() if config in core.configs)
