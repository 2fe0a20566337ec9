// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Keeps the first queue that was found without progress while the watchdog was armed, until it is armed again.
//
// Latency: frozen follows stuck by 1 cycle; freezes is with stuck.
//
// Interface: freezes takes the arm away.  Of two directions in one cycle, H2C is kept.  An arm in the cycle of a freeze wins.
module qdma_freeze (
    input logic clk,
    input logic rst,

    input logic             armed,
    input logic             arm,       // for a cycle: armed follows it
    input logic [1:0]       stuck,     // H2C in 0, C2H in 1
    input logic [1:0][10:0] stuck_qid,

    output logic        freezes,
    output logic        frozen,
    output logic        is_c2h,
    output logic [10:0] qid
);
  assign freezes = armed & ~frozen & ~arm & (stuck != '0);
  always_ff @(posedge clk) begin
    if (freezes) begin
      frozen <= 1'b1;
      is_c2h <= ~stuck[0];
      qid    <= stuck_qid[~stuck[0]];
    end
    if (arm || rst) frozen <= 1'b0;
    if (rst) {is_c2h, qid} <= '0;
  end
endmodule
