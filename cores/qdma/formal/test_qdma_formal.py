# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The formal proofs of qdma, and mutations that each must see."""

import pytest

from formal_run import Mutation, Proof, cases, check

ARBITER, RAM = "qdma/rtl/qdma_arbiter.sv", "qdma/rtl/qdma_context_ram.sv"
CONTEXT_RAM_ORDER = Proof(
    sources=("common/rtl/ram_sdp.sv", ARBITER, RAM, "qdma/formal/context_ram_order.sv"),
    clocks=True,
    mutations=(
        Mutation("one_before_lost", RAM, "s2_forward_q & w1_valid_q ?", "1'b0 ?", 12),
        Mutation("two_before_lost", RAM, "if (w1_valid_q && w1_addr_q", "if (1'b0 && w1_addr_q", 12),
        Mutation("three_before_lost", RAM, "else if (w2_valid_q &&", "else if (1'b0 &&", 14),
        Mutation("older_result_first", RAM, "if (w1_valid_q && w1_addr_q == s1_addr_q)",
                 "if (w1_valid_q && w1_addr_q == s1_addr_q && !(w2_valid_q && w2_addr_q == s1_addr_q))", 14),
        Mutation("forwards_a_read", RAM, "|(s2_port_q & write)", "|s2_port_q", 12),
        Mutation("accepts_while_clearing", RAM, ".enable (~clearing)", ".enable (1'b1)", 8),
        Mutation("one_word_not_cleared", RAM, "addr_t'(DEPTH - 1)", "addr_t'(DEPTH - 2)", 16),
        Mutation("lowest_port_first", ARBITER, "first = |high ? high : low", "first = request", 12),
    ),
)  # fmt: skip


@pytest.mark.parametrize("proof, mutation", cases(CONTEXT_RAM_ORDER))
def test_formal(proof, mutation):
    check(proof, mutation)
