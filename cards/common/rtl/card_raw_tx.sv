// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Raw frames of the host to a MAC without an engine: whole chunks in, one stream out, a word in every cycle of a frame.
// Latency: a frame is offered 6 cycles after the last word of its chunk, if nothing is before it (ate_inject).
//
// Assumes: chunks of type 1 only (card_tx).
module card_raw_tx
  import ate_pkg::*;
#(
    parameter int MAX_FRAME = 9618  // bytes, without FCS
) (
    input logic clk,
    input logic rst,

    input  logic [31:0] s_host_tdata,
    input  logic        s_host_tvalid,
    output logic        s_host_tready,
    input  logic        s_host_tlast,

    output logic [31:0] m_axis_tdata,
    output logic [ 3:0] m_axis_tkeep,
    output logic        m_axis_tvalid,
    input  logic        m_axis_tready,
    output logic        m_axis_tlast
);
  localparam int HEADERS = 58;  // that ate_inject allows a raw frame beyond MAX_PAYLOAD

  source_t frame;  // of a raw frame only the words matter
  logic bad_chunk;  // card_tx counts it
  logic rest_q, ack;
  ate_inject #(
      .MAX_PAYLOAD(MAX_FRAME - HEADERS),
      .DEPTH      (1 << $clog2((10 + MAX_FRAME + 3) / 4 + 4))
  ) u_inject (
      .clk,
      .rst,
      .s_host_tdata,
      .s_host_tvalid,
      .s_host_tready,
      .s_host_tlast,
      .bad_chunk,
      .host       (frame),
      .host_ack   (ack),
      .host_refuse(1'b0)
  );
  assign m_axis_tdata  = frame.data;
  assign m_axis_tkeep  = (frame.eof && frame.len != 0) ? ~(4'hf << frame.len) : 4'hf;
  assign m_axis_tvalid = frame.sof | rest_q;
  assign m_axis_tlast  = frame.eof;
  assign ack           = m_axis_tvalid & m_axis_tready;

  always_ff @(posedge clk) begin
    if (ack) rest_q <= ~frame.eof;
    if (rst) rest_q <= 1'b0;
  end
endmodule
