# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Real runs of the flow on small modules: what is mapped is right, kept, and made anew when something changes."""

import dataclasses
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from netlists import boundary
from ullnic.deep import deep
from ullnic.errors import UllnicError
from ullnic.paths import ROOT
from ullnic.synth.flow import synthesise
from ullnic.synth.mapper_cells import library
from ullnic.synth.mapping import BARE, Design, Mapper
from ullnic.synth.netlist import Netlist

SLICE = ROOT / "cores/common/rtl/axis_register.sv"
ONE = boundary(("clk", 500.0, "clk"), rules=[("clk", ""), (".*", "clk")])
# An adder, a comparison and choices: carry chains, wide multiplexers, LUTs of each size and LUTs that the RTL names.
MUX4 = ROOT / "cores/common/rtl/mux4.sv"
LOGIC = """
module logic_top (
    input logic [11:0] a, b, input logic [3:0] pick, input logic [15:0] from,
    output logic [11:0] sum, output logic less, equal, chosen, output logic [3:0] named
);
  mux4 #(.WIDTH(4), .NAMED(1'b1)) u_mux4 (
      .d0(from[3:0]), .d1(from[7:4]), .d2(from[11:8]), .d3(from[15:12]), .sel(pick[1:0]), .y(named));
  assign sum = a + b;
  assign less = a < b;
  assign equal = a == b;
  assign chosen = from[pick];
endmodule
"""
FLOW = deep(__file__, "python/ullnic/synth", "cores/common/rtl")
FIFO_TOP = """
module fifo_top (
    input logic a_clk, b_clk, a_rst, b_rst, input logic [13:0] a_data, input logic a_valid, output logic a_ready,
    output logic [13:0] b_data, output logic b_valid, input logic b_ready
);
  async_fifo #(.WIDTH(14), .DEPTH(16)) u_fifo (
      .wr_clk(a_clk), .wr_rst(a_rst), .wr_reset(), .wr_data(a_data), .wr_valid(a_valid), .wr_ready(a_ready),
      .rd_clk(b_clk), .rd_rst(b_rst), .rd_reset(), .rd_data(b_data), .rd_valid(b_valid), .rd_ready(b_ready));
endmodule
"""


# A slow clock with a chain of choices that no mapper makes short, and a fast one that takes from it and gives to it.
ALIGNED_TOP = """
module aligned_top (
    input logic fast_clk, slow_clk, input logic [15:0] fast_in, input logic [31:0] slow_in, output logic [7:0] fast_out,
    output logic slow_out
);
  logic [15:0] fast_q;
  logic [31:0] slow_q;
  logic [7:0] carry;
  always_comb begin
    carry = '0;
    for (int i = 0; i < 24; i++) carry = {carry[6:0], carry[7]} ^ (carry[i%8] ? slow_q[7:0] : slow_q[i+:8]);
  end
  always_ff @(posedge fast_clk) begin
    fast_q <= fast_in;
    fast_out <= (fast_q[15:8] ^ {8{^fast_q}}) & ({8{fast_q == 16'h1234}} | slow_q[7:0]);
  end
  always_ff @(posedge slow_clk) begin
    slow_q <= slow_in;
    slow_out <= (^carry) ^ (fast_q[3:0] == 4'h7);
  end
endmodule
"""


@pytest.fixture
def tmp_path(tmp_path):
    """A folder whose name not every tool takes."""
    path = tmp_path / "a folder; with 'signs'"
    path.mkdir()
    return path


def slice_design(tmp_path, width=8):
    copy = tmp_path / SLICE.name
    if not copy.exists():
        shutil.copy(SLICE, copy)
    return Design("slice", "axis_register", (copy,), (("WIDTH", width),), ONE)


class Counting(Mapper):
    """Keeps the runs of yosys in mind; dry: does not run it."""

    def __init__(self, directory):
        super().__init__(2, directory)
        self.runs, self.dry = [], False

    def yosys(self, directory, label, script, progress):
        self.runs.append(label)
        super().yosys(directory, label, script, progress)

    def _prepare(self, design, directory, prepared, progress):
        if self.dry:
            self.runs.append("prepare")
        else:
            super()._prepare(design, directory, prepared, progress)

    def _map_one(self, design, directory, prepared, share, *run):
        if self.dry:
            self.runs.append(f"map {share.name if share else BARE}")
        else:
            super()._map_one(design, directory, prepared, share, *run)


