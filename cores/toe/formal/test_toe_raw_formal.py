# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The formal proof that frames are merged whole and in turn, and mutations that it must detect."""

import pytest

from formal_run import Mutation, Proof, cases, check

MERGE = "toe/rtl/toe_raw_merge.sv"

TURNS = Proof(
    sources=(MERGE, "toe/formal/raw_merge_turns.sv"),
    mutations=(
        Mutation("frames_mix", MERGE, "if (m_tvalid && m_tready && m_tlast)", "if (m_tvalid && m_tready)", 10),
        Mutation("taken_from_all", MERGE, "s_tready         = '0;", "s_tready         = {INPUTS{m_tready}};", 10),
        Mutation("same_again", MERGE, "turn_q <= next;", "if (!s_tvalid[turn_q]) turn_q <= next;", 10),
        Mutation("always_the_same_first", MERGE, "32'(turn_q) + i", "i", 16),
        Mutation("begins_late", MERGE, "if (!busy_q) begin", "if (!busy_q && m_tready) begin", 10),
    ),
)
TWO = Proof(sources=TURNS.sources, parameters={"INPUTS": 2})
FIVE = Proof(sources=TURNS.sources, parameters={"INPUTS": 5})


@pytest.mark.parametrize("proof, mutation", cases(TURNS, TWO, FIVE))
def test_toe_raw_formal(proof, mutation):
    check(proof, mutation)
