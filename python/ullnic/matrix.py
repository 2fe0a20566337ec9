# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic matrix`: docs/rfc9293.md, which test of toe shows which requirement of RFC 9293 and which known pitfall.

The requirements are in cores/toe/rfc9293.toml and pitfalls.toml. Marks on the tests, as pytest collects them, show
which test covers which: a test that does not run shows nothing.
"""

import ast
import difflib
import json
import os
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ullnic import toml
from ullnic.errors import UllnicError
from ullnic.paths import ROOT
from ullnic.testing import isolated_pytest
from ullnic.toolchain import tool_env

if TYPE_CHECKING:
    import pytest

COMMAND = "./ullnic matrix"
PAGE = ROOT / "docs" / "rfc9293.md"
SOURCES = {"rfc9293": ROOT / "cores/toe/rfc9293.toml", "pitfall": ROOT / "cores/toe/pitfalls.toml"}
TESTS = ("cores/toe", "cards/toe", "tests/live", "tests/packetdrill")  # where tests of toe are
OUT = "ULLNIC_MARKS"  # the file that the collecting pytest writes: see pytest_collection_finish
KINDS = {"MUST": "MUST", "SHLD": "SHOULD", "REC": "SHOULD", "MAY": "MAY"}
HEADINGS = {
    "MUST": "MUST and MUST NOT",
    "SHOULD": "SHOULD and SHOULD NOT",
    "MAY": "MAY",
}


@dataclass(frozen=True)
class Entry:
    """A requirement or a pitfall: the fields of rfc9293.toml."""

    id: str
    says: str
    section: str = ""
    negative: bool = False
    reason: str = ""
    missing: str = ""
    note: str = ""

    @property
    def level(self) -> str:
        return KINDS.get(self.id.split("-")[0], "")


@dataclass(frozen=True, order=True)
class Shown:
    """A mark: this test shows this requirement."""

    kind: str
    id: str
    file: str
    test: str


def entries(source: Path) -> dict[str, Entry]:
    try:
        return {id: Entry(id, **fields) for id, fields in toml.loads(source.read_text()).items()}
    except (TypeError, toml.TOMLDecodeError) as error:
        raise UllnicError(f"{source}: {error}", "its head lists the fields") from None


# ---------------------------------------------------------------- marks


def pytest_collection_finish(session: "pytest.Session") -> None:
    """This module is a plugin of the pytest that collects for it."""
    found = []
    for item in session.items:
        for kind in SOURCES:
            found += [[kind, str(id), *named(item, mark)] for mark in item.iter_markers(kind) for id in mark.args]
    Path(os.environ[OUT]).write_text(json.dumps(found))


def named(item: "pytest.Item", mark: "pytest.Mark") -> tuple[str, str]:
    """File and name of the marked test: a cocotb test, a script that is a test's parameter, or the test itself."""
    spec = getattr(item, "callspec", None)
    for value in spec.params.values() if spec else ():
        run = getattr(item.module, value, None) if isinstance(value, str) else None
        if mark in getattr(getattr(run, "func", None), "pytestmark", ()):
            return item.location[0], value
    own = spec and mark in spec.marks
    return item.location[0], item.name if own else item.originalname


def collected(tests: Iterable[str] = TESTS) -> set[Shown]:
    with tempfile.TemporaryDirectory() as name:
        out = Path(name) / "marks.json"
        # With --deep these are the tests themselves, not the placeholders for tests kept by digest.
        argv = [*isolated_pytest(), "--collect-only", "--deep", "-qq", "-p", "ullnic.matrix"]
        folders = [test for test in tests if (ROOT / test).exists()]
        done = subprocess.run(
            [*argv, *folders], cwd=ROOT, env=tool_env() | {OUT: str(out)}, capture_output=True, text=True
        )
        if done.returncode != 0 or not out.exists():
            raise UllnicError(
                f"the tests cannot be collected:\n{done.stdout[-3000:]}{done.stderr[-1000:]}", "mend them"
            )
        return {Shown(*fields) for fields in json.loads(out.read_text())}


