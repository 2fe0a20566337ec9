# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""docs/performance.md names its sources, and is written on request only."""

import re
import subprocess

import pytest
from click.testing import CliRunner

from ullnic.paths import ROOT
from ullnic.points import sources
from ullnic.points.sources import SIM, meaning, program_sources
from ullnic.report import command, standing
from ullnic.report.command import report

PROGRAMS = ("sweep", "ate_sweep", "toe_sweep")
# file name, text, an equivalent text, a different one
SAME_AND_OTHER = (
    ("a.sv", "assign a = b;", "// why\nassign a\n    = b;  /* c */\n", "assign a = c;"),
    ("a.h", 'f("http://x");', 'f("http://x");  // y\n', 'f("http://y");'),
    ("a.cc", "int a = 1;\n", "/* a\n * b */ int a = 1;", "int a = 2;"),
    (
        "a.py",
        "def f():\n    return 1\n",
        'def f():\n    """It is."""\n    # one\n\n    return 1  # two\n',
        "def f():\n    return 2\n",
    ),
    (
        "b.py",
        "class A:\n    if b:\n        def f(self, c='#\\'#', d=\"\"\"'\n#\"\"\"):\n            return '#1'\n",
        "class A:  # '\n    'It is.'\n    if b:\n        def f(self, c='#\\'#', d=\"\"\"'\n#\"\"\"):\n"
        "            'Does\\'s.'\n            return '#1'\n",
        "class A:\n    if b:\n        def f(self, c='#\\'#', d=\"\"\"'\n#\"\"\"):\n            return '#2'\n",
    ),
    ("c.py", 'a = """\'\n# 1\n"""\n', 'a = """\'\n# 1\n"""  # one\n', 'a = """\'\n# 2\n"""\n'),
    ("a.csv", "1,2\n", "1,2\n", "1,2\n\n"),
    ("card.toml", "[shell]\nkind = 1\n", "lint = []\n[shell]\nkind=1  # one\n", "[shell]\nkind = 2\n"),
)


def test_the_document_stands_for_the_sources_that_there_are():
    names = standing.changed(standing.DOCUMENT.read_text())
    assert not names, standing.complaint(names)


def test_the_document_names_every_part():
    assert set(standing.named_in(standing.DOCUMENT.read_text())) == set(standing.parts())


@pytest.mark.parametrize(("name", "text", "same", "other"), SAME_AND_OTHER, ids=lambda value: value[:4])
def test_comments_and_layout_do_not_change_what_a_file_means(tmp_path, name, text, same, other):
    def of(content: str) -> bytes:
        (tmp_path / name).write_text(content)
        return meaning(tmp_path / name)

    assert of(text) == of(same) != of(other)


def test_a_changed_source_is_reported_with_its_part_and_the_remedy(tmp_path, monkeypatch):
    text = "".join(f"- {name}: {value}\n" for name, value in standing.lines(standing.digests()).items())
    assert standing.changed(text) == []
    for part, files in standing.parts().items():
        changed = next(file for file in files if file.suffix == (".py" if part == "synthesis" else ".sv"))
        real = sources.meaning
        with monkeypatch.context() as patch:
            patch.setattr(sources, "meaning", lambda file, of=changed, real=real: real(file) + b"x" * (file == of))
            assert part in standing.changed(text), changed
    assert "./ullnic report --update-docs" in standing.complaint(["macpcs"])
    assert standing.changed(re.sub(".*macpcs.*\n", "", text)) == ["macpcs"]


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_header_that_the_compiler_reads_is_a_source_of_the_program(program):
    found = set(program_sources(program))
    assert found and all(file.is_file() for file in found)
    units = [file for file in found if file.suffix == ".cc" and file.parent.name == program]
    argv = ["c++", "-std=c++20", "-MM", "-MG", f"-I{SIM}", '-DULLNIC_ENGINE_HEADER="x.h"', *map(str, units)]
    made = subprocess.run(argv, capture_output=True, text=True, check=True).stdout
    read = {path for path in re.findall(r"\S+\.(?:cc|h)\b", made) if path.startswith(str(SIM))}
    assert len(read) > len(units)
    assert read <= set(map(str, found))


def test_sources_of_other_programs_are_none():
    folders = {file.parent.name for file in program_sources("sweep")}
    assert "core" in folders and not folders & {"soak", "packetdrill", "vfio", "fuzz"}


@pytest.mark.parametrize("more", [["--frames", "400"], ["--config", "nofifo_pma32_mac32"], ["--seed", "2"]])
def test_a_part_of_the_report_cannot_be_put_into_the_document(more, monkeypatch):
    monkeypatch.setattr(command, "all_points", None)  # would fail if it were used
    result = CliRunner().invoke(report, ["--update-docs", *more])
    assert result.exit_code == 2 and "--update-docs" in result.output


def test_the_whole_report_leaves_the_document_alone_unless_asked(tmp_path, monkeypatch):
    """Called as a user does, with nothing to measure."""
    asked = []
    monkeypatch.setattr(command, "all_points", lambda *_: [])
    monkeypatch.setattr(command, "make", lambda *arguments: asked.append(arguments[-1]))
    monkeypatch.setattr(command.apt, "ensure", lambda _: None)
    for more in ([], ["--update-docs"]):
        result = CliRunner().invoke(report, ["--output", str(tmp_path), *more])
        assert result.exit_code == 0, result.output
    assert asked == [False, True]


def test_nothing_else_writes_the_document():
    """`git status` stays clean after a report: only make() names the document."""
    holders = [path.name for path in (ROOT / "python").rglob("*.py") if "docs/performance.md" in path.read_text()]
    assert sorted(holders) == ["command.py", "standing.py"]
