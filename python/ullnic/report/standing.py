# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The sources that docs/performance.md was made from: a digest of the sources of its figures, part by part.

Comments, layout and sources that no figure depends on do not change it, and neither do versions of tools, which the
document names: it must be renewed when a figure may have changed, not with every commit.
"""

import re
from collections.abc import Iterable
from pathlib import Path

from ullnic.cards import card as card_of
from ullnic.core_configs import path_of
from ullnic.measure.ate import NAMES as CARDS
from ullnic.paths import ROOT
from ullnic.points import engine, simulated, trading
from ullnic.points.sources import digest_of_files
from ullnic.synth.cores import ATE_EARLY_WITH_MAC_FILES, ATE_FILES, ATE_WITH_MAC_FILES, CORES, MACPCS_FILES

DOCUMENT = ROOT / "docs/performance.md"
RENEW = "./ullnic report --update-docs"
# Files of python/ullnic/synth that only display figures, or concern cards, which the report does not map.
NOT_MAPPING = re.compile("budget|calibrate|cards|command|display|markdown|pnr_budget|pnr_records|records")
NAME, LINE = "sources of {}", re.compile(r"^- sources of (\S+): ([0-9a-f]+)$", re.MULTILINE)


def parts() -> dict[str, list[Path]]:
    """Files of each part of the document."""
    kinds = dict.fromkeys(card_of(name).kind for name in CARDS)
    rtl = {*MACPCS_FILES, *ATE_FILES, *ATE_WITH_MAC_FILES, *ATE_EARLY_WITH_MAC_FILES}
    mapping = (ROOT / "python/ullnic/synth").glob("*.py")
    configs = [ROOT / path_of(core) for core in CORES]
    return {
        "macpcs": simulated.sources(),
        **{kind: of_cards(kind) for kind in kinds},
        "toe": engine.sources(),
        "synthesis": [*rtl, *configs, *(file for file in mapping if not NOT_MAPPING.fullmatch(file.stem))],
    }


def of_cards(kind: str) -> list[Path]:
    return [file for name in CARDS if card_of(name).kind == kind for file in trading.sources(card_of(name))]


def digests() -> dict[str, str]:
    """Digest of each part, now."""
    return {part: digest_of_files(*files) for part, files in parts().items()}


def named_in(text: str) -> dict[str, str]:
    """Digest of each part, as named in the document."""
    return dict(LINE.findall(text))


def lines(found: dict[str, str]) -> dict[str, str]:
    """The document's lines about them."""
    return {NAME.format(part): value for part, value in found.items()}


def changed(text: str) -> list[str]:
    """Parts whose sources have changed since the document was made."""
    then, now = named_in(text), digests()
    return sorted(part for part in {*then, *now} if then.get(part) != now.get(part))


def complaint(names: Iterable[str]) -> str:
    return f"docs/performance.md stands for other sources of {', '.join(names)}: renew it with {RENEW}"