@FLOW
def test_a_core_is_mapped_counted_and_timed_once(tmp_path):
    mapper, steps = Counting(tmp_path / "build"), []
    result = synthesise(slice_design(tmp_path), mapper, 2, steps.append)
    assert sorted(mapper.runs) == ["map bare", "map clk", "prepare"]
    assert {"slice: elaborating", "slice: mapping bare", "slice: timing"} <= set(steps)
    assert result.resources.ff == 2 * 8 + 2  # two words and two valid bits
    assert 8 <= result.resources.lut_cells <= 8 + 6 and result.resources.carry8 == 0
    clock = result.clocks[0]
    assert (clock.clock, clock.mhz, clock.verdict) == ("clk", 500.0, "expected to close")
    assert 1 <= clock.levels <= 2 and clock.fmax_mhz["loose"] < clock.fmax_mhz["typical"] < clock.fmax_mhz["tight"]
    ends = {path.end.partition("[")[0].partition(" ")[0] for path in clock.paths}
    assert ends & {"m_data", "spare_q", "m_valid", "spare_valid_q"}, "named as in the RTL"
    assert any("axis_register.sv:" in path.end for path in clock.paths)

    again = synthesise(slice_design(tmp_path), mapper, 2)
    assert again == result and len(mapper.runs) == 3, "nothing changed: nothing is run"
    slower = synthesise(slice_design(tmp_path), mapper, 3)
    assert len(mapper.runs) == 3, "another grade has the same netlists"
    assert slower.clocks[0].fmax_mhz["loose"] > result.clocks[0].fmax_mhz["loose"]

    directory = mapper.map(slice_design(tmp_path))
    (directory / "done").unlink()  # broken off: it is not taken for whole
    mapper.dry = True
    assert mapper.map(slice_design(tmp_path)) == directory
    assert sorted(mapper.runs[3:]) == ["map bare", "map clk", "prepare"]
    assert not (directory / "bare.json").exists(), "what was left over is gone"


def test_a_change_of_rtl_or_parameters_changes_the_key(tmp_path):
    design = slice_design(tmp_path)
    key = design.key()
    assert slice_design(tmp_path).key() == key
    assert slice_design(tmp_path, width=9).key() != key
    other = boundary(("clk", 600.0, "clk"), rules=[("clk", ""), (".*", "clk")])
    assert dataclasses.replace(design, boundary=other).key() != key
    with design.files[0].open("a") as file:
        file.write("// changed\n")
    assert design.key() != key


def test_a_fault_in_the_rtl_is_shown_with_its_place(tmp_path):
    design = slice_design(tmp_path)
    text = design.files[0].read_text()
    design.files[0].write_text(text.replace("s_ready = ", "s_ready = no_such & "))
    with pytest.raises(UllnicError, match=r"(?s)axis_register.sv:\d+: ERROR.*no_such") as failure:
        Mapper(1, tmp_path / "build").map(design)
    assert "prepare.log" in failure.value.remedy


@FLOW
def test_each_clock_of_a_fifo_is_timed_alone(tmp_path):
    top = tmp_path / "fifo_top.sv"
    top.write_text(FIFO_TOP)
    common = ROOT / "cores/common/rtl"
    files = (*(common / f"{name}.sv" for name in ("cdc_bits", "cdc_source", "cdc_reset", "async_fifo")), top)
    rules = [("._clk", ""), ("a_.*", "a_clk"), ("b_.*", "b_clk")]
    clocks = boundary(("a_clk", 400.0, "a"), ("b_clk", 200.0, "b"), rules=rules)
    mapper = Mapper(2, tmp_path / "build")
    design = Design("fifo", "fifo_top", files, (), clocks)
    result = synthesise(design, mapper, 2)
    assert result.resources.lutram == 8  # 14 bits wide, 16 deep: one RAM32M16
    assert result.crossings > 0
    assert [clock.clock for clock in result.clocks] == ["a_clk", "b_clk"]
    kinds = {group: netlist_kinds(mapper.map(design) / f"{group}.json") for group in ("a", "b")}
    assert all("RAM32M16" in each for each in kinds.values()), "written in one domain, read in the other"
    written = Netlist.read(mapper.map(design) / "a.json")
    ram = next(cell for cell in written.cells.values() if cell.kind == "RAM32M16")
    data = {written.driver[bit].cell for port in ram.inputs if port.startswith("DI") for bit in used(ram.inputs[port])}
    assert data == {f"ullnic_boundary.a_data[{i}]" for i in range(14)}
    ends = {path.end.partition("[")[0] for path in result.clocks[0].paths}
    assert any("ram" in end and "WE" in end for end in ends), ends
    assert sum(each["FDRE"] + each.get("FDSE", 0) for each in kinds.values()) >= result.resources.ff + 14 + 14


