# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The cores and cards that can be synthesised: their configurations, what is mapped, and the published figures."""

from collections.abc import Callable
from dataclasses import dataclass

from ullnic import toml
from ullnic.configs import MEASURED_NAMES, NAMES, UI_PS
from ullnic.configs import config as config_of
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


@dataclass(frozen=True)
class AteConfig:
    connections: int
    # macpcs' transmitter follows it, so that paths through both are timed. With 16 bits the transmitter follows
    # ate_early alone: the mapper would slow down the fast clock to the engine's paths.
    mac: bool = False
    pma_bits: int = 32
    amend: bool = True  # the MAC's s_axis_tamend is used, at 32 bits
    hold: bool = False  # no frame is started that may have to be aborted


ATE = {
    "connections_512": AteConfig(512),
    "connections_512_mac": AteConfig(512, mac=True),
    "connections_512_given_mac": AteConfig(512, mac=True, amend=False),
    "connections_512_hold": AteConfig(512, hold=True),
    "connections_2048": AteConfig(2048),
    "connections_512_pma16": AteConfig(512, pma_bits=16),
    "early_pma16_mac": AteConfig(0, mac=True, pma_bits=16),
}


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


def ate_design(name: str) -> Design:
    config = ATE[name]
    if config.pma_bits == 16 and config.mac:
        top = "ate_early_with_mac"
        return Design(name, top, ATE_EARLY_WITH_MAC_FILES, (), ate_tx_boundary(top))
    parameters = (("CONNECTIONS", config.connections),)
    if config.pma_bits == 16:
        return Design(name, "ate_tx", ATE_FILES, (("PMA_DATA_WIDTH", 16), *parameters), ate_tx_boundary("ate_tx"))
    parameters = (("AMEND", int(config.amend)), *((("HOLD", 1),) if config.hold else ()), *parameters)
    top, files = ("ate_with_mac", ATE_WITH_MAC_FILES) if config.mac else ("ate", ATE_FILES)
    return Design(name, top, files, parameters, ate_boundary(top))


def ate_label(name: str) -> str:
    config = ATE[name]
    if config.pma_bits == 16 and config.mac:
        return "ate_early, 16-bit transceiver, and the MAC's transmitter"
    words = [f"ate, {config.connections} connections"]
    words += ["16-bit transceiver"] if config.pma_bits == 16 else [] if config.amend else ["without amendments"]
    words += ["`HOLD`"] if config.hold else []
    words += ["and the MAC's transmitter"] if config.mac else []
    return ", ".join(words)


def ate_published(name: str, grade: int) -> Published:
    """With 512 connections; the speed grade was not published."""
    [lut] = [int(row["value"]) for row in reference_rows("ate.csv") if row["item"] == "lut"]
    return (lut, None) if name == "connections_512" else (None, None)


@dataclass(frozen=True)
class ToeConfig:
    sessions: int
    more: tuple[tuple[str, int], ...] = ()  # parameters that differ from the published figures'
    label: str = ""


TOE = {f"sessions_{count}": ToeConfig(count) for count in (2, 16, 64, 256)} | {
    "sessions_64_timestamps": ToeConfig(64, (("TIMESTAMPS_EN", 1),), ", timestamps"),
    "sessions_64_reordering": ToeConfig(64, (("RX_REORDERING_EN", 1),), ", reordering"),
}


def toe_design(name: str) -> Design:
    """The area is given for 32 bits in each direction, like the closed core's."""
    widths = (("USER2TCP_DATA_WIDTH", 32), ("TCP2USER_DATA_WIDTH", 32))
    parameters = (("SESSION_COUNT", TOE[name].sessions), *TOE[name].more, *widths)
    return Design(name, "toe", TOE_FILES, parameters, ate_boundary("toe"))


def toe_label(name: str) -> str:
    return f"toe, {TOE[name].sessions} sessions{TOE[name].label}"


def toe_published(name: str, grade: int) -> Published:
    config = TOE[name]
    wanted = (str(config.sessions), "32", str(grade))
    for row in () if config.more else reference_rows("tcp_resources.csv"):
        if (row["sessions"], row["data_bits"], row["speed_grade"]) == wanted and row["lut"]:
            return int(row["lut"]), int(row["register"])
    return None, None


QDMA = {
    name: config
    for name, config in toml.loads((ROOT / "cores/qdma/configs.toml").read_text()).items()
    if config["synth"]
}


def qdma_design(name: str) -> Design:
    """The implemented parts: BAR 0 with its contexts, and engines, each by itself."""
    top = QDMA[name].get("top", "qdma_control")
    return Design(name, top, QDMA_FILES, tuple(QDMA[name]["parameters"].items()), qdma_boundary(top))


CORES = {
    core.name: core
    for core in (
        Core("macpcs", MEASURED_NAMES, lambda name: config_of(name).label, macpcs_design, macpcs_published, NAMES),
        Core("ate", tuple(ATE), ate_label, ate_design, ate_published),
    )
}


# toe, its card, qdma and whole cards take a few minutes of one processor core each, so the report omits them.
LARGE = {
    "toe": Core("toe", tuple(TOE), toe_label, toe_design, toe_published),
    "qdma": Core(
        "qdma",
        tuple(QDMA),
        lambda name: f"qdma, {QDMA[name]['label']}",
        qdma_design,
        unpublished,
    ),
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
