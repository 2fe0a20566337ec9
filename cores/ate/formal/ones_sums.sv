// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of ones_pkg, for all operands: ones_add and ones_add3 are the sum modulo 65535, and 0 only for operands that are
// all 0, where 65535 stands for the other zero; which is what folding the plain sum gives.
module ones_sums
  import ones_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1  // there is none beside the claim
) (
    input logic clk,
    input logic [15:0] a,
    input logic [15:0] b,
    input logic [15:0] c
);
  function automatic logic [15:0] modulo(input logic [17:0] sum);  // of at most three operands
    if (sum == 0) return 16'd0;
    return sum <= 18'd65535 ? sum[15:0] : sum <= 18'd131070 ? 16'(sum - 18'd65535) : 16'(sum - 18'd131070);
  endfunction
  logic began_q = 1'b0;
  always_ff @(posedge clk) began_q <= 1'b1;
  always_comb begin
    if (began_q) begin
      assert (ones_add(a, b) == modulo(18'(a) + 18'(b)));
      assert (ones_add3(a, b, c) == modulo(18'(a) + 18'(b) + 18'(c)));
    end
  end
endmodule
