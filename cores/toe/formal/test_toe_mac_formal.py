# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The formal proofs of the 64-bit MAC side, and mutations that each must detect."""

import pytest

from formal_run import Mutation, Proof, cases, check

NARROW, WIDEN = "toe/rtl/toe_mac_narrow.sv", "toe/rtl/toe_mac_widen.sv"
HALVES = Proof(
    sources=(NARROW, "toe/formal/mac_narrow_halves.sv"),
    depth=2,
    clocks=True,
    mutations=(
        Mutation("overtakes", NARROW, "& (high_q | ~empty);", "& high_q;", 8),
        Mutation("high_half_lost", NARROW, "(comes | ~empty) & ~single;", "comes & ~single;", 8),
        Mutation("verdict_too_soon", NARROW, "& next.verdict & single;", "& next.verdict;", 6),
        Mutation("nothing_kept_for_the_end", NARROW, "s_status_good & ~spoilt_q", "s_status_good", 12),
        Mutation("full_twice", NARROW, "(BITS + 1)'(DEPTH) :", "(BITS + 1)'(DEPTH + 1) :", 14),
        Mutation("empty_half", NARROW, "(next.keep[7:4] == 0)", "(next.keep[7:5] == 0)", 6),
    ),
)
LINE = Proof(
    sources=HALVES.sources,
    depth=3,
    clocks=True,
    parameters={"LINE": 1},
    mutations=(Mutation("one_in_three", NARROW, "= ~high_q & ~empty", "= ~high_q & ~empty & ~m_axis_tvalid", 14),),
)
PAIRS = Proof(
    sources=(WIDEN, "toe/formal/mac_widen_pairs.sv"),
    depth=2,
    mutations=(
        Mutation("low_half_lost", WIDEN, "m_axis_tready | ~(low_q | s_axis_tlast)", "1'b1", 6),
        Mutation("user_of_one", WIDEN, "s_axis_tuser | (low_q & user_q)", "s_axis_tuser", 6),
        Mutation("odd_end", WIDEN, "low_q  <= ~low_q & ~s_axis_tlast", "low_q  <= ~low_q", 6),
        Mutation(
            "a_pause",
            WIDEN,
            "m_axis_tready | ~(low_q | s_axis_tlast)",
            "m_axis_tready & ~s_axis_tlast | m_axis_tvalid & m_axis_tready",
            8,
        ),
    ),
)


@pytest.mark.parametrize("proof, mutation", cases(HALVES, LINE, PAIRS))
def test_formal(proof, mutation):
    check(proof, mutation)
