// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// How a block lies beside the intervals of the scoreboard: before, touching, after.  Combinational.
module toe_sack_touch #(
    parameter int INTERVALS = 4,
    parameter int WIDTH = 18
) (
    input logic [INTERVALS-1:0]            list_on,
    input logic [INTERVALS-1:0][WIDTH-1:0] list_start,
    input logic [INTERVALS-1:0][WIDTH-1:0] list_stop,

    input logic [WIDTH-1:0] start,
    input logic [WIDTH-1:0] stop,

    output logic [INTERVALS-1:0] below,    // intervals in front of the block, with a gap
    output logic [INTERVALS-1:0] touched,
    output logic [INTERVALS-1:0] lower,    // touched ones that begin no later
    output logic [INTERVALS-1:0] higher,   // touched ones that end no earlier
    output logic                 known     // the block lies in one
);
  always_comb begin
    for (int i = 0; i < INTERVALS; i++) begin
      below[i]   = list_on[i] & (list_stop[i] < start);
      touched[i] = list_on[i] & (list_stop[i] >= start) & (list_start[i] <= stop);
      lower[i]   = touched[i] & (list_start[i] <= start);
      higher[i]  = touched[i] & (list_stop[i] >= stop);
    end
    known = (lower & higher) != 0;
  end
endmodule
