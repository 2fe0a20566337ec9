# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The formal proofs of the receive path, and mutations that each must see."""

import pytest

from formal_run import Mutation, Proof, cases, check

ONES = "toe/rtl/toe_rx_ones.sv"
RX_ONES_SUM = Proof(
    sources=(ONES, "toe/formal/rx_ones_sum.sv"),
    depth=3,
    mutations=(
        Mutation("lower_carry_lost", ONES, "lo, lo_q[WIDTH])", "lo, 1'b0)", 4),
        Mutation("upper_carry_unseen", ONES, "hi_q[WIDTH] ? (sum", "1'b0 ? (sum", 4),
        Mutation("twice_unseen", ONES, "(sum == ONES) | (sum == TWICE)", "(sum == ONES)", 4),
    ),
)


@pytest.mark.parametrize("proof, mutation", cases(RX_ONES_SUM))
def test_formal(proof, mutation):
    check(proof, mutation)
