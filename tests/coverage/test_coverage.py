# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic coverage`: what is counted, what is said of it, and that each core's tests cover what its limits say."""

import re
import shutil

import pytest
from click.testing import CliRunner

from ullnic.coverage import limits
from ullnic.coverage import measure as measuring
from ullnic.coverage.command import coverage
from ullnic.coverage.limits import check
from ullnic.coverage.measure import Coverage, measure
from ullnic.coverage.points import BLOCK, CONDITION, Point, parsed
from ullnic.deep import deep, hardware
from ullnic.errors import UllnicError
from ullnic.paths import ROOT

CORES = ROOT / "cores"
NAMES = sorted(path.parent.name for path in CORES.glob("*/rtl"))
MODULE = """\
module counter #(
    parameter int LIMIT = twice(2)
) (
    input logic clk,
    input logic rst,
    input logic up,
    output logic [2:0] count
);
  function automatic int twice(input int x);
    return x + x;
  endfunction
  initial count = '0;
  wire unused = ^{up, rst};
  always_ff @(posedge clk) begin
    if (rst) count <= '0;
    else if (up && int'(count) < LIMIT) count <= count + 1'b1;
    else if (count == 3'd7) count <= 3'd6;
  end
endmodule
"""
NEVER = "else if (count == 3'd7) count <= 3'd6;"
TESTS = """\
import cocotb
import pytest
from ullnic_tb import Bench, Stepper, cocotb_tests, rtl


@cocotb.test()
async def counts(dut):
    s = Stepper(dut, ("count",))
    await s.reset(up=0)
    for cycle in range(3):
        assert (await s.step(up=1)).count == cycle


@cocotb.test()
async def holds(dut):
    s = Stepper(dut, ("count",))
    await s.reset(up=0)
    for cycle in range(3):
        assert (await s.step(up=0)).count == 0


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_counter(test):
    Bench("counter", rtl("counter"), starts_with_zeros=True).run("test_counter", test)
"""
LISTED = f"""\
conditions = %s
[[block]]
file = "rtl/counter.sv"
line = "{NEVER}"
why = "the count ends at 4"
"""
ENGINE = deep(__file__, "python/ullnic/coverage", "cores/common/tb/ullnic_tb")


def record(file: str, line: int, kind: str, text: str, count: int, instance: str = "top") -> str:
    keys = {"f": file, "l": line, "n": 3, "t": kind, "page": "p", "o": text, "S": line, "h": instance}
    return "C '" + "".join(f"\x01{key}\x02{value}" for key, value in keys.items()) + f"' {count}\n"


