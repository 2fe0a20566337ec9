// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of macpcs_tx_fcs: after any sequence of words of a frame, with a last word of any length, `crc` is the CRC
// register after all their bytes; it stands still while `step` is low.
//
// The reference takes a word by crc32_word, and a last word of k bytes by the "moved up" formula of crc32_pkg;
// crc32_words.sv proves that these are 32 and 8k serial shifts.
//
// Assumed: unused bytes of a last word are zero (macpcs_tx_frame makes them so).
module tx_fcs
  import crc32_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1
) (
    input logic        clk,
    // Free in every cycle
    input logic        step,
    input logic        first,
    input logic [31:0] data,
    input logic [ 1:0] bytes
);
  logic [31:0] crc;
  macpcs_tx_fcs dut (
      .clk,
      .step,
      .first,
      .data,
      .bytes,
      .crc
  );

  logic [31:0] used, x, crc_q;
  logic began_q = 1'b0;
  assign used = bytes == 0 ? 32'hffffffff : ~(32'hffffffff << (8 * bytes));
  assign x    = (first ? 32'hffffffff : crc_q) ^ data;
  always_ff @(posedge clk)
    if (step) begin
      began_q <= began_q | first;
      crc_q   <= bytes == 0 ? crc32_word(x) : crc32_word(x << (8 * (4 - bytes))) ^ (x >> (8 * bytes));
    end

  always_comb begin
    assume ((data & ~used) == 0);
    if (began_q) assert (crc == crc_q);
  end
  // No invariant is needed beside the claim.
  logic unused;
  assign unused = INVARIANTS;
endmodule
