# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""cards/CARD/card.toml: what the rest of the project knows about a card. docs/adding-a-card.md explains each key.

The fields of the classes below are the keys (checked_toml.py).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ullnic import checked_toml
from ullnic.checked_toml import load, page_of, read, wrong
from ullnic.sources import listed_files

NAME = "card.toml"
SHARED = "common"  # the folder of cards/ that is not a card
FOLDER = re.compile(r"[a-z][a-z0-9_]*")  # the name is part of names in C and SystemVerilog
MAX_KIND, MAX_PORTS, WORD_BITS, MAX_SWITCH = 255, 8, (16, 32), 0x7FFFC
# Values of the register field CARD.kind that belong to no folder: name and meaning.
RESERVED = {0: ("bare", "No user logic"), 3: ("tester", "The far ends of a simulated card")}


@dataclass(frozen=True)
class Shell:
    """[shell]: the card uses the shell of cards/common, card_chassis, and the virtual card runs it."""

    kind: int  # value of the register CARD, 1 to 255
    ports: int
    timing_port: int  # the card transmits with the clock that this port recovers
    tcp_ports: tuple[int, ...] = ()  # ports with a transmit engine
    switches: tuple[int, ...] = ()  # registers of BAR2: bit 0 of each is cleared when the program that set it ends


@dataclass(frozen=True)
class Config:
    """[config.NAME]: a configuration that the virtual card can have."""

    pma_bits: int
    crossing: bool = False  # the transmit clock is independent
    parameters: dict[str, int] = field(default_factory=dict)  # parameters that the rest does not determine


@dataclass(frozen=True)
class Trade:
    """[trade]: the card answers market data, and its tick to trade is measured."""

    rule: str  # as in sim/src/nic/trade_rules.cc
    decides: str  # the byte that decides, in words
    published: bool = False  # reference/ate.csv has figures for such a card


@dataclass(frozen=True)
class Synth:
    """[synth]: user logic and whole card are mapped. synth/TOP_clocks.sv has the card's clocks separated."""

    logic: str  # the module


@dataclass(frozen=True)
class Mapped:
    """[mapped.NAME]: a mapped configuration of a card without a shell."""

    label: str
    parameters: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class CardFile:
    """The whole file. `folder` is the card's folder in cards/."""

    folder: str
    name: str  # in tables
    title: str  # one line, without a full stop
    top: str  # the module; rtl/TOP.f lists the files
    lint: tuple[str, ...] = ()  # parameter sets that lint also elaborates
    unused_constants: bool = False  # unused constants in its packages, which lint then accepts
    test_seconds: int = 0  # time its tests may take (tests/budget.toml); 0: no budget
    shell: Shell | None = None
    config: dict[str, Config] = field(default_factory=dict)
    trade: Trade | None = None
    synth: Synth | None = None
    mapped: dict[str, Mapped] = field(default_factory=dict)
    fuzz: dict[str, str] = field(default_factory=dict)  # ullnic-fuzz-NAME: its configuration

    @property
    def path(self) -> str:
        return path_of(self.folder)

    @property
    def file_list(self) -> str:
        """Path of the file list, relative to the project's root."""
        return f"cards/{self.folder}/rtl/{self.top}.f"


SECTIONS = {"shell": Shell, "trade": Trade, "synth": Synth}
TABLES = {"config": Config, "mapped": Mapped}  # of sections


def path_of(folder: str) -> str:
    return f"cards/{folder}/{NAME}"


def read_all(root: Path) -> tuple[CardFile, ...]:
    """Reads all folders of cards/, by kind; those without a kind last. Raises UllnicError if anything is wrong."""
    places = [each for each in (root / "cards").glob("*") if each.name != SHARED]
    # Only folders with one of these files: a tool may leave other files behind where a card was removed.
    folders = sorted(each.name for each in places if (each / NAME).exists() or any(each.glob("rtl/*.f")))
    found = [read_one(root, folder) for folder in folders]
    check_apart(found)
    return tuple(sorted(found, key=lambda each: each.shell.kind if each.shell else MAX_KIND + 1))


