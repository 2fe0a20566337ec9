# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The static timing analysis against sums done by hand. The numbers stand here on purpose, not imported from delays.py:
clock to Q 77, setup of D -25, net 205 + 25 log2(fan-out) loose, LUT 72 for the last input, LUT to D 50 in the slice,
clock uncertainty and skew 45."""

import math

import pytest

from netlists import ONE_CLOCK, Made, boundary
from ullnic.errors import UllnicError
from ullnic.synth.delays import net_model
from ullnic.synth.netlist import Netlist, short_source
from ullnic.synth.sta import Analysis

LOOSE, TYPICAL, TIGHT = (net_model(name) for name in ("loose", "typical", "tight"))


def analysis(made, clocks=ONE_CLOCK, group="clk"):
    return Analysis(Netlist(made.module), clocks, group)


def two_luts():
    """a -> LUT2 -> LUT2 -> z, with b beside a."""
    made = Made()
    made.port("clk", "input")
    made.register("a", "x")
    made.register("b", "x")
    made.lut("m", "a", "b")
    made.lut("n", "m", "b")
    made.register("z", "n", source="/x/y/top.sv:12.3-14.6")
    return made


@pytest.mark.parametrize(("model", "one_ps"), [(TIGHT, 125), (TYPICAL, 165), (LOOSE, 205)])
def test_a_path_is_the_sum_of_its_parts(model, one_ps):
    timing = analysis(two_luts()).times(model, 2)["clk"]
    b_net_ps = one_ps + {TIGHT: 15, TYPICAL: 20, LOOSE: 25}[model]  # b is read twice
    # b is the slower input of the first LUT: 72; m the slower one of the second
    assert timing.worst_ps == pytest.approx(77 + b_net_ps + 72 + one_ps + 72 + 50 - 25 + 45)
    assert timing.fmax_mhz == pytest.approx(1e6 / timing.worst_ps)


def test_the_path_is_given_in_the_source_s_names():
    made = two_luts()
    del made.module["netnames"]["m"]
    found = analysis(made)
    timing = found.times(LOOSE, 2)["clk"]
    path = found.worst_paths(timing, 1)[0]
    assert (path.start, path.end) == ("b", "z (top.sv:12)")
    assert (path.levels, found.most_levels("clk"), path.kind) == (2, 2, "inside")
    assert [(step.net, step.cell, step.fanout) for step in path.steps] == [
        ("b", "FDRE", 2),
        ("lut_m", "LUT2", 1),  # the net has no name, but the cell
        ("n", "LUT2", 1),
    ]
    assert path.logic_ps == pytest.approx(77 + 72 + 72 - 25)
    assert path.route_ps == pytest.approx(230 + 205 + 50)
    assert path.total_ps == pytest.approx(path.logic_ps + path.route_ps + 45)


def test_a_faster_grade_scales_all_but_the_clock():
    slow, fast = (analysis(two_luts()).times(LOOSE, grade)["clk"].worst_ps for grade in (2, 3))
    assert fast - 45 == pytest.approx(0.93 * (slow - 45))


def test_inputs_of_a_lut_count_by_arrival():
    """Six registers with 1, 2, 4 .. 32 readers: the last to arrive has the fastest pin."""
    made = Made()
    made.port("clk", "input")
    for i in range(6):
        made.register(f"r{i}", "x")
        for extra in range(2**i - 1):
            made.register(f"load{i}_{extra}", f"r{i}")
    made.lut("y", *(f"r{i}" for i in range(6)))
    made.register("z", "y")
    found = analysis(made)
    timing = found.times(LOOSE, 2)["clk"]
    # arrivals 205 .. 330 in steps of 25; delays 150, 125, 100, 90, 80, 72: the slowest sum is that of the last
    assert timing.worst_ps == pytest.approx(77 + 205 + 25 * 5 + 72 + 50 - 25 + 45)
    ends = [each for each in timing.ends if each[2].cell == "reg_z"]
    sums = [(205 + 25 * i) + delay for i, delay in enumerate((150, 125, 100, 90, 80, 72))]
    assert ends[0][0] == pytest.approx(77 + max(sums) + 50 - 25 + 45)


def test_the_slowest_path_need_not_have_the_most_levels():
    made = Made()
    made.port("clk", "input")
    made.register("a", "x")
    made.lut("m", "a")
    made.lut("n", "m")
    made.register("z", "n")  # two levels, no load
    made.register("wide", "x")
    made.lut("w", "wide")
    for i in range(64):  # one level, then a net to 64 clock enables
        made.register(f"e{i}", "x", ce="w")
    found = analysis(made)
    timing = found.times(LOOSE, 2)["clk"]
    assert timing.worst_ps == pytest.approx(77 + 205 + 72 + (205 + 25 * 6) + 55 + 45)
    path = found.worst_paths(timing, 1)[0]
    assert path.levels == 1 and path.end == "e0 CE"
    assert found.most_levels("clk") == 2


def test_a_reset_ends_a_path_too():
    made = Made()
    made.port("clk", "input")
    made.register("a", "x")
    made.register("z", "0", r="a")
    assert analysis(made).times(LOOSE, 2)["clk"].worst_ps == pytest.approx(77 + 205 + 62 + 45)


def carry_chain():
    made = Made()
    made.port("clk", "input")
    made.register("a", "x")
    made.lut("s", "a")
    made.cell("CARRY4", "low", CI="0", CYINIT="0", DI="0 0 0 0", S="s 0 0 0", O="o0 o1 o2 o3", CO="c0 c1 c2 c3")
    made.cell("CARRY4", "high", CI="c3", CYINIT="0", DI="0 0 0 0", S="0 0 0 0", O="p0 p1 p2 p3", CO="d0 d1 d2 d3")
    made.register("z", "p1")
    return made


def test_a_carry_chain_is_one_level():
    found = analysis(carry_chain())
    timing = found.times(LOOSE, 2)["clk"]
    # LUT 72, to S 15, S[0] to CO[3] 186, on to the next 13, CI to O[1] 76, to D 50
    assert timing.worst_ps == pytest.approx(77 + 205 + 72 + 15 + 186 + 13 + 76 + 50 - 25 + 45)
    assert found.most_levels("clk") == 2


def test_a_register_reaches_a_carry_chain_s_select_through_a_lut():
    made = carry_chain()
    made.module["cells"]["low"]["connections"]["S"][0] = made.net("a")
    worst_ps = analysis(made).times(LOOSE, 2)["clk"].worst_ps
    # a is read twice now; the net, a LUT on the way, then as before
    assert worst_ps == pytest.approx(77 + 230 + 72 + 186 + 13 + 76 + 50 - 25 + 45)


def test_wide_multiplexers_need_no_routing():
    made = Made()
    made.port("clk", "input")
    made.register("a", "x")
    made.lut("m", "a")
    made.cell("MUXF7", "f7", I0="m", I1="0", S="0", O="n")
    made.register("z", "n")
    assert analysis(made).times(LOOSE, 2)["clk"].worst_ps == pytest.approx(77 + 205 + 72 + 23 + 70 + 50 - 25 + 45)


def test_a_distributed_ram_is_read_through_and_written():
    made = Made()
    made.port("clk", "input")
    made.register("a", "x")
    made.cell("RAM32M16", "ram", WCLK="clk", WE="a", ADDRA="a 0 0 0 0", DIA="0 0", DOA="q0 q1")
    made.register("z", "q0")
    found = analysis(made)
    ends = {(end.cell, end.port): ps for ps, _, end in found.times(LOOSE, 2)["clk"].ends}
    assert ends["ram", "WE"] == pytest.approx(77 + 230 + 60 + 45)
    # what is written shows 560 after the clock, later than what an address reads: 77 + 230 + 90
    assert ends["reg_z", "D"] == pytest.approx(560 + 205 - 25 + 45)


def test_the_transceiver_s_pins_have_their_allowance():
    made = Made()
    made.port("clk", "input")
    made.cell("ULLNIC_LINE_IN", "ullnic_boundary.pma_rx_data[0]", C="clk", D="x", Q="in")
    made.register("z", "in")
    made.cell("ULLNIC_LINE_OUT", "ullnic_boundary.pma_tx_data[3]", C="clk", D="z", Q="out")
    found = analysis(made)
    timing = found.times(LOOSE, 2)["clk"]
    assert [ps for ps, _, _ in timing.ends] == pytest.approx([800 + 205 - 25 + 45, 77 + 205 + 300 + 45])
    paths = found.worst_paths(timing, 2)
    assert [path.kind for path in paths] == ["transceiver"] * 2
    assert (paths[0].start, paths[1].end) == ("port pma_rx_data", "port pma_tx_data[3]")


def test_a_foreign_clock_is_reported_but_not_timed():
    made = Made()
    made.port("clk", "input")
    made.port("ullnic_cut.7", "input", "foreign")
    made.register("first", "foreign")
    made.register("second", "first")
    found = analysis(made)
    assert [end.cell for _, _, end in found.times(LOOSE, 2)["clk"].ends] == ["reg_second"]
    assert found.crossings() == [("foreign", "first", False)]


def test_a_port_of_the_wrong_clock_shows_in_the_crossings():
    made = Made()
    made.port("clk", "input")
    made.port("ullnic_cut.port.7", "input", "foreign")
    made.lut("m", "foreign")
    made.register("z", "m")
    assert analysis(made).crossings() == [("foreign", "z", True)]


def test_between_aligned_clocks_the_faster_one_counts():
    made = Made()
    for clock in ("fast", "slow"):
        made.port(clock, "input")
    made.register("s", "s", clock="slow")
    made.lut("m", "s")
    made.register("f", "m", clock="fast")
    both = boundary(("fast", 600.0, "g"), ("slow", 300.0, "g"))
    times = analysis(made, both, "g").times(LOOSE, 2)
    assert {name: [end.cell for _, _, end in timing.ends] for name, timing in times.items()} == {
        "slow": ["reg_s"],
        "fast": ["reg_f"],
    }
    path = analysis(made, both, "g")
    timing = path.times(LOOSE, 2)["fast"]
    assert (path.worst_paths(timing, 1)[0].launch, path.worst_paths(timing, 1)[0].capture) == ("slow", "fast")


def test_a_loop_is_refused():
    made = Made()
    made.port("clk", "input")
    made.lut("p", "q", "z")
    made.lut("q", "p")
    made.register("z", "p")
    with pytest.raises(UllnicError, match="loop without a register goes through [pq]"):
        analysis(made)


def test_a_net_without_a_driver_is_refused():
    made = two_luts()
    made.register("y", "lost")
    with pytest.raises(UllnicError, match="nothing drives lost, which reg_y reads at D"):
        analysis(made)


def test_an_unknown_cell_is_refused():
    made = Made()
    made.port("clk", "input")
    made.cell("DSP58", "dsp", A="0", O="o")
    made.register("z", "o")
    with pytest.raises(UllnicError, match="DSP58"):
        analysis(made)


def test_the_bits_of_a_word_are_one_path():
    made = Made()
    made.port("clk", "input")
    made.register("a", "x")
    for i in range(3):
        made.register(f"word[{i}]", "a")
    made.register("other", "a")
    found = analysis(made)
    ends = [path.end for path in found.worst_paths(found.times(LOOSE, 2)["clk"], 5)]
    assert sorted(end.partition("[")[0] for end in ends) == ["other", "word"]


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("/a/b/macpcs_rx.sv:120.3-124.6", "macpcs_rx.sv:120"),
        ("/x/pyosys/share/xilinx/ff_map.v:68.60-68.95|/a/macpcs_tx_gap.sv:7.3-9.6", "macpcs_tx_gap.sv:7"),
        ("/x/pyosys/share/xilinx/ff_map.v:68.60-68.95", ""),
        ("/home/share/x/top.sv:3.1-3.2", "top.sv:3"),
        ("", ""),
    ],
)
def test_places_in_the_source_are_short(source, shown):
    assert short_source(source) == shown


def test_a_net_costs_more_with_its_fan_out():
    assert LOOSE.delay_ps(8) == 205 + 25 * math.log2(8)
