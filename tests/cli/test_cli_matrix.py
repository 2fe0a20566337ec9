# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic matrix`: docs/rfc9293.md agrees with marks and requirements; it finds wrong marks and a MUST without one."""

import re
import subprocess
import sys

import pytest
from click.testing import CliRunner

from ullnic import matrix
from ullnic.errors import UllnicError
from ullnic.matrix import Entry, Shown
from ullnic.paths import ROOT

TEST = ("cores/toy/tb/test_toy.py", "opens")
HEAD = "import pytest\nimport cocotb\n"
COCOTB = f"""{HEAD}from ullnic_tb import cocotb_tests


@cocotb.test()
@pytest.mark.rfc9293("MUST-1", "MUST-2")
async def opens(dut):
    pass


@cocotb.test()
@pytest.mark.pitfall("karn")
async def left_out(dut):
    pass


@pytest.mark.parametrize("width", (32, 64))
@pytest.mark.parametrize("test", ["opens"])
def test_toy(test, width):
    pass


@pytest.mark.rfc9293("SHLD-3")
@pytest.mark.parametrize("width", (32, 64))
def test_plain(width):
    pass


@pytest.mark.parametrize("script", [pytest.param("a", marks=pytest.mark.rfc9293("MUST-4")), "b"])
def test_script(script):
    pass
"""


def test_up_to_date():
    result = CliRunner().invoke(matrix.matrix, ["--check"], standalone_mode=False)
    assert (result.return_value, result.output) == (0, ""), f"{result.output}{result.exception or ''}"


def test_every_requirement_is_there():
    """The requirements that RFC 9293 numbers: 69 MUST, 31 SHOULD, one RECOMMENDED, 18 MAY; each with its section and
    words.
    """
    rules = matrix.entries(matrix.SOURCES["rfc9293"])
    counts = {"MUST": 69, "SHLD": 31, "REC": 1, "MAY": 18}
    assert list(rules) == [f"{kind}-{i}" for kind, count in counts.items() for i in range(1, count + 1)]
    assert all(re.fullmatch(r"3\.\d+(\.\d+)*", rule.section) and rule.says for rule in rules.values())


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """A project whose only test is TEST."""
    file = tmp_path / TEST[0]
    file.parent.mkdir(parents=True)
    file.write_text(COCOTB)
    # Python starts isolated: it ignores PYTHONPATH.
    path = f"import sys\nsys.path.insert(0, {str(ROOT / 'cores/common/tb')!r})\n"
    (file.parent / "conftest.py").write_text(f"{path}from ullnic_tb.marks import pytest_itemcollected\n")
    (tmp_path / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text())
    monkeypatch.setattr(matrix, "ROOT", tmp_path)
    monkeypatch.setattr(matrix, "TESTS", ("cores/toy",))
    monkeypatch.setattr(matrix, "tool_env", lambda: {"PATH": "/usr/bin:/bin"})
    return tmp_path


def test_marks_are_collected(toy):
    """Marks of a cocotb test by its name, of a parameter by its value, of a pytest test; a test that is never run has
    none.
    """
    shown = matrix.collected(("cores/toy", "cores/none"))
    assert shown == {
        *(Shown("rfc9293", id, *TEST) for id in ("MUST-1", "MUST-2")),
        Shown("rfc9293", "SHLD-3", TEST[0], "test_plain"),
        Shown("rfc9293", "MUST-4", TEST[0], "test_script[a]"),
    }
    assert list(matrix.never_run(shown)) == [f"{TEST[0]}: left_out is marked, but no test runs it"]


def test_tests_that_cannot_be_collected(toy):
    (toy / TEST[0]).write_text("import nothing_of_this_name\n")
    with pytest.raises(UllnicError, match="nothing_of_this_name"):
        matrix.collected(("cores/toy",))


