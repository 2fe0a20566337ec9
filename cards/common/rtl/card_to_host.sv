// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The way of a port's frames to the host: received ones, and with MIRROR the copies that the engine makes of its own.
//
//   rx      ─► card_rx ──────► card_store ──┐
//                              good frames  ├─► card_merge ─► m_c2h
//   mirror  ─► card_mirror ──► card_store ──┘   order, number
//                  ▲  fence                        │
//                  └───────────────────────────────┘
//
// Latency: that of these modules; a frame is stored whole before its first word leaves.
// Without MIRROR, mirror_* is not looked at.
module card_to_host #(
    parameter int WIDTH = 32,  // of received words, 16 or 32
    parameter int VERDICT = 1,  // as in card_rx
    parameter int RX_DEPTH = 4096,  // words of 64 bits, a power of two
    parameter bit MIRROR = 1'b1,
    parameter int MIRROR_DEPTH = 1024,  // words of 32 bits in the engine's FIFO
    parameter int MIRROR_BYTES = 1518,  // of the longest mirror frame
    parameter logic [7:0] PORT = 8'd0
) (
    input logic               rx_clk,
    input logic               rx_rst,
    input logic [  WIDTH-1:0] rx_tdata,
    input logic [WIDTH/8-1:0] rx_tkeep,
    input logic               rx_tvalid,
    input logic               rx_tlast,
    input logic               rx_good,

    input  logic        mirror_clk,
    input  logic        mirror_rst,
    input  logic [31:0] mirror_tdata,
    input  logic [ 3:0] mirror_tkeep,
    input  logic        mirror_tvalid,
    output logic        mirror_tready,
    input  logic        mirror_tlast,
    input  logic        mirror_tuser,

    input  logic        host_clk,
    input  logic        host_rst,
    input  logic [63:0] now,
    output logic [63:0] m_c2h_tdata,
    output logic [ 7:0] m_c2h_tkeep,
    output logic        m_c2h_tvalid,
    input  logic        m_c2h_tready,
    output logic        m_c2h_tlast,

    // Each frame that has come gives one of these, in host_clk
    output logic event_rx,
    output logic event_rx_bad,
    output logic event_rx_full,
    output logic event_rx_cut,
    output logic event_mirror,
    output logic event_mirror_cut,
    output logic event_packet       // given to the host
);
  // --- Received frames
  logic rx_reset, rx_word_valid, rx_word_ready, rx_word_last, rx_word_bad, rx_word_lost, rx_lost_q, rx_refused, rx_cut;
  logic [63:0] rx_word, rx_data;
  logic [3:0] rx_bytes;
  logic [7:0] rx_keep;
  logic rx_valid, rx_head, rx_last, rx_ready;
  card_rx #(
      .WIDTH  (WIDTH),
      .VERDICT(VERDICT)
  ) u_rx (
      .rx_clk,
      .rx_rst,
      .s_axis_tdata (rx_tdata),
      .s_axis_tkeep (rx_tkeep),
      .s_axis_tvalid(rx_tvalid),
      .s_axis_tlast (rx_tlast),
      .status_good  (rx_good),
      .host_clk,
      .host_rst,
      .m_reset      (rx_reset),
      .m_valid      (rx_word_valid),
      .m_ready      (rx_word_ready),
      .m_data       (rx_word),
      .m_bytes      (rx_bytes),
      .m_last       (rx_word_last),
      .m_bad        (rx_word_bad),
      .m_lost       (rx_word_lost)
  );
  card_store #(
      .DEPTH(RX_DEPTH),
      .PORT (PORT)
  ) u_rx_store (
      .clk         (host_clk),
      .rst         (host_rst),
      .now,
      .s_valid     (rx_word_valid),
      .s_ready     (rx_word_ready),
      .s_data      (rx_word),
      .s_bytes     (rx_bytes),
      .s_last      (rx_word_last),
      .s_bad       (rx_word_bad),
      .s_kind      (8'd0),
      .flush       (rx_reset),
      .m_valid     (rx_valid),
      .m_data      (rx_data),
      .m_head      (rx_head),
      .m_last      (rx_last),
      .m_keep      (rx_keep),
      .m_ready     (rx_ready),
      .event_stored(event_rx),
      .event_bad   (rx_refused),
      .event_full  (event_rx_full),
      .event_cut   (rx_cut)
  );
  always_ff @(posedge host_clk) rx_lost_q <= rx_word_lost;
  assign event_rx_bad = rx_refused & ~rx_lost_q;
  assign event_rx_cut = rx_cut | (rx_refused & rx_lost_q);

  // --- Mirror frames
  logic mirror_valid, mirror_head, mirror_last, mirror_ready;
  logic [63:0] mirror_data;
  logic [ 7:0] mirror_keep;
  logic fence_valid, fence_ready, mark_valid, mirror_reset;
  logic [1:0] fence_number, mark_number;
  if (MIRROR) begin : gen_mirror
    localparam int FRAME_WORDS = (MIRROR_BYTES + 7) / 8 + 2;  // with its header
    logic word_valid, word_fence, word_last, word_bad, store_ready;
    logic [63:0] word;
    logic [ 3:0] word_bytes;
    card_mirror #(
        .MIRROR_DEPTH(MIRROR_DEPTH)
    ) u_mirror (
        .clk            (mirror_clk),
        .rst            (mirror_rst),
        .s_mirror_tdata (mirror_tdata),
        .s_mirror_tkeep (mirror_tkeep),
        .s_mirror_tvalid(mirror_tvalid),
        .s_mirror_tready(mirror_tready),
        .s_mirror_tlast (mirror_tlast),
        .s_mirror_tuser (mirror_tuser),
        .host_clk,
        .host_rst,
        .m_reset        (mirror_reset),
        .m_valid        (word_valid),
        .m_ready        (store_ready),
        .m_fence        (word_fence),
        .m_number       (mark_number),
        .m_data         (word),
        .m_bytes        (word_bytes),
        .m_last         (word_last),
        .m_bad          (word_bad),
        .fence_valid,
        .fence_ready,
        .fence_number
    );
    assign mark_valid = word_valid & word_fence & store_ready;
    logic bad, full;  // a mirror frame is never bad, and its store waits
    card_store #(
        .DEPTH     (1 << $clog2(2 * FRAME_WORDS)),
        .FCS_BYTES (0),
        .WAIT      (1'b1),
        .STAMP_LAST(1'b1),
        .PORT      (PORT)
    ) u_store (
        .clk         (host_clk),
        .rst         (host_rst),
        .now,
        .s_valid     (word_valid & ~word_fence),
        .s_ready     (store_ready),
        .s_data      (word),
        .s_bytes     (word_bytes),
        .s_last      (word_last),
        .s_bad       (1'b0),
        .s_kind      (word_bad ? 8'd2 : 8'd1),
        .flush       (mirror_reset),
        .m_valid     (mirror_valid),
        .m_data      (mirror_data),
        .m_head      (mirror_head),
        .m_last      (mirror_last),
        .m_keep      (mirror_keep),
        .m_ready     (mirror_ready),
        .event_stored(event_mirror),
        .event_bad   (bad),
        .event_full  (full),
        .event_cut   (event_mirror_cut)
    );
  end else begin : gen_no_mirror
    assign {mirror_tready, event_mirror, event_mirror_cut} = '0;
    assign {mirror_valid, mirror_head, mirror_last, mirror_data, mirror_keep} = '0;
    assign {fence_ready, mark_valid, mark_number, mirror_reset} = '0;
  end

  // --- Both
  card_merge #(
      .MIRROR(MIRROR)
  ) u_merge (
      .clk          (host_clk),
      .rst          (host_rst),
      .mirror_stored(event_mirror),
      .mirror_valid,
      .mirror_data,
      .mirror_head,
      .mirror_last,
      .mirror_keep,
      .mirror_ready,
      .rx_stored    (event_rx),
      .rx_valid,
      .rx_data,
      .rx_head,
      .rx_last,
      .rx_keep,
      .rx_ready,
      .fence_valid,
      .fence_ready,
      .fence_number,
      .mark_valid,
      .mark_number,
      .mirror_reset,
      .m_axis_tdata (m_c2h_tdata),
      .m_axis_tkeep (m_c2h_tkeep),
      .m_axis_tvalid(m_c2h_tvalid),
      .m_axis_tready(m_c2h_tready),
      .m_axis_tlast (m_c2h_tlast),
      .event_sent   (event_packet)
  );
endmodule
