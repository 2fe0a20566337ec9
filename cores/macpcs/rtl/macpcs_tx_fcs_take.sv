// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Takes the last four bytes, the FCS or the room for it, off the user's frames.
// Latency: one 32-bit word or two 16-bit words (four bytes): a word leaves when the word four bytes after it is offered.
//
// Four bytes are held back.  The word that leaves is the oldest one held, with the tkeep and tlast of the word that
// comes: if n bytes come last, n bytes of the word that leaves belong to the frame, and the rest is the FCS:
//
//   held   a b c d   e f - -  comes, last     leaves  a b - -, last    fcs  c d e f
//
// A frame of four bytes or fewer leaves as one word without bytes: tlast with tkeep = 0, which the transmitter takes for
// a user's error.  So is a tkeep that is not all ones on the words that only fill up what is held.
// `m_axis_fcs` means something with tlast of a longer frame only; before, it shows the last four bytes that have come.
// No combinational path from s_axis_tvalid to s_axis_tready; there is one from m_axis_tready.
module macpcs_tx_fcs_take #(
    parameter int WIDTH = 32  // of a word, 16 or 32
) (
    input logic clk,
    input logic rst,

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
    output logic [       31:0] m_axis_fcs
);
  if (!(WIDTH inside {16, 32})) begin : gen_bad_width
    $error("macpcs_tx_fcs_take: WIDTH must be 16 or 32");
  end

  localparam int HELD = 32 / WIDTH;
  logic [31:0] held_q;  // oldest byte low
  logic [HELD-1:0] came_q;  // the words that are held, filled up from the top
  logic full;  // as many as there is room for
  logic short_q;  // the whole frame is held: no more than four bytes
  logic keep_error_q, user_q;  // on a word that only filled up
  logic fills;

  assign full          = came_q[0];
  assign fills         = s_axis_tvalid & ~full;
  assign s_axis_tready = ~full | (m_axis_tready & ~short_q);
  assign m_axis_tvalid = full & (s_axis_tvalid | short_q);
  assign m_axis_tlast  = s_axis_tlast | short_q;
  assign m_axis_tuser  = (s_axis_tuser & ~short_q) | user_q;
  assign m_axis_tkeep  = s_axis_tkeep & {(WIDTH / 8) {~short_q & ~keep_error_q}};
  assign m_axis_tdata  = held_q[WIDTH-1:0];

  logic [WIDTH+31:0] bytes;
  assign bytes = {s_axis_tdata, held_q};
  always_comb begin
    m_axis_fcs = bytes[8+:32];
    for (int i = 1; i < WIDTH / 8; i++) if (s_axis_tkeep[i]) m_axis_fcs = bytes[8*(i+1)+:32];
  end

  always_ff @(posedge clk) begin
    if (s_axis_tvalid && s_axis_tready) held_q <= bytes[WIDTH+:32];
    if (fills) begin
      came_q       <= s_axis_tlast ? '1 : HELD'({1'b1, came_q} >> 1);
      short_q      <= s_axis_tlast;
      keep_error_q <= keep_error_q | ~(&s_axis_tkeep);
      user_q       <= user_q | s_axis_tuser;
    end
    if (m_axis_tvalid && m_axis_tready) begin
      // The transmitter has seen them with this word.
      keep_error_q <= 1'b0;
      user_q       <= 1'b0;
      if (m_axis_tlast) begin
        came_q  <= '0;
        short_q <= 1'b0;
      end
    end
    if (rst) begin
      came_q       <= '0;
      short_q      <= 1'b0;
      keep_error_q <= 1'b0;
      user_q       <= 1'b0;
    end
  end
endmodule
