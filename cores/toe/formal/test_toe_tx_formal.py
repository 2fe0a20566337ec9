# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Formal proofs of the transmit path, and mutations that each must detect."""

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

CHOOSE, FRAME = "toe/rtl/toe_tx_choose.sv", "toe/rtl/toe_tx_frame.sv"
TURNS = Proof(
    sources=(
        "common/rtl/ones_pkg.sv",
        PKG,
        "toe/rtl/toe_tx_pkg.sv",
        CHOOSE,
        "toe/formal/abstract/toe_tx_header.sv",
        "toe/formal/abstract/toe_tx_csum.sv",
        "toe/rtl/toe_tx_payload.sv",
        "toe/rtl/toe_tx_read.sv",
        FRAME,
        "toe/formal/tx_choose_turns.sv",
    ),
    depth=4,
    mutations=(
        Mutation("skipped_not_counted", FRAME, "begun | queue_pop;", "begun | start_queue;", 26, True),
        Mutation(
            "user_always_first", CHOOSE, "queue_waits && !(other && passed_q == IN_FRONT)", "queue_waits", 26, True
        ),
        Mutation("four_in_front", CHOOSE, "IN_FRONT = 2'd3", "IN_FRONT = 2'd0", 26, True),
        Mutation("the_same_again", CHOOSE, "turn_q <= turn;", "turn_q <= 2'd0;", 26, True),
        Mutation("no_turn_of_raw", CHOOSE, "2'd1: turn = waits[2] ? 2'd2 :", "2'd1: turn =", 26, True),
        Mutation("two_at_once", FRAME, "ack_pop = idle & (source == ACKS)", "ack_pop = idle & ack_pending", 8),
        Mutation("within_a_frame", FRAME, "start_raw = idle &", "start_raw = (idle | m_axis_tready) &", 8),
        Mutation(
            "another_session",
            FRAME,
            "      sid <= next_sid;",
            "    end\n    if (idle || first_q) sid <= next_sid;\n    if (idle) begin",
            8,
        ),
        Mutation(
            "raw_word_lost",
            FRAME,
            "raw_load = (state_q == PASS) & m_axis_tready &",
            "raw_load = (state_q == PASS) &",
            8,
        ),
    ),
)
STORE, RING = "toe/rtl/toe_tx_store.sv", "toe/rtl/toe_tx_ring.sv"
READ, STALE = "toe/rtl/toe_tx_read.sv", "toe/rtl/toe_tx_stale.sv"
KEPT = Proof(
    sources=(PKG, STORE, RING, READ, STALE, "toe/formal/tx_store_kept.sv"),
    depth=1,
    clocks=True,
    mutations=(
        Mutation("flush_lost", STORE, "(flush & (i + BYTES < 32'(turn) + 32'(bytes_q)))", "1'b0", 9, True),
        Mutation("rest_of_the_new", STORE, "i < 32'(turn) ? rest_q[i] : rotated[i]", "rotated[i]", 9, True),
        Mutation("one_word_on", STORE, "valid ? word : word_q}", "word_q}", 9, True),
        Mutation("more_than_given", STORE, "valid & (i < 32'(turn) + 32'(bytes))", "valid", 9, True),
        Mutation("rest_of_nothing", STORE, "(valid & ~first)", "valid", 9, True),
        Mutation("all_lanes", RING, "if (wr_en[i%(WIDTH/8)] &&", "if (wr_en != 0 &&", 9, True),
    ),
)
# The mutations of toe_tx_stale need more than 20 cycles: too deep here
KEPT_READ = Proof(
    sources=KEPT.sources,
    depth=2,
    clocks=True,
    parameters={"READING": 1},
    mutations=(Mutation("two_bytes_on", READ, "RB'(seq - 32'd2)", "RB'(seq)", 13, True),),
)

FETCH = "toe/rtl/toe_tx_fetch.sv"
THERE = Proof(
    sources=(PKG, FETCH, "toe/formal/tx_fetch_there.sv"),
    depth=2,
    clocks=True,
    mutations=(
        Mutation("too_few_ahead", FETCH, "$clog2(LATENCY + 8)", "$clog2(LATENCY - 1)", 18),
        Mutation("of_the_last_one", FETCH, "fetch ? '0 : LATENCY'(", "LATENCY'(", 14),
        Mutation("first_one_again", FETCH, "begins[RB-1:LB] + 1'b1;", "begins[RB-1:LB];", 12),
    ),
)


@pytest.mark.parametrize("proof, mutation", cases(ROOM, TURNS, KEPT, KEPT_READ, THERE))
def test_formal(proof, mutation):
    check(proof, mutation)
