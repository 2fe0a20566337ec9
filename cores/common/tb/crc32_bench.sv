// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// crc32_pkg's functions behind ports, for the tests.
module crc32_bench
  import crc32_pkg::*;
(
    input  logic [31:0] crc,
    input  logic [31:0] data,
    input  logic [ 1:0] bytes,    // of data, 1..3; 0 for four
    output logic [31:0] word,     // register after the bytes of data
    output logic [31:0] half,     // register after two bytes of data, or one where bytes is 1
    output logic [31:0] unshift1,
    output logic [31:0] unshift4
);
  always_comb begin
    case (bytes)
      2'd1: word = (crc >> 8) ^ crc32_word((crc ^ data) << 24);
      2'd2: word = (crc >> 16) ^ crc32_word((crc ^ data) << 16);
      2'd3: word = (crc >> 24) ^ crc32_word((crc ^ data) << 8);
      default: word = crc32_word(crc ^ data);
    endcase
    half = bytes == 2'd1 ? {8'h00, crc[31:8]} ^ crc32_halfword({crc[7:0] ^ data[7:0], 8'h00}) : {16'h0000, crc[31:16]} ^
        crc32_halfword(crc[15:0] ^ data[15:0]);
    unshift1 = crc32_unshift(crc32_shift(crc, 8), 8);
    unshift4 = crc32_unshift(crc, 32);
  end
endmodule
