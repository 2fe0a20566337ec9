# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The constraint files of macpcs against the elaborated core: every crossing has a constraint, every constraint a
crossing, and no path within a single clock is exempt from timing. The design with FIFOs is looked at in every run, all
of them when something that they are made of has changed.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from constraint_files import Command, matches, read
from crossings import Crossings, End, elaborate
from modules import FILES
from twins import twins
from ullnic.deep import deep
from ullnic.paths import ROOT

CONSTRAINTS = ROOT / "cores/macpcs/constraints"
# Ports for which the README gives no clock, or two.
ANY_CLOCK = ("own_address", "pma_loopback", "user_loopback")

OPTIONS = {
    "MAC_TX_PAUSE_LENGTH": 65535,
    "MAC_RX_ADDRESS_FILTER_ENABLE": 1,
    "PMA_LOOPBACK_ENABLE": 1,
    "USER_LOOPBACK_ENABLE": 1,
}
FIFOS = {
    "DUAL_CLOCK_FIFO_TX_ENABLE": 1,
    "DUAL_CLOCK_FIFO_RX_ENABLE": 1,
    "MAC_TX_CLK_FREQ_KHZ": 350_000,
    "MAC_RX_CLK_FREQ_KHZ": 350_000,
}
BRIDGES = {"PMA_DATA_WIDTH": 16, "SYNC_DUAL_CLOCK_TX_ENABLE": 1, "SYNC_DUAL_CLOCK_RX_ENABLE": 1}
ALIGNED = {"s_axis_clk": "tx_clk", "m_axis_clk": "rx_clk"}  # a bridge's clocks are timed against each other
DESIGNS = {
    "plain": ("macpcs", {}, {}),
    "fifos": ("macpcs", FIFOS | OPTIONS, {}),
    "early": ("macpcs", FIFOS, {}),  # the address filter has no start that precedes its type
    "managed_fifos": ("macpcs_managed", FIFOS | OPTIONS, {}),
    "managed_bridges": ("macpcs_managed", BRIDGES | OPTIONS, ALIGNED),
}


HERE = Path(__file__).parent
ALL = deep(
    *(HERE / f"{name}.py" for name in (Path(__file__).stem, "constraint_files", "crossings", "modules", "twins")),
    CONSTRAINTS,
    *(ROOT / "cores" / each for each in ("common/rtl", "macpcs/rtl", "macpcs/regs/generated")),
)
EACH = [name if name == "fifos" else pytest.param(name, marks=ALL) for name in DESIGNS]


class Designs(dict):
    """Elaborated when they are asked for."""

    def __init__(self, folder: Callable[[str], Path]):
        self.folder = folder

    def __missing__(self, name: str) -> Crossings:
        top, parameters, one_source = DESIGNS[name]
        netlist = elaborate(top, parameters, FILES[top], self.folder(name))
        self[name] = Crossings(netlist, one_source, ANY_CLOCK if top == "macpcs" else ())
        return self[name]

    def all(self) -> list[Crossings]:
        return [self[name] for name in DESIGNS]


@pytest.fixture(scope="module")
def designs(tmp_path_factory) -> Designs:
    return Designs(tmp_path_factory.mktemp)


def quartus(name: str) -> str:
    """stage_q_reg[0][1]/D of Vivado is stage_q[0][1]."""
    return re.sub(r"_reg((\[\d+\])*)$", r"\1", name.rsplit("/", 1)[0]).replace("/", "|")


def hit(objects, end) -> bool:
    if objects.kind == "pins":
        return objects.match(end.name)
    return objects.match(end.cell if objects.kind == "cells" else quartus(end.name))


def covers(command: Command, start, end) -> bool:
    if "-through" in command.ends or command.name not in ("set_false_path", "set_max_delay"):
        return False
    return all(hit(command.ends[side], at) for side, at in (("-from", start), ("-to", end)) if side in command.ends)


def through(commands: list[Command], design: Crossings) -> set[int]:
    """The nets at which a -through ends the paths to be checked."""
    patterns = [command.ends["-through"] for command in commands if "-through" in command.ends]
    return {bit for name, bit in design.pins().items() if any(pattern.match(name) for pattern in patterns)}


def uncovered(commands: list[Command], design: Crossings, without: set[int]) -> list[str]:
    return sorted(
        f"{start.name} ({start.clock}) -> {end.name} ({end.clock})"
        for start, end in design.crossings(without)
        if not any(covers(command, start, end) for command in commands)
    )


def own_address(design: Crossings) -> set[int]:
    return set(design.module["ports"]["own_address"]["bits"])


