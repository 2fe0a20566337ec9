// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Events of several modules to the user, in turn.
// Latency: WAIT + 1 cycles or more: the user may answer at once, so what is reported must hold everywhere by then (a limit
// takes 7 cycles from the TCP machine to where payload is taken).  A module waits until its event has been taken.
module toe_events
  import toe_pkg::*;
#(
    parameter int SOURCES = 3,
    parameter int WAIT = 8
) (
    input logic clk,
    input logic rst,

    input  logic   [SOURCES-1:0] s_valid,
    output logic   [SOURCES-1:0] s_ready,
    input  event_e [SOURCES-1:0] s_code,
    input  sid_t   [SOURCES-1:0] s_sid,

    output logic   m_valid,
    input  logic   m_ready,
    output event_e m_code,
    output sid_t   m_sid
);
  // The one whose turn it is; the turn passes on in each cycle in which it has nothing, or has been served.
  logic [$clog2(SOURCES)-1:0] turn_q;
  logic [ $clog2(WAIT+1)-1:0] waited_q;
  logic ready, take;
  assign ready = (waited_q == ($bits(waited_q))'(WAIT)) & (~m_valid | m_ready);
  assign take  = s_valid[turn_q] & ready;
  always_comb for (int i = 0; i < SOURCES; i++) s_ready[i] = ready & (turn_q == ($bits(turn_q))'(i));
  always_ff @(posedge clk) begin
    if (take) {m_code, m_sid} <= {s_code[turn_q], s_sid[turn_q]};
    m_valid <= ~rst & (take | (m_valid & ~m_ready));
    if (take || !s_valid[turn_q]) turn_q <= turn_q == ($bits(turn_q))'(SOURCES - 1) ? '0 : turn_q + 1'b1;
    if (take || !s_valid[turn_q]) waited_q <= '0;
    else if (waited_q != ($bits(waited_q))'(WAIT)) waited_q <= waited_q + 1'b1;
    if (rst) {turn_q, waited_q} <= '0;
  end
endmodule
