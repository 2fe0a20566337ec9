// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Brings bits into the clock domain of clk: STAGES flip-flops for each.
// Latency: q has a bit after the STAGES-th edge of clk that follows its change, now and then one edge later (where the
// change falls into the setup window).
//
// Each bit of d must come straight from a register and stay as it is for longer than a period of clk, or nobody may
// mind that a short pulse is missed.  The bits arrive independently: several that change together may be seen apart, so
// a value must be in Gray code or not change while it is looked at.
// rst clears the chain, for a user who wants to forget what is on the way; tie it to 0 otherwise.  After configuration
// the chain is 0.
//
// Constraint: false path (or a maximum delay without skew) from d to the first stage.  For a Gray code the bits must
// arrive within one period of their source clock of each other: set_max_delay -datapath_only, or set_bus_skew.
module cdc_bits #(
    parameter int WIDTH  = 1,
    parameter int STAGES = 2
) (
    input logic clk,
    input logic rst,

    input  logic [WIDTH-1:0] d,
    output logic [WIDTH-1:0] q
);
  if (STAGES < 2) begin : gen_bad_stages
    $error("cdc_bits: STAGES must be at least 2");
  end

  (* ASYNC_REG = "TRUE" *) logic [STAGES-1:0][WIDTH-1:0] stage_q = '0;

  always_ff @(posedge clk) begin
    stage_q <= {stage_q[STAGES-2:0], d};
    if (rst) stage_q <= '0;
  end
  assign q = stage_q[STAGES-1];
endmodule
