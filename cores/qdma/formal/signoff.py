# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The generated tables of ../signoff.md: proofs with their planted faults, tests with their cases.

`.venv/bin/python cores/qdma/formal/signoff.py` writes them; test_qdma_signoff.py fails if the page differs, or names a
proof or a test that does not exist.
"""

import ast
import re
import sys
from pathlib import Path

CORE = Path(__file__).resolve().parents[1]
PAGE = CORE / "signoff.md"
MADE = re.compile(r"(<!-- made: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
PROOF = re.compile(r"`formal/(\w+\.sv)`")
CASE = re.compile(r"`(?:tb/)?(test_\w+\.py)`((?:,? ?`\w+`)*)")


def proofs() -> dict[str, tuple[int, set[str]]]:
    """For each proof: its planted faults, and the modules that have them."""
    sys.path[:0] = [str(CORE.parent / "common" / name) for name in ("formal", "tb")]
    import test_qdma_formal
    from formal_run import Proof

    found: dict[str, tuple[int, set[str]]] = {}
    for value in vars(test_qdma_formal).values():
        if isinstance(value, Proof):
            count, modules = found.get(value.top, (0, set()))
            named = {Path(mutation.source).stem for mutation in value.mutations}
            found[value.top] = count + len(value.mutations), modules | named
    return found


def cases(path: Path) -> tuple[str, list[str]]:
    """The first sentence of a test file's docstring, and its cases."""
    tree = ast.parse(path.read_text())
    text = " ".join((ast.get_docstring(tree) or "").split())
    names = [
        node.name
        for node in tree.body
        if isinstance(node, ast.AsyncFunctionDef) and any("cocotb.test" in ast.unparse(d) for d in node.decorator_list)
    ]
    return re.split(r"(?<=[.:]) ", text)[0].rstrip(".:"), names


def table(name: str) -> str:
    if name == "proofs":
        rows = [
            f"| `formal/{top}.sv` | {', '.join(f'`{module}`' for module in sorted(modules))} | {count} |"
            for top, (count, modules) in sorted(proofs().items())
        ]
        rows.append(f"| {len(rows)} proofs | | {sum(count for count, _ in proofs().values())} |")
        return "\n".join(["| proof | of | planted faults |", "| --- | --- | ---: |", *rows, ""])
    rows = []
    total = 0
    for path in sorted((CORE / "tb").glob("test_*.py")):
        text, names = cases(path)
        total += len(names)
        rows.append(f"| `tb/{path.name}` | {text} | {len(names)} |")
    rows.append(f"| {len(rows)} files | | {total} |")
    return "\n".join(["| file | what | cases |", "| --- | --- | ---: |", *rows, ""])


def made(text: str) -> str:
    return MADE.sub(lambda match: match[1] + table(match[2]) + match[3], text)


def unknown(text: str) -> list[str]:
    """Proofs and cases that the page names and that do not exist."""
    missing = [name for name in PROOF.findall(text) if not (CORE / "formal" / name).is_file()]
    for name, listed in CASE.findall(text):
        path = CORE / "tb" / name
        if not path.is_file():
            missing.append(name)
            continue
        there = cases(path)[1]
        missing += [f"{name}: {case}" for case in re.findall(r"`(\w+)`", listed) if case not in there]
    return missing


if __name__ == "__main__":
    PAGE.write_text(made(PAGE.read_text()))
