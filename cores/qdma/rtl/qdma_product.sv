// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The product of two settings that software changes seldom, limited to the largest value of the result.
//
// Latency: at most 2 * WIDTH + 2 cycles after a factor has changed.  Until then the product is the one before.
//
// Operation: shift and add, a bit of b a cycle, round after round.
module qdma_product #(
    parameter int WIDTH = 12,
    parameter int RESULT_WIDTH = 16  // at most 2 * WIDTH
) (
    input logic clk,
    input logic rst,

    input  logic [       WIDTH-1:0] a,
    input  logic [       WIDTH-1:0] b,
    output logic [RESULT_WIDTH-1:0] product
);
  localparam int STEP_BITS = $clog2(WIDTH + 1);
  logic [STEP_BITS-1:0] step_q;
  logic [2*WIDTH-1:0] shifted_q, sum_q;
  logic [WIDTH-1:0] left_q;  // bits of b that are left

  always_ff @(posedge clk) begin
    if (step_q == '0) begin
      product   <= |(sum_q >> RESULT_WIDTH) ? '1 : RESULT_WIDTH'(sum_q);
      shifted_q <= (2 * WIDTH)'(a);
      left_q    <= b;
      sum_q     <= '0;
    end else begin
      if (left_q[0]) sum_q <= sum_q + shifted_q;
      shifted_q <= shifted_q << 1;
      left_q    <= left_q >> 1;
    end
    step_q <= step_q == STEP_BITS'(WIDTH) ? '0 : step_q + 1'b1;
    if (rst) begin
      step_q  <= '0;
      sum_q   <= '0;
      product <= '0;
    end
  end
endmodule
