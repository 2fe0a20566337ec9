# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Prepares a netlist for mapping for timing. It works on the JSON that yosys writes and reads.

wrap puts a register on every port, so that each path of the boundary is from register to register:

             +------+    +------+    +------+
   port ---->| FDRE |--->| core |--->| FDRE |----> port
             +------+    +------+    +------+

isolate keeps only what certain clocks capture. The mapper minimises the longest path of the whole netlist and saves
area everywhere else, so with several clocks it would slow down each one to the slowest. Every register of an unrelated
clock becomes an input of the netlist. A register of a clock from the same source stays, but only as the start of paths.
yosys then sweeps away logic without a load. All logic that ends in a register of these clocks stays, so the result is a
correct mapping of it.
"""

from collections.abc import Iterator

from ullnic.errors import UllnicError
from ullnic.synth.domains import Boundary
from ullnic.synth.mapper_cells import LUTRAMS
from ullnic.synth.netlist import LINE_IN, LINE_OUT, READ_ONLY, clock_pin, clock_pins, is_lutram

PORT = "ullnic_port."  # name of a wrapped port; its own name stays with the net at the core
BOUNDARY_CELL = "ullnic_boundary."
CUT = "ullnic_cut."  # an input that replaces a register of another clock
CUT_PORT = CUT + "port."  # the same for a register at a port


class Nets:
    """Numbers for new nets."""

    def __init__(self, module: dict):
        used = [bit for bit in _all_bits(module) if isinstance(bit, int)]
        self.next = max(used, default=1) + 1

    def new(self) -> int:
        self.next += 1
        return self.next - 1


def _all_bits(module: dict) -> Iterator:
    for port in module["ports"].values():
        yield from port["bits"]
    for cell in module["cells"].values():
        for bits in cell["connections"].values():
            yield from bits
    for net in module["netnames"].values():
        yield from net["bits"]


def drop_unused_inputs(module: dict) -> None:
    """Treats an input that belongs to a disabled option as absent, so that it does not affect the mapper's choices."""
    used = {bit for cell in module["cells"].values() for bits in cell["connections"].values() for bit in bits}
    for name, port in list(module["ports"].items()):
        if port["direction"] == "input" and not used.intersection(port["bits"]):
            del module["ports"][name]
            module["netnames"].pop(name, None)


def wrap(module: dict, boundary: Boundary) -> None:
    """Puts the registers on the ports, each on the port's own clock."""
    nets = Nets(module)
    clocks = clock_bits(module, boundary)
    for name, port in list(module["ports"].items()):
        rule = boundary.rule(name)
        if not rule.clock:
            continue
        incoming = port["direction"] == "input"
        outer = []
        for index, bit in enumerate(port["bits"]):
            if not isinstance(bit, int):  # an output that is a constant
                continue
            outer.append(nets.new())
            register = _register(clocks[rule.clock], bit, outer[-1], incoming, rule.line)
            module["cells"][f"{BOUNDARY_CELL}{name}[{index}]"] = register
        del module["ports"][name]
        if outer:
            module["ports"][PORT + name] = {"direction": port["direction"], "bits": outer}
            module["netnames"][PORT + name] = {"hide_name": 0, "bits": outer, "attributes": {}}


def clock_bits(module: dict, boundary: Boundary) -> dict[str, int]:
    """The net of each clock."""
    missing = [clock.name for clock in boundary.clocks if clock.name not in module["ports"]]
    if missing:
        raise UllnicError(
            f"{boundary.core} has no clock port {', '.join(missing)}", "see python/ullnic/synth/domains.py"
        )
    return {clock.name: module["ports"][clock.name]["bits"][0] for clock in boundary.clocks}


def _register(clock: int, inner: int, outer: int, incoming: bool, line: bool) -> dict:
    pins = {"C": clock, "D": outer if incoming else inner, "Q": inner if incoming else outer}
    if line:  # the transceiver
        return new_cell(LINE_IN if incoming else LINE_OUT, pins)
    return new_cell("FDRE", pins | {"CE": "1", "R": "0"})


def new_cell(kind: str, pins: dict, output: str = "Q", parameters: dict[str, str] | None = None) -> dict:
    """A cell that yosys leaves unchanged."""
    return {
        "hide_name": 0,
        "type": kind,
        "parameters": parameters or {},
        "attributes": {"keep": _one()},
        "port_directions": {pin: "output" if pin == output else "input" for pin in pins},
        "connections": {pin: [bit] for pin, bit in pins.items()},
    }


def _one() -> str:
    return "0" * 31 + "1"


def isolate(module: dict, captures: tuple[str, ...], launches: tuple[str, ...] = ()) -> None:
    """Keeps what ends in registers of the clocks `captures` (names of ports), and starts in those of `launches`; see
    above.
    """
    kept, launching = ({module["ports"][name]["bits"][0] for name in clocks} for clocks in (captures, launches))
    cut: dict[int, str] = {}
    for name, cell in list(module["cells"].items()):
        pins = clock_pins(cell["type"])
        if not pins:
            continue
        clocks = {bit for pin in pins for bit in cell["connections"].get(pin, [])}
        if clocks & launching:
            _drop_ends(cell, launching)
        if clocks & kept:
            cell["attributes"]["keep"] = _one()  # even where its output only leads to another clock
        elif clocks & launching:
            continue
        elif is_lutram(cell["type"]):
            _drop_write_port(cell)  # the path from its address to its output is logic
        else:
            del module["cells"][name]
            prefix = CUT_PORT if name.startswith(BOUNDARY_CELL) else CUT
            cut |= {bit: prefix for bit in _outputs(cell) if isinstance(bit, int)}
    module["ports"] = {name: port for name, port in module["ports"].items() if port["direction"] == "input"}
    for bit, prefix in cut.items():
        module["ports"][f"{prefix}{bit}"] = {"direction": "input", "bits": [bit]}
        module["netnames"][f"{prefix}{bit}"] = {"hide_name": 0, "bits": [bit], "attributes": {}}


def _outputs(cell: dict) -> Iterator:
    for port, bits in cell["connections"].items():
        if cell["port_directions"][port] == "output":
            yield from bits


def _drop_ends(cell: dict, clocks: set[int]) -> None:
    """No path ends in these clocks any more; the path from the address of a distributed RAM to its output is logic."""
    if is_lutram(cell["type"]):
        clock = cell["connections"]["WCLK"]
        _drop_write_port(cell)
        cell["connections"]["WCLK"] = clock
        return
    for port, bits in cell["connections"].items():
        ends = cell["port_directions"][port] == "input" and port not in clock_pins(cell["type"])
        if ends and cell["connections"][clock_pin(cell["type"], port)][0] in clocks:
            cell["connections"][port] = ["0"] * len(bits)


def _drop_write_port(cell: dict) -> None:
    if cell["type"] in LUTRAMS:
        cell["type"] = READ_ONLY + cell["type"]
    for port, bits in cell["connections"].items():
        if port in ("WCLK", "WE") or port.startswith("DI") or port == "D":
            cell["connections"][port] = ["0"] * len(bits)
