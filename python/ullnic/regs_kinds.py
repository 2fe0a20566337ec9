# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The kinds of cards, generated from the folders' card.toml for `./ullnic regs`.

cards/common/regs/generated gets the enum that card.rdl includes, and the same in C. cards/CARD/regs/generated gets a
package with the card's own code alone, so that a new card changes no RTL of another one.
"""

from collections.abc import Sequence
from pathlib import Path

from ullnic.card_file import RESERVED, SHARED, CardFile, read_all

ENUM, HEADER = "card_kinds.rdl", "card_kinds.h"


def with_kind(root: Path) -> list[CardFile]:
    return [card for card in read_all(root) if card.shell]


def folders(root: Path) -> list[Path]:
    """Folders of registers that have files about kinds."""
    cards = with_kind(root)
    shared = [root / "cards" / SHARED / "regs"] if cards else []
    return [*shared, *(root / "cards" / card.folder / "regs" for card in cards)]


def texts(root: Path, directory: Path) -> dict[str, str]:
    """The files about kinds in a folder of registers, by name, without licence and origin."""
    cards = with_kind(root)
    if directory == root / "cards" / SHARED / "regs" and cards:
        return {ENUM: enum(kinds(cards)), HEADER: header(kinds(cards))}
    own = [card for card in cards if directory == root / "cards" / card.folder / "regs"]
    return {f"{card.folder}_kind_pkg.sv": package(card) for card in own}


def origin(directory: Path) -> str:
    return "cards/*/card.toml" if directory.parent.name == SHARED else "../../card.toml"


Kinds = Sequence[tuple[int, str, str]]  # code, name, meaning


def kinds(cards: Sequence[CardFile]) -> Kinds:
    found = [(code, name, meaning) for code, (name, meaning) in RESERVED.items()]
    found += [(card.shell.kind, card.folder, f"{card.folder}: {card.title}") for card in cards]
    return sorted(found)


def enum(codes: Kinds) -> str:
    members = [f'  {name} = 8\'d{code} {{ desc = "{meaning}"; }};' for code, name, meaning in codes]
    return "\n".join(["enum kind_e {", *members, "};", ""])


def header(codes: Kinds) -> str:
    members = [f"  ULLNIC_KIND_{name.upper()} = {code}, /**< {meaning} */" for code, name, meaning in codes]
    names = [f'  [{code}] = "{name}",' for code, name, _ in codes]
    return "\n".join(
        [
            "#ifndef ULLNIC_CARD_KINDS_H",
            "#define ULLNIC_CARD_KINDS_H",
            "",
            "/** Kinds of cards: the field KIND of the register CARD. */",
            "enum ullnic_kind {",
            *members,
            "};",
            "",
            "/** Their names, to initialise an array. */",
            " \\\n".join(["#define ULLNIC_KIND_NAMES", *names]),
            "",
            "#endif /* ULLNIC_CARD_KINDS_H */",
            "",
        ]
    )


def package(card: CardFile) -> str:
    name = f"{card.folder}_kind_pkg"
    return f"package {name};\n  localparam logic [7:0] KIND = 8'd{card.shell.kind};\nendpackage\n"
