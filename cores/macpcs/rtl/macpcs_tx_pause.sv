// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// 802.3x pause on the transmitter's side: what macpcs_pause_rx has found is brought to tx_clk and timed, the user is held
// back for that long, and PAUSE frames are sent on request.
// Latency: none for the user's words (one LUT).  A received pause works about ten cycles after its pulse.
module macpcs_tx_pause #(
    parameter int WIDTH = 32,
    parameter int PAUSE_LENGTH = 65535
) (
    input logic        rx_clk,
    input logic        rx_rst,
    input logic        rx_pause,
    input logic [15:0] rx_quanta, // stands until the next pulse

    input logic        tx_clk,
    input logic        tx_rst,
    input logic [47:0] own_address,
    input logic        tx_pause_req,
    input logic        step,

    input  logic [  WIDTH-1:0] s_axis_tdata,
    input  logic [WIDTH/8-1:0] s_axis_tkeep,
    input  logic               s_axis_tvalid,
    output logic               s_axis_tready,
    input  logic               s_axis_tlast,
    input  logic               s_axis_tuser,

    output logic [  WIDTH-1:0] m_axis_tdata,
    output logic [WIDTH/8-1:0] m_axis_tkeep,
    output logic               m_axis_tvalid,
    input  logic               m_axis_tready,
    output logic               m_axis_tlast,
    output logic               m_axis_tuser,

    output logic paused,  // by the link partner
    output logic stat_tx_pause
);
  // A second pulse before the first has crossed waits with the newest quanta; two frames are further apart than that.
  logic pending_q, ready, load;
  logic [15:0] quanta;
  always_ff @(posedge rx_clk) pending_q <= ~rx_rst & (rx_pause | (pending_q & ~ready));
  cdc_handshake #(
      .WIDTH(16)
  ) u_quanta (
      .s_clk  (rx_clk),
      .s_rst  (rx_rst),
      .s_data (rx_quanta),
      .s_valid(pending_q),
      .s_ready(ready),
      .m_clk  (tx_clk),
      .m_rst  (tx_rst),
      .m_data (quanta),
      .m_valid(load)
  );
  macpcs_pause_timer #(
      .WIDTH(WIDTH)
  ) u_timer (
      .clk   (tx_clk),
      .rst   (tx_rst),
      .load,
      .quanta,
      .step,
      .active(paused)
  );
  macpcs_pause_tx #(
      .WIDTH       (WIDTH),
      .PAUSE_LENGTH(PAUSE_LENGTH)
  ) u_send (
      .clk (tx_clk),
      .rst (tx_rst),
      .own_address,
      .tx_pause_req,
      .hold(paused),
      .step,
      .s_axis_tdata,
      .s_axis_tkeep,
      .s_axis_tvalid,
      .s_axis_tready,
      .s_axis_tlast,
      .s_axis_tuser,
      .m_axis_tdata,
      .m_axis_tkeep,
      .m_axis_tvalid,
      .m_axis_tready,
      .m_axis_tlast,
      .m_axis_tuser,
      .stat_tx_pause
  );
endmodule
