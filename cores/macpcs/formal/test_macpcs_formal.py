# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The formal proofs of macpcs, and mutations that each must see. README.md says what is proved."""

import pytest

from formal_run import Mutation, Proof, cases, check

PKG = "macpcs/rtl/macpcs_pkg.sv"
CRC = "common/rtl/crc32_pkg.sv"
MUX4 = "common/rtl/mux4.sv"
SELECT = "common/rtl/radix4_select.sv"
XOR_MUX = "common/rtl/xor_mux2.sv"
PHASE = "macpcs/rtl/macpcs_tx_phase.sv"
GAP = "macpcs/rtl/macpcs_tx_gap.sv"
FRAME = "macpcs/rtl/macpcs_tx_frame.sv"
FRAME16 = "macpcs/rtl/macpcs_tx_frame16.sv"
FCS = "macpcs/rtl/macpcs_tx_fcs.sv"
FCS_SHIFT = "macpcs/rtl/macpcs_tx_fcs_shift.sv"
CHECK = "macpcs/rtl/macpcs_rx_check.sv"
FAULT = "macpcs/rtl/macpcs_tx_fault.sv"
LOCK = "macpcs/rtl/macpcs_rx_lock.sv"
ALIGN = "macpcs/rtl/macpcs_rx_align.sv"
EARLY = "macpcs/rtl/macpcs_rx_early.sv"
LINE = "macpcs/rtl/macpcs_tx_line.sv"

TX_GEARBOX_FILES = (PKG, MUX4, SELECT, PHASE, LINE, "macpcs/formal/tx_gearbox.sv")
TX_GEARBOX_MUTATIONS = (
    Mutation("selector_two_bits_off", SELECT, "window[2*STEP*REST+:PICKED]", "window[2*STEP*REST+STEP+:PICKED]", 10),
    Mutation("mask_two_bits_off", LINE, "MASK'(START4 << (WIDTH - 2 - 2 * r))", "MASK'(START4 << (WIDTH - 2 * r))", 10),
    Mutation("no_scrambler_carry", LINE, "({64{start4}} & START4)", "({64{start4}} & IDLE_BLOCK)", 10),
    Mutation("scrambler_tap", PKG, "history[6+:32]", "history[7+:32]", 10),
    Mutation("pattern_under_mask", LINE, "(valid | pattern_on_q)", "valid", 8),
)
TX_GEARBOX = Proof(sources=TX_GEARBOX_FILES, parameters={"WIDTH": 32}, mutations=TX_GEARBOX_MUTATIONS)
TX_GEARBOX16 = Proof(
    sources=TX_GEARBOX_FILES,
    parameters={"WIDTH": 16},
    mutations=(
        *TX_GEARBOX_MUTATIONS,
        # Both widths share what these change; a stall comes as late with 32 bits, whose search is dearer.
        Mutation("not_gated_in_stall", LINE, "if (step) history_q", "if (1'b1) history_q", 36, calm=True),
        Mutation("stall_forgotten", PHASE, "& (room_next == 0);", "& (room_next == 1);", 36, calm=True),
        Mutation("second_mask_forgotten", LINE, "picked ^ (valid ? mask_after_q : '0)", "picked", 10),
        Mutation("header_a_step_early", LINE, "= control_q ? HEADER", "= control_next ? HEADER", 10),
    ),
)
RX_GEARBOX_FILES = (PKG, MUX4, SELECT, XOR_MUX, LOCK, ALIGN, EARLY, "macpcs/formal/rx_gearbox.sv")
RX_GEARBOX = Proof(
    sources=RX_GEARBOX_FILES,
    parameters={"WIDTH": 32},
    mutations=(
        Mutation("selector_one_bit_off", SELECT, "window[STEP*REST+:PICKED]", "window[STEP*REST+STEP+:PICKED]", 12),
        Mutation("slip_skips_nothing", LOCK, "end_bit[0] ^ slip}", "end_bit[0]}", 8),
        Mutation("type_terms", EARLY, "^ aligned[13:6]", "^ aligned[12:5]", 10),
        Mutation("type_of_data_block", EARLY, "& (found[1:0] == HEADER_CONTROL)", "", 10),
        Mutation("lock_too_early", LOCK, "&headers_q;", "&headers_q[1:0];", 12),
        Mutation("blind_loses_lock", LOCK, "<= ^header_next;", "<= ^header_next & ~blind;", 12),
    ),
)
RX_GEARBOX16 = Proof(
    sources=RX_GEARBOX_FILES,
    parameters={"WIDTH": 16},
    mutations=(
        # Both widths share what the first two change; a stall comes as late with 32 bits, whose search is dearer.
        Mutation("not_gated_in_stall", ALIGN, "if (!stall) begin", "if (1'b1) begin", 48, calm=True),
        Mutation("stall_forgotten", LOCK, "stall: wrap_q", "stall: 1'b0", 48, calm=True),
        Mutation("selector_one_bit_off", SELECT, "window[STEP*REST+:PICKED]", "window[STEP*REST+STEP+:PICKED]", 12),
        Mutation("slip_skips_nothing", LOCK, "end_bit[0] ^ slip}", "end_bit[0]}", 12),
        Mutation("header_not_judged", LOCK, "wrong_q <= ~header_right;", "wrong_q <= 1'b0;", 12),
        Mutation("byte_not_late", ALIGN, "{aligned[7:0], word_q[WIDTH-1:8]}", "word_q", 12),
    ),
)
GAP_MUTATIONS = (
    Mutation("start_in_terminate", GAP, "wait_q <= 2'd3;", "wait_q <= 2'd1;", 60, calm=True),
    Mutation("deficit_wrong", GAP, "? owed_q[1:0] : 2'd0", "? 2'd3 : 2'd0", 60, calm=True),
    Mutation("lane4_too_late", GAP, "wait_q == 1 && !owed_q[3]", "wait_q == 1 && owed_q[3:2] == 0", 60, calm=True),
    Mutation("gap_of_7", GAP, "wait_q == 2 && owed_q[3:2] == 0", "wait_q == 2 && owed_q[3] == 0", 60, calm=True),
)
TX_FRAME = Proof(
    sources=(PKG, CRC, PHASE, FCS, GAP, FAULT, FRAME, "macpcs/formal/tx_frame.sv"),
    mutations=(
        *GAP_MUTATIONS,
        Mutation("stop_forgotten", FRAME, " && !stop)", ")", 24),
        Mutation("half_fault_block", FRAME, "{8'h02, 24'h0}", "{8'h01, 24'h0}", 24),
    ),
)
TX_FRAME16 = Proof(
    sources=(PKG, CRC, PHASE, FCS_SHIFT, GAP, FAULT, FRAME16, "macpcs/formal/tx_frame16.sv"),
    mutations=(
        # Both widths have one macpcs_tx_gap, and 32-bit words come to the first gap sooner: its mutations are above.
        Mutation("stop_forgotten", FRAME16, " && !stop ", " ", 30),
        Mutation("fourth_word_forgotten", FRAME16, "{SFD ^ PREAMBLE, 8'h00}", "16'h0", 12),
        Mutation("gap_told_too_late", FRAME16, " && !terminate_q)", ")", 56, calm=True),
    ),
)

