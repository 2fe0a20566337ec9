# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The formal proofs of macpcs, and mutations that each must detect. README.md says what is proved."""

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
DECODE = "macpcs/rtl/macpcs_rx_decode.sv"
PREAMBLE = "macpcs/rtl/macpcs_rx_preamble.sv"
FAULT = "macpcs/rtl/macpcs_tx_fault.sv"
LOCK = "macpcs/rtl/macpcs_rx_lock.sv"
ALIGN = "macpcs/rtl/macpcs_rx_align.sv"
EARLY = "macpcs/rtl/macpcs_rx_early.sv"
LINE = "macpcs/rtl/macpcs_tx_line.sv"

TX_GEARBOX_FILES = (PKG, MUX4, SELECT, XOR_MUX, PHASE, LINE, "macpcs/formal/tx_gearbox.sv")
TX_GEARBOX_MUTATIONS = (
    Mutation("selector_two_bits_off", SELECT, "window[2*STEP*REST+:PICKED]", "window[2*STEP*REST+STEP+:PICKED]", 10),
    Mutation("mask_two_bits_off", LINE, "MASK'(START4 << (WIDTH - 2 - 2 * r))", "MASK'(START4 << (WIDTH - 2 * r))", 10),
    Mutation("no_scrambler_carry", LINE, "({64{change4}} & START4)", "({64{change4}} & IDLE_BLOCK)", 10),
    Mutation("scrambler_tap", PKG, "history[6+:32]", "history[7+:32]", 10),
    Mutation("pattern_under_mask", LINE, "(valid | pattern_on_q)", "valid", 8),
)
TX_GEARBOX = Proof(sources=TX_GEARBOX_FILES, parameters={"WIDTH": 32}, mutations=TX_GEARBOX_MUTATIONS)
TX_GEARBOX16 = Proof(
    sources=TX_GEARBOX_FILES,
    parameters={"WIDTH": 16},
    mutations=(
        *TX_GEARBOX_MUTATIONS,
        # Both widths share the code that these change; a stall is as late with 32 bits, whose search is more expensive.
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
        Mutation("type_of_data_block", EARLY, "= here & is_control &", "= here &", 10),
        Mutation("likely_of_data_block", EARLY, "half_here & is_control &", "half_here &", 10),
        Mutation("likely_too_late", EARLY, "likely_ahead | (half_here", "(here", 24),
        Mutation("likely_twice", EARLY, "here & (end_bit_next[4:2] != 3'd6);", "here;", 24),
        Mutation("likely_one_bit_off", EARLY, "(pma_data[28:23])", "(pma_data[27:22])", 24),
        Mutation("lock_too_early", LOCK, "&headers_q;", "&headers_q[1:0];", 12),
        Mutation("blind_loses_lock", LOCK, "<= ^header_next;", "<= ^header_next & ~blind;", 12),
    ),
)
RX_GEARBOX16 = Proof(
    sources=RX_GEARBOX_FILES,
    parameters={"WIDTH": 16},
    mutations=(
        # Both widths share the code that the first two change; a stall is as late with 32 bits, whose search is more
        # expensive.
        Mutation("not_gated_in_stall", ALIGN, "if (!stall) begin", "if (1'b1) begin", 48, calm=True),
        Mutation("stall_forgotten", LOCK, "stall: wrap_q", "stall: 1'b0", 48, calm=True),
        Mutation("selector_one_bit_off", SELECT, "window[STEP*REST+:PICKED]", "window[STEP*REST+STEP+:PICKED]", 12),
        Mutation("slip_skips_nothing", LOCK, "end_bit[0] ^ slip}", "end_bit[0]}", 12),
        Mutation("header_not_judged", LOCK, "wrong_q <= ~header_right;", "wrong_q <= 1'b0;", 12),
        Mutation("byte_not_late", ALIGN, "{aligned[7:0], word_q[WIDTH-1:8]}", "word_q", 12),
    ),
)
RX_GEARBOX16_AHEAD = Proof(
    sources=RX_GEARBOX_FILES,
    parameters={"WIDTH": 16, "AHEAD": 1},
    mutations=(
        Mutation("picked_for_this_cycle", LOCK, "? end_bit_next : end_bit;", "? end_bit : end_bit;", 24),
        Mutation("picked_a_word_early", LOCK, "= !slot.stall && slot.pos == LAST_POS ?", "= slot.pos == 2'd2 ?", 24),
        Mutation("first_pick_one_bit_off", ALIGN, "window[0+:PICKED]", "window[1+:PICKED]", 12),
        Mutation("header_without_the_word_before", ALIGN, "<= pma_data[WIDTH-1];", "<= 1'b0;", 12),
    ),
)
GAP_MUTATIONS = (
    Mutation("start_in_terminate", GAP, "wait_q <= BITS'(BLOCKS + 1);", "wait_q <= BITS'(1);", 30, calm=True),
    Mutation("rest_of_mean_forgotten", GAP, "i % 8 + E)", "i % 8)", 30, calm=True),
    Mutation("one_block_less", GAP, "(IFG_COUNT + 9) / 8", "(IFG_COUNT + 1) / 8", 30, calm=True),
    Mutation("deficit_wrong", GAP, "? due_q[1:0] : 2'd0", "? 2'd3 : 2'd0", 30, calm=True),
    Mutation("deficit_lost", GAP, ">= LAST0 - 2 * w) exact", "> LAST0 - 2 * w) exact", 30, calm=True),
    Mutation("lane0_too_late", GAP, "<= LAST0 - 2 * w)", "< LAST0 - 2 * w)", 30, calm=True),
    Mutation("lane4_too_early", GAP, "== LAST0 - 2 * w + 1)", "== LAST0 - 2 * w + 2)", 30, calm=True),
)
TX_FRAME_FILES = (PKG, CRC, PHASE, FCS, GAP, FAULT, FRAME, "macpcs/formal/tx_frame.sv")
TX_FRAME = Proof(
    sources=TX_FRAME_FILES,
    mutations=(
        Mutation("stop_forgotten", FRAME, " && !stop)", ")", 24),
        Mutation("half_fault_block", FRAME, "{8'h02, 24'h0}", "{8'h01, 24'h0}", 24),
    ),
)
# Short frames, so that the first gaps are early.
TX_FRAME_13 = Proof(sources=TX_FRAME_FILES, parameters={"IFG_COUNT": 13, "PADDING_SIZE": 16}, mutations=GAP_MUTATIONS)
# Starts in all of the blocks that the counter examines; the user's FCS.
TX_FRAME_15 = Proof(
    sources=TX_FRAME_FILES,
    parameters={"IFG_COUNT": 15, "PADDING_SIZE": 16, "OWN_FCS": 1},
    mutations=(Mutation("two_blocks_only", GAP, "w <= 3;", "w <= 2;", 30, calm=True),),
)
TX_FRAME_255 = Proof(sources=TX_FRAME_FILES, parameters={"IFG_COUNT": 255})
TX_FRAME16_FILES = (PKG, CRC, XOR_MUX, PHASE, FCS_SHIFT, GAP, FAULT, FRAME16, "macpcs/formal/tx_frame16.sv")
TX_FRAME16 = Proof(
    sources=TX_FRAME16_FILES,
    mutations=(
        # Both widths have one macpcs_tx_gap, and 32-bit words reach the first gap sooner: its mutations are above.
        Mutation("stop_forgotten", FRAME16, " && !stop ", " ", 30),
        Mutation("fourth_word_forgotten", FRAME16, "{SFD ^ PREAMBLE, 8'h00}", "16'h0", 12),
    ),
)
TX_FRAME16_17 = Proof(
    sources=TX_FRAME16_FILES,
    parameters={"IFG_COUNT": 17, "PADDING_SIZE": 20, "OWN_FCS": 1},
    mutations=(Mutation("gap_reported_too_late", FRAME16, " && !terminate_q)", ")", 36, calm=True),),
)


