# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The configurations of whole cards, those with a host side: their parameters stand here and nowhere else.

The build of the simulation runs this module (standard library only) and makes a model of each that is asked for.
"""

from dataclasses import dataclass

from ullnic.configs import transceivers


@dataclass(frozen=True)
class Card:
    name: str
    label: str
    kind: str  # a folder of cards/
    pma_bits: int
    ports: int
    tcp_enables: int  # bit p: port p has a transmit engine
    # The market-data port. The card is loop-timed: it transmits with the clock that this port recovers.
    timing_port: int
    crossing: bool = False  # it is not: its transmit clock is its own, and the trigger crosses to it

    @property
    def top(self) -> str:
        return f"{self.kind}_card"

    @property
    def file_list(self) -> str:
        """Relative to the project's root."""
        return f"cards/{self.kind}/rtl/{self.top}.f"

    @property
    def transceiver_ui(self) -> int:
        return transceivers()[self.pma_bits]

    @property
    def parameters(self) -> dict[str, int]:
        """Of the top level."""
        wanted = {"PORTS": self.ports, "TCP_ENABLES": self.tcp_enables, "PMA_DATA_WIDTH": self.pma_bits}
        return wanted | ({"TRIGGER_CROSSING": 1} if self.crossing else {})


CARDS = (
    Card("trigger_pma16", "trigger, 16 bits", "trigger", 16, ports=2, tcp_enables=0b10, timing_port=0),
    Card("trigger_pma32", "trigger, 32 bits", "trigger", 32, ports=2, tcp_enables=0b10, timing_port=0),
    Card("trigger_pma16_crossing", "trigger, 16 bits, crossing", "trigger", 16, 2, 0b10, 0, crossing=True),
    Card("stac_t0_pma16", "STAC-T0, 16 bits", "stac_t0", 16, ports=2, tcp_enables=0b01, timing_port=1),
    Card("stac_t0_pma32", "STAC-T0, 32 bits", "stac_t0", 32, ports=2, tcp_enables=0b01, timing_port=1),
)
NAMES = tuple(each.name for each in CARDS)
DEFAULT = "trigger_pma16"


def card(name: str) -> Card:
    return next(each for each in CARDS if each.name == name)


def build_line(each: Card) -> str:
    """What the build reads (sim/cmake/Nics.cmake); the fields apart by '|'."""
    parameters = " ".join(f"{name}={value}" for name, value in each.parameters.items())
    fields = (each.name, each.kind, each.top, each.file_list, each.pma_bits, each.ports, each.tcp_enables)
    return "|".join(map(str, (*fields, each.timing_port, int(each.crossing), each.transceiver_ui, parameters)))


def main() -> None:
    """One line a configuration."""
    for each in CARDS:
        print(build_line(each))


if __name__ == "__main__":
    main()
