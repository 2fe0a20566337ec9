// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Asserts that qdma_usp_rq begins no TLP that it cannot go on with: the PCIe block allows no pause within one.
module qdma_usp_no_pause (
    input logic clk,
    input logic rst,
    input logic in_tlp,
    input logic posted_valid,
    input logic advance,
    input logic leaves,
    input logic ends
);
  logic open_q;  // the TLP that leaves has not ended
  always_ff @(posedge clk) begin
    if (advance && leaves) open_q <= ~ends;
    if (rst) open_q <= 1'b0;
  end
  posted_goes_on :
  assert property (@(posedge clk) disable iff (rst) in_tlp |-> posted_valid);
  rq_goes_on :
  assert property (@(posedge clk) disable iff (rst) open_q && advance |-> leaves);
endmodule