# No induction: a search of all runs up to a bound.
BYTES_DEPTH = 62
TX_FRAME16_BYTES = Proof(
    sources=(PKG, CRC, PHASE, FCS_SHIFT, GAP, FRAME16, "macpcs/formal/tx_frame16_bytes.sv"),
    mutations=(
        Mutation("not_poisoned", FRAME16, "poison_q | (in_data & beat_error)", "poison_q", BYTES_DEPTH),
        Mutation("terminate_a_byte_late", FRAME16, "take_q.one ? 3'd5 : 3'd6", "3'd6", BYTES_DEPTH),
    ),
)
UNCHANGED = Mutation("unchanged", FRAME16, "module macpcs_tx_frame16\n", "module macpcs_tx_frame16\n", BYTES_DEPTH)

TX_FCS = Proof(
    sources=(CRC, FCS, "macpcs/formal/tx_fcs.sv"),
    mutations=(
        Mutation("rest_one_byte_off", FCS, "16'h0, old[31:16]", "24'h0, old[31:24]", 4),
        Mutation("not_gated", FCS, "if (step) crc", "if (1'b1) crc", 4),
    ),
)

TX_FCS_SHIFT = Proof(
    sources=(CRC, FCS_SHIFT, "macpcs/formal/tx_fcs_shift.sv"),
    mutations=(
        Mutation("rest_one_byte_off", FCS_SHIFT, "{fill, crc_q[31:16]}", "{fill[7:0], crc_q[31:8]}", 5),
        Mutation("not_gated", FCS_SHIFT, "if (step && (", "if ((", 5),
        Mutation("ones_follow", FCS_SHIFT, "{16{invert & ~", "{16{1'b0 & ~", 8),
        Mutation("matrix_not_off", FCS_SHIFT, "= {8{feed_two}} & sum[7:0]", "= sum[7:0]", 5),
        Mutation("matrix", CRC, "crc32_matrix(16)", "crc32_matrix(17)", 5),
    ),
)

RX_CHECK_MUTATIONS = {
    32: Mutation("constant_of_2_bytes", CHECK, "8 * (i + 1))", "8 * (i + 1) - i)", 6),
    16: Mutation("upper_half_lost", CHECK, "{16'h0, crc_q[31:16]} ^ crc32", "crc32", 6),
}
RX_CHECKS = [
    Proof(
        sources=(PKG, CRC, CHECK, "macpcs/formal/rx_check.sv"),
        parameters={"WIDTH": width, "LATENCY": latency},
        mutations=(
            RX_CHECK_MUTATIONS[width],
            Mutation("fcs_of_cut_frame", CHECK, "(partial.wrong != 0) & ~partial.code", "partial.wrong != 0", 6),
            Mutation("runt_limit", CHECK, "(MIN_BYTES - 1) / BYTES;", "(MIN_BYTES - 61) / BYTES;", 6),
            Mutation("nibble_not_compared", CHECK, "i < 8; i++) partial_next", "i < 7; i++) partial_next", 6),
        )
        if mutated
        else (),
    )
    for width, latency, mutated in (
        (32, 0, False),
        (32, 1, True),
        (32, 2, False),
        (16, 0, False),
        (16, 1, False),
        (16, 2, True),
    )
]


ALL = cases(TX_GEARBOX, TX_GEARBOX16, RX_GEARBOX, RX_GEARBOX16, TX_FRAME, TX_FRAME16, TX_FCS, TX_FCS_SHIFT, *RX_CHECKS)


@pytest.mark.parametrize("proof, mutation", ALL)
def test_formal(proof, mutation):
    check(proof, mutation)


@pytest.mark.slow
def test_formal_bounded():
    """All runs are searched for a fault, as for a mutation, and there is none."""
    with pytest.raises(pytest.fail.Exception, match="does not see the mutation unchanged"):
        check(TX_FRAME16_BYTES, UNCHANGED)


@pytest.mark.slow
@pytest.mark.parametrize("proof, mutation", cases(TX_FRAME16_BYTES)[1:])
def test_formal_bounded_mutation(proof, mutation):
    check(proof, mutation)