@pytest.mark.parametrize("name", EACH)
def test_every_crossing_has_a_constraint(designs, name):
    commands = read(CONSTRAINTS / "macpcs.xdc")
    assert designs[name].crossings(), "the core has crossings: at least the faults"
    missing = uncovered(commands, designs[name], through(commands, designs[name]))
    assert not missing, "\n".join(missing[:20])


@pytest.mark.parametrize("name", EACH)
def test_every_crossing_has_a_constraint_for_quartus(designs, name):
    """The port own_address is left to the user there, as the file says; in macpcs_managed it is a register."""
    left = set() if DESIGNS[name][0] == "macpcs_managed" else own_address(designs[name])
    missing = uncovered(read(CONSTRAINTS / "macpcs.sdc"), designs[name], left)
    assert not missing, "\n".join(missing[:20])


@pytest.mark.parametrize("file", ["macpcs.xdc", "macpcs.sdc"])
@pytest.mark.parametrize("name", EACH)
def test_every_crossing_has_its_constraint_in_a_merged_netlist(designs, name, file):
    """A synthesis tool that merges two registers keeps one of the names: a crossing has its constraint with either."""
    design = designs[name]
    commands = read(CONSTRAINTS / file)
    names = aliases(design)
    unsure = []
    for start, end in design.crossings(through(commands, design)):
        asked = {(command.line, command.name) for command in commands if covers(command, start, end)}
        for pair in ((a, b) for a in names.get(start, {start}) for b in names.get(end, {end})):
            if asked != {(command.line, command.name) for command in commands if covers(command, *pair)}:
                unsure.append(f"{start.name} -> {end.name} is {pair[0].name} -> {pair[1].name}, too")
    assert not unsure, "\n".join(sorted(unsure)[:20])


def aliases(design: Crossings) -> dict[End, set[End]]:
    """The pins of registers, each with those of the registers that it may be merged with."""
    registers = twins(design.module)
    starts = {design.starts[q]: {design.starts[each] for each in group} for q, group in registers.items()}
    ends = {End(at.cell, "D", at.clock): {End(each.cell, "D", each.clock) for each in group}
            for at, group in starts.items()}  # fmt: skip
    return starts | ends


def single(command: Command) -> list[Command]:
    """A command with one alternative each, so that none hides behind another."""
    found = [command]
    for side, objects in command.ends.items():
        ones = [replace(objects, any_of=(terms,)) for terms in objects.any_of]
        found = [replace(each, ends=each.ends | {side: one}) for each in found for one in ones]
    return found


@ALL
@pytest.mark.parametrize("file", ["macpcs.xdc", "macpcs.sdc"])
def test_every_constraint_has_a_crossing(designs, file):
    """A pattern whose register was renamed would do nothing, and the tools would hardly report it."""
    crossings = {pair for design in designs.all() for pair in design.crossings()}
    pins = {name for design in designs.all() for name in design.pins()}
    idle = []
    for command in (each for whole in read(CONSTRAINTS / file) for each in single(whole)):
        if "-through" in command.ends:
            used = any(command.ends["-through"].match(pin) for pin in pins)
        else:
            as_exception = replace(command, name="set_false_path")  # set_max_skew etc. refer to the same paths
            used = any(covers(as_exception, *pair) for pair in crossings)
        if not used:
            idle.append(f"{file}:{command.line}: {command.name} with {command.ends} has no crossing")
    assert not idle, "\n".join(idle)


@ALL
@pytest.mark.parametrize("file", ["macpcs.xdc", "macpcs.sdc"])
def test_no_false_path_hides_a_bound(designs, file):
    """A false path takes precedence over a delay, so words and Gray codes must not be in any."""
    commands = read(CONSTRAINTS / file)
    bounded = set()
    for design in designs.all():
        for start, end in design.crossings():
            if found := re.search(r"/(\w+)/source_q_reg|/(ram)_reg", start.cell):
                bounded.add(found[1] or found[2])
                names = {command.name for command in commands if covers(command, start, end)}
                assert "set_max_delay" in names and "set_false_path" not in names, f"{start.name} -> {end.name}"
    assert bounded == {"wr_gray_source", "rd_gray_source", "word_source", "ram"}


