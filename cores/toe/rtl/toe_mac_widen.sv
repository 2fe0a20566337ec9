// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Words of 32 bits to 64 bits for the MAC, the first in the low half.
// Latency: a word is on offer in the cycle in which its second half comes, 1 cycle after its first one.  A frame of an odd number of
// words ends with a low half only, in its own cycle.
//
// From a frame's first word on there is one in every cycle with m_axis_tready, if that is never high in two cycles in a row and
// s_axis has a word in every cycle with s_axis_tready.  tuser is that of either half.
module toe_mac_widen (
    input logic clk,
    input logic rst,

    input  logic [31:0] s_axis_tdata,
    input  logic [ 3:0] s_axis_tkeep,   // all but with tlast
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic        s_axis_tlast,
    input  logic        s_axis_tuser,

    output logic [63:0] m_axis_tdata,
    output logic [ 7:0] m_axis_tkeep,
    output logic        m_axis_tvalid,
    input  logic        m_axis_tready,
    output logic        m_axis_tlast,
    output logic        m_axis_tuser
);
  logic low_q, user_q;  // a low half waits for its other one
  logic [31:0] data_q;
  assign m_axis_tvalid = s_axis_tvalid & (low_q | s_axis_tlast);
  assign m_axis_tdata  = low_q ? {s_axis_tdata, data_q} : {32'h0, s_axis_tdata};
  assign m_axis_tkeep  = low_q ? {s_axis_tkeep, 4'hf} : {4'h0, s_axis_tkeep};
  assign m_axis_tlast  = s_axis_tlast;
  assign m_axis_tuser  = s_axis_tuser | (low_q & user_q);
  assign s_axis_tready = m_axis_tready | ~(low_q | s_axis_tlast);
  always_ff @(posedge clk) begin
    if (s_axis_tvalid && s_axis_tready) begin
      low_q  <= ~low_q & ~s_axis_tlast;
      data_q <= s_axis_tdata;
      user_q <= s_axis_tuser;
    end
    if (rst) low_q <= 1'b0;
  end
endmodule