# No induction: a search of all runs up to a bound.
def unchanged(source: str, depth: int) -> Mutation:
    return Mutation("unchanged", source, "CORRUPTED_ON_ERROR = 1'b1,", "CORRUPTED_ON_ERROR = 1'b1,", depth)


BYTES16_DEPTH = 62
TX_FRAME16_BYTES = Proof(
    sources=(PKG, CRC, XOR_MUX, PHASE, FCS_SHIFT, GAP, FRAME16, "macpcs/formal/tx_frame16_bytes.sv"),
    mutations=(
        unchanged(FRAME16, BYTES16_DEPTH),
        Mutation("not_poisoned", FRAME16, "poison_q | (in_data & beat_error)", "poison_q", BYTES16_DEPTH),
        Mutation("terminate_a_byte_late", FRAME16, "take_q.one ? 3'd5 : 3'd6", "3'd6", BYTES16_DEPTH),
    ),
)
TX_FRAME_BYTES_FILES = (PKG, CRC, PHASE, FCS, GAP, FRAME, "macpcs/formal/tx_frame_bytes.sv")


def tx_frame_bytes(size: int, own_fcs: int, *mutations: tuple[str, str, str]) -> Proof:
    depth = size // 4 + 14  # more than DONE in the file
    return Proof(
        sources=TX_FRAME_BYTES_FILES,
        parameters={"PADDING_SIZE": size, "OWN_FCS": own_fcs},
        mutations=(unchanged(FRAME, depth), *(Mutation(name, FRAME, old, new, depth) for name, old, new in mutations)),
    )