def written(files: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    """Functions that are marked in the sources, whether they run or not."""
    for file in files:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                marks = [ast.unparse(each) for each in node.decorator_list]
                if any(mark.startswith(f"pytest.mark.{kind}(") for mark in marks for kind in SOURCES):
                    yield file, node.name


def faults(kind: str, wanted: dict[str, Entry], shown: set[Shown]) -> Iterator[str]:
    """What is wrong with the marks of a kind, compared with the requirements."""
    marked: dict[str, list[str]] = {}
    for each in sorted(shown):
        if each.kind == kind:
            marked.setdefault(each.id, []).append(f"{each.file}: {each.test}")
    for id, tests in marked.items():
        if id not in wanted:
            yield f"{id} is marked, but not in {SOURCES[kind].name}: {', '.join(tests)}"
        elif wanted[id].reason:
            yield f"{id} has a reason why it does not apply, but tests: {', '.join(tests)}"
    for id, entry in wanted.items():
        if entry.reason and entry.missing:
            yield f"{id} does not apply and is missing: one of them is wrong"
        if entry.level != "MAY" and id not in marked and not entry.reason and not entry.missing:
            yield f"{id} has no test, and nothing says why"


def never_run(shown: set[Shown]) -> Iterator[str]:
    ran = {(each.file, each.test.split("[")[0]) for each in shown}
    files = [path for folder in TESTS for path in sorted((ROOT / folder).rglob("test_*.py"))]
    for file, name in written(files):
        path = file.relative_to(ROOT).as_posix()
        if (path, name) not in ran:
            yield f"{path}: {name} is marked, but no test runs it"


# ---------------------------------------------------------------- the page


def page(shown: set[Shown]) -> str:
    wanted = {kind: entries(source) for kind, source in SOURCES.items()}
    wrong = [fault for kind in SOURCES for fault in faults(kind, wanted[kind], shown)] + list(never_run(shown))
    if wrong:
        raise UllnicError("\n".join(wrong), "mark the test that shows it, or say in the .toml file why there is none")
    rules, pitfalls = list(wanted["rfc9293"].values()), list(wanted["pitfall"].values())
    links = {kind: {id: tests_of(kind, id, shown) for id in wanted[kind]} for kind in SOURCES}
    text = [
        f"<!-- SPDX-License-Identifier: Apache-2.0. Made by {COMMAND}; do not edit. -->",
        "# RFC 9293 and toe\n",
        "Which test shows which requirement of TCP (numbered as in RFC 9293, appendix B; the words are ours), why one",
        "does not apply, and what is not met. Made of marks in the tests, of",
        "[`cores/toe/rfc9293.toml`](../cores/toe/rfc9293.toml) and",
        "[`cores/toe/pitfalls.toml`](../cores/toe/pitfalls.toml); a test fails when this page is not up to date, or a",
        "MUST has neither test nor reason. `./ullnic test -- -m rfc9293` runs what is listed here.\n",
        *counts(rules, links["rfc9293"]),
    ]
    for level, heading in HEADINGS.items():
        text += [f"\n## {heading}\n", "| | section | | |", "| --- | --- | --- | --- |"]
        for rule in rules:
            if rule.level == level:
                said = f"{rule.says} *({level} NOT)*" if rule.negative else rule.says
                text.append(f"| {rule.id} | {rule.section} | {said} | {state(rule, links['rfc9293'][rule.id])} |")
    text += ["\n## Known pitfalls\n", "| | | |", "| --- | --- | --- |"]
    text += [f"| {each.id} | {each.says} | {state(each, links['pitfall'][each.id])} |" for each in pitfalls]
    return "\n".join(text) + "\n"


def counts(rules: list[Entry], links: dict[str, str]) -> list[str]:
    table = ["| | shown by tests | in part | not met | does not apply |", "| --- | ---: | ---: | ---: | ---: |"]
    for level in ("MUST", "SHOULD"):
        of = [rule for rule in rules if rule.level == level]
        whole = sum(bool(links[rule.id]) and not rule.missing for rule in of)
        part = sum(bool(links[rule.id]) and bool(rule.missing) for rule in of)
        unmet = sum(not links[rule.id] and bool(rule.missing) for rule in of)
        table.append(f"| {level} | {whole} | {part} | {unmet} | {sum(bool(rule.reason) for rule in of)} |")
    return table


def tests_of(kind: str, id: str, shown: set[Shown]) -> str:
    files: dict[str, list[str]] = {}
    for each in sorted(shown):
        if (each.kind, each.id) == (kind, id):
            files.setdefault(each.file, []).append(f"`{each.test}`")
    return "; ".join(f"[{Path(file).stem}](../{file}): {', '.join(tests)}" for file, tests in files.items())


def state(entry: Entry, links: str) -> str:
    parts = [links] if links else []
    if entry.missing:
        parts.append(f"**{'In part' if links else 'Not met'}.** {entry.missing}")
    if entry.reason:
        parts.append(f"Not applicable. {entry.reason}")
    return "<br>".join([*parts, entry.note] if entry.note else parts)


EXAMPLES = """\b
Examples:
  ./ullnic matrix                        make docs/rfc9293.md anew, after a change of marks
  ./ullnic matrix --check                is it up to date?"""


@click.command(epilog=EXAMPLES)
@click.option("--check", is_flag=True, help="Write nothing; exit code 1 if the page is not up to date.")
def matrix(check: bool) -> int:
    """Make the page of TCP's requirements and the tests of toe that show them.

    It fails if a MUST or a SHOULD of RFC 9293 has no test and no reason, and if a mark names what there is not.
    """
    made = page(collected())
    if not check:
        PAGE.write_text(made)
        click.echo(f"{PAGE.relative_to(ROOT)}: made")
        return 0
    kept = PAGE.read_text() if PAGE.exists() else ""
    difference = difflib.unified_diff(
        kept.splitlines(), made.splitlines(), "docs/rfc9293.md", "made now", lineterm="", n=0
    )
    if kept != made:
        click.echo("\n".join(difference))
        click.echo(f"not up to date; {COMMAND} makes it anew", err=True)
    return int(kept != made)