def test_the_instances_of_a_module_count_together():
    text = record("a.sv", 7, "branch", "if", 0) + record("a.sv", 7, "branch", "if", 2, "top.b")
    text = "# SystemC::Coverage-3\n" + text + record("a.sv", 9, "expr", "(up==0) => 0", 4)
    assert parsed(text) == {Point("a.sv", 7, 3, BLOCK, "if"): 2, Point("a.sv", 9, 3, CONDITION, "(up==0) => 0"): 4}


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A core that is `counter` alone, in a tree of its own."""
    cores = tmp_path / "cores"
    for kind in ("rtl", "tb"):
        (cores / "counter" / kind).mkdir(parents=True)
    (cores / "counter/rtl/counter.sv").write_text(MODULE)
    (cores / "counter/tb/test_counter.py").write_text(TESTS)
    for module in (measuring, limits):
        monkeypatch.setattr(module, "CORES", cores)
    monkeypatch.setattr(measuring, "BUILD", tmp_path / "build")
    return cores / "counter"


def lines(*texts: str) -> list[int]:
    return [1 + next(number for number, line in enumerate(MODULE.splitlines()) if text in line) for text in texts]


def counted(**counts: int) -> Coverage:
    """By hand: `run` and `never` are two blocks, `met` and `not_met` conditions."""
    run, never, function, unused = lines("if (rst)", NEVER, "return", "unused")
    points = {
        Point("counter.sv", run, 5, BLOCK, "if"): counts.get("run", 1),
        Point("counter.sv", never, 10, BLOCK, "if"): counts.get("never", 0),
        Point("counter.sv", function, 5, BLOCK, "block"): 0,
        Point("counter.sv", unused, 5, CONDITION, "(up==1) => 1"): 0,
        Point("counter.sv", run, 9, CONDITION, "(rst==1) => 1"): 1,
        Point("counter.sv", run, 9, CONDITION, "(rst==0) => 0"): counts.get("not_met", 0),
    }
    return Coverage("counter", points, 2)


def test_what_cannot_be_met_is_left_out(small):
    """Functions of constants, which only the elaboration runs, and the sink of unused inputs."""
    found = counted()
    assert found.modules == {"counter": {BLOCK: (1, 2), CONDITION: (1, 2)}}
    assert [found.code(point) for point in found.missed()] == [NEVER]


def test_limits_hold(small):
    (small / limits.NAME).write_text(LISTED % 50)
    check(counted())
    with pytest.raises(UllnicError, match="100.00 % of the conditions are met, the limit is 50 %"):
        check(counted(not_met=3))
    with pytest.raises(UllnicError, match=f"rtl/counter.sv:{lines('if (rst)')[0]} is not run, and not listed"):
        check(counted(run=0))
    with pytest.raises(UllnicError, match=f"rtl/counter.sv:{lines(NEVER)[0]} is listed, and run"):
        check(counted(never=1))
    (small / limits.NAME).write_text(LISTED % 50.1)
    with pytest.raises(UllnicError, match="50.00 % of the conditions are met, the limit is 50.1 %"):
        check(counted())
    (small / limits.NAME).write_text(LISTED.replace("7)", "8)") % 50)
    with pytest.raises(UllnicError, match="has no line .* any more"):
        check(counted())


def test_what_is_printed(monkeypatch):
    point = Point("mux4.sv", 1, 1, BLOCK, "else")
    condition = Point("mux4.sv", 1, 1, CONDITION, "(a==1) => 1")
    found = Coverage("common", {point: 0, condition: 0}, 3)
    monkeypatch.setattr("ullnic.coverage.command.measure", lambda *_: found)
    done = CliRunner().invoke(coverage, ["common"])
    assert done.exit_code == 0, done.output
    assert "common: 3 tests" in done.output
    assert re.search(r"mux4 +0 of 1 +0 of 1", done.output)
    assert "cores/common/rtl/mux4.sv:1: block else: " in done.output
    assert "a==1" not in done.output
    assert "condition (a==1) => 1" in CliRunner().invoke(coverage, ["common", "--module", "mux4"]).output


def test_an_unknown_module_is_an_error():
    done = CliRunner().invoke(coverage, ["common", "--module", "mux5"])
    assert done.exit_code == 2
    assert "common has no mux5" in done.output


@ENGINE
def test_tests_are_counted(small):
    shutil.copytree(CORES / "common", small.parent / "common", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(CORES / "qdma/tb/conftest.py", small / "tb")
    found = measure("counter", 1, 2, lambda _: None)
    assert [found.code(point) for point in found.missed()] == [NEVER]
    assert {point.text for point in found.missed(CONDITION)} == {"((count < LIMIT)==0) => 0"}
    assert found.tests == 2
    (small / "tb/test_counter.py").write_text(TESTS.replace("== 0\n", "== 1\n"))
    with pytest.raises(UllnicError, match=r"these fail: .*test_counter.*holds"):
        measure("counter", 1, 1, lambda _: None)


def what_covers(core: str):
    """What the figures of a core depend on."""
    folders = [CORES / name for name in (core, "common", "macpcs")]
    benches = [path for folder in folders for path in sorted(folder.glob("tb/**/*.py"))]
    return lambda: [*hardware(*folders), *benches, CORES / core / limits.NAME]


@pytest.mark.parametrize(
    "core", [pytest.param(name, marks=deep(__file__, "python/ullnic/coverage", what_covers(name))) for name in NAMES]
)
def test_of_each_core(core):
    check(measure(core, 1, 2, lambda _: None))
