# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The surroundings of a core that is placed and routed. It has more ports than a device has pins, and pins are far
away, so each bit of a port gets a register beside the core, on the port's own clock:

    pin ---->[FF]---->[FF]---->[FF]        inputs: a shift register for each clock, every stage drives a bit of a port
               |        |        |
             +-v--------v--------v-+
             |        core         |
             +-|--------|--------|-+
             [FF]     [FF]     [FF]        outputs: a register for each bit; its value is mixed into a second
               v        v        v         shift register, so that every bit leads to a pin
          ->[xor FF]-[xor FF]-[xor FF]----> pin

Every path of the core begins and ends in a register. Constant ports and clocks are pins.
"""

from ullnic.synth.domains import Boundary
from ullnic.synth.wrap import BOUNDARY_CELL, Nets, clock_bits, new_cell

FLIP_FLOP, LUT = "TRELLIS_FF", "LUT4"
# "1 ", not "1": yosys' JSON reads a text of digits alone as a number.
REGISTER = {"GSR": "DISABLED", "CEMUX": "1 ", "CLKMUX": "CLK", "LSRMUX": "LSR", "REGSET": "RESET"}
XOR_OF_A_AND_B = "0110" * 4


def surround(module: dict, boundary: Boundary) -> None:
    nets, clocks = Nets(module), clock_bits(module, boundary)
    ends: dict[tuple[str, str], int] = {}  # output bits of each shift register so far, by its direction and clock
    for name, port in list(module["ports"].items()):
        clock = boundary.rule(name).clock
        if not clock:
            continue
        del module["ports"][name]
        chain = (port["direction"], clock)
        for index, bit in enumerate(port["bits"]):
            if not isinstance(bit, int):  # an output that is a constant
                continue
            cells, place = module["cells"], f"{BOUNDARY_CELL}{name}[{index}]"
            if port["direction"] == "input":
                if chain not in ends:
                    ends[chain] = nets.new()
                    _pin(module, f"ullnic_in_{clock}", "input", ends[chain])
                cells[place] = _register(clocks[clock], ends[chain], bit)
                ends[chain] = bit
            else:
                held, mixed, out = nets.new(), nets.new(), nets.new()
                mix = {"A": held, "B": ends.get(chain, "0"), "C": "0", "D": "0", "Z": mixed}
                cells[place] = _register(clocks[clock], bit, held)
                cells[f"{place}.mix"] = new_cell(LUT, mix, "Z", {"INIT": XOR_OF_A_AND_B})
                cells[f"{place}.out"] = _register(clocks[clock], mixed, out)
                ends[chain] = out
    for (direction, clock), bit in ends.items():
        if direction == "output":
            _pin(module, f"ullnic_out_{clock}", "output", bit)


def _register(clock: int, data: int, q: int) -> dict:
    return new_cell(FLIP_FLOP, {"CLK": clock, "DI": data, "LSR": "0", "Q": q}, "Q", REGISTER)


def _pin(module: dict, name: str, direction: str, bit: int) -> None:
    module["ports"][name] = {"direction": direction, "bits": [bit]}
    module["netnames"][name] = {"hide_name": 0, "bits": [bit], "attributes": {}}
