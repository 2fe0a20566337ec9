// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// 32:66 gearbox and descrambler: transceiver words in, payload words out.
// Latency: none; `user_data` is combinational from `pma_data`: 4:1, 4:1, then 2:1 XORed with the scrambler
// terms, three levels.
//
//   payload word   bits end_bit-31 .. end_bit   of the stream, bit 0 of pma_data being bit 0
//   header         bits end_bit_next-1, end_bit_next, in the cycle before the first payload word completes
//   type byte      the 8 bits after the header; they end in the same cycle if end_bit_next < 24, else in the next one
//
// The scrambler terms of the next payload word are XORed beforehand (terms_q), so descrambling costs one LUT input.
module macpcs_rx_align
  import macpcs_pkg::*;
(
    input logic clk,

    input logic  [31:0] pma_data,
    input slot_t        slot,
    input logic  [ 4:0] end_bit,
    input logic  [ 4:0] end_bit_next,
    input logic         user_late,     // user data lie one byte later: behind the type byte of a terminate block

    output logic [7:0] type_byte,  // of the block whose first payload word completes
    output logic [31:0] word_q,  // payload word of the cycle before
    output logic [31:0] user_data,
    output logic [1:0] header_next,
    output logic [7:0] type_early,  // type byte of the next block (of this one in its first slot), once it is complete
    output logic [1:0] type_header  // and the header before it
);
  logic [31:1] pma_q;

  // Payload word.  One bit more: aligned[32] is the first bit of the payload word that follows.
  logic [63:0] window;
  logic [39:0] coarse;
  logic [33:0] fine;
  logic [32:0] aligned;
  assign window = {1'b0, pma_data, pma_q};
  mux4 #(
      .WIDTH(40),
      .NAMED(1'b1)
  ) u_coarse (
      .d0 (window[39:0]),
      .d1 (window[47:8]),
      .d2 (window[55:16]),
      .d3 (window[63:24]),
      .sel(end_bit[4:3]),
      .y  (coarse)
  );
  mux4 #(
      .WIDTH(34),
      .NAMED(1'b1)
  ) u_fine (
      .d0 (coarse[33:0]),
      .d1 (coarse[35:2]),
      .d2 (coarse[37:4]),
      .d3 (coarse[39:6]),
      .sel(end_bit[2:1]),
      .y  (fine)
  );
  assign aligned = end_bit[0] ? fine[33:1] : fine[32:0];

  // Header and type byte: bits end_bit_next-1 .. end_bit_next+8.  The byte's end, end_bit_next+8 modulo 32, is
  // end_bit_next with its upper two bits turned by one, so one window and the same selectors serve both cases.
  logic [40:0] type_window;
  logic [16:0] type_coarse;
  logic [10:0] type_fine;
  logic [ 9:0] type_aligned;
  assign type_window = {pma_data, pma_q[31:23]};
  mux4 #(
      .WIDTH(17),
      .NAMED(1'b1)
  ) u_type_coarse (
      .d0 (type_window[24:8]),
      .d1 (type_window[32:16]),
      .d2 (type_window[40:24]),
      .d3 (type_window[16:0]),
      .sel(end_bit_next[4:3]),
      .y  (type_coarse)
  );
  mux4 #(
      .WIDTH(11),
      .NAMED(1'b1)
  ) u_type_fine (
      .d0 (type_coarse[10:0]),
      .d1 (type_coarse[12:2]),
      .d2 (type_coarse[14:4]),
      .d3 (type_coarse[16:6]),
      .sel(end_bit_next[2:1]),
      .y  (type_fine)
  );
  assign type_aligned = end_bit_next[0] ? type_fine[10:1] : type_fine[9:0];

  // The header alone, always of this cycle.
  logic [32:0] header_window;
  logic [ 8:0] header_coarse;
  logic [ 2:0] header_fine;
  assign header_window = {pma_data, pma_q[31]};
  mux4 #(
      .WIDTH(9),
      .NAMED(1'b1)
  ) u_header_coarse (
      .d0 (header_window[8:0]),
      .d1 (header_window[16:8]),
      .d2 (header_window[24:16]),
      .d3 (header_window[32:24]),
      .sel(end_bit_next[4:3]),
      .y  (header_coarse)
  );
  mux4 #(
      .WIDTH(3),
      .NAMED(1'b1)
  ) u_header_fine (
      .d0 (header_coarse[2:0]),
      .d1 (header_coarse[4:2]),
      .d2 (header_coarse[6:4]),
      .d3 (header_coarse[8:6]),
      .sel(end_bit_next[2:1]),
      .y  (header_fine)
  );
  assign header_next = end_bit_next[0] ? header_fine[2:1] : header_fine[1:0];

  logic [31:0] word, terms_q, before_q;
  logic [7:0] type_terms_q;
  assign word        = aligned[31:0] ^ terms_q;
  assign type_byte   = word[7:0];
  assign user_data   = user_late ? {word[7:0], word_q[31:8]} : word;
  assign type_early  = type_aligned[9:2] ^ type_terms_q;
  assign type_header = type_aligned[1:0];

  always_ff @(posedge clk) begin
    pma_q  <= pma_data[31:1];
    word_q <= word;
    if (!slot.stall) begin
      terms_q  <= scramble_terms(aligned[31:0], before_q);
      before_q <= aligned[31:0];
      // Terms of the next block's type byte.  They hang on the first half of the block before it and on one bit of the
      // second, so they are there even when the type byte ends in the same transceiver word as that second half.
      if (slot.pos == 0) type_terms_q <= {aligned[32], aligned[31:25]} ^ aligned[13:6];
      else type_terms_q[7] <= aligned[0] ^ before_q[13];
    end
  end
endmodule
