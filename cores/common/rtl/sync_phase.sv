// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Where in a slow clock cycle a fast clock cycle lies; the fast clock runs at twice the slow one.
// Latency: none; `second` is right from the third fast edge on.
//
//   slow_clk   /---\___/---\___/
//   fast_clk   /-\_/-\_/-\_/-\_/
//   second     ____/---\___/---\      high in the fast cycle that ends with a slow edge
//
// Assumes: both clocks come from one source and their rising edges are aligned, so that the tools time the paths
// between them.  This toggle is the only register of a bridge that the slow clock drives.  It needs no reset: whatever
// it begins with, it changes at each slow edge and at no other fast edge.
module sync_phase (
    input  logic slow_clk,
    input  logic fast_clk,
    output logic second
);
  // A known start, for simulators with X.
  logic toggle_q = 1'b0;
  logic seen_q;
  always_ff @(posedge slow_clk) toggle_q <= ~toggle_q;
  always_ff @(posedge fast_clk) begin
    seen_q <= toggle_q;
    second <= toggle_q ^ seen_q;
  end
endmodule