@pytest.mark.parametrize("name", EACH)
def test_bound_is_of_the_right_clocks(designs, name):
    """The bound is the least period of a few clocks; both clocks of each crossing that it covers must be among them."""
    file = CONSTRAINTS / "macpcs.xdc"
    (pattern,) = re.findall(r"^set ullnic_period .*{NAME =~ (\S+/C)}", file.read_text(), re.M)
    clocks = {end.clock for end, _ in designs[name].ends if matches(pattern, f"{end.cell}/C")}
    assert clocks
    bounds = [command for command in read(file) if command.name == "set_max_delay"]
    for start, end in designs[name].crossings():
        if any(covers(command, start, end) for command in bounds):
            assert {start.clock, end.clock} <= clocks, f"{start.name} -> {end.name}"


@ALL
def test_bound_of_the_late_bit_has_the_clocks_that_it_names(designs):
    """Two periods of the reader less one of the line's: of m_axis_clk, and of tx_clk, whose period is rx_clk's."""
    text = (CONSTRAINTS / "macpcs.xdc").read_text()
    found = {}
    for name in ("line", "reader"):
        (filter_,) = re.findall(rf"^set ullnic_{name} .*{{(NAME =~ [^}}]*)}}", text, re.M)
        patterns = re.findall(r"NAME =~ (\S+)", filter_)
        found[name] = {
            end.clock for end, _ in designs["early"].ends if any(matches(p, f"{end.cell}/C") for p in patterns)
        }
    assert found == {"line": {"tx_clk"}, "reader": {"tx_clk", "m_axis_clk"}}
    (bound,) = [each for each in read(CONSTRAINTS / "macpcs.xdc") if "$ullnic_line" in each.options.get("value", "")]
    pairs = [pair for pair in designs["early"].crossings() if covers(bound, *pair)]
    assert {(start.clock, end.clock) for start, end in pairs} == {("rx_clk", "m_axis_clk")}
    assert {start.cell.rsplit("/", 2)[-2:] == ["gen_early.u_sof", "ram_reg"] for start, _ in pairs} == {True}


@pytest.mark.parametrize("name", EACH)
def test_nothing_else_is_let_off(designs, name):
    """No constraint covers a path between registers of one clock (except from the ports, whose clock is unknown)."""
    design = designs[name]
    commands = [each for each in read(CONSTRAINTS / "macpcs.xdc") if "-through" not in each.ends]
    wrong = []
    for end, bit in design.ends:
        asked = [each for each in commands if "-to" not in each.ends or hit(each.ends["-to"], end)]
        if asked and isinstance(bit, int):
            for start in design.starts_of(bit):
                if start.clock == end.clock and any(covers(each, start, end) for each in asked):
                    wrong.append(f"{start.name} -> {end.name}, both {end.clock}")
    assert not wrong, "\n".join(sorted(wrong)[:20])


def test_synchronisers_are_known_to_be_such():
    """The RTL has ASYNC_REG only once: on the register that every synchroniser consists of."""
    marked = [path for folder in ("common", "macpcs") for path in (ROOT / "cores" / folder / "rtl").glob("*.sv")]
    marked = {path.name: path.read_text().count("ASYNC_REG") for path in marked}
    assert {name for name, count in marked.items() if count} == {"cdc_bits.sv"}


# Attributes that keep a register's name: Vivado, Quartus (two), Synplify and Lattice; for Yosys it is an attribute of
# the cell.
KEPT = {"DONT_TOUCH", "preserve", "dont_merge", "syn_preserve"}


@ALL
def test_registers_that_a_bound_names_are_kept(designs):
    """Except the RAM, which cannot be merged with anything."""
    module = designs["managed_fifos"].module
    sources = [name for name in module["cells"] if name.endswith("_source.source_q")]
    assert sources
    for cell in sources:
        assert module["netnames"][cell.removeprefix("$driver$")]["attributes"].keys() >= KEPT, cell
        assert module["cells"][cell]["attributes"].get("keep"), cell


@ALL
@pytest.mark.parametrize(
    "fault",
    ["*/wr_gray_source/source_q_reg*", "*/rd_gray_source/source_q_reg*", "*/u_fifo/ram_reg*/CLK", "*u_sof/ram_reg*/CLK",
     "*/word_source/source_q_reg*", "*/snap_reg*/CLK", "*stage_q_reg?0?*/D", "*/own_address*"],
)  # fmt: skip
def test_a_pattern_that_is_wrong_is_found(designs, tmp_path, fault):
    """Each constraint is needed: without it a crossing has none."""
    text = (CONSTRAINTS / "macpcs.xdc").read_text()
    assert fault in text
    broken = tmp_path / "broken.xdc"
    broken.write_text(text.replace(fault, "*/no_such_name*"))
    commands = read(broken)
    assert any(uncovered(commands, design, through(commands, design)) for design in designs.all())
