# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""`ullnic mutate`: which faults are planted, that a model has one of them at most, and what is said of them."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from ullnic.deep import deep
from ullnic.errors import UllnicError
from ullnic.mutate import campaign as campaigns
from ullnic.mutate.campaign import CORES, Campaign, Outcome
from ullnic.mutate.command import mutate
from ullnic.mutate.equivalent import NAME
from ullnic.mutate.faults import Fault, Source, constant_functions
from ullnic.mutate.schemata import VARIABLE, with_faults
from ullnic.toolchain import tool_env

MODULE = """\
module counter #(
    parameter int LIMIT = 3 + 1
) (
    input logic clk,
    input logic rst,
    input logic up,
    output logic [$clog2(LIMIT + 1)-1:0] count,
    output logic full
);
  initial count = '0;
  wire unused = &{up, rst};
  function automatic int twice(input int x);
    return x + x;
  endfunction
  localparam int EVEN = twice(LIMIT) * 2;
  assign full = %(full)s;
  always_ff @(posedge clk)  // not this comment: a && b
    if (rst) count <= '0;
    else if (up && count < LIMIT) count <= count + 1'b1;
endmodule
"""
# Tests that simulate, and prove, a whole core.
WHOLE = deep(__file__, "python/ullnic/mutate", "cores/common/tb/ullnic_tb", "cores/common/formal/formal_run.py")
FULL = "32'(count) == LIMIT"
CYCLES = 24
BENCH = """\
module bench;
  logic clk = 0, rst, up, full;
  logic [2:0] count;
  logic [2:0] counts[%(count)d];
  logic fulls[%(count)d];
  counter dut (.*);
%(instances)s
  initial begin
    for (int cycle = 0; cycle < %(cycles)d; cycle++) begin
      rst = cycle < 2 || cycle == 17;
      up = cycle %% 3 != 2;
      #1 clk = 1;
      #1 clk = 0;
      $write("= %%0d%%b", count, full);
      for (int i = 0; i < %(count)d; i++) $write(" %%0d%%b", counts[i], fulls[i]);
      $write("\\n");
    end
    $finish;
  end
endmodule
"""
TESTS = """\
import cocotb
import pytest
from ullnic_tb import Bench, Stepper, cocotb_tests, rtl


@cocotb.test()
async def counts(dut):
    s = Stepper(dut, ("count",))
    await s.reset(up=0)
    expected = 0
    for cycle in range(20):
        up = cycle % 3 != 0
        out = await s.step(up=up)
        assert out.count == expected
        expected = min(expected + up, 4)


@pytest.mark.parametrize("test", cocotb_tests(__name__))
def test_counter(test):
    Bench("counter", rtl("counter"), starts_with_zeros=True).run("test_counter", test)
"""
ENTRY = f"""\
[[fault]]
file = "rtl/counter.sv"
line = "assign full = {FULL};"
old = "{FULL}"
why = "nobody uses full"
"""
PROOF = """\
module limit #(
    parameter bit INVARIANTS = 1
) (
    input logic clk,
    input logic rst,
    input logic up
);
  logic [2:0] count;
  logic full;
  counter dut (.*);
  always_comb if (full) assert (count == 3'd4);
  always_comb if (INVARIANTS) assert (count <= 3'd4);
endmodule
"""
PROOF_TEST = """\
import pytest
from formal_run import Mutation, Proof, cases, check

LIMIT = Proof(
    ("counter/rtl/counter.sv", "counter/formal/limit.sv"),
    mutations=(Mutation("never_full", "counter/rtl/counter.sv", "== LIMIT", "!= LIMIT", 4),),
)


@pytest.mark.parametrize("proof, mutation", cases(LIMIT))
def test_proof(proof, mutation):
    check(proof, mutation)
"""


def faults(**parts) -> list:
    source = Source("counter/rtl/counter.sv", MODULE % ({"full": FULL} | parts))
    return source.faults(constant_functions([source]))


def changes(**parts) -> set[tuple[str, str]]:
    return {(fault.old_text, fault.new_text) for fault in faults(**parts)}


