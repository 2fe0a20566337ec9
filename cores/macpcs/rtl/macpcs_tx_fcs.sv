// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// CRC register of the transmitter, for a last word of any length with one CRC matrix (see crc32_pkg).
// Latency: 1 step; `crc` includes the word given in the step before.
//
// The word is XORed with the register; a last word of k = 1..3 bytes is moved up to the top, so that the matrix serves
// it too, and the bytes of the register that it does not use up are added behind the matrix.
module macpcs_tx_fcs
  import crc32_pkg::*;
(
    input logic clk,

    input logic        step,
    input logic        first,  // the word is the first of a frame
    input logic [31:0] data,   // unused bytes are zero
    input logic [ 1:0] bytes,  // 1..3 for a shorter last word, else 0

    output logic [31:0] crc
);
  logic [31:0] old, sum, top, rest;
  assign old = first ? CRC32_INIT : crc;
  assign sum = old ^ data;
  always_comb begin
    case (bytes)
      2'd1: {top, rest} = {sum[7:0], 24'h0, 8'h0, old[31:8]};
      2'd2: {top, rest} = {sum[15:0], 16'h0, 16'h0, old[31:16]};
      2'd3: {top, rest} = {sum[23:0], 8'h0, 24'h0, old[31:24]};
      default: {top, rest} = {sum, 32'h0};
    endcase
  end
  always_ff @(posedge clk) if (step) crc <= crc32_word(top) ^ rest;
endmodule
