# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The generated parts of a core's signoff.md: proofs with their planted faults, tests with their cases, coverage.

`.venv/bin/python cores/common/formal/signoff.py` writes those of all cores; test_signoff.py fails if a page differs, or
names a proof or a test that does not exist.
"""

import ast
import importlib
import re
import sys
from pathlib import Path

try:
    import tomllib
except ModuleNotFoundError:
    import tomli as tomllib

CORES = Path(__file__).resolve().parents[2]
NAME = "signoff.md"
MADE = re.compile(r"(<!-- made: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
PROOF = re.compile(r"`formal/(\w+\.sv)`")
CASE = re.compile(r"`(?:tb/)?(test_\w+\.py)`((?:,? ?`\w+`)*)")


def pages() -> list[Path]:
    return sorted(CORES.glob(f"*/{NAME}"))


def proofs(core: Path) -> dict[str, tuple[int, set[str]]]:
    """For each proof: its planted faults, and the modules that have them; of all parameters together."""
    from formal_run import Proof

    found: dict[str, tuple[int, set[str]]] = {}
    for path in sorted((core / "formal").glob("test_*_formal.py")):
        for proof, mutation in _cases(path, Proof):
            count, modules = found.get(proof.top, (0, set()))
            named = {Path(mutation.source).stem} if mutation else set()
            found[proof.top] = count + len(named), modules | named
    return found


def _cases(path: Path, kind: type) -> list[tuple]:
    """What the tests of the file are parametrized with."""
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    tests = vars(importlib.import_module(path.stem)).values()
    marks = [mark for test in tests for mark in getattr(test, "pytestmark", ()) if mark.name == "parametrize"]
    values = [getattr(case, "values", ()) for mark in marks for case in mark.args[1]]
    return [each for each in values if each and isinstance(each[0], kind)]


def cases(path: Path) -> tuple[str, list[str]]:
    """The first sentence of a test file's docstring, and its cases."""
    tree = ast.parse(path.read_text())
    text = " ".join((ast.get_docstring(tree) or "").split())
    names = [
        node.name
        for node in tree.body
        if isinstance(node, ast.AsyncFunctionDef) and any("cocotb.test" in ast.unparse(d) for d in node.decorator_list)
    ]
    return re.split(r"(?<=\.) ", text)[0].rstrip("."), names


def table_of_proofs(core: Path) -> str:
    found = proofs(core)
    rows = [
        f"| `formal/{top}.sv` | {', '.join(f'`{module}`' for module in sorted(modules))} | {count} |"
        for top, (count, modules) in sorted(found.items())
    ]
    rows.append(f"| {len(rows)} proofs | | {sum(count for count, _ in found.values())} |")
    return "\n".join(["| proof | of | planted faults |", "| --- | --- | ---: |", *rows, ""])


def table_of_tests(core: Path) -> str:
    rows = []
    total = 0
    for path in sorted((core / "tb").glob("test_*.py")):
        text, names = cases(path)
        total += len(names)
        rows.append(f"| `tb/{path.name}` | {text} | {len(names) or ''} |")
    rows.append(f"| {len(rows)} files | | {total} |")
    return "\n".join(["| file | what | cases |", "| --- | --- | ---: |", *rows, ""])


def text_of_coverage(core: Path) -> str:
    limits = tomllib.loads((core / "coverage.toml").read_text())
    listed = limits.get("block", [])
    all_but = f"all blocks but {len(listed)}" if listed else "all blocks"
    text = (
        f"As `./ullnic coverage {core.name}` counts, the ordinary tests run {all_but} of the RTL, and meet at least\n"
    )
    text += f"{limits['conditions']} % of its conditions."
    if not listed:
        return f"{text}\n"
    rows = [f"| `{each['file']}` | `{each['line'].replace('|', chr(92) + '|')}` | {each['why']} |" for each in listed]
    return "\n".join([f"{text} Not run:", "", "| file | line | why |", "| --- | --- | --- |", *rows, ""])


PARTS = {"proofs": table_of_proofs, "tests": table_of_tests, "coverage": text_of_coverage}


def made(page: Path) -> str:
    """Its text with the generated parts of now."""
    return MADE.sub(lambda match: match[1] + PARTS[match[2]](page.parent) + match[3], page.read_text())


def unknown(core: Path, text: str) -> list[str]:
    """Proofs and cases that the text names and that do not exist."""
    missing = [name for name in PROOF.findall(text) if not (core / "formal" / name).is_file()]
    for name, listed in CASE.findall(text):
        path = core / "tb" / name
        if not path.is_file():
            missing.append(name)
            continue
        there = cases(path)[1]
        missing += [f"{name}: {case}" for case in re.findall(r"`(\w+)`", listed) if case not in there]
    return missing


if __name__ == "__main__":
    sys.path[:0] = [str(CORES / "common" / name) for name in ("formal", "tb")]
    for each in pages():
        each.write_text(made(each))
