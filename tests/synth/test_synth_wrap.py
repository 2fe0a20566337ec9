# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Registers at the ports, one group of clocks alone, and which port belongs to which clock."""

import dataclasses
import re

import pytest

from netlists import Made, boundary
from ullnic.configs import CONFIGS, config
from ullnic.errors import UllnicError
from ullnic.paths import ROOT
from ullnic.synth.delays import net_model
from ullnic.synth.domains import Boundary, Clock, PortRule, macpcs_boundary
from ullnic.synth.flow import check_ports
from ullnic.synth.netlist import Netlist
from ullnic.synth.sta import Analysis
from ullnic.synth.wrap import drop_unused_inputs, isolate, wrap

TWO = boundary(
    ("a_clk", 300.0, "a"),
    ("b_clk", 200.0, "b"),
    rules=[("._clk", ""), ("a_.*", "a_clk"), ("b_line", "b_clk", True), ("b_.*", "b_clk"), ("still", "")],
)


def crossing_core():
    """a_in -> a_q -> b_q -> b_out, b_line -> b_out too; a RAM written by a and read by b."""
    made = Made()
    for name in ("a_clk", "b_clk", "a_in", "b_line", "still"):
        made.port(name, "input")
    made.lut("a_d", "a_in", "still")
    made.register("a_q", "a_d", clock="a_clk")
    made.lut("b_d", "a_q", "b_line")
    made.register("b_q", "b_d", clock="b_clk")
    made.cell(
        "RAM32M16", "ram", WCLK="a_clk", WE="a_q", DIA="a_q 0", ADDRA="b_q 0 0 0 0", ADDRH="a_q 0 0 0 0", DOA="r0 r1"
    )
    made.lut("b_mix", "b_q", "r0")
    made.port("b_out", "output", "b_mix", "0")
    return made.module


def cells_of(module):
    return {name.replace("ullnic_boundary.", "port "): cell["type"] for name, cell in module["cells"].items()}


def test_only_inputs_of_options_that_are_off_are_dropped():
    made = Made()
    for name in ("a_clk", "a_in", "off"):
        made.port(name, "input")
    made.register("a_q", "a_in", clock="a_clk")
    made.port("out", "output", "a_q")
    made.port("constant", "output", "0")
    drop_unused_inputs(made.module)
    assert set(made.module["ports"]) == {"a_clk", "a_in", "out", "constant"}


def test_every_port_gets_a_register_of_its_own_clock():
    module = crossing_core()
    wrap(module, TWO)
    netlist = Netlist(module)
    clock = {name: module["ports"][name]["bits"][0] for name in ("a_clk", "b_clk")}
    assert set(module["ports"]) == {
        "a_clk",
        "b_clk",
        "still",
        *(f"ullnic_port.{p}" for p in ("a_in", "b_line", "b_out")),
    }
    at = {name: netlist.cells[f"ullnic_boundary.{name}[0]"] for name in ("a_in", "b_line", "b_out")}
    assert [at[name].kind for name in at] == ["FDRE", "ULLNIC_LINE_IN", "FDRE"]
    assert [at[name].inputs["C"][0] for name in at] == [clock["a_clk"], clock["b_clk"], clock["b_clk"]]
    assert netlist.driver[netlist.cells["lut_a_d"].inputs["I0"][0]].cell == at["a_in"].name
    assert at["b_out"].inputs["D"] == netlist.cells["lut_b_mix"].outputs["O"]
    assert "ullnic_boundary.b_out[1]" not in netlist.cells  # a constant
    assert netlist.name_of(netlist.cells["lut_a_d"].inputs["I0"][0]) == "a_in"


def test_one_group_is_left_and_the_other_s_registers_become_inputs():
    module = crossing_core()
    wrap(module, TWO)
    isolate(module, ("b_clk",))
    left = cells_of(module)
    assert left.keys() >= {"reg_b_q", "port b_line[0]", "port b_out[0]", "ram"}
    assert "reg_a_q" not in left and "port a_in[0]" not in left
    cuts = {name: port["bits"][0] for name, port in module["ports"].items() if name.startswith("ullnic_cut.")}
    netlist = Netlist(module)
    assert {netlist.name_of(bit) for bit in cuts.values()} == {"a_q", "a_in"}
    assert [name.startswith("ullnic_cut.port.") for name, bit in cuts.items() if netlist.name_of(bit) == "a_in"] == [
        True
    ]
    assert all(port["direction"] == "input" for port in module["ports"].values())
    ram = module["cells"]["ram"]["connections"]  # read, no longer written
    assert module["cells"]["ram"]["type"] == "ULLNIC_READ_RAM32M16"  # for the mapper
    assert (ram["WCLK"], ram["WE"], ram["DIA"]) == (["0"], ["0"], ["0", "0"])
    assert ram["ADDRA"][0] == netlist.cells["reg_b_q"].outputs["Q"][0]


