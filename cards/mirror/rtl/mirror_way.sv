// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// One way: frames that a port receives, to the engine of another one.
//
//   rx_clk  user_rx ─► card_rx ─► card_store ─► mirror_send ─► tx_*_net  tx_user_clk
//
// Store and forward, so that a bad frame leaves nothing and the engine has a word in each cycle.
// Latency: a frame is offered to the engine 6 cycles of tx_user_clk after card_store has accepted its last word, if nothing is
// before it: 4 of card_store, 2 of mirror_send.
module mirror_way #(
    parameter int PMA_DATA_WIDTH = 32,
    parameter int DEPTH = 2048,  // words of 64 bits, a power of two
    localparam int W = PMA_DATA_WIDTH
) (
    // A received frame, and the verdict on it
    input logic           rx_clk,
    input logic           rx_rst,
    input logic [  W-1:0] user_rx_tdata,
    input logic [W/8-1:0] user_rx_tkeep,
    input logic           user_rx_tvalid,
    input logic           user_rx_tlast,
    input logic           user_rx_status_good,

    // The other port's engine
    input  logic        tx_user_clk,
    input  logic        tx_user_rst,
    output logic [31:0] tx_data_net,
    output logic        tx_sof_net,
    output logic        tx_eof_net,
    output logic [ 1:0] tx_len_net,
    input  logic        tx_ack_net,
    input  logic        tx_drop_net,

    // One of them for each frame, in tx_user_clk
    output logic event_forwarded,
    output logic event_bad,
    output logic event_no_room,
    output logic event_refused
);
  logic reset, in_valid, in_ready, in_last, in_bad, bad, cut;
  logic in_lost, stored;  // counted with the bad ones, and with those that leave
  logic [63:0] in_data, out_data;
  logic [3:0] in_bytes;
  logic [7:0] out_keep;
  logic out_valid, out_head, out_last, out_ready;

  card_rx #(
      .WIDTH  (W),
      .VERDICT(W == 16 ? 2 : 1)  // as card_port has its MAC
  ) u_rx (
      .rx_clk,
      .rx_rst,
      .s_axis_tdata (user_rx_tdata),
      .s_axis_tkeep (user_rx_tkeep),
      .s_axis_tvalid(user_rx_tvalid),
      .s_axis_tlast (user_rx_tlast),
      .status_good  (user_rx_status_good),
      .host_clk     (tx_user_clk),
      .host_rst     (tx_user_rst),
      .m_reset      (reset),
      .m_valid      (in_valid),
      .m_ready      (in_ready),
      .m_data       (in_data),
      .m_bytes      (in_bytes),
      .m_last       (in_last),
      .m_bad        (in_bad),
      .m_lost       (in_lost)
  );

  card_store #(
      .DEPTH(DEPTH)
  ) u_store (
      .clk         (tx_user_clk),
      .rst         (tx_user_rst),
      .now         ('0),
      .s_valid     (in_valid),
      .s_ready     (in_ready),
      .s_data      (in_data),
      .s_bytes     (in_bytes),
      .s_last      (in_last),
      .s_bad       (in_bad),
      .s_kind      ('0),
      .flush       (reset),
      .m_valid     (out_valid),
      .m_data      (out_data),
      .m_head      (out_head),
      .m_last      (out_last),
      .m_keep      (out_keep),
      .m_ready     (out_ready),
      .event_stored(stored),
      .event_bad   (bad),
      .event_full  (event_no_room),
      .event_cut   (cut)
  );
  assign event_bad = bad | cut;

  mirror_send u_send (
      .clk       (tx_user_clk),
      .rst       (tx_user_rst),
      .s_valid   (out_valid),
      .s_data    (out_data),
      .s_head    (out_head),
      .s_last    (out_last),
      .s_keep    (out_keep),
      .s_ready   (out_ready),
      .tx_data_net,
      .tx_sof_net,
      .tx_eof_net,
      .tx_len_net,
      .tx_ack_net,
      .tx_drop_net,
      .event_sent(event_forwarded),
      .event_refused
  );
endmodule