def read_one(root: Path, folder: str) -> CardFile:
    path = path_of(folder)
    if not FOLDER.fullmatch(folder):
        raise wrong(f"cards/{folder}", "a card's folder has lower-case letters, digits and _ in its name", "rename it")
    if not (root / path).exists():
        raise wrong(path, "there is no such file beside the RTL of a card", f"write it: {page_of(path)}")
    card = read(CardFile, load(root, path), path, convert=value_of, folder=folder)
    check(card)
    if not (root / card.file_list).exists():
        raise wrong(path, f"top: there is no {card.file_list}", "name a module whose list of files is there")
    return card


def value_of(wanted: Any, key: str, value: Any, path: str, section: str) -> Any:
    """Of a key of the whole file."""
    if key in (*SECTIONS, *TABLES):
        if not isinstance(value, dict):
            raise wrong(path, f"'{key}' is a table", f"write [{key}]")
        if key in SECTIONS:
            return read(SECTIONS[key], value, path, key)
        if not all(isinstance(each, dict) for each in value.values()):
            raise wrong(path, f"'{key}' is a table of tables", f"write [{key}.NAME]")
        return {name: read(TABLES[key], each, path, f"{key}.{name}") for name, each in value.items()}
    return checked_toml.value_of(wanted, key, value, path, section)


def check(card: CardFile) -> None:
    """Checks keys against each other."""
    for section in ("config", "trade", "synth", "fuzz"):
        if getattr(card, section) and not card.shell:
            raise wrong(card.path, f"[{section}] is for cards with a [shell]")
    if card.fuzz and not card.trade:
        raise wrong(card.path, "[fuzz] is for cards with [trade]: the fuzzer sends market data")
    if card.shell:
        check_shell(card, card.shell)
    for name, config in card.config.items():
        if not name.startswith(f"{card.folder}_") or not FOLDER.fullmatch(name):
            raise wrong(card.path, f"[config.{name}]", f"let the name begin with the folder's: {card.folder}_{name}")
        if config.pma_bits not in WORD_BITS:
            raise wrong(card.path, f"[config.{name}] pma_bits is {config.pma_bits}", "16 or 32")
    for name, config_name in card.fuzz.items():
        if config_name not in card.config:
            raise wrong(card.path, f"[fuzz] {name}: there is no configuration '{config_name}'", known(card.config))


def check_shell(card: CardFile, shell: Shell) -> None:
    def within(key: str, values: Iterable[int], least: int, most: int) -> None:
        for value in values:
            if not least <= value <= most:
                raise wrong(card.path, f"[shell] {key} is {value}", f"{least} to {most}")

    within("kind", [shell.kind], 1, MAX_KIND)
    within("ports", [shell.ports], 1, MAX_PORTS)
    within("timing_port", [shell.timing_port], 0, shell.ports - 1)
    within("tcp_ports", shell.tcp_ports, 0, shell.ports - 1)
    within("switches", shell.switches, 0, MAX_SWITCH)
    if shell.kind in RESERVED:
        name, _ = RESERVED[shell.kind]
        raise wrong(card.path, f"[shell] kind {shell.kind} is that of '{name}'", "take another")


def check_apart(cards: Iterable[CardFile]) -> None:
    """Checks names and codes that only one card may have."""
    owners: dict[tuple[str, object], CardFile] = {}
    for card in cards:
        taken = [("module", card.top), *(("configuration", name) for name in (*card.config, *card.mapped))]
        taken += [("fuzzer", name) for name in card.fuzz]
        taken += [("kind", card.shell.kind)] if card.shell else []
        for what, value in taken:
            other = owners.setdefault((what, value), card)
            if other is not card:
                raise wrong(card.path, f"{what} {value} is that of {other.path}, too", f"give one another {what}")


def check_files(root: Path, cards: Iterable[CardFile]) -> None:
    """Raises UllnicError if a list names a file that does not exist."""
    for card in cards:
        for file in listed_files(root / card.file_list, root):
            if not file.exists():
                made = "generated" in file.parts
                remedy = "./ullnic regs makes it" if made else "correct the list, or add the file"
                raise wrong(card.file_list, f"there is no {file.relative_to(root)}", remedy)


def known(names: Iterable[str]) -> str:
    return f"known: {', '.join(names) or 'none'}"
