# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Formal proof that the retransmit memory keeps a byte until it is acknowledged, and mutations that it must see."""

import pytest

from formal_run import Mutation, Proof, cases, check

PKG = "toe/rtl/toe_pkg.sv"
LIMIT = "toe/rtl/toe_tx_limit.sv"

ROOM = Proof(
    sources=(PKG, LIMIT, "toe/formal/tx_limit_room.sv"),
    depth=5,
    clocks=True,
    mutations=(
        Mutation("ready_before_the_path", LIMIT, "{ready, soon_q} <= {soon_q, cleared_q}", "ready <= cleared_q", 8),
        Mutation("done_too_soon", LIMIT, "= end_c_q;", "= end_b_q;", 16, True),
        Mutation("beside_the_machine", LIMIT, "= end_wr & ~snd_wr & ~end_seen_q", "= end_wr & ~end_seen_q", 16, True),
        Mutation("beyond_the_limit", LIMIT, "if (!open_b_q || left_b_q[31]) cap_c_q", "if (!open_b_q) cap_c_q", 14),
        Mutation("a_whole_segment", LIMIT, "left_b_q[15:0] > mss_b_q ?", "left_b_q[15:0] != 0 ?", 14),
        Mutation("old_limit", LIMIT, "pick     = limit_q ? limit_sid_q : ended_q", "pick     = ended_q", 16, True),
    ),
)


@pytest.mark.parametrize("proof, mutation", cases(ROOM))
def test_formal(proof, mutation):
    check(proof, mutation)
