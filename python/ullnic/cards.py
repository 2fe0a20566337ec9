# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The configurations of whole cards, those with a host side, as defined in each card's card.toml (card_file.py).

The build of the simulation runs this module and makes a model of each requested one.
"""

import sys
from dataclasses import dataclass

from ullnic.card_file import CardFile, Trade, check_files, read_all
from ullnic.configs import transceivers
from ullnic.core_configs import settings
from ullnic.errors import UllnicError
from ullnic.paths import ROOT


@dataclass(frozen=True)
class Card:
    name: str
    label: str
    kind: str  # a folder of cards/
    top: str
    file_list: str  # relative to the project's root
    pma_bits: int
    ports: int
    tcp_enables: int  # bit p: port p has a transmit engine
    # The card is loop-timed: it transmits with the recovered clock of this port, the market data port if there is one.
    timing_port: int
    switches: tuple[int, ...]
    trade: Trade | None
    crossing: bool  # not loop-timed: its transmit clock is independent, and the trigger crosses to it
    own_parameters: tuple[tuple[str, int], ...]

    @property
    def transceiver_ui(self) -> int:
        return transceivers()[self.pma_bits]

    @property
    def parameters(self) -> dict[str, int]:
        """Parameters of the top level."""
        wanted = {"PORTS": self.ports, "TCP_ENABLES": self.tcp_enables, "PMA_DATA_WIDTH": self.pma_bits}
        return wanted | dict(self.own_parameters)


def configurations(card: CardFile) -> list[Card]:
    return [
        Card(
            name=name,
            label=f"{card.name}, {config.pma_bits} bits{', crossing' if config.crossing else ''}",
            kind=card.folder,
            top=card.top,
            file_list=card.file_list,
            pma_bits=config.pma_bits,
            ports=card.shell.ports,
            tcp_enables=sum(1 << port for port in card.shell.tcp_ports),
            timing_port=card.shell.timing_port,
            switches=card.shell.switches,
            trade=card.trade,
            crossing=config.crossing,
            own_parameters=tuple(config.parameters.items()),
        )
        for name, config in card.config.items()
    ]


FOLDERS = {each.folder: each for each in read_all(ROOT)}
CARDS = tuple(config for each in FOLDERS.values() for config in configurations(each))
TRADING = tuple(each for each in CARDS if each.trade)
NAMES = tuple(each.name for each in CARDS)
DEFAULT = "trigger_pma16"


def card(name: str) -> Card:
    return next(each for each in CARDS if each.name == name)


def fuzzers() -> dict[str, Card]:
    """ullnic-fuzz-NAME and its configuration."""
    return {name: card(config) for each in FOLDERS.values() for name, config in each.fuzz.items()}


NONE = "-"  # CMake's lists lose empty fields


def build_line(each: Card) -> str:
    """What the build reads (sim/cmake/Nics.cmake); fields separated by '|'."""
    fields = (each.name, each.kind, each.top, each.file_list, each.pma_bits, each.ports, each.tcp_enables)
    fields += (each.timing_port, int(each.crossing), each.transceiver_ui)
    fields += (each.trade.rule if each.trade else NONE, ",".join(map(hex, each.switches)) or NONE)
    return "|".join(map(str, (*fields, settings(each.parameters))))


def main() -> None:
    """Prints a line for each configuration, then for each fuzzer: fuzz, its name, its configuration; then for each
    mapped one: mapped, its name, its parameters.
    """
    check_files(ROOT, FOLDERS.values())
    for each in CARDS:
        print(build_line(each))
    for name, each in fuzzers().items():
        print(f"fuzz|{name}|{each.name}")
    for folder in FOLDERS.values():
        for name, each in folder.mapped.items():
            print(f"mapped|{name}|{settings(each.parameters)}")


if __name__ == "__main__":
    try:
        main()
    except UllnicError as error:
        error.show()
        sys.exit(error.exit_code)
