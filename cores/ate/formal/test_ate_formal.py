# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The formal proofs of the engine's arithmetic and of the order of ate_early, and mutations that each must detect."""

import pytest

from formal_run import Mutation, Proof, cases, check

ONES = "common/rtl/ones_pkg.sv"
PKG = "ate/rtl/ate_pkg.sv"
WINDOW = "ate/rtl/ate_window.sv"
CSUM = "ate/rtl/ate_csum.sv"

ONES_SUMS = Proof(
    sources=(ONES, "ate/formal/ones_sums.sv"),
    mutations=(
        Mutation("carry_lost", ONES, "sum[16] ? more : sum[15:0]", "sum[15:0]", 2),
        Mutation("top_carry_lost", ONES, "{carry[14:0], carry[15]}", "{carry[14:0], 1'b0}", 2),
        Mutation("carry_half", ONES, "(a & b) | (a & c) | (b & c)", "(a & b) | (a & c)", 2),
    ),
)
WINDOW_FITS = Proof(
    sources=(WINDOW, "ate/formal/window_fits.sv"),
    mutations=(
        Mutation("one_byte_more", WINDOW, "2'b11}", "2'b01}", 3),
        Mutation("behind_is_far_ahead", WINDOW, "(~left[31] & ~rest[31])", "~rest[31]", 3),
        Mutation("no_pure_ack", WINDOW, "| (length == 0)", "", 3),
        Mutation("credit_behind", WINDOW, "left_q[31] ? 32'h0 : left_q", "left_q", 3),
    ),
)
WINDOW_FITS_LATE = Proof(
    sources=WINDOW_FITS.sources,
    parameters={"LATE_CHECK": 1},
    mutations=(
        Mutation("late_check_forgotten", WINDOW, "= ~check | fits_q;", "= fits_q;", 3),
        Mutation(
            "credit_of_a_check_before",
            WINDOW,
            "assign checked = check;",
            "always_ff @(posedge clk) checked <= check;",
            3,
        ),
    ),
)
CSUM_WORDS = Proof(
    sources=(ONES, PKG, CSUM, "ate/formal/csum_words.sv"),
    depth=3,
    mutations=(
        Mutation("flags_twice", CSUM, "FIRST + 4'd7]", "FIRST + 4'd8]", 14),
        Mutation("word_left_out", CSUM, "operand = ack[31:16];", "operand = 16'h0;", 14),
        Mutation("length_not_swapped", CSUM, "operand = swap16(length);", "operand = length;", 14),
        Mutation("not_complement", CSUM, "tcp = ~ones_add3", "tcp = ones_add3", 14),
        Mutation("ip_without_length", CSUM, "ones_add(ip_part_q, total)", "ones_add(ip_part_q, 16'd40)", 14),
    ),
)
CSUM_WORDS_AMEND = Proof(sources=CSUM_WORDS.sources, depth=3, parameters={"FIRST": 2})
CSUM_WORDS_LATE = Proof(sources=CSUM_WORDS.sources, depth=3, parameters={"FIRST": 4})
EARLY = "ate/rtl/ate_early.sv"
EARLY_ORDER = Proof(
    sources=(PKG, "common/rtl/mux4.sv", "common/rtl/sync_phase.sv", EARLY, "ate/formal/early_order.sv"),
    depth=12,
    clocks=True,
    mutations=(
        Mutation("spare_word_lost", EARLY, "prime | (have & ~free)", "prime", 22),
        Mutation("overwritten", EARLY, "!= 2'b10;", "!= 2'b11;", 22),
        Mutation("two_starts", EARLY, "armed & ~busy_q & ~fire & ~begin_now", "armed | busy_q", 22),
        Mutation("never_begun", EARLY, "fire | begin_now;", "fire;", 22),
        Mutation("half_not_held", EARLY, "if (take || !busy_q) begin", "if (1'b1) begin", 22),
        Mutation("ends_early", EARLY, "busy_q ? ~(take & half_q.last)", "busy_q ? ~half_q.last", 22),
        Mutation("not_thrown_away", EARLY, "if (drain || rst) begin", "if (rst) begin", 22),
        Mutation("first_half_twice", EARLY, "busy_q | take ? picked", "busy_q ? picked", 22),
    ),
)


@pytest.mark.parametrize(
    "proof, mutation",
    cases(ONES_SUMS, WINDOW_FITS, WINDOW_FITS_LATE, CSUM_WORDS, CSUM_WORDS_AMEND, CSUM_WORDS_LATE, EARLY_ORDER),
)
def test_formal(proof, mutation):
    check(proof, mutation)
