# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""What a netlist takes, counted on small ones."""

import pytest

from netlists import Made
from ullnic.synth.netlist import Netlist
from ullnic.synth.resources import count, lutram_luts


def counted(made):
    return count(Netlist(made.module))


def test_registers_luts_and_carry_chains_are_counted():
    made = Made()
    made.register("a", "x")
    made.cell("FDSE", "set", C="clk", D="x", Q="b", CE="1", S="0")
    made.cell("INV", "inv", I="a", O="n")
    made.lut("six", *"abcdef")
    for name, carry_in in (("c0", "0"), ("c1", "c0.3"), ("c2", "c1.3"), ("other", "0")):
        made.cell("CARRY4", name, CI=carry_in, O="- - - -", CO=f"{name}.0 {name}.1 {name}.2 {name}.3", S="a a a a")
    made.cell("RAMB18E2", "ram18", CLKARDCLK="clk")
    made.cell("RAMB36E2", "ram36", CLKARDCLK="clk")
    made.cell("URAM288", "uram", CLK="clk")
    made.cell("MUXF7", "f7", I0="six", I1="x", S="a", O="y")
    area = counted(made)
    assert (area.ff, area.lut_cells, area.muxf) == (2, 2, 1)
    assert area.carry8 == 3  # a chain of three is two, and one alone
    assert (area.bram36, area.uram) == (1.5, 1)


@pytest.mark.parametrize(
    ("kind", "luts"),
    [("RAM32M16", 8), ("RAM64M8", 8), ("RAM32M", 4), ("RAM64M", 4), ("RAM32X1D", 2), ("RAM64X1S", 1)]
    + [("RAM128X1D", 4), ("RAM256X1S", 4), ("RAM256X1D", 8), ("RAM64X8SW", 8)],
)
def test_luts_of_a_distributed_ram(kind, luts):
    assert lutram_luts(kind) == luts
    made = Made()
    made.cell(kind, "ram", WCLK="clk")
    area = counted(made)
    assert (area.lutram, area.lut_cells, area.lut_packed) == (luts, luts, luts)


def packed(*luts):
    made = Made()
    for i, ins in enumerate(luts):
        made.lut(f"y{i}", *ins)
    area = counted(made)
    assert area.lut_cells == len(luts)
    return area.lut_packed


def test_two_functions_of_five_inputs_together_share_a_lut():
    assert packed("abc", "cde") == 1
    assert packed("abcde", "abcde") == 1


def test_six_inputs_together_are_too_many():
    assert packed("abc", "def", "adx") == 2  # the first with the third
    assert packed("abcd", "cdef") == 2
    assert packed("abcdef", "ab") == 2


def test_functions_without_a_common_input_stay_apart():
    assert packed("ab", "cd") == 2


def test_each_function_is_packed_once():
    assert packed("ab", "abc", "abd") == 2
    assert packed("ab", "ac", "ad", "ae") == 2
