# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The configurations of macpcs: rows of cores/macpcs/configs.toml.

The build of the simulation runs this module (standard library only) and makes a model of each one that is measured.
"""

import csv
import sys
from dataclasses import dataclass, field
from fractions import Fraction

from ullnic.core_configs import Clocked, rows, settings
from ullnic.errors import UllnicError
from ullnic.paths import ROOT

UI_PS = Fraction(10**12, 10_312_500_000)  # one bit on the line
REFERENCE = ROOT / "reference"


@dataclass(frozen=True)
class Config:
    name: str
    row: Clocked = field(compare=False)  # has a dictionary, which cannot be hashed

    @property
    def label(self) -> str:
        return self.row.label

    @property
    def parameters(self) -> dict[str, int]:
        """Generics of macpcs that differ from their defaults."""
        return self.row.parameters

    @property
    def pma_bits(self) -> int:
        return self.parameters.get("PMA_DATA_WIDTH", 32)

    @property
    def mac_bits(self) -> int:
        """Of the user's words, the same in both directions."""
        return self.parameters.get("MAC_RX_DATA_WIDTH", 32)

    @property
    def tx_fifo(self) -> bool:
        return bool(self.parameters.get("DUAL_CLOCK_FIFO_TX_ENABLE"))

    @property
    def rx_fifo(self) -> bool:
        return bool(self.parameters.get("DUAL_CLOCK_FIFO_RX_ENABLE"))

    @property
    def fifo(self) -> bool:
        return self.tx_fifo or self.rx_fifo

    # "tx", "rx": the clock of that side of the transceiver; "tx/2", "rx/2": half of it, edges aligned; "350000kHz": an
    # independent clock of the user.
    @property
    def tx_user_clock(self) -> str:
        return self._user_clock(self.row.tx_user_clock, "MAC_TX_CLK_FREQ_KHZ")

    @property
    def rx_user_clock(self) -> str:
        return self._user_clock(self.row.rx_user_clock, "MAC_RX_CLK_FREQ_KHZ")

    def _user_clock(self, clock: str, frequency: str) -> str:
        return f"{self.parameters[frequency]}kHz" if clock == "own" else clock

    @property
    def compared(self) -> bool:
        """Whether it has the generics of its published row."""
        return self.row.published

    @property
    def transceiver_ui(self) -> int:
        return transceivers()[self.pma_bits]

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


ROWS = {name: Config(name, row) for name, row in rows("macpcs").items()}
MEASURED = tuple(each for each in ROWS.values() if each.row.measure)
CONFIGS = tuple(each for each in MEASURED if each.row.run)
NAMES = tuple(config.name for config in CONFIGS)
MEASURED_NAMES = tuple(config.name for config in MEASURED)
DEFAULT = "nofifo_pma32_mac32"


def config(name: str) -> Config:
    return ROWS[name]


def build_line(each) -> str:
    """What the build reads: name, user clocks, transceiver, parameters, whether `all` has it; separated by '|'."""
    fields = (each.name, each.tx_user_clock, each.rx_user_clock, each.transceiver_ui, settings(each.parameters))
    return "|".join(map(str, (*fields, int(each in CONFIGS))))


def main() -> None:
    """Prints one line for each configuration."""
    for each in MEASURED:
        print(build_line(each))


if __name__ == "__main__":
    try:
        main()
    except UllnicError as error:
        error.show()
        sys.exit(error.exit_code)