def test_what_only_leads_to_the_other_clock_is_kept():
    module = crossing_core()
    wrap(module, TWO)
    isolate(module, ("a_clk",))
    for name in ("reg_a_q", "ullnic_boundary.a_in[0]", "ram"):
        assert int(module["cells"][name]["attributes"]["keep"], 2) == 1
    assert module["cells"]["ram"]["connections"]["WE"] != ["0"]
    assert "reg_b_q" not in module["cells"]


# --- Two clocks of one source, each mapped alone
ALIGNED = Boundary(
    "made",
    (Clock("fast_clk", 600.0, "t"), Clock("slow_clk", 300.0, "t")),
    (PortRule("(fast|slow)_clk", ""), PortRule("fast_.*", "fast_clk"), PortRule("slow_.*", "slow_clk")),
    apart=("t",),
)


def aligned_core():
    """fast_q -> fast_2q and slow_q; slow_q -> slow_2q and fast_q; a RAM that slow writes and fast reads."""
    made = Made()
    for name in ("fast_clk", "slow_clk"):
        made.port(name, "input")
    for q, d, clock in (
        ("fast_q", "f0", "fast_clk"),
        ("fast_2q", "f1", "fast_clk"),
        ("slow_q", "s0", "slow_clk"),
        ("slow_2q", "s1", "slow_clk"),
    ):
        made.register(q, d, clock=clock)
    made.cell("RAM32M16", "ram", WCLK="slow_clk", WE="slow_q", DIA="slow_q 0", ADDRA="fast_q 0 0 0 0", DOA="r0 r1")
    for out, into in (("f0", "slow_q"), ("f1", "fast_q"), ("s0", "fast_q"), ("s1", "slow_q")):
        made.lut(out, into)
    made.lut("f2", "r0", "fast_2q")
    made.register("fast_3q", "f2", clock="fast_clk")
    return made.module


def ends_of(analysis):
    return {(launch, end.cell, end.clock) for end in analysis.ends for launch in analysis.at[end.bit]}


def test_every_path_of_clocks_that_are_apart_is_in_one_share():
    together = Analysis(Netlist(aligned_core()), dataclasses.replace(ALIGNED, apart=()), "t")
    together.arrivals(net_model("loose"))
    together.times(net_model("loose"), 2)
    found = []
    for share in ALIGNED.shares():
        module = aligned_core()
        isolate(module, share.captures, ALIGNED.beside(share))
        for cell in module["cells"].values():  # as after the mapping
            cell["type"] = cell["type"].removeprefix("ULLNIC_READ_")
        analysis = Analysis(Netlist(module), ALIGNED, "t")
        analysis.times(net_model("loose"), 2)
        found.append(ends_of(analysis))
        assert {end.clock for end in analysis.ends} == set(share.captures)
        assert not analysis.crossings()
    assert found[0] | found[1] == ends_of(together) and not found[0] & found[1]
    assert ("fast_clk", "reg_slow_q", "slow_clk") in found[1] and ("slow_clk", "reg_fast_q", "fast_clk") in found[0]
    assert ("slow_clk", "reg_fast_3q", "fast_clk") in found[0], "through the RAM, from its write clock"
    assert ("slow_clk", "ram", "slow_clk") in found[1]


def test_clocks_that_are_not_apart_are_one_share():
    assert [(share.name, share.captures) for share in TWO.shares()] == [("a", ("a_clk",)), ("b", ("b_clk",))]
    joined = dataclasses.replace(ALIGNED, apart=())
    assert [(share.name, share.captures) for share in joined.shares()] == [("t", ("fast_clk", "slow_clk"))]


