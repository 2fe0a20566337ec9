// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Packets of card_store to the engine as raw frames: takes the header off, makes 32-bit words of 64.
// Latency: a packet's first word is on tx_data_net 2 cycles after its header is on s_data; then a word in each cycle in which
// the engine acknowledges.
//
// Assumes: words of a packet come without a pause (card_store has the whole of it).
module mirror_send (
    input logic clk,
    input logic rst,

    // A packet: two words of header, then the frame
    input  logic        s_valid,
    input  logic [63:0] s_data,
    input  logic        s_head,   // the header's first word
    input  logic        s_last,
    input  logic [ 7:0] s_keep,
    output logic        s_ready,

    // The engine (cores/ate)
    output logic [31:0] tx_data_net,
    output logic        tx_sof_net,
    output logic        tx_eof_net,
    output logic [ 1:0] tx_len_net,   // bytes of the last word, 0: four
    input  logic        tx_ack_net,
    input  logic        tx_drop_net,

    output logic event_sent,
    output logic event_refused
);
  typedef enum logic [1:0] {
    HEAD,   // the header's first word
    STAMP,  // its second
    LOW,    // the lower half of a word of the frame
    HIGH
  } state_e;
  state_e state_q;
  logic first_q, refused_q, in_frame, end_low;
  logic [3:0] keep;

  assign in_frame    = s_valid & (state_q == LOW || state_q == HIGH);
  assign end_low     = s_last & (s_keep[7:4] == 0);
  assign keep        = state_q == HIGH ? s_keep[7:4] : s_keep[3:0];
  assign tx_data_net = state_q == HIGH ? s_data[63:32] : s_data[31:0];
  assign tx_sof_net  = in_frame & first_q;
  assign tx_eof_net  = in_frame & (state_q == HIGH ? s_last : end_low);
  assign tx_len_net  = {keep[1] & ~keep[3], (keep[0] & ~keep[1]) | (keep[2] & ~keep[3])};
  always_comb begin
    case (state_q)
      LOW:     s_ready = tx_ack_net & end_low;
      HIGH:    s_ready = tx_ack_net;
      default: s_ready = 1'b1;
    endcase
  end

  always_ff @(posedge clk) begin
    event_sent    <= tx_ack_net & tx_eof_net & ~(tx_drop_net | refused_q);
    event_refused <= tx_ack_net & tx_eof_net & (tx_drop_net | refused_q);
    case (state_q)
      HEAD: begin
        first_q   <= 1'b1;
        refused_q <= 1'b0;
        if (s_valid && s_head) state_q <= STAMP;
      end
      STAMP: if (s_valid) state_q <= LOW;
      default: begin
        if (tx_ack_net && in_frame) begin
          first_q   <= 1'b0;
          refused_q <= refused_q | tx_drop_net;
          if (tx_eof_net) state_q <= HEAD;
          else state_q <= state_q == LOW ? HIGH : LOW;
        end
      end
    endcase
    if (rst) state_q <= HEAD;
  end
endmodule