def test_scripts_have_marks(tmp_path):
    script = tmp_path / "a.pkt"
    script.write_text(
        "// rfc9293: MUST-12 SHLD-3\n0 socket(...) = 3 // pitfall: no line of its own\n  //pitfall: karn\n"
    )
    code = f"import pathlib, ullnic_tb; print(ullnic_tb.script_marks(pathlib.Path({str(script)!r})))"
    done = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": str(ROOT / "cores/common/tb")}, capture_output=True, text=True
    )
    assert re.findall(r"name='(\w+)', args=\((.*?)\)", done.stdout) == [
        ("rfc9293", "'MUST-12', 'SHLD-3'"),
        ("pitfall", "'karn',"),
    ], done.stderr


MARK = Shown("rfc9293", "MUST-1", *TEST)


@pytest.mark.parametrize(
    "entry, shown, wrong",
    [
        (Entry("MUST-1", ""), {MARK}, None),
        (Entry("MUST-1", "", reason="hardware"), set(), None),
        (Entry("MUST-1", "", missing="half"), {MARK}, None),
        (Entry("MUST-1", "", missing="all"), set(), None),
        (Entry("MAY-1", ""), set(), None),
        (Entry("MUST-1", ""), set(), "MUST-1 has no test, and nothing says why"),
        (Entry("SHLD-1", ""), set(), "SHLD-1 has no test, and nothing says why"),
        (
            Entry("MUST-1", "", reason="hardware"),
            {MARK},
            "MUST-1 has a reason why it does not apply, but tests: .*opens",
        ),
        (Entry("MUST-1", "", reason="a", missing="b"), set(), "MUST-1 does not apply and is missing"),
        (Entry("MAY-1", ""), {MARK}, "MUST-1 is marked, but not in rfc9293.toml: .*opens"),
        (Entry("MUST-1", ""), {Shown("pitfall", "MUST-1", *TEST)}, "MUST-1 has no test"),
    ],
)
def test_faults(entry, shown, wrong):
    found = list(matrix.faults("rfc9293", {entry.id: entry}, shown))
    assert len(found) == (wrong is not None) and all(re.match(wrong, fault) for fault in found)


def test_page(toy, monkeypatch):
    """Written only if nothing is wrong; each entry has its tests, or its reason."""
    for kind in matrix.SOURCES:
        monkeypatch.setitem(matrix.SOURCES, kind, toy / f"{kind}.toml")
    rules = '[MUST-1]\nsection = "3.1"\nsays = "One."\nnegative = true\n[MUST-2]\nsection = "3.2"\nsays = "Two."\n'
    rules += 'missing = "Half."\n[MUST-4]\nsection = "3.4"\nsays = "Four."\n[SHLD-3]\nsection = "3"\nsays = "Three."\n'
    (toy / "rfc9293.toml").write_text(rules)
    (toy / "pitfall.toml").write_text('[karn]\nsays = "Karn."\nmissing = "No."\n')
    (toy / TEST[0]).write_text(COCOTB.replace('@pytest.mark.pitfall("karn")\n', ""))
    text = matrix.page(matrix.collected(("cores/toy",)))
    link = f"[test_toy](../{TEST[0]})"
    assert f"| MUST-1 | 3.1 | One. *(MUST NOT)* | {link}: `opens` |" in text
    assert f"| MUST-2 | 3.2 | Two. | {link}: `opens`<br>**In part.** Half. |" in text
    assert f"| SHLD-3 | 3 | Three. | {link}: `test_plain` |" in text
    assert "| karn | Karn. | **Not met.** No. |" in text
    assert "| MUST | 2 | 1 | 0 | 0 |" in text and "| SHOULD | 1 | 0 | 0 | 0 |" in text
    (toy / "rfc9293.toml").write_text(rules + "[MUST-5]\nsays = 'Five.'\n")
    with pytest.raises(UllnicError, match="MUST-5 has no test"):
        matrix.page(matrix.collected(("cores/toy",)))
    (toy / "rfc9293.toml").write_text(rules + "[MUST-5]\nsay = 'Five.'\n")
    with pytest.raises(UllnicError, match="say"):
        matrix.page(set())
