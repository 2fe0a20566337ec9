# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The reported configurations of macpcs: their parameters and clocks are defined here and nowhere else.

The build of the simulation runs this file (standard library only) and makes a model of each one.
"""

import csv
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

UI_PS = Fraction(10**12, 10_312_500_000)  # one bit on the line
REFERENCE = Path(__file__).resolve().parents[2] / "reference"


@dataclass(frozen=True)
class Config:
    name: str
    label: str
    pma_bits: int
    mac_bits: int
    # "tx", "rx": the clock of that side of the transceiver; "tx/2", "rx/2": half of it, edges aligned; "350000kHz": an
    # independent clock of the user.
    tx_user_clock: str = "tx"
    rx_user_clock: str = "rx"
    tx_fifo: bool = False
    rx_fifo: bool = False
    generics: tuple[tuple[str, int], ...] = ()  # replaces what `parameters` chooses

    @property
    def fifo(self) -> bool:
        return self.tx_fifo or self.rx_fifo

    @property
    def compared(self) -> bool:
        """Whether it has the generics of its published row."""
        return self.pma_bits == 32 or self.generics == PUBLISHED_GENERICS

    @property
    def transceiver_ui(self) -> int:
        return transceivers()[self.pma_bits]

    @property
    def parameters(self) -> dict[str, int]:
        """Generics of macpcs that differ from their defaults."""
        wanted = {
            "PMA_DATA_WIDTH": self.pma_bits,
            "MAC_TX_DATA_WIDTH": self.mac_bits,
            "MAC_RX_DATA_WIDTH": self.mac_bits,
            "SYNC_DUAL_CLOCK_TX_ENABLE": int(self.tx_user_clock == "tx/2"),
            "SYNC_DUAL_CLOCK_RX_ENABLE": int(self.rx_user_clock == "rx/2"),
            "DUAL_CLOCK_FIFO_TX_ENABLE": int(self.tx_fifo),
            "DUAL_CLOCK_FIFO_RX_ENABLE": int(self.rx_fifo),
            "MAC_TX_CLK_FREQ_KHZ": own_khz(self.tx_user_clock),
            "MAC_RX_CLK_FREQ_KHZ": own_khz(self.rx_user_clock),
            # 644 MHz: a register after the transceiver, and one before the crossing to the user's clock.
            "PCS_RX_LATENCY_MODE": int(self.pma_bits == 16),
            "MAC_RX_LATENCY_MODE": int(self.pma_bits == 16 and self.rx_user_clock != "rx"),
        }
        defaults = {"PMA_DATA_WIDTH": 32, "MAC_TX_DATA_WIDTH": 32, "MAC_RX_DATA_WIDTH": 32}
        return {name: value for name, value in wanted.items() if value != defaults.get(name, 0)} | dict(self.generics)

    @property
    def user_period_ps(self) -> Fraction:
        """Period of the receiving user's clock."""
        khz = own_khz(self.rx_user_clock)
        return Fraction(10**9, khz) if khz else self.mac_bits * UI_PS


def transceivers() -> dict[int, int]:
    """Latency of the published transceivers, both ways together, in unit intervals, by width of their words in bits."""
    with open(REFERENCE / "transceiver.csv", newline="") as file:
        return {int(row["pma_bits"]): int(row["latency_ui"]) for row in csv.DictReader(file)}


def own_khz(clock: str) -> int:
    """Frequency of an independent user clock; 0 if it is one of the transceiver's."""
    return int(clock.removesuffix("kHz")) if clock.endswith("kHz") else 0


CONFIGS = (
    Config("nofifo_pma16_mac16", "no FIFO, 16/16", 16, 16),
    Config("nofifo_pma16_mac32", "no FIFO, 16/32", 16, 32, "tx/2", "rx/2"),
    Config("nofifo_pma32_mac32", "no FIFO, 32/32", 32, 32),
    Config("rxfifo_pma16_mac16", "RX FIFO, 16/16", 16, 16, "tx", "tx", rx_fifo=True),
    Config("rxfifo_pma16_mac32", "RX FIFO, 16/32", 16, 32, "tx/2", "tx/2", rx_fifo=True),
    Config("rxfifo_pma32_mac32", "RX FIFO, 32/32", 32, 32, "tx", "tx", rx_fifo=True),
    Config("txrxfifo_pma32_mac32", "TX+RX FIFO, 32/32", 32, 32, "350000kHz", "350000kHz", tx_fifo=True, rx_fifo=True),
)
# The published 16-bit rows state these generics, ours differ: each is also measured with the published ones.
PUBLISHED_GENERICS = (
    ("PCS_TX_LATENCY_MODE", 1),
    ("MAC_RX_CRC32_LATENCY", 1),
    ("MAC_TX_CRC32_CORRUPTED_ON_ERROR", 0),
)
LIKE_PUBLISHED = tuple(
    replace(
        each,
        name=f"{each.name}_theirs",
        label=f"{each.label}, published generics",
        generics=PUBLISHED_GENERICS,
    )
    for each in CONFIGS
    if each.pma_bits == 16
)
MEASURED = CONFIGS + LIKE_PUBLISHED
NAMES = tuple(config.name for config in CONFIGS)
MEASURED_NAMES = tuple(config.name for config in MEASURED)
DEFAULT = "nofifo_pma32_mac32"


def config(name: str) -> Config:
    return next(each for each in MEASURED if each.name == name)


def build_line(each) -> str:
    """What the build reads: name, user clocks, transceiver, parameters, whether `all` has it; separated by '|'."""
    parameters = " ".join(f"{name}={value}" for name, value in each.parameters.items())
    in_all = int(each in CONFIGS)
    return f"{each.name}|{each.tx_user_clock}|{each.rx_user_clock}|{each.transceiver_ui}|{parameters}|{in_all}"


def main() -> None:
    """Prints one line for each configuration."""
    for each in MEASURED:
        print(build_line(each))


if __name__ == "__main__":
    main()