def test_all_faults_of_a_module():
    """Nothing in parameters, declarations, comments, signals that are unused, or functions of constants."""
    assert changes() == {
        (FULL, "(32'(count)) != (LIMIT)"),
        ("rst", "!(rst)"),
        ("rst", "1'b1"),
        ("rst", "1'b0"),
        ("count <= '0;", "(removed)"),
        ("'0", "'1"),
        ("up && count < LIMIT", "!(up && count < LIMIT)"),
        ("up && count < LIMIT", "1'b1"),
        ("up && count < LIMIT", "1'b0"),
        ("up && count < LIMIT", "(up) || (count < LIMIT)"),
        ("up && count < LIMIT", "|(up)"),
        ("up && count < LIMIT", "|(count < LIMIT)"),
        ("count < LIMIT", "(count) <= (LIMIT)"),
        ("count <= count + 1'b1;", "(removed)"),
        ("count + 1'b1", "(count) - (1'b1)"),
        ("count + 1'b1", "(count)"),
        ("count + 1'b1", "(1'b1)"),
        ("1'b1", "1'b0"),
    }


@pytest.mark.parametrize(
    "full, expected",
    [
        ("count >= 4'd15", {"(count) > (4'd15)", "(count) == (4'd15)", "4'd14"}),
        ("count[3:0] == 8'hff", {"(count[3:0]) != (8'hff)", "8'hfe"}),
        ("~up", {"up"}),
        ("!count", {"|count"}),
        ("|count", {"&count"}),
        ("up ? rst : full", {"!(up)", "1'b1", "1'b0"}),
        ("{2{up}} == 2'(rst)", {"({2{up}}) != (2'(rst))"}),
    ],
)
def test_faults_of_an_expression(full, expected):
    assert {new for _, new in changes(full=full) - changes(full="1'bx")} == expected


def test_names_where_it_is():
    assert str(faults()[0]) == f"counter/rtl/counter.sv:16: {FULL}  ->  (32'(count)) != (LIMIT)"


