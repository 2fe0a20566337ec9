#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Generates a program's manual page from its --help and --version: man_page.py PROGRAM OUTPUT.gz PAGE...

The PAGEs, as `ullnic-info.1`, are those of all programs. Standard library only: the build runs it.

The format of --help: lines `usage:`, a paragraph that says what the program does, and more blocks, each after an empty
line. A line that is indented by two blanks begins an entry: a term, two blanks or more, and a text. A line that is
indented further continues the text, or is an entry below it if it also has a term. Everything else is prose.
"""

import gzip
import re
import subprocess
import sys
from pathlib import Path

ENTRY = re.compile(r"  (\S.*?)(?:  +(\S.*))?$")
BELOW = re.compile(r"   +(\S+)  +(\S.*)$")
VARIABLE = re.compile(r"([A-Z][A-Z0-9_]{3,}) +(\S.*)$")


def said(program: str, option: str) -> str:
    return subprocess.run([program, option], check=True, capture_output=True, text=True).stdout


def escaped(text: str) -> str:
    """Escaped for roff: no line is a request, and dashes can be copied."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text.startswith((".", "'")) else text


def entries(block: list[str]) -> list[str]:
    page: list[str] = []
    below = False
    for line in block:
        inner = BELOW.match(line)
        match = inner or ENTRY.match(line) or VARIABLE.match(line)
        if bool(inner) != below:
            page.append(".RS" if inner else ".RE")
            below = bool(inner)
        if match:
            term, text = match[1], match[2] or ""
            page += [".TP", f"\\fB{escaped(term)}\\fR", *filter(None, [escaped(text)])]
        else:
            page.append(escaped(line.strip()))
    return page + [".RE"] * below


def prose(block: list[str]) -> list[str]:
    return [".PP", *(escaped(line.strip()) for line in block)]


def synopsis(block: list[str], name: str) -> list[str]:
    page = []
    for line in block:
        words = line.removeprefix("usage:").strip().removeprefix(name).strip()
        page += [".PP", f"\\fB{escaped(name)}\\fR {escaped(words)}"]
    return page


def blocks_of(text: str) -> list[list[str]]:
    return [block.splitlines() for block in re.split(r"\n\n+", text.rstrip("\n"))]


def man_page(name: str, section: str, text: str, version: str, pages: list[str]) -> str:
    usage, about, *rest = blocks_of(text)
    purpose = re.split(r"[.:](?:\s|$)", " ".join(about), maxsplit=1)[0]
    page = [
        f'.TH {name.upper()} {section} "" "{version}" "ullnic"',
        ".SH NAME",
        f"{escaped(name)} \\- {escaped(purpose[0].lower() + purpose[1:])}",
        ".SH SYNOPSIS",
        *synopsis(usage, name),
        ".SH DESCRIPTION",
        *prose(about),
    ]
    for block in rest:
        first = next((at for at, line in enumerate(block) if ENTRY.match(line) or VARIABLE.match(line)), len(block))
        page += [*prose(block[:first])] * bool(first) + entries(block[first:])
    others = [each.rsplit(".", 1) for each in sorted(pages) if each != f"{name}.{section}"]
    page += [".SH SEE ALSO", " ,\n".join(f".BR {escaped(other)} ({number})" for other, number in others)]
    return "\n".join(page) + "\n"


def main() -> None:
    program, output, *pages = sys.argv[1:]
    path = Path(output)
    name, section, _ = path.name.rsplit(".", 2)
    version = said(program, "--version").strip()
    page = man_page(name, section, said(program, "--help"), version, pages)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(page.encode(), mtime=0))


if __name__ == "__main__":
    main()
