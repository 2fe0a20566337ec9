// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Protocol checker for an AXI4-Stream interface, or any channel with valid and ready, to be bound to an instance
// (AMBA AXI-Stream, 2.2).  `payload` is all that goes with valid.  A breach is an assertion that fails in simulation.
//   - valid, once high, stays, and the payload is stable, until ready
//   - valid is low in the cycle after a reset
module axis_checker #(
    parameter int WIDTH = 32
) (
    input logic             clk,
    input logic             rst,
    input logic             valid,
    input logic             ready,
    input logic [WIDTH-1:0] payload
);
  held :
  assert property (@(posedge clk) disable iff (rst) valid && !ready |=> valid && $stable(payload));
  low_after_reset :
  assert property (@(posedge clk) rst |=> !valid);
endmodule