@WHOLE
def test_a_model_has_the_chosen_fault(tmp_path):
    """All faults in one model, nested as they are: with each it does what the module does that has this one alone."""
    source = MODULE % {"full": FULL}
    numbered = dict(enumerate(faults(), 1))
    alone = [source, *(fault.planted_in(source) for fault in numbered.values())]
    alone = [text.replace("module counter", f"module counter{number}") for number, text in enumerate(alone)]
    instances = "\n".join(
        f"  counter{number} alone{number} (.*, .count(counts[{number}]), .full(fulls[{number}]));"
        for number in range(len(alone))
    )
    bench = BENCH % {"count": len(alone), "instances": instances, "cycles": CYCLES}
    (tmp_path / "all.sv").write_text("\n".join([with_faults(source, numbered), *alone, bench]))
    argv = ["verilator", "--binary", "--top", "bench", "-Wno-fatal", "-CFLAGS", "-O0", "all.sv"]
    done = subprocess.run(argv, cwd=tmp_path, env=tool_env(), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    different = 0
    for number in range(len(alone)):
        env = tool_env() | {VARIABLE: str(number)}
        said = subprocess.run([tmp_path / "obj_dir/Vbench"], env=env, check=True, capture_output=True, text=True).stdout
        rows = [line.split() for line in said.splitlines() if line.startswith("=")]
        assert len(rows) == CYCLES
        assert [row[1] for row in rows] == [row[2 + number] for row in rows], str(numbered.get(number))
        different += any(row[2] != row[2 + number] for row in rows)
    assert different == len(numbered)


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A core that is `counter` alone, with cores/common, in a tree of its own."""
    cores = tmp_path / "cores"
    for kind in ("rtl", "tb"):
        (cores / "counter" / kind).mkdir(parents=True)
    (cores / "counter/rtl/counter.sv").write_text(MODULE % {"full": FULL})
    (cores / "counter/tb/test_counter.py").write_text(TESTS)
    shutil.copytree(CORES / "common", cores / "common", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(CORES / "qdma/tb/conftest.py", cores / "counter/tb")
    monkeypatch.setattr(campaigns, "CORES", cores)
    monkeypatch.setattr(campaigns, "BUILD", tmp_path / "build")
    return cores / "counter"


def nothing(_text: str) -> None:
    pass


def survivors(chosen: Callable[[Fault], bool] = lambda fault: True) -> set[tuple[str, str]]:
    """Of all faults, or of those that are chosen."""
    campaign = Campaign("counter", 1, 1)
    drawn = campaign.draw(1000, ())
    assert sorted(map(str, drawn)) == sorted(map(str, campaign.faults))
    planted = [fault for fault in drawn if chosen(fault)]
    campaign.plant(planted)
    ended = campaign.run(planted, campaign.measure(nothing), 60, nothing)
    assert [each.fault for each in ended] == planted
    return {(each.fault.old_text, each.fault.new_text) for each in ended if each.seen_by is None}


@WHOLE
def test_survivors_are_those_that_the_tests_do_not_see(small):
    """The only test never looks at `full`, and never resets a counter that has counted."""
    assert survivors() == {(FULL, "(32'(count)) != (LIMIT)"), ("rst", "1'b0"), ("count <= '0;", "(removed)")}


def listing(small: Path, text: str) -> list[Fault]:
    (small / NAME).write_text(text)
    return Campaign("counter", 1, 1).faults


def test_what_is_listed_is_not_planted(small):
    assert {*map(str, faults())} - {*map(str, listing(small, ENTRY))} == {str(faults()[0])}
    with pytest.raises(UllnicError, match="counter.sv has no line .* any more"):
        listing(small, ENTRY.replace("LIMIT", "MOST"))
    with pytest.raises(UllnicError, match="lists what cannot be planted: rtl/counter.sv: full"):
        listing(small, ENTRY.replace(f'old = "{FULL}"', 'old = "full"'))


def test_one_of_two_lines_is_listed(small):
    source = small / "rtl/counter.sv"
    line = next(line for line in source.read_text().splitlines() if FULL in line)
    source.write_text(source.read_text().replace(line, f"{line}\n{line}"))
    with pytest.raises(UllnicError, match="in lines 16, 17"):
        listing(small, ENTRY)
    assert [each.line for each in listing(small, f"{ENTRY}which = 2\n") if each.old_text == FULL] == [16]


@WHOLE
def test_a_test_that_hangs_has_seen_the_fault(small):
    waits = TESTS.partition("    expected = 0")[0] + "    while not (await s.step(up=1)).count:\n        pass\n"
    (small / "tb/test_counter.py").write_text(waits + TESTS[TESTS.index("\n\n@pytest") :])
    never, too_late = ("up && count < LIMIT", "1'b0"), ("count < LIMIT", "(count) <= (LIMIT)")
    assert survivors(lambda fault: (fault.old_text, fault.new_text) in (never, too_late)) == {too_late}


@WHOLE
def test_a_proof_sees_what_tests_do_not(small):
    (small / "formal").mkdir()
    shutil.copy(CORES / "qdma/formal/conftest.py", small / "formal")
    (small / "formal/limit.sv").write_text(PROOF)
    (small / "formal/test_counter_formal.py").write_text(PROOF_TEST)
    assert survivors() == {("rst", "1'b0"), ("count <= '0;", "(removed)")}


@WHOLE
def test_tests_that_fail_without_a_fault_are_an_error(small):
    (small / "tb/test_counter.py").write_text(TESTS.replace("== expected", "== expected + 1"))
    with pytest.raises(UllnicError, match=re.escape("without a fault these fail: test_counter.py::test_counter")):
        survivors()


def test_the_draw_is_repeated_by_its_seed():
    drawn = [Campaign("common", seed, 1).draw(20, ()) for seed in (5, 5, 6)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert len(set(drawn[0])) == 20
    assert {fault.module for fault in Campaign("common", 5, 1).draw(9, ["mux4", "ram_sdp"])} == {"mux4", "ram_sdp"}


@pytest.mark.parametrize("core", sorted(path.parent.name for path in CORES.glob("*/rtl")))
def test_what_is_listed_as_equivalent_can_be_planted(core):
    assert Campaign(core, 1, 1).faults


def test_what_is_printed(small, monkeypatch):
    """Survivors, in the order of the source, and the count."""

    def run(_campaign, faults, tests, seconds, _progress):
        assert (len(faults), tests, seconds) == (4, "measured", 7)
        by_text = sorted(faults, key=str)
        return [Outcome(by_text[1], "some test", 1, 9), Outcome(by_text[2], None, 5, 2), Outcome(by_text[0], None, 8)]

    monkeypatch.setattr(Campaign, "measure", lambda _campaign, _progress: "measured")
    monkeypatch.setattr(Campaign, "run", run)
    done = CliRunner().invoke(mutate, ["common", "--faults", "4", "--seed", "3", "--seconds", "7"])
    assert done.exit_code == 0, done.output
    _, first, second, last = done.output.splitlines()
    assert first.endswith(": survives 8 tests and proofs")
    assert second.endswith(": survives 5 tests and proofs (no time for 2)")
    assert last == "1 of 3 faults are seen, 33%"


def test_an_unknown_module_is_an_error():
    done = CliRunner().invoke(mutate, ["common", "--module", "mux5"])
    assert done.exit_code == 2
    assert "no fault can be planted in mux5" in done.output
