// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes packets as long as they were granted.
//
// Latency: none; a beat in each cycle.
//
// Interface: packet is the one whose beats come next.  Beats are full up to the last one; a packet without payload is one
// beat of 0 bytes.
//
// Operation: a packet that ends too early is filled up with zeros, one that does not end is cut.  It is written as it was
// granted, its entry has the error, and the next packet is not touched.
//
//   beat is      | the granted bytes end with it     | they go on
//   the last one | the packet ends                   | PAD: the beat waits while zeros are written
//   another one  | EXCESS: beats are dropped         | goes on
//
// An inline packet is one beat, which goes into the user's data of its entry instead: qdma_c2h_inline.
module qdma_c2h_intake
  import qdma_tlp_pkg::*;
  import qdma_c2h_pkg::*;
#(
    parameter bit INLINE = 1'b0  // there are inline packets
) (
    input logic clk,
    input logic rst,

    input  logic        packet_valid,
    output logic        packet_ready,
    input  c2h_packet_t packet,

    input  logic            beat_valid,
    output logic            beat_ready,
    input  beat_t           beat_data,
    input  logic      [6:0] beat_bytes,
    input  logic            beat_last,
    input  c2h_user_t       user,        // with the last beat

    output logic  data_valid,
    input  logic  data_ready,
    output beat_t data,

    output logic       entry_valid,
    input  logic       entry_ready,
    output c2h_entry_t entry
);
  localparam int BYTES = BEAT_BITS / 8;
  typedef enum logic [1:0] {
    INSIDE,
    PAD,
    EXCESS
  } state_e;
  state_e state_q, state;
  logic begun_q, is_final, is_inline, writes, ends, accepts, fits, moves;
  logic [15:0] left_q, left;
  logic [6:0] wanted;
  c2h_user_t entry_user;
  assign left      = begun_q ? left_q : packet.bytes;
  assign is_final  = left <= 16'(BYTES);
  assign wanted    = is_final ? left[6:0] : 7'(BYTES);
  assign is_inline = INLINE & packet.is_inline;

  always_comb begin
    state = state_q;
    case (state_q)
      INSIDE: begin
        writes  = (left != '0) & ~is_inline;
        ends    = beat_last & is_final;
        accepts = ends | ~beat_last;
        if (beat_last && !is_final) state = PAD;
        if (!beat_last && is_final) state = EXCESS;
      end
      PAD: begin
        writes  = 1'b1;
        ends    = is_final;
        accepts = is_final;
        if (is_final) state = INSIDE;
      end
      default: begin
        writes  = 1'b0;
        ends    = beat_last;
        accepts = 1'b1;
        if (beat_last) state = INSIDE;
      end
    endcase
    for (int i = 0; i < BYTES; i++) begin
      data[8*i+:8] = state_q == INSIDE && 7'(i) < beat_bytes ? beat_data[8*i+:8] : '0;
    end
  end
  assign fits         = (~writes | data_ready) & (~ends | entry_ready);
  assign moves        = packet_valid & beat_valid & fits;
  assign beat_ready   = packet_valid & fits & accepts;
  assign packet_ready = moves & ends;
  assign data_valid   = packet_valid & beat_valid & writes & (~ends | entry_ready);
  assign entry_valid  = packet_valid & beat_valid & ends & (~writes | data_ready);
  assign entry        = '{packet: packet, is_mismatched: state_q != INSIDE || beat_bytes != wanted, user: entry_user};

  qdma_c2h_inline #(
      .INLINE(INLINE)
  ) inliner (
      .is_inline,
      .bytes(packet.bytes[5:0]),
      .data,
      .user,
      .entry_user
  );

  always_ff @(posedge clk) begin
    if (moves) begin
      state_q <= state;
      begun_q <= ~ends;
      left_q  <= left - 16'(wanted);
    end
    if (rst) begin
      state_q <= INSIDE;
      begun_q <= 1'b0;
    end
  end
endmodule
