// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// ate_early with macpcs' transmitter behind it, for the synthesis: the paths from tx_start and from the engine's words into
// the MAC and to the transceiver, whole.  Without the engine, because the mapper minimises the longest path of all that it is
// given: the engine's, which have twice the time, would slow down these.  For nothing else.
module ate_early_with_mac (
    input logic clk,
    input logic rst,
    input logic tx_clk,
    input logic tx_rst,

    input  logic tx_start,
    output logic tx_armed,
    output logic busy,      // fast: a frame is under way

    input logic              armed,
    input logic              between,
    input logic              drain,
    input logic              begin_frame,
    input logic [ 2:0][31:0] head,         // words 0-2
    input logic [15:0]       total,        // length, as a number

    input  logic [31:0] s_axis_tdata,
    input  logic [ 3:0] s_axis_tkeep,     // one byte at least
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic        s_axis_tlast,
    input  logic        s_axis_tuser,
    input  logic        s_axis_is_length,

    // The MAC
    input  logic        local_fault,
    input  logic        remote_fault,
    input  logic        prbs31,
    input  logic        test_idle,
    output logic        stopped,
    output logic        payload_step,
    output logic        stat_tx_frame,
    output logic [ 2:0] stat_tx_bytes,
    output logic        stat_tx_error,
    output logic        stat_tx_underrun,
    output logic [15:0] pma_tx_data
);
  logic [15:0] m_axis_tdata;
  logic [ 1:0] m_axis_tkeep;
  logic m_axis_tvalid, m_axis_tready, m_axis_tlast, m_axis_tuser;

  ate_early u_early (.*);

  macpcs_tx #(
      .WIDTH(16)
  ) u_mac (
      .clk          (tx_clk),
      .rst          (tx_rst),
      .s_axis_tdata (m_axis_tdata),
      .s_axis_tkeep (m_axis_tkeep),
      .s_axis_tvalid(m_axis_tvalid),
      .s_axis_tready(m_axis_tready),
      .s_axis_tlast (m_axis_tlast),
      .s_axis_tuser (m_axis_tuser),
      .s_axis_tamend('0),
      .*
  );
endmodule
