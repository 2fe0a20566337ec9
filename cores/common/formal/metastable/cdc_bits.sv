// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// cdc_bits for proofs with several clocks (formal_run.py, Proof.clocks): a bit that changes at the very edge that
// captures it may be captured as it was or as it becomes, each bit by itself.  The first stage settles before the next
// stage looks at it, one step later.
module cdc_bits #(
    parameter int WIDTH  = 1,
    parameter int STAGES = 2
) (
    input logic clk,
    input logic rst,

    input  logic [WIDTH-1:0] d,
    output logic [WIDTH-1:0] q
);
  logic every_step;
  assign every_step = 1'b1;

  logic [WIDTH-1:0] late;  // undriven: free in each step
  logic [WIDTH-1:0] first_q;
  logic captured_q;  // in the step before this one
  logic [WIDTH-1:0] settled;
  assign settled = captured_q ? (first_q & ~late) | (d & late) : first_q;

  initial begin
    first_q    = '0;
    captured_q = 1'b0;
  end
  always_ff @(posedge every_step) begin
    first_q    <= clk ? (rst ? '0 : d) : settled;
    captured_q <= clk & ~rst;
  end

  logic [STAGES-1:1][WIDTH-1:0] stage_q;
  initial stage_q = '0;
  always_ff @(posedge clk) begin
    stage_q[1] <= settled;
    for (int i = 2; i < STAGES; i++) stage_q[i] <= stage_q[i-1];
    if (rst) stage_q <= '0;
  end
  assign q = stage_q[STAGES-1];
endmodule
