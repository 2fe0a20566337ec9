// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of macpcs_tx_fcs: after any sequence of words of a frame, with a last word of any length, `crc` is the CRC
// register after all their bytes; it stands still while `step` is low.
//
// Shown word by word, from any register value: the first word starts from all ones, each word of k bytes shifts its 8k
// bits in.  The 8k serial shifts are written with the formula of crc32_pkg; crc32_words.sv proves that they are the same.
// There is one copy of the module for each k, so that what the solver compares is alike.
//
// Assumed: unused bytes of a last word are zero (macpcs_tx_frame makes them so).
module tx_fcs
  import crc32_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1  // there is none beside the claim
) (
    input logic        clk,
    // Free in every cycle
    input logic        step,
    input logic        first,
    input logic [31:0] data
);
  logic began_q = 1'b0;
  always_ff @(posedge clk) began_q <= 1'b1;

  for (genvar k = 1; k <= 4; k++) begin : gen_bytes
    logic [31:0] word, crc, x, expected_q;
    assign word = data & (32'hffffffff >> (8 * (4 - k)));
    macpcs_tx_fcs dut (
        .clk,
        .step,
        .first,
        .data (word),
        .bytes(2'(k)),  // 0 for 4
        .amend('0),
        .crc
    );
    assign x = (first ? 32'hffffffff : crc) ^ word;
    always_ff @(posedge clk)
      expected_q <= !step ? crc : crc32_word(
          x << (8 * (4 - k))
      ) ^ (k == 4 ? 32'h0 : x >> (8 * k));
    always_comb if (began_q) assert (crc == expected_q);
  end
endmodule
