# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The cores that can be synthesised: their configurations, what is mapped, and what was published beside them."""

from collections.abc import Callable
from dataclasses import dataclass

from ullnic.configs import NAMES
from ullnic.configs import config as config_of
from ullnic.measure.records import reference_rows
from ullnic.paths import ROOT
from ullnic.sources import listed_files
from ullnic.synth.domains import ate_boundary, macpcs_boundary
from ullnic.synth.mapping import Design

COMMON_FILES = tuple(listed_files(ROOT / "cores/common/common.f"))
MACPCS_FILES = (*COMMON_FILES, *listed_files(ROOT / "cores/macpcs/macpcs.f"))
ATE_FILES = (*COMMON_FILES, *listed_files(ROOT / "cores/ate/ate.f"))
ATE_WITH_MAC_FILES = tuple(listed_files(ROOT / "cores/ate/synth/ate_with_mac.f", ROOT))

Published = tuple[int | None, int | None]  # LUT, registers


@dataclass(frozen=True)
class Core:
    """`published` takes a configuration and a speed grade."""

    name: str
    configs: tuple[str, ...]
    label: Callable[[str], str]
    design: Callable[[str], Design]
    published: Callable[[str, int], Published]


def macpcs_design(name: str) -> Design:
    config = config_of(name)
    return Design(name, "macpcs", MACPCS_FILES, tuple(config.parameters.items()), macpcs_boundary(config))


def macpcs_row(name: str, grade: int) -> dict[str, str]:
    """What a vendor's tool gave for the closed core: a row of macpcs_resources.csv, empty where none was published."""
    config = config_of(name)
    wanted = [str(int(n)) for n in (grade, config.rx_fifo, config.tx_fifo, config.pma_bits, config.mac_bits)]
    for row in reference_rows("macpcs_resources.csv"):
        if [row[c] for c in ("speed_grade", "rx_fifo", "tx_fifo", "pma_bits", "mac_bits")] == wanted:
            return row
    return {}


def macpcs_published(name: str, grade: int) -> Published:
    row = macpcs_row(name, grade)
    return (int(row["lut"]), int(row["register"])) if row else (None, None)


# The parameter CONNECTIONS, and whether macpcs' transmitter is behind it, so that paths through both are timed.
ATE = {"connections_512": (512, False), "connections_512_mac": (512, True), "connections_2048": (2048, False)}


def ate_design(name: str) -> Design:
    connections, with_mac = ATE[name]
    parameters = (("CONNECTIONS", connections),)
    if with_mac:
        return Design(name, "ate_with_mac", ATE_WITH_MAC_FILES, parameters, ate_boundary("ate_with_mac"))
    return Design(name, "ate", ATE_FILES, parameters, ate_boundary("ate"))


def ate_label(name: str) -> str:
    connections, with_mac = ATE[name]
    return f"ate, {connections} connections" + (", and the MAC's transmitter" if with_mac else "")


def ate_published(name: str, grade: int) -> Published:
    """Of 512 connections; the speed grade was not published."""
    [lut] = [int(row["value"]) for row in reference_rows("ate.csv") if row["item"] == "lut"]
    return (lut, None) if name == "connections_512" else (None, None)


CORES = {
    core.name: core
    for core in (
        Core("macpcs", NAMES, lambda name: config_of(name).label, macpcs_design, macpcs_published),
        Core("ate", tuple(ATE), ate_label, ate_design, ate_published),
    )
}


def core_of(config: str) -> Core:
    """Names of configurations are those of one core."""
    return next(core for core in CORES.values() if config in core.configs)
