# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Counts the resources of a mapped netlist."""

import re
from collections import Counter, defaultdict
from dataclasses import dataclass

from ullnic.synth.netlist import FLIP_FLOPS, Cell, Netlist, is_lutram

MOST_SHARED_INPUTS = 5  # of the two functions of one LUT6
LUTS_OF_RAM = {"M16": 8, "M8": 8, "M": 4}  # RAM32M16, RAM64M8, RAM32M


@dataclass(frozen=True)
class Resources:
    lut_cells: int  # the mapper's count: one LUT for each function, distributed RAM included
    lut_packed: int  # with two small functions that share an input packed into one LUT6
    ff: int
    lutram: int  # LUTs of distributed RAM, part of both counts
    bram36: float
    uram: int
    carry8: int
    muxf: int


def count(netlist: Netlist) -> Resources:
    kinds = Counter(cell.kind for cell in netlist.cells.values())
    lutram = sum(lutram_luts(kind) * number for kind, number in kinds.items() if is_lutram(kind))
    logic = [cell for cell in netlist.cells.values() if is_lut(cell.kind)]
    return Resources(
        lut_cells=len(logic) + lutram,
        lut_packed=len(logic) - pairs(logic) + lutram,
        ff=sum(kinds[kind] for kind in FLIP_FLOPS),
        lutram=lutram,
        bram36=kinds["RAMB36E2"] + kinds["RAMB18E2"] / 2,
        uram=kinds["URAM288"],
        carry8=kinds["CARRY8"] + carry4_pairs(netlist),
        muxf=kinds["MUXF7"] + kinds["MUXF8"],
    )


def is_lut(kind: str) -> bool:
    return kind == "INV" or re.fullmatch("LUT[1-6]", kind) is not None


def lut_inputs(cell: Cell) -> frozenset[int]:
    return frozenset(bit for bits in cell.inputs.values() for bit in bits if isinstance(bit, int))


def lutram_luts(kind: str) -> int:
    """LUTs of a distributed RAM: RAM32M16 8, RAM64M 4, RAM32X1D 2, RAM128X1D 4, RAM256X1S 4."""
    ganged = re.fullmatch(r"RAM(?:32|64)(M\d*)", kind)
    if ganged:
        return LUTS_OF_RAM[ganged[1]]
    single = re.match(r"RAM(\d+)X(\d+)(S|D|SW)", kind)
    depth, width, ports = int(single[1]), int(single[2]), 2 if single[3] == "D" else 1
    return max(1, depth // 64) * width * ports


def pairs(luts: list[Cell]) -> int:
    """The number of pairs that fit into one LUT6 each: at most five inputs together, at least one of them shared.

    Greedy, the largest overlap first: an estimate, neither the most nor what a placer would choose.
    """
    inputs = {cell.name: lut_inputs(cell) for cell in luts}
    small = {name: bits for name, bits in inputs.items() if 0 < len(bits) <= MOST_SHARED_INPUTS}
    readers = defaultdict(list)
    for name, bits in small.items():
        for bit in bits:
            readers[bit].append(name)
    candidates = set()
    for names in readers.values():
        for position, one in enumerate(names):
            for other in names[position + 1 :]:
                if len(small[one] | small[other]) <= MOST_SHARED_INPUTS:
                    candidates.add((one, other))
    order = sorted(candidates, key=lambda pair: (-len(small[pair[0]] & small[pair[1]]), pair))
    taken: set[str] = set()
    found = 0
    for one, other in order:
        if one not in taken and other not in taken:
            taken |= {one, other}
            found += 1
    return found


def carry4_pairs(netlist: Netlist) -> int:
    """Number of CARRY8 for the mapper's CARRY4: two in a chain make one."""
    chain_next, heads = {}, []
    for cell in netlist.cells.values():
        if cell.kind == "CARRY4":
            driver = netlist.driver.get((cell.inputs.get("CI") or ["x"])[0])
            if driver and netlist.cells[driver.cell].kind == "CARRY4":
                chain_next[driver.cell] = cell.name
            else:
                heads.append(cell.name)
    total = 0
    for name in heads:
        length = 1
        while name in chain_next:
            name = chain_next[name]
            length += 1
        total += -(-length // 2)
    return total
