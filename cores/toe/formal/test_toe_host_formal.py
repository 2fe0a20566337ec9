# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The formal proof that the host gets whole frames, and mutations that it must detect."""

import pytest

from formal_run import Mutation, Proof, cases, check

STORE, BEATS = "toe/rtl/toe_host_store.sv", "toe/rtl/toe_rx_beats.sv"
WHOLE = Proof(
    sources=("common/rtl/ram_sdp.sv", BEATS, STORE, "toe/formal/host_store_whole.sv"),
    depth=2,
    clocks=True,
    mutations=(
        Mutation("part_kept", STORE, "over & wanted & ~lost", "over & wanted", 24),
        Mutation("gap_within", STORE, "<= lost & ~over", "<= 1'b0 & ~over", 24),
        Mutation("room_seen_late", STORE, "free > 2", "free > 1", 24),
        Mutation("not_dropped", STORE, "(over & ~commit)", "(1'b0)", 24),
        Mutation("end_too_early", STORE, "beat_last_q <= ends;", "beat_last_q <= valid;", 12),
        Mutation("fcs_too", STORE, "~(FCS & last)", "1'b1", 16),
        Mutation("committed_early", BEATS, "if (commit) commit_ptr_q <= wr_next;", "commit_ptr_q <= wr_next;", 16),
        Mutation("order_changed", BEATS, "~write & ~ram_valid_q;", "~write;", 24),
    ),
)
WITHOUT_FCS = Proof(WHOLE.sources, WHOLE.depth, (), {"FCS": 0}, True)


@pytest.mark.parametrize("proof, mutation", cases(WHOLE, WITHOUT_FCS))
def test_toe_host_formal(proof, mutation):
    check(proof, mutation)
