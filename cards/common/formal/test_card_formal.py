# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The formal proofs of the merge of mirror and received frames and of the bridge's packets to the host, and mutations
that they must detect.
"""

import pytest

from formal_run import Mutation, Proof, cases, check

MERGE = "../cards/common/rtl/card_merge.sv"

ORDER = Proof(
    sources=(MERGE, "../cards/common/formal/card_merge_order.sv"),
    depth=3,
    mutations=(
        Mutation("stored_now_forgotten", MERGE, "mirror_stored_q + count_t'(mirror_stored)", "mirror_stored_q", 16),
        Mutation("later_frames_too", MERGE, "free_q  <= cover_q;", "free_q  <= rx_stored_q;", 16),
        Mutation("no_drain", MERGE, "if (mirror_sent_q == mark_q) begin", "begin", 16),
        Mutation("no_fence", MERGE, "(asked_q && mark_valid && mark_number == number_q)", "asked_q", 16),
        Mutation("free_at_once", MERGE, "(rx_sent_q != free)", "1'b1", 16),
        Mutation("packets_mix", MERGE, "end else if (event_sent) begin", "end else if (m_axis_tready) begin", 16),
        Mutation("same_number", MERGE, "sequence_q + 1'b1", "sequence_q", 16),
    ),
)

C2H, PACK, ASK = (f"../cards/common/rtl/card_dma_{name}.sv" for name in ("c2h", "pack", "ask"))
ROOM = Proof(
    sources=(
        *(f"qdma/rtl/qdma_{name}.sv" for name in ("context_pkg", "tlp_pkg", "c2h_pkg")),
        "../cards/common/formal/abstract/qdma_small_fifo.sv",
        *(PACK, ASK, C2H),
        "../cards/common/formal/card_dma_c2h_room.sv",
    ),
    depth=4,
    mutations=(
        Mutation("room_for_two", C2H, "MARGIN = 3", "MARGIN = 2", 20),
        Mutation("grant_not_counted", C2H, "+ (BITS + 1)'(is_granted)", "", 20),
        Mutation("flush_ends_packet", PACK, "discards_q <= is_inside;", "discards_q <= 1'b0;", 12),
        Mutation("unasked_not_popped", ASK, "is_unasked | (is_answered", "(is_answered", 20),
        Mutation("length_of_each_word", PACK, "takes & ~is_inside_q", "takes", 12),
    ),
)


@pytest.mark.parametrize("proof, mutation", cases(ORDER, ROOM))
def test_card_formal(proof, mutation):
    check(proof, mutation)
