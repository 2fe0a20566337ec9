# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The formal proofs of macpcs, and mutations that each must see. README.md says what is proved."""

import pytest

from formal_run import Mutation, Proof, cases, check

PKG = "macpcs/rtl/macpcs_pkg.sv"
MUX4 = "common/rtl/mux4.sv"
PHASE = "macpcs/rtl/macpcs_tx_phase.sv"
GAP = "macpcs/rtl/macpcs_tx_gap.sv"
FRAME = "macpcs/rtl/macpcs_tx_frame.sv"
FCS = "macpcs/rtl/macpcs_tx_fcs.sv"
CHECK = "macpcs/rtl/macpcs_rx_check.sv"
CRC = "common/rtl/crc32_pkg.sv"
LOCK = "macpcs/rtl/macpcs_rx_lock.sv"
ALIGN = "macpcs/rtl/macpcs_rx_align.sv"
LINE = "macpcs/rtl/macpcs_tx_line.sv"

TX_GEARBOX = Proof(
    sources=(PKG, MUX4, PHASE, LINE, "macpcs/formal/tx_gearbox.sv"),
    mutations=(
        Mutation("selector_two_bits_off", LINE, ".d1 (coarse[33:2])", ".d1 (coarse[35:4])", 10),
        Mutation("not_gated_in_stall", LINE, "if (step) begin", "if (1'b1) begin", 36, calm=True),
        Mutation("mask_two_bits_off", LINE, "START4 << ((2 * k + 2) % 32)", "START4 << ((2 * k + 4) % 32)", 10),
        Mutation("no_scrambler_carry", LINE, "^ scramble_terms(START4, 32'h0)", "", 10),
        Mutation(
            "stall_forgotten",
            PHASE,
            "room_next == 0 && !slot_next.stall",
            "room_next == 1 && !slot_next.stall",
            36,
            calm=True,
        ),
        Mutation("scrambler_tap", PKG, "{newer[5:0], older[31:6]}", "{newer[6:0], older[31:7]}", 10),
    ),
)
RX_GEARBOX = Proof(
    sources=(PKG, MUX4, LOCK, ALIGN, "macpcs/formal/rx_gearbox.sv"),
    mutations=(
        Mutation("selector_two_bits_off", ALIGN, ".d1 (coarse[35:2])", ".d1 (coarse[37:4])", 12),
        Mutation("slip_skips_nothing", LOCK, "(BITS + 1)'(3)", "(BITS + 1)'(2)", 8),
        Mutation("not_gated_in_stall", ALIGN, "if (!slot.stall) begin", "if (1'b1) begin", 40, calm=True),
        Mutation("stall_forgotten", LOCK, "stall: wrap_q", "stall: 1'b0", 40, calm=True),
        Mutation("type_terms", ALIGN, "aligned[0] ^ before_q[13]", "aligned[0] ^ before_q[12]", 40, calm=True),
        Mutation("lock_too_early", LOCK, "HEADERS = 6'd63", "HEADERS = 6'd3", 12),
    ),
)
TX_FRAME = Proof(
    sources=(PKG, CRC, PHASE, FCS, GAP, FRAME, "macpcs/formal/tx_frame.sv"),
    mutations=(
        Mutation("start_in_terminate", GAP, "wait_q <= 2'd3;", "wait_q <= 2'd1;", 60, calm=True),
        Mutation("deficit_wrong", GAP, "deficit_q <= owed_q[1:0]", "deficit_q <= 2'd3", 60, calm=True),
        Mutation("lane4_too_late", GAP, "wait_q == 1 && !owed_q[3]", "wait_q == 1 && owed_q[3:2] == 0", 60, calm=True),
        Mutation("gap_of_7", GAP, "wait_q == 2 && owed_q[3:2] == 0", "wait_q == 2 && owed_q[3] == 0", 60, calm=True),
    ),
)

TX_FCS = Proof(
    sources=(CRC, FCS, "macpcs/formal/tx_fcs.sv"),
    mutations=(
        Mutation("rest_one_byte_off", FCS, "16'h0, old[31:16]", "24'h0, old[31:24]", 4),
        Mutation("not_gated", FCS, "if (step) crc", "if (1'b1) crc", 4),
    ),
)

RX_CHECKS = [
    Proof(
        sources=(PKG, CRC, CHECK, "macpcs/formal/rx_check.sv"),
        parameters={"LATENCY": latency},
        mutations=(
            Mutation("constant_of_2_bytes", CHECK, "(CRC32_RESIDUE, 16)", "(CRC32_RESIDUE, 15)", 5),
            Mutation("fcs_of_cut_frame", CHECK, "(rest != 0) & ~end_code_error", "rest != 0", 4),
            Mutation("runt_limit", CHECK, "'(MIN_BYTES);", "'(MIN_BYTES - 63);", 4),
        ),
    )
    for latency in (0, 1)
]


@pytest.mark.parametrize("proof, mutation", cases(TX_GEARBOX, RX_GEARBOX, TX_FRAME, TX_FCS, *RX_CHECKS))
def test_formal(proof, mutation):
    check(proof, mutation)
