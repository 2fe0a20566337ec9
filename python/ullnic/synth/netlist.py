# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""A mapped netlist, read from yosys' JSON: cells, the driver, readers and names of each net."""

import json
import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ullnic.errors import UllnicError

FLIP_FLOPS = ("FDRE", "FDSE", "FDCE", "FDPE")
LUTRAM = re.compile(r"RAM\d+(M|X)\d*")
BLOCK_RAM = ("RAMB18E2", "RAMB36E2")
LINE_IN, LINE_OUT = "ULLNIC_LINE_IN", "ULLNIC_LINE_OUT"  # represent the transceiver (wrap.py)
READ_ONLY = "ULLNIC_READ_"  # during mapping, also the kind of a distributed RAM that another clock writes
CLOCK_PINS = {
    **{name: ("C",) for name in (*FLIP_FLOPS, LINE_IN, LINE_OUT)},
    **{name: ("CLKARDCLK", "CLKBWRCLK") for name in BLOCK_RAM},
    "URAM288": ("CLK",),
}


def is_lutram(kind: str) -> bool:
    return LUTRAM.match(kind) is not None


def clock_pins(kind: str) -> tuple[str, ...]:
    """Names of a cell's clock pins; empty: it is combinational."""
    return ("WCLK",) if is_lutram(kind) else CLOCK_PINS.get(kind, ())


def clock_pin(kind: str, port: str) -> str:
    """The clock pin that a port of a sequential cell belongs to."""
    pins = clock_pins(kind)
    side_b = kind in BLOCK_RAM and re.match(r"(CAS)?(DOUT|DIN|ADDR|WE|EN|RST|REGCE)\w*?(B|BWR\w*)$", port)
    return pins[1] if side_b else pins[0]


@dataclass(frozen=True)
class Pin:
    cell: str
    port: str
    index: int


@dataclass
class Cell:
    name: str
    kind: str
    parameters: dict[str, str]
    source: str  # file:line of the RTL
    inputs: dict[str, list]  # port: bits; a bit is a net's number, or "0", "1", "x"
    outputs: dict[str, list]

    def parameter(self, name: str) -> int:
        digits = re.sub("[^01]", "0", str(self.parameters.get(name, "0"))) or "0"
        return int(digits, 2)


def top_module(design: dict, path: str = "the netlist") -> dict:
    for module in design["modules"].values():
        if int(str(module.get("attributes", {}).get("top", "0")), 2):
            return module
    raise UllnicError(f"{path} has no top module", "this is a fault of ullnic synth: report it with the command")


class Netlist:
    def __init__(self, module: dict):
        self.module = module
        self.cells = {name: _cell(name, cell) for name, cell in module["cells"].items()}
        self.driver: dict[int, Pin] = {}
        self.sinks: dict[int, list[Pin]] = defaultdict(list)
        for cell in self.cells.values():
            for port, bits in cell.outputs.items():
                self.driver.update({bit: Pin(cell.name, port, i) for i, bit in enumerate(bits) if isinstance(bit, int)})
            for port, bits in cell.inputs.items():
                for i, bit in enumerate(bits):
                    if isinstance(bit, int):
                        self.sinks[bit].append(Pin(cell.name, port, i))
        self.outputs = [
            bit for port in module["ports"].values() if port["direction"] != "input" for bit in port["bits"]
        ]

    @classmethod
    def read(cls, path: Path) -> "Netlist":
        return cls(top_module(json.loads(path.read_text()), str(path)))

    def fanout(self, bit: int) -> int:
        return len(self.sinks[bit])

    def clock_of(self, cell: Cell, port: str) -> int | None:
        """The net of the clock that a sequential cell's port belongs to."""
        if not clock_pins(cell.kind):
            return None
        bit = (cell.inputs.get(clock_pin(cell.kind, port)) or ["x"])[0]
        return bit if isinstance(bit, int) else None

    @cached_property
    def names(self) -> dict[int, list[tuple[str, str]]]:
        """All source names of a net, each with the place of its declaration."""
        names: dict[int, list[tuple[str, str]]] = defaultdict(list)
        for name, net in self.module["netnames"].items():
            if net.get("hide_name") or name.startswith(("$", "ullnic_")):
                continue
            source = short_source(net.get("attributes", {}).get("src", ""))
            wide = len(net["bits"]) > 1
            for i, bit in enumerate(net["bits"]):
                if isinstance(bit, int):
                    names[bit].append((f"{name}[{i}]" if wide else name, source))
        return names

    def name_of(self, bit: int, source: str = "") -> str:
        """The net's best name: the one declared in the file of `source` if there is one, else the shortest; "" if it
        has none."""
        file = source.partition(":")[0]
        found = sorted(self.names.get(bit, []), key=lambda name: (_file(name[1]) != file, len(name[0]), name[0]))
        return found[0][0] if found else ""


def _file(source: str) -> str:
    return source.partition(":")[0]


def short_source(source: str) -> str:
    """ "macpcs_rx.sv:120" for yosys' "/a/b/macpcs_rx.sv:120.3-124.6|..."; places in yosys' own files are ignored."""
    first = next((place for place in source.split("|") if "/pyosys/share/" not in place), "")
    return re.sub(r"\.\d+(-[\d.]+)?$", "", first.rsplit("/", 1)[-1])


def _cell(name: str, cell: dict) -> Cell:
    ports: dict[str, dict[str, list]] = {"input": {}, "output": {}}
    for port, bits in cell["connections"].items():
        ports["output" if cell["port_directions"][port] == "output" else "input"][port] = bits
    source = short_source(cell.get("attributes", {}).get("src", ""))
    return Cell(name, cell["type"], cell.get("parameters", {}), source, ports["input"], ports["output"])
