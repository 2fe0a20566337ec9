# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The device that a core is placed on, nextpnr's options, and the yosys commands that make the netlist."""

from ullnic.synth.mapping import Design, read_script, write_script

DEVICE = "LFE5UM5G-85F"
SPEED_GRADE = 8  # the fastest
# No target frequency: nextpnr weighs a path by its share of the slowest path of its clocks, whatever the target.
OPTIONS = ("--um5g-85k", "--package", "CABGA381", "--speed", str(SPEED_GRADE), "--timing-allow-fail")


def gates_script(design: Design, result: str) -> list[str]:
    """Commands from the RTL to registers of the ECP5 with gates between them."""
    return [
        *read_script(design),
        f"step {design.name}: synthesising for ECP5",
        f"{_synth(design)} -run begin:map_luts",
        *write_script(design, result),
    ]


def map_script(design: Design, source: str, result: str) -> list[str]:
    """Commands from there to LUTs."""
    return [
        f"step {design.name}: mapping for ECP5",
        f"read_json {source}",
        f"{_synth(design)} -run begin:coarse",
        "scratchpad -set abc9.verify false",  # two thirds of the run time where there are wide exclusive ors
        f"{_synth(design)} -run map_luts:edif",
        *write_script(design, result),
    ]


def _synth(design: Design) -> str:
    return f"synth_ecp5 -top {design.top}"