@FLOW
def test_clocks_of_one_source_may_be_mapped_one_by_one(tmp_path):
    top = tmp_path / "aligned_top.sv"
    top.write_text(ALIGNED_TOP)
    rules = [("(fast|slow)_clk", ""), ("fast_.*", "fast_clk"), ("slow_.*", "slow_clk")]
    joined = boundary(("fast_clk", 600.0, "t"), ("slow_clk", 300.0, "t"), rules=rules)
    mapper, found = Mapper(2, tmp_path / "build"), {}
    for each in (joined, dataclasses.replace(joined, apart=("t",))):
        design = Design("aligned", "aligned_top", (top,), (), each)
        result = synthesise(design, mapper, 2)
        assert [clock.clock for clock in result.clocks] == ["fast_clk", "slow_clk"] and not result.crossings
        for share in each.shares():
            kinds = netlist_kinds(mapper.map(design) / f"{share.name}.json")
            assert not [kind for kind in kinds if kind.startswith("ULLNIC")], kinds
        found[each.apart] = result
    together, apart = found[()], found[("t",)]
    assert apart.resources == together.resources, "the core alone is mapped as before"
    assert {(path.launch, path.capture) for path in apart.clocks[0].paths} == {
        ("fast_clk", "fast_clk"),
        ("fast_clk", "slow_clk"),
        ("slow_clk", "fast_clk"),
    }
    assert {(path.launch, path.capture) for path in apart.clocks[1].paths} == {("slow_clk", "slow_clk")}
    slowest_ps = [
        max(path.total_ps for path in result.clocks[0].paths if path.capture == "fast_clk") for result in found.values()
    ]
    assert slowest_ps[1] < 0.9 * slowest_ps[0], "no longer slowed down by the slow clock's paths"


def used(bits):
    return [bit for bit in bits if isinstance(bit, int)]


def netlist_kinds(path):
    found = {}
    for cell in Netlist.read(path).cells.values():
        found[cell.kind] = found.get(cell.kind, 0) + 1
    return found


@FLOW
def test_the_mapping_computes_what_the_rtl_says(tmp_path):
    """Proved by SAT: the library's own CARRY4 and delays must not change the function."""
    top = tmp_path / "logic_top.sv"
    top.write_text(LOGIC)
    still = boundary(rules=[(".*", "")])
    directory = Mapper(1, tmp_path / "build").map(Design("logic", "logic_top", (MUX4, top), (), still))
    kinds = netlist_kinds(directory / "bare.json")
    assert {"CARRY4", "LUT6"} <= kinds.keys()
    assert sum("u_mux4" in cell for cell in Netlist.read(directory / "bare.json").cells) == 4
    proof(directory / "bare.json", MUX4, top).check_returncode()
    broken = json.loads((directory / "bare.json").read_text())
    cells = broken["modules"]["logic_top"]["cells"].values()
    lut = next(cell for cell in cells if cell["type"] == "LUT6")
    lut["parameters"]["INIT"] = lut["parameters"]["INIT"].translate({48: "1", 49: "0"})
    (directory / "broken.json").write_text(json.dumps(broken))
    assert proof(directory / "broken.json", MUX4, top).returncode != 0, "the proof can fail"


def proof(netlist: Path, *rtl: Path) -> subprocess.CompletedProcess:
    script = [
        f"read_json {netlist.name}",
        "rename logic_top gate",
        "read_verilog +/xilinx/cells_sim.v",
        "hierarchy -top gate",
        "proc",
        "flatten gate",
        "read_slang --threads 1 --top logic_top mux4.sv logic_top.sv",
        "proc",
        "miter -equiv -flatten gate logic_top miter",
        "hierarchy -top miter",
        "sat -verify -prove trigger 0 -show-inputs miter",
    ]
    for file in rtl:
        shutil.copy(file, netlist.parent)
    path = netlist.parent / "proof.ys"
    path.write_text("\n".join(script))
    return subprocess.run([sys.executable, "-m", "ullnic.synth.worker", path], capture_output=True, timeout=120)


def test_the_library_s_delays_are_those_of_the_analysis():
    text = library()
    assert "(I0 => O) = 150;" in text and "(I5 => O) = 72;" in text
    assert "(posedge C => (Q : D)) = 77;" in text
    assert "(posedge C => (Q : D)) = 800;" in text
    assert "(CI => CO[3]) = 12;" in text
    named = text.partition("module ULLNIC_LUT6")[2].partition("endmodule")[0]
    assert "(I3 => O) = 335;" in named  # a net of fan-out 3, 245, and a LUT, 90
