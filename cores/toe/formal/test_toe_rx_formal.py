# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The formal proofs of the receive path, and mutations that each must detect."""

import pytest

from formal_run import Mutation, Proof, cases, check

ONES = "toe/rtl/toe_rx_ones.sv"
RX_ONES_SUM = Proof(
    sources=(ONES, "toe/formal/rx_ones_sum.sv"),
    depth=3,
    mutations=(
        Mutation("lower_carry_lost", ONES, "lo, lo_q[WIDTH])", "lo, 1'b0)", 4),
        Mutation("upper_carry_unseen", ONES, "{lo_q[WIDTH], hi_q[WIDTH]};", "{lo_q[WIDTH], 1'b0};", 4),
        Mutation("twice_unseen", ONES, "TWICE - W'(other)", "ONES - W'(other)", 4),
    ),
)
BEATS = "toe/rtl/toe_rx_beats.sv"
RX_BEATS_OFFER = Proof(
    sources=("toe/formal/abstract/ram_sdp.sv", BEATS, "toe/formal/rx_beats_offer.sv"),
    depth=3,
    mutations=(
        Mutation("not_held", BEATS, "quiet_q & (hold_valid_q ~^ rd_ready)", "quiet_q & hold_valid_q & rd_ready", 8),
        Mutation("overtakes", BEATS, "~write & ~ram_valid_q;", "~write;", 12),
        Mutation("taken_twice", BEATS, "(hold_valid_q & ~taken)", "hold_valid_q", 8),
    ),
)
RX_BEATS_STORE = Proof(
    sources=RX_BEATS_OFFER.sources,
    depth=3,
    parameters={"STORE_FORWARD": 1},
    mutations=(Mutation("good_one_dropped", BEATS, "& ~(drop & hold_spec)", "& ~drop", 10),),
)
TRIM, INSERT = "toe/rtl/toe_rx_reorder_trim.sv", "toe/rtl/toe_rx_reorder_insert.sv"
RX_REORDER_LIST = Proof(
    sources=(TRIM, INSERT, "toe/formal/rx_reorder_list.sv"),
    depth=1,
    mutations=(
        Mutation("overlap_taken", TRIM, "(list_start[i] <= start)", "(list_start[i] < start)", 1),
        Mutation("held_up_to_the_last_byte", TRIM, "(list_stop[i] >= stop)", "(list_stop[i] > stop)", 1),
        Mutation("held_in_part", TRIM, "covers[i] & (list_stop[i] >= stop)", "covers[i]", 1),
        Mutation("first_piece_left", INSERT, "move   = right[0] ? list_stop[0] : stop", "move   = stop", 1),
        Mutation("one_lost", INSERT, "full   = add & list_on[INTERVALS-1]", "full   = 1'b0", 1),
        Mutation("not_joined", INSERT, "remove = (moves | (left != 0)) &", "remove = moves &", 1),
    ),
)


@pytest.mark.parametrize("proof, mutation", cases(RX_ONES_SUM, RX_BEATS_OFFER, RX_BEATS_STORE, RX_REORDER_LIST))
def test_formal(proof, mutation):
    check(proof, mutation)