def test_a_port_without_a_rule_is_refused():
    made = Made()
    made.port("a_clk", "input")
    made.port("b_clk", "input")
    made.port("surprise", "input")
    with pytest.raises(UllnicError, match="'surprise'"):
        wrap(made.module, TWO)


def test_a_clock_that_the_core_has_not_is_refused():
    with pytest.raises(UllnicError, match="no clock port a_clk, b_clk"):
        wrap(Made().module, TWO)


def test_a_port_with_the_clock_of_another_is_refused():
    wrong = boundary(
        ("a_clk", 300.0, "a"),
        ("b_clk", 200.0, "b"),
        rules=[("._clk|still", ""), ("a_.*|b_out", "a_clk"), ("b_.*", "b_clk")],
    )
    for group, clocks, accepted in (("a", ("a_clk",), False), ("b", ("b_clk",), True)):
        module = crossing_core()
        wrap(module, wrong)
        isolate(module, clocks)
        module["cells"]["ram"]["type"] = "RAM32M16"  # as after the mapping
        crossings = Analysis(Netlist(module), wrong, group).crossings()
        if accepted:  # a_q to b_q, within the core
            assert [(source, end) for source, end, _ in crossings] == [("a_q", "b_q")]
            check_ports(wrong, group, crossings)
        else:
            with pytest.raises(UllnicError, match="b_q -> port b_out"):
                check_ports(wrong, group, crossings)


# --- macpcs
def clocks(name):
    found = macpcs_boundary(config(name))
    return {clock.name: (round(clock.mhz, 2), clock.group) for clock in found.clocks}


def test_clocks_of_the_configurations():
    line16, line32 = (644.53, 322.27)
    both = {"tx_clk": (line32, "tx"), "rx_clk": (line32, "rx")}
    fast = {"tx_clk": (line16, "tx"), "rx_clk": (line16, "rx")}
    assert clocks("nofifo_pma32_mac32") == both
    assert clocks("nofifo_pma16_mac16") == fast
    # a bridge's user clock is aligned with the transceiver's
    assert clocks("nofifo_pma16_mac32") == fast | {"s_axis_clk": (line32, "tx"), "m_axis_clk": (line32, "rx")}
    # a FIFO's is not, whatever it is joined to
    assert clocks("rxfifo_pma16_mac16") == fast | {"m_axis_clk": (line16, "m_axis_clk")}
    assert clocks("rxfifo_pma16_mac32") == fast | {"s_axis_clk": (line32, "tx"), "m_axis_clk": (line32, "m_axis_clk")}
    assert clocks("rxfifo_pma32_mac32") == both | {"m_axis_clk": (line32, "m_axis_clk")}
    own = {"s_axis_clk": (350.0, "s_axis_clk"), "m_axis_clk": (350.0, "m_axis_clk")}
    assert clocks("txrxfifo_pma32_mac32") == both | own


@pytest.mark.parametrize("each", CONFIGS, ids=lambda c: c.name)
def test_every_port_of_macpcs_has_a_clock(each):
    found = macpcs_boundary(each)
    header = (ROOT / "cores/macpcs/rtl/macpcs.sv").read_text().split(") (", 1)[1].split("\n);", 1)[0]
    ports = re.findall(r"^\s*(?:input|output)\s+logic\s*(?:\[[^;]*?\]\s+)?(\w+)\s*,?", header, re.MULTILINE)
    assert len(ports) > 50 and {"pma_rx_data", "stat_rx_overflow", "s_axis_tdata"} <= set(ports)
    names = {clock.name for clock in found.clocks} | {""}
    for port in ports:
        assert found.rule(port).clock in names, port
    assert [port for port in ports if found.rule(port).line] == ["pma_tx_data", "pma_rx_data"]


def test_the_receiver_s_stream_belongs_to_the_user_s_clock():
    direct, fifo = (macpcs_boundary(config(name)) for name in ("nofifo_pma32_mac32", "rxfifo_pma32_mac32"))
    for port in ("m_axis_tdata", "m_axis_tready", "rx_sof", "rx_status_valid", "rx_err_fcs"):
        assert direct.rule(port).clock == "rx_clk" and fifo.rule(port).clock == "m_axis_clk"
    for port in ("rx_link_up", "rx_max_length", "stat_rx_frame"):
        assert direct.rule(port).clock == fifo.rule(port).clock == "rx_clk"
