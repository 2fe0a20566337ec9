// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of crc32_pkg, for every register value x (already XORed with the data), against the serial register of
// 802.3 clause 3.2.9, which takes one bit at a time:
//   moved up  8k shifts give crc32_word(x << 8(4-k)) ^ (x >> 8k), k = 1..4; for k = 4 that is crc32_word(x)
//   residue   8k shifts end at CRC32_RESIDUE if and only if x is crc32_unshift(CRC32_RESIDUE, 8k); for k = 4 that is all
//             ones: the FCS field is the complement of the register before it
//
// SAT solvers cannot compare sums of 17 terms modulo 2 in one go, so "moved up" is proved in three steps:
//   1. the formula for x is the sum of the formulas for the four bytes of x
//   2. so is any number of shifts: a register that starts at x and four that start at its bytes, shifted for ever
//   3. for one byte alone, 8k shifts and the formula agree
module crc32_words
  import crc32_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1
) (
    input logic              clk,
    input logic [31:0]       x,
    input logic [ 3:0][31:0] part  // start of the four registers of step 2
);
  function automatic logic [31:0] shift(logic [31:0] crc);
    return (crc >> 1) ^ (crc[0] ? 32'hedb88320 : 32'h0);  // x^32 + x^26 + x^23 + ... + 1, reflected
  endfunction

  function automatic logic [31:0] serial(logic [31:0] crc, int bytes);
    for (int i = 0; i < 8 * bytes; i++) crc = shift(crc);
    return crc;
  endfunction

  function automatic logic [31:0] formula(logic [31:0] crc, int bytes);
    return crc32_word(crc << (8 * (4 - bytes))) ^ (bytes == 4 ? 32'h0 : crc >> (8 * bytes));
  endfunction

  function automatic logic [31:0] only(logic [31:0] word, int i);
    return word & (32'hff << (8 * i));
  endfunction

  // Step 2
  logic began_q = 1'b0;
  logic [31:0] sum_q;
  logic [3:0][31:0] part_q;
  always_ff @(posedge clk) begin
    began_q <= 1'b1;
    sum_q   <= began_q ? shift(sum_q) : part[0] ^ part[1] ^ part[2] ^ part[3];
    for (int i = 0; i < 4; i++) part_q[i] <= began_q ? shift(part_q[i]) : part[i];
  end
  always_comb if (INVARIANTS && began_q) assert (sum_q == (part_q[0] ^ part_q[1] ^ part_q[2] ^ part_q[3]));

  always_comb
    for (int k = 1; k <= 4; k++) begin
      if (INVARIANTS)  // step 1
        assert (formula(
            x, k
        ) == (formula(
            only(x, 0), k
        ) ^ formula(
            only(x, 1), k
        ) ^ formula(
            only(x, 2), k
        ) ^ formula(
            only(x, 3), k
        )));
      for (int i = 0; i < 4; i++) assert (formula(only(x, i), k) == serial(only(x, i), k));  // step 3
      assert ((serial(x, k) == CRC32_RESIDUE) == (x == crc32_unshift(CRC32_RESIDUE, 8 * k)));
    end
  always_comb assert (crc32_unshift(CRC32_RESIDUE, 32) == '1);
endmodule
