// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Synchronous 2:1 transmit bridge: 32-bit words of a user at half the clock to the 16-bit words of macpcs_tx.
// Latency: none.  The low half of a word is on m_axis in the fast cycle in which the user's registers change, through
// one LUT; the high half follows in the next fast cycle with m_axis_tready.
//
//   fast cycle      first   second | first   second | first    second   | first    second
//   s_axis          W0             | W1             | W2                | W3
//   m_axis_tready   1       1      | 1       1      | 0        1        | 1        1
//   m_axis          W0l     W0h    | W1l     W1h    | W2l      W2l      | W2h      W3l
//   s_axis_tready           1      |         1      |          1        |          1
//
// s_axis_tready says "taken, or its low half is and its high half is saved".  It can change in mid slow cycle and is
// right at the slow edge: the path from it to the user's registers has one fast cycle.
//
// Assumes: s_axis comes from registers on the slow clock and follows the rules of macpcs_tx: the first word of a frame
// is held until it is taken, then there is a word in every slow cycle with tready.  Then macpcs_tx has a half whenever
// it asks for one: of the two fast cycles of a slow one, one asks for the rest of the word before at most.
// clk is the fast clock, `second` comes from sync_phase.  A reset in mid-frame drops the half that is saved and no
// more; the rest of the frame is then offered as if it were one: reset the user too.
module macpcs_tx_bridge (
    input logic clk,
    input logic rst,
    input logic second,

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
  logic taken_q;  // in the second half of a slow cycle: the first half has taken the word that the user still shows
  logic valid, ready;
  assign valid         = s_axis_tvalid & ~taken_q;
  assign s_axis_tready = ready | taken_q;

  always_ff @(posedge clk) taken_q <= ~rst & ~second & valid & ready;

  axis_narrow u_narrow (
      .clk,
      .rst,
      .s_axis_tdata,
      .s_axis_tkeep,
      .s_axis_tvalid(valid),
      .s_axis_tready(ready),
      .s_axis_tlast,
      .s_axis_tuser,
      .m_axis_tdata,
      .m_axis_tkeep,
      .m_axis_tvalid,
      .m_axis_tready,
      .m_axis_tlast,
      .m_axis_tuser
  );
endmodule
