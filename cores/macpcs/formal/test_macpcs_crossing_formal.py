# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The formal proofs of the bridges of macpcs and of the signals that cross beside its receive FIFO, and mutations that
each must detect. README.md says what is proved.
"""

import pytest

from formal_run import Mutation, Proof, cases, check

PKG = "macpcs/rtl/macpcs_pkg.sv"
NARROW = "common/rtl/axis_narrow.sv"
TX_BRIDGE = "macpcs/rtl/macpcs_tx_bridge.sv"
PACK = "macpcs/rtl/macpcs_rx_pack.sv"
RX_BRIDGE = "macpcs/rtl/macpcs_rx_bridge.sv"
FIFO_SOF = "macpcs/rtl/macpcs_rx_fifo_sof.sv"

TX = Proof(
    sources=(NARROW, TX_BRIDGE, "macpcs/formal/tx_bridge.sv"),
    mutations=(
        Mutation("taken_twice", TX_BRIDGE, "s_axis_tvalid & ~taken_q;", "s_axis_tvalid;", 8),
        Mutation("not_taken", TX_BRIDGE, "= ready | taken_q;", "= ready;", 8),
        Mutation("phase_forgotten", TX_BRIDGE, "~rst & ~second & valid", "~rst & valid", 8),
        Mutation("high_half_overwritten", NARROW, "if (!high_q) {", "if (1'b1) {", 8),
        Mutation("bad_keep_lost", NARROW, "(s_axis_tkeep[3:2] == 0)", "(~s_axis_tkeep[2])", 8),
        Mutation("high_half_not_held", NARROW, "if (m_axis_tready) high_q", "if (1'b1) high_q", 8),
    ),
)
RX = Proof(
    sources=(PKG, PACK, RX_BRIDGE, "macpcs/formal/rx_pack.sv"),
    mutations=(
        Mutation("no_waiting_word", RX_BRIDGE, "      wait_q.valid <= 1'b1;\n", "      wait_q.valid <= 1'b0;\n", 12),
        Mutation("shown_twice", RX_BRIDGE, "= second | ~out.valid;", "= ~out.valid;", 12),
        Mutation("overwritten", RX_BRIDGE, "= second | ~out.valid;", "= 1'b1;", 12),
        Mutation("sof_too_long", RX_BRIDGE, "(out_sof & ~second)", "out_sof", 12),
        Mutation("status_of_another", RX_BRIDGE, "wait_q.valid ? wait_status_q : in_status", "in_status", 14),
        Mutation("half_not_cleared", PACK, "~kept_q & ~in.last", "~kept_q", 12),
        Mutation("half_overwritten", PACK, "if (!kept_q) low_q", "if (1'b1) low_q", 12),
        Mutation("empty_end_lost", PACK, "(kept_q | in.last)", "(kept_q | (in.last & (in.keep[0])))", 12),
    ),
)
SOF = Proof(
    sources=(FIFO_SOF, "macpcs/formal/rx_fifo_sof.sv"),
    clocks=True,
    mutations=(
        Mutation("written_elsewhere", FIFO_SOF, "ram[wr_at_q] <=", "ram[after(wr_at_q)] <=", 24),
        Mutation("not_of_the_next_cycle", FIFO_SOF, "if (put_q) begin", "if (put) begin", 24),
        Mutation("one_place_for_two", FIFO_SOF, "      wr_at_q      <= after(wr_at_q);", "", 24),
        Mutation("reader_stands", FIFO_SOF, "if (take) rd_at_q", "if (take & out_sof) rd_at_q", 24),
        Mutation("writer_keeps_its_place", FIFO_SOF, "if (wr_reset) wr_at_q <= '0;", "", 36),
        Mutation("reader_keeps_its_place", FIFO_SOF, "if (rd_reset) rd_at_q <= '0;", "", 36),
    ),
)


@pytest.mark.parametrize("proof, mutation", cases(TX, RX, SOF))
def test_formal(proof, mutation):
    check(proof, mutation)
