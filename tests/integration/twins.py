# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Registers that a synthesiser may merge: they hold the same value at all times, and their logic shows it.

It is unknown which of their names the remaining one gets. Attributes that forbid merging are ignored here: not every
tool obeys them.
"""

from collections import defaultdict

CONSTANTS = {"0", "1", "x", "z"}
COMMUTATIVE = {"$_AND_", "$_OR_", "$_XOR_", "$_XNOR_", "$_NAND_", "$_NOR_"}


def twins(module: dict) -> dict[int, set[int]]:
    """For each register bit (its Q net) of a flat netlist of single-bit logic: those that may be merged with it.

    All registers of a clock with the same initial value are assumed to be equal. Then those whose D is not the same
    function of assumed equals are separated, until nothing changes.
    """
    registers = {}  # Q: (clock, D)
    logic = {}  # output: (cell type, inputs)
    for cell in module["cells"].values():
        pins = cell["connections"]
        if cell["type"] == "$dff":
            registers |= {q: (pins["CLK"][0], d) for d, q in zip(pins["D"], pins["Q"], strict=True)}
        elif cell["type"].startswith("$_"):
            inputs = [pins[pin][0] for pin in sorted(pins) if pin != "Y"]
            logic[pins["Y"][0]] = (cell["type"], inputs)
    begins = initial_values(module)
    group = {q: (clock, begins.get(q, "0")) for q, (clock, _) in registers.items()}
    count = 0
    while count != (count := len(set(group.values()))):
        value = evaluate(logic, group)
        group = number({q: (group[q], value(d)) for q, (_, d) in registers.items()})
    members = defaultdict(set)
    for q, name in group.items():
        members[name].add(q)
    return {q: members[name] for q, name in group.items()}


def initial_values(module: dict) -> dict[int, str]:
    found = {}
    for net in module["netnames"].values():
        for bit, value in zip(net["bits"], reversed(net["attributes"].get("init", "")), strict=False):
            if value in "01":
                found[bit] = value
    return found


def number(values: dict) -> dict:
    numbers: dict = {}
    return {key: numbers.setdefault(value, len(numbers)) for key, value in values.items()}


def evaluate(logic: dict, group: dict):
    """A function that gives equal results for nets that are the same function of registers, ports and other cells."""
    known = {}
    numbers: dict = {}

    def value(bit):
        waiting = [bit]
        while waiting:
            at = waiting[-1]
            if at in known:
                waiting.pop()
                continue
            if at in CONSTANTS or at in group:
                what = ("value", group.get(at, at))
            elif at in logic:
                kind, inputs = logic[at]
                missing = [each for each in inputs if each not in known]
                if missing:
                    waiting += missing
                    continue
                of = [known[each] for each in inputs]
                what = (kind, *(sorted(of) if kind in COMMUTATIVE else of))
            else:
                what = ("net", at)
            known[waiting.pop()] = numbers.setdefault(what, len(numbers))
        return known[bit]

    return value
