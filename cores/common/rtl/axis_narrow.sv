// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// 32-bit AXI-Stream to 16 bits, on one clock, low half first.
// Latency: none.  A low half passes straight through (one LUT); the high half is kept in a register when the low half
// goes, and is offered from the next cycle on.  So s_axis_tready hangs on no data: it is m_axis_tready while a low half
// is due.
//
// A word with tlast and tkeep[3:2] = 0 has a low half only, which then bears tlast.  Any other word has two.  What is
// no legal tkeep at 32 bits (f before tlast; 1, 3, 7, f with it) gives at least one half whose tkeep is not legal at 16
// bits (3 before tlast; 1, 3 with it): a receiver that checks tkeep sees every error.
//
//   tlast  tkeep    low half         high half
//   0      any      tkeep[1:0]       tkeep[3:2]
//   1      00xx     tkeep[1:0] last  -
//   1      else     tkeep[1:0]       tkeep[3:2] last
//
// tuser goes with the low half.
module axis_narrow (
    input logic clk,
    input logic rst,

    input  logic [31:0] s_axis_tdata,
    input  logic [ 3:0] s_axis_tkeep,
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic        s_axis_tlast,
    input  logic        s_axis_tuser,

    output logic [15:0] m_axis_tdata,
    output logic [ 1:0] m_axis_tkeep,
    output logic        m_axis_tvalid,
    input  logic        m_axis_tready,
    output logic        m_axis_tlast,
    output logic        m_axis_tuser
);
  logic high_q;  // a high half waits
  logic [15:0] data_q;
  logic [1:0] keep_q;
  logic last_q;

  logic single;  // no high half
  assign single        = s_axis_tlast & (s_axis_tkeep[3:2] == 0);

  assign m_axis_tvalid = high_q | s_axis_tvalid;
  assign m_axis_tdata  = high_q ? data_q : s_axis_tdata[15:0];
  assign m_axis_tkeep  = high_q ? keep_q : s_axis_tkeep[1:0];
  assign m_axis_tlast  = high_q ? last_q : single;
  assign m_axis_tuser  = ~high_q & s_axis_tuser;
  assign s_axis_tready = ~high_q & m_axis_tready;

  always_ff @(posedge clk) begin
    if (m_axis_tready) high_q <= ~high_q & s_axis_tvalid & ~single;
    if (!high_q) {data_q, keep_q, last_q} <= {s_axis_tdata[31:16], s_axis_tkeep[3:2], s_axis_tlast};
    if (rst) high_q <= 1'b0;
  end
endmodule
