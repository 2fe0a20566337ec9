# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""Formal proofs of the TCP machine's arithmetic modulo 2^32, and mutations that they must detect."""

import pytest

from formal_run import Mutation, Proof, cases, check

PKG = ("toe/rtl/toe_pkg.sv", "toe/rtl/toe_tcp_pkg.sv")
COMPARE = "toe/rtl/toe_tcp_compare.sv"
RESEND = "toe/rtl/toe_tcp_resend.sv"

FACTS = Proof(
    sources=(*PKG, COMPARE, "toe/formal/tcp_facts.sv"),
    depth=7,
    mutations=(
        Mutation("beyond_what_was_sent", COMPARE, "d_una != 0 && ~d_nxt[31]", "d_una != 0", 8),
        Mutation("unsigned", COMPARE, "<= ~d_timed[31];", "<= ack >= c.timed;", 8),
        Mutation("any_multiple_of_the_window", COMPARE, "d_seq[31:16] == 0", "d_seq[31:17] == 0", 8),
        Mutation("window_and_one", COMPARE, "d_seq[15:0] < rcv_left", "d_seq[15:0] <= rcv_left", 8),
        Mutation("window_of_none", COMPARE, "!rcv_left[16] && ", "", 8),
        Mutation("end_is_ahead", COMPARE, "~end_from[31] && end_from != 0", "~end_from[31]", 8),
        Mutation("ack_long_ago", COMPARE, "d_nxt < 2 * RING_BYTES", "d_nxt <= 2 * RING_BYTES", 8),
        Mutation("wl2_alone", COMPARE, "d_wl1 == 0 ? ~d_wl2[31]", "d_wl1[31:1] == 0 ? ~d_wl2[31]", 8),
        Mutation("echo_of_the_future", COMPARE, "d_echo[31:16] == 0", "d_echo[30:16] == 0", 8),
        Mutation("due_before", COMPARE, "&& !d_due[$bits(ticks_t)-1]", "", 8),
    ),
)
PIECE = Proof(
    sources=(*PKG, RESEND, "toe/formal/tcp_piece.sv"),
    depth=8,
    mutations=(
        Mutation("fin_is_data", RESEND, "flight - 18'(fin && flight != 0)", "flight", 9),
        Mutation("no_fin_left", RESEND, "18'(fin && flight != 0)", "18'(fin)", 9),
        Mutation("shrunk_window", RESEND, "window_left[18] ? '0 : ", "", 9),
        Mutation("longer_than_mss", RESEND, "least_left < 18'(mss) ? least_left[15:0] : mss", "least_left[15:0]", 9),
    ),
)


@pytest.mark.parametrize("proof, mutation", cases(FACTS, PIECE))
def test_formal(proof, mutation):
    check(proof, mutation)
