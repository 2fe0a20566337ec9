// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// cdc_bits for tests: a bit that changes together with the edge that captures it is captured as it was, or, where the
// test has set its bit of `late`, as it becomes.  The test raises both clocks at once and lets them fall before the next
// edge (cdc_clocks.py): at the falling edge the first stage settles.
module cdc_bits #(
    parameter int WIDTH  = 1,
    parameter int STAGES = 2
) (
    input logic clk,
    input logic rst,

    input  logic [WIDTH-1:0] d,
    output logic [WIDTH-1:0] q
);
  logic [WIDTH-1:0] late  /* verilator public_flat_rw */;  // the test writes here
  logic [STAGES-1:0][WIDTH-1:0] stage_q;
  logic cleared_q;

  initial begin
    late = '0;
    stage_q = '0;
    cleared_q = 1'b1;
  end
  always_ff @(posedge clk or negedge clk) begin
    if (clk) begin
      stage_q   <= rst ? '0 : {stage_q[STAGES-2:0], d};
      cleared_q <= rst;
    end else if (!cleared_q) begin
      stage_q[0] <= (stage_q[0] & ~late) | (d & late);
    end
  end
  assign q = stage_q[STAGES-1];
endmodule