TX_FRAME_BYTES = tx_frame_bytes(
    16,
    0,
    ("not_poisoned", "poison_q | (state_q == DATA & beat_error)", "poison_q"),
    ("padding_not_zero", "(s_axis_tkeep[i] && state_q != PAD)", "s_axis_tkeep[i]"),
)
# The padding ends in the second half of a block with 20 bytes, in the first one with 16 and 64.
TX_FRAME_BYTES_SLOW = [
    tx_frame_bytes(16, 1, ("padded_not_poisoned", "assign pad_error = (state_q == PAD) |", "assign pad_error =")),
    tx_frame_bytes(20, 0, ("last_fcs_byte", "last_fcs_byte_q <= fcs[31:24];", "last_fcs_byte_q <= fcs[23:16];")),
    tx_frame_bytes(64, 0),
]

TX_FCS = Proof(
    sources=(CRC, FCS, "macpcs/formal/tx_fcs.sv"),
    mutations=(
        Mutation("rest_one_byte_off", FCS, "16'h0, old[31:16]", "24'h0, old[31:24]", 4),
        Mutation("not_gated", FCS, "if (step) crc", "if (1'b1) crc", 4),
    ),
)

TX_FCS_AMEND = Proof(
    sources=(CRC, FCS, "macpcs/formal/tx_fcs_amend.sv"),
    parameters={"SUMS": 1},
    mutations=(
        Mutation("not_96_shifts", FCS, "crc32_matrix(96)", "crc32_matrix(64)", 2),
        Mutation("ones_lost", FCS, "^ (^(PART3[i] & amend))", "", 2),
        Mutation("matrix", CRC, "CRC32_MATRIX_32 = crc32_matrix(32)", "CRC32_MATRIX_32 = crc32_matrix(31)", 2),
    ),
)
AMEND_DEPTH = 6  # three words after the first amended one
TX_FCS_AMEND_BOUNDED = Proof(
    sources=TX_FCS_AMEND.sources,
    mutations=(
        Mutation("unchanged", FCS, "parameter bit AMEND = 1'b0", "parameter bit AMEND = 1'b0", AMEND_DEPTH),
        Mutation("a_word_too_early", FCS, "crc32_matrix(96)", "crc32_matrix(64)", AMEND_DEPTH),
        Mutation("not_gated", FCS, "if (step) late_q", "if (1'b1) late_q", AMEND_DEPTH),
        Mutation("not_added", FCS, "rest ^ late_q", "rest", AMEND_DEPTH),
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
            Mutation("runt_limit", CHECK, "16'(MIN_BYTES - 1)", "16'(MIN_BYTES - 61)", 6),
            Mutation("nibble_not_compared", CHECK, "i < 8; i++) wrong", "i < 7; i++) wrong", 6),
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
] + [
    Proof(
        sources=(PKG, CRC, CHECK, "macpcs/formal/rx_check.sv"),
        parameters={"WIDTH": width, "LATENCY": latency, "CRC32_DISABLE": 1},
        mutations=(
            Mutation("fcs_flagged", CHECK, "assign wrong = '0;", "assign wrong = 8'h1;", 6),
            Mutation("over_forgotten", CHECK, "(past_q[i] | (", "((", 7),
            Mutation("full_word_not_counted", CHECK, "? words_full : words", "? words : words", 6),
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

RX_DECODE_MUTATIONS = (
    Mutation("keep_of_3_bytes", DECODE, "n[2] | (&n[1:0])", "n[2]", 20),
    Mutation("type_not_compared", DECODE, " | (second & is_terminate & type_wrong);", ";", 20),
    Mutation("preamble_given", DECODE, "& goes_on & ~skip_q;", "& goes_on;", 20),
    Mutation("no_end_at_new_start", DECODE, "last = ~more;", "last = ~more & ~is_start;", 24),
    Mutation("error_stays", DECODE, "(code_bad_q & ~start)", "code_bad_q", 24),
    Mutation("byte_not_late", DECODE, "if (first) user_late <= ~goes_on;", "", 20),
    Mutation("ordered_set_may_not_follow", DECODE, "(lock & (is_start | is_other))", "(lock & is_start)", 20),
    Mutation("any_terminate_block_ends", DECODE, "in_frame_q & is_terminate & ~type_wrong", "is_terminate", 20),
)
RX_DECODE_MUTATIONS_DELAYED = (
    Mutation("bad_header_forgotten", DECODE, " | delayed))", "))", 20),
    Mutation("taken_for_data_unlocked", DECODE, "ERROR_DELAYED & is_bad & lock;", "ERROR_DELAYED & is_bad;", 20),
)
RX_DECODES = [
    Proof(
        sources=(PKG, PREAMBLE, DECODE, "macpcs/formal/rx_decode.sv"),
        parameters={"WIDTH": width, "ERROR_DELAYED": delayed},
        mutations=mutations,
    )
    for width, delayed, mutations in (
        (32, 0, RX_DECODE_MUTATIONS),
        (32, 1, RX_DECODE_MUTATIONS_DELAYED),
        (16, 0, ()),
        (16, 1, (*RX_DECODE_MUTATIONS_DELAYED, Mutation("lock_not_watched", DECODE, "D & ~lock;", "D & 1'b0;", 20))),
    )
]

ALL = cases(
    TX_GEARBOX,
    TX_GEARBOX16,
    RX_GEARBOX,
    RX_GEARBOX16,
    RX_GEARBOX16_AHEAD,
    TX_FRAME,
    TX_FRAME_13,
    TX_FRAME_15,
    TX_FRAME_255,
    TX_FRAME16,
    TX_FRAME16_17,
    TX_FCS,
    TX_FCS_AMEND,
    TX_FCS_SHIFT,
    *RX_CHECKS,
    *RX_DECODES,
)


@pytest.mark.parametrize("proof, mutation", ALL)
def test_formal(proof, mutation):
    check(proof, mutation)


def bounded(proof: Proof, mutation: Mutation) -> None:
    """For the mutation that changes nothing, all runs are searched for a fault and none is found."""
    if mutation.name == "unchanged":
        with pytest.raises(pytest.fail.Exception, match="does not see the mutation unchanged"):
            check(proof, mutation)
    else:
        check(proof, mutation)


def bounded_cases(*proofs: Proof) -> list:
    return [case for case in cases(*proofs) if case.values[1]]


BOUNDED = (TX_FRAME_BYTES, *TX_FRAME_BYTES_SLOW, TX_FRAME16_BYTES, TX_FCS_AMEND_BOUNDED)


@pytest.mark.parametrize("proof, mutation", bounded_cases(*BOUNDED))
def test_formal_bounded(proof, mutation):
    bounded(proof, mutation)
