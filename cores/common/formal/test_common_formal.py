# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The formal proofs of the common modules, and mutations that each must detect."""

import pytest

from formal_run import Mutation, Proof, cases, check

CRC = "common/rtl/crc32_pkg.sv"
REGISTER = "common/rtl/axis_register.sv"
BITS = "common/formal/metastable/cdc_bits.sv"
SOURCE = "common/rtl/cdc_source.sv"
RESET = "common/rtl/cdc_reset.sv"
HANDSHAKE = "common/rtl/cdc_handshake.sv"
FIFO = "common/rtl/async_fifo.sv"
CARRIED = "common/formal/abstract/cdc_handshake.sv"
AXIL = "common/rtl/axil_cdc.sv"

AXIS_REGISTER = Proof(
    sources=(REGISTER, "common/formal/axis_register_order.sv"),
    mutations=(
        Mutation("word_lost", REGISTER, "else if (s_valid && s_ready)", "else if (s_valid && m_ready)", 8),
        Mutation("word_repeated", REGISTER, "      spare_valid_q <= 1'b0;\n    end else", "    end else", 8),
    ),
)
CRC32_WORDS = Proof(
    sources=(CRC, "common/formal/crc32_words.sv"),
    mutations=(
        Mutation("polynomial", CRC, "32'hedb88320", "32'hedb88322", 1),
        Mutation("one_shift_too_few", CRC, "crc32_matrix(32)", "crc32_matrix(31)", 1),
        Mutation("residue", CRC, "32'hdebb20e3", "32'hc704dd7b", 1),
    ),
)
ASYNC_FIFO = Proof(
    sources=(BITS, SOURCE, RESET, FIFO, "common/formal/async_fifo_order.sv"),
    clocks=True,
    mutations=(
        Mutation("overflow", FIFO, "differ(wr_gray_next_q, wr_rd_gray ^ FULL)", "1'b1", 30),
        Mutation("not_gray", FIFO, "return count ^ (count >> 1);", "return count;", 30),
        Mutation("gray_late", FIFO, "gray(after(after(wr_ptr_q)))", "gray(after(wr_ptr_q))", 30),
        Mutation("never_full_again", FIFO, ": differ(wr_gray, wr_rd_gray ^ FULL)", ": 1'b0", 30),
        Mutation("read_while_empty", FIFO, "assign rd_en    = rd_valid & rd_ready;", "assign rd_en    = rd_ready;", 30),
        Mutation("wrong_address", FIFO, "ram[rd_addr_q]", "ram[~rd_addr_q]", 30),
        Mutation("cleared_under_reader", FIFO, "(wr_both),\n      .en", "(wr_reset_next),\n      .en", 36),
        Mutation("reader_keeps_old", FIFO, ".rst(rd_reset_next),\n      .d ", ".rst(1'b0),\n      .d ", 36),
        Mutation("writer_leaves_first", RESET, "(a_reset & done_seen)", "1'b0", 36),
        Mutation("reader_does_not_ask", RESET, "b_rst | asked_q;", "b_rst;", 36),
        Mutation("pulse_forgotten", RESET, "a_rst | again_q | asked_seen", "a_rst | asked_seen", 40),
    ),
)
CDC_RESET = Proof(
    sources=(BITS, RESET, "common/formal/cdc_reset_both.sv"),
    clocks=True,
    mutations=(
        Mutation("a_leaves_first", RESET, "(a_reset & done_seen)", "1'b0", 36),
        Mutation("b_does_not_stay", RESET, "order_seen | (done_q & b_rst)", "order_seen", 36),
        Mutation("pulse_forgotten", RESET, "a_rst | again_q | asked_seen", "a_rst | asked_seen", 36),
        Mutation("both_too_early", RESET, "order_q & done_seen;", "order_q;", 36),
        Mutation("question_stays", RESET, "(b_rst | asked_q) & ~done_d", "b_rst | asked_q", 36),
        Mutation("order_ends_early", RESET, "(a_rst | ~done_seen)", "1'b0", 36),
    ),
)
CDC_HANDSHAKE = Proof(
    sources=(BITS, SOURCE, HANDSHAKE, "common/formal/cdc_handshake_once.sv"),
    clocks=True,
    mutations=(
        Mutation("ready_too_early", HANDSHAKE, "~(take | req_q | ack_seen | s_rst)", "~(take | req_q | s_rst)", 24),
        Mutation("request_too_short", HANDSHAKE, "take | (req_q & ~ack_seen)", "take", 24),
        Mutation("shown_twice", HANDSHAKE, "m_valid <= req_seen & ~ack_q & ~m_rst", "m_valid <= req_seen & ~m_rst", 24),
        Mutation("aborted_by_reset", HANDSHAKE, "(req_q & ~ack_seen)", "(req_q & ~ack_seen & ~s_rst)", 24),
        Mutation("word_changes", HANDSHAKE, ".en (take)", ".en (s_valid)", 24),
        Mutation("no_answer_in_reset", HANDSHAKE, "ack_q <= req_seen;", "ack_q <= req_seen & ~m_rst;", 24),
        Mutation("hangs", HANDSHAKE, "ack_q <= req_seen;", "ack_q <= req_seen | ack_q;", 24),
    ),
)
AXIL_CDC = Proof(
    sources=(CARRIED, AXIL, "common/formal/axil_cdc_answers.sv"),
    clocks=True,
    mutations=(
        Mutation("seen_twice", AXIL, " & ~(waiting_q & (m_state_q == IDLE))", " & (m_state_q != IDLE) | arrived", 24),
        Mutation("answer_to_another", AXIL, "answer_seen.number == request_q.number && ", "", 24),
        Mutation("number_stays", AXIL, "request_q.number + 1'b1", "request_q.number", 24),
        Mutation("hangs", AXIL, "if (late || (answered", "if ((answered", 12),
        Mutation("good_without_answer", AXIL, "late ? SLVERR : answer_seen.resp", "answer_seen.resp", 12),
        Mutation("forgets_error", AXIL, "m_rst ? SLVERR : access_q.write", "access_q.write", 16),
        Mutation("lost_behind_reset", AXIL, "m_rst || (access_q.write", "(access_q.write", 16),
        Mutation("address_twice", AXIL, "address_q <= 1'b0;", "address_q <= address_q;", 12),
        Mutation("data_twice", AXIL, "if (m_axil_wready) data_q", "if (m_axil_wready && address_q) data_q", 12),
        Mutation("answers_wrong_kind", AXIL, "request_q.write ? ANSWER_B : ANSWER_R", "ANSWER_R", 12),
        Mutation(
            "request_changes",
            AXIL,
            "assign take_read      = (s_state_q == READY)",
            "assign take_read      = (s_state_q inside {READY, SEND})",
            12,
        ),
        Mutation("read_for_write", AXIL, "write: take_write,", "write: s_axil_awvalid & ~s_axil_arvalid,", 12),
        Mutation(
            "access_changes",
            AXIL,
            "      IDLE: begin\n        access_q  <= request;",
            "      IDLE: begin\n        access_q  <= request_q;",
            12,
        ),
    ),
)


# One more stage, at the depth in use; the mutations of the small ones suffice for these, too.
LARGER = [
    Proof(sources=ASYNC_FIFO.sources, parameters={"DEPTH": 8, "SYNC_STAGES": 2}, clocks=True),
    Proof(sources=ASYNC_FIFO.sources, parameters={"DEPTH": 4, "SYNC_STAGES": 3}, clocks=True),
    Proof(sources=CDC_RESET.sources, parameters={"STAGES": 3}, clocks=True),
    Proof(sources=CDC_HANDSHAKE.sources, parameters={"STAGES": 3}, clocks=True),
    Proof(sources=AXIL_CDC.sources, parameters={"TIMEOUT": 16, "ADDR_WIDTH": 4}, clocks=True),
]


@pytest.mark.parametrize(
    "proof, mutation", cases(AXIS_REGISTER, CRC32_WORDS, ASYNC_FIFO, CDC_RESET, CDC_HANDSHAKE, AXIL_CDC, *LARGER)
)
def test_formal(proof, mutation):
    check(proof, mutation)
