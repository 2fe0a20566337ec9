# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Small netlists made by hand, in the form of yosys' JSON."""

from ullnic.synth.domains import Boundary, Clock, PortRule

OUTPUTS = {
    "FDRE": ("Q",),
    "CARRY4": ("O", "CO"),
    "RAM32M16": tuple(f"DO{c}" for c in "ABCDEFGH"),
    "ULLNIC_LINE_IN": ("Q",),
    "ULLNIC_LINE_OUT": ("Q",),
}


class Made:
    """Nets by name: net("a") is always the same number."""

    def __init__(self):
        self.numbers: dict[str, int] = {}
        self.module = {"attributes": {"top": "1"}, "ports": {}, "cells": {}, "netnames": {}}

    def net(self, name):
        if name in ("0", "1", "x"):
            return name
        if name not in self.numbers:
            self.numbers[name] = len(self.numbers) + 2
            self.module["netnames"][name] = {"hide_name": 0, "bits": [self.numbers[name]], "attributes": {}}
        return self.numbers[name]

    def port(self, name, direction, *nets):
        bits = [self.net(net) for net in nets or (name,)]
        self.module["ports"][name] = {"direction": direction, "bits": bits}

    def cell(self, kind, name, source="", **pins):
        outputs = OUTPUTS.get(kind, ("O",))
        bits = {pin: [self.net(net) for net in nets.split()] for pin, nets in pins.items()}
        self.module["cells"][name] = {
            "hide_name": 0,
            "type": kind,
            "parameters": {},
            "attributes": {"src": source} if source else {},
            "port_directions": {pin: "output" if pin in outputs else "input" for pin in bits},
            "connections": bits,
        }

    def register(self, q, d, clock="clk", ce="1", r="0", **more):
        self.cell("FDRE", f"reg_{q}", C=clock, D=d, Q=q, CE=ce, R=r, **more)

    def lut(self, out, *ins):
        self.cell(f"LUT{len(ins)}", f"lut_{out}", O=out, **{f"I{i}": net for i, net in enumerate(ins)})


def boundary(*clocks, rules=()):
    """Clocks as (name, MHz, group)."""
    return Boundary("made", tuple(Clock(*each) for each in clocks), tuple(PortRule(*rule) for rule in rules))


ONE_CLOCK = boundary(("clk", 500.0, "clk"))
