# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""What pages link to besides pages: source files and folders, each of which becomes a page of the site."""

import os
import re
from pathlib import Path

from ullnic.documents import CODE, ELSEWHERE, LINK
from ullnic.paths import ROOT

PICTURES = {".png", ".svg"}
# What Pygments calls the languages; others are plain text.
LANGUAGES = {".sv": "systemverilog", ".svh": "systemverilog", ".py": "python", ".toml": "toml", ".yml": "yaml"}
LANGUAGES |= {".cc": "cpp", ".h": "cpp", ".c": "c", ".sh": "bash", ".cmake": "cmake", ".tcl": "tcl"}
# The page of a source file has the file's name and this.
SUFFIX = ".page.md"


def page_of(path: Path) -> str:
    return f"{path.as_posix()}{SUFFIX}"


def is_shown(path: Path) -> bool:
    """Whether it is a page only because a page links to it."""
    return path.suffix not in {".md", *PICTURES}


def resolved(page: Path, target: str) -> Path | None:
    """From the root: the page, file or folder; README.md of a folder that has one. None: elsewhere, or on this page."""
    if not target or ELSEWHERE.match(target):
        return None
    path = Path(os.path.normpath(page.parent / target))
    return path / "README.md" if (ROOT / path / "README.md").is_file() else path


def targets(page: Path) -> set[Path]:
    """What in the tree a page links to."""
    text = CODE.sub("", (ROOT / page).read_text())
    found = (resolved(page, match[1].partition("#")[0]) for match in LINK.finditer(text))
    return {path for path in found if path is not None}


def shown(path: Path) -> str:
    """The page of a source file, or of a folder: what is in it. The search finds neither."""
    head = f"---\nsearch: {{exclude: true}}\nhide: [navigation]\ntitle: {path.name}\n---\n# `{path}`\n\n"
    place = ROOT / path
    if place.is_dir():
        names = sorted(each.name for each in place.iterdir() if not each.name.startswith(("__", ".")))
        return head + "".join(f"- `{name}`\n" for name in names)
    text = place.read_text(errors="replace").rstrip()
    fence = "`" * max(4, 1 + max(map(len, re.findall(r"`+", text)), default=0))
    return f"{head}{fence}{LANGUAGES.get(path.suffix, 'text')}\n{text}\n{fence}\n"


def with_pages(markdown: str, page: Path) -> str:
    """Links of the page to source files and folders become links to their pages."""

    def changed(match: re.Match) -> str:
        target, hash_, part = match[1].partition("#")
        path = resolved(page, target)
        if path is None or path.suffix in PICTURES:
            return match[0]
        name = page_of(path) if is_shown(path) else path.as_posix()
        return f"]({Path(os.path.relpath(name, page.parent)).as_posix()}{hash_}{part})"

    parts, at = [], 0
    for code in CODE.finditer(markdown):
        parts += [LINK.sub(changed, markdown[at : code.start()]), code[0]]
        at = code.end()
    return "".join([*parts, LINK.sub(changed, markdown[at:])])
