# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The formal proof of the merge of mirror and received frames, and mutations that it must see."""

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


@pytest.mark.parametrize("proof, mutation", cases(ORDER))
def test_card_formal(proof, mutation):
    check(proof, mutation)
