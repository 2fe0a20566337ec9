// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// CRC register of the transmitter, for a last word of any length with one CRC matrix (see crc32_pkg).
// Latency: 1 step; `crc` includes the word given in the step before.
//
// The word is XORed with the register; a last word of k = 1..3 bytes is moved up to the top, so that the matrix serves
// it too, and the bytes of the register that it does not use up are added after the matrix.
//
// With AMEND, `amend` is XORed into the word of the step before, which the register has taken up by then.  CRC is linear:
// what these bits make of the register three words later is worked out in this step and added at the end of the next.
// So two whole words follow an amended one.
module macpcs_tx_fcs
  import crc32_pkg::*;
#(
    parameter bit AMEND = 1'b0
) (
    input logic clk,

    input logic        step,
    input logic        first,  // the word is the first of a frame
    input logic [31:0] data,   // unused bytes are zero
    input logic [ 1:0] bytes,  // 1..3 for a shorter last word, else 0
    input logic [31:0] amend,  // of the word before

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

  logic [31:0] late_q;  // what is missing in the register after this word
  if (AMEND) begin : gen_amend
    // A row has 20 ones at most: like crc32_word in sixes.
    localparam crc32_matrix_t MATRIX = crc32_matrix(96);
    localparam crc32_matrix_t PART0 = crc32_six_ones(MATRIX, 0);
    localparam crc32_matrix_t PART1 = crc32_six_ones(MATRIX, 1);
    localparam crc32_matrix_t PART2 = crc32_six_ones(MATRIX, 2);
    localparam crc32_matrix_t PART3 = crc32_six_ones(MATRIX, 3);
    logic [31:0] late;
    always_comb
      for (int i = 0; i < 32; i++)
        late[i] = (^(PART0[i] & amend)) ^ (^(PART1[i] & amend)) ^ (^(PART2[i] & amend)) ^ (^(PART3[i] & amend));
    always_ff @(posedge clk) if (step) late_q <= late;
  end else begin : gen_no_amend
    assign late_q = '0;
    logic unused;
    assign unused = &amend;
  end
  always_ff @(posedge clk) if (step) crc <= crc32_word(top) ^ rest ^ late_q;
endmodule
