// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Checkers of qdma_usp_rq: the stream to the PCIe block is held until it is accepted, and no TLP has a pause.
bind qdma_usp_rq axis_checker #(
    .WIDTH($bits(s_axis_rq_tdata) + $bits(s_axis_rq_tuser))
) check_rq (
    .clk,
    .rst,
    .valid  (s_axis_rq_tvalid),
    .ready  (s_axis_rq_tready),
    .payload({s_axis_rq_tdata, s_axis_rq_tuser})
);

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

bind qdma_usp_rq qdma_usp_no_pause no_pause (
    .clk,
    .rst,
    .in_tlp(in_tlp_q),
    .posted_valid,
    .advance,
    .leaves(leave_valid[0]),
    .ends  (leave_valid[1] ? leave[1].is_eop : leave[0].is_eop)
);
