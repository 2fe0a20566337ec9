// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The ports of the model that src/qdma_sweep drives and reads, without the model: a test plays the
// card. Wide ports have more words than Verilator's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

struct WidePort : std::array<uint32_t, 16> {
  static constexpr size_t Words = 16;
};

struct Vmodel_qdma_usp {
  WidePort m_axis_cq_tdata{}, m_axis_cq_tuser{};
  uint8_t m_axis_cq_tvalid = 0, m_axis_cq_tready = 0, m_axis_cq_tlast = 0;
  WidePort s_axis_cc_tdata{};
  uint8_t s_axis_cc_tvalid = 0, s_axis_cc_tready = 0, s_axis_cc_tlast = 0;
  uint16_t s_axis_cc_tkeep = 0;
  WidePort s_axis_rq_tdata{}, s_axis_rq_tuser{};
  uint8_t s_axis_rq_tvalid = 0, s_axis_rq_tready = 0;
  uint8_t pcie_rq_seq_num_vld0 = 0, pcie_rq_seq_num_vld1 = 0;
  uint8_t pcie_rq_seq_num0 = 0, pcie_rq_seq_num1 = 0;
  WidePort m_axis_rc_tdata{}, m_axis_rc_tuser{};
  uint8_t m_axis_rc_tvalid = 0, m_axis_rc_tready = 0;
  uint8_t c2h_ask_valid = 0, c2h_ask_ready = 0, c2h_ask_has_cmpt = 0, c2h_ask_marker = 1;
  uint16_t c2h_ask_qid = 0, c2h_ask_len = 0;
  uint8_t c2h_answer_valid = 0, c2h_answer = 0;
  uint8_t c2h_buffer_event = 0, c2h_room_event = 0;
  uint16_t c2h_answer_qid = 0, c2h_buffer_event_qid = 0, c2h_room_event_qid = 0;
  uint8_t c2h_done_valid = 0, c2h_done_mismatched = 0, c2h_done_stopped = 0;
  WidePort s_axis_c2h_tdata{}, s_axis_c2h_tuser_cmpt_data{};
  uint8_t s_axis_c2h_tvalid = 0, s_axis_c2h_tready = 0, s_axis_c2h_tlast = 0;
  uint8_t s_axis_c2h_tuser_mty = 0;
  WidePort m_axis_h2c_tdata{};
  uint8_t m_axis_h2c_tvalid = 0, m_axis_h2c_tready = 0, m_axis_h2c_tlast = 0;
  uint8_t m_axis_h2c_tuser_mty = 0, m_axis_h2c_tuser_err = 0;
  uint16_t m_axis_h2c_tuser_qid = 0;
  uint64_t m_axi_mm_awaddr = 0, m_axi_mm_araddr = 0, m_axi_mm_wstrb = 0;
  uint8_t m_axi_mm_awlen = 0, m_axi_mm_awsize = 6, m_axi_mm_awburst = 1;
  uint8_t m_axi_mm_arlen = 0, m_axi_mm_arsize = 6, m_axi_mm_arburst = 1;
  uint8_t m_axi_mm_awvalid = 0, m_axi_mm_awready = 0, m_axi_mm_arvalid = 0, m_axi_mm_arready = 0;
  WidePort m_axi_mm_wdata{}, m_axi_mm_rdata{};
  uint8_t m_axi_mm_wvalid = 0, m_axi_mm_wready = 0, m_axi_mm_wlast = 0;
  uint8_t m_axi_mm_bvalid = 0, m_axi_mm_bready = 1;
  uint8_t m_axi_mm_rvalid = 0, m_axi_mm_rready = 1, m_axi_mm_rlast = 0;
};
