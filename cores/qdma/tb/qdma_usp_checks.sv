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

bind qdma_usp_rq qdma_usp_no_pause no_pause (
    .clk,
    .rst,
    .in_tlp(in_tlp_q),
    .posted_valid,
    .advance,
    .leaves(leave_valid[0]),
    .ends  (leave_valid[1] ? leave[1].is_eop : leave[0].is_eop)
);
