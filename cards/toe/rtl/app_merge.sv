// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Payloads of several apps to toe, one packet after the other, in turn.
// Latency: a cycle before a packet's first beat, in which its session and length go into registers: toe looks these up in the
// cycle of the first beat, and has no time for a choice before that.  The others none.
module app_merge
  import toe_pkg::*;
#(
    parameter int APPS = 3
) (
    input logic clk,
    input logic rst,

    input  logic [APPS-1:0][63:0] s_tdata,
    input  logic [APPS-1:0][ 7:0] s_tkeep,
    input  logic [APPS-1:0]       s_tvalid,
    output logic [APPS-1:0]       s_tready,
    input  logic [APPS-1:0]       s_tlast,
    input  sid_t [APPS-1:0]       s_tdest,
    input  logic [APPS-1:0]       s_length_given,
    input  logic [APPS-1:0][15:0] s_length,

    output logic [63:0] m_tdata,
    output logic [ 7:0] m_tkeep,
    output logic        m_tvalid,
    input  logic        m_tready,
    output logic        m_tlast,
    output sid_t        m_tdest,
    output logic        m_length_given,
    output logic [15:0] m_length
);
  // The turn passes on after a packet, and while the one whose turn it is has nothing.
  logic [$clog2(APPS)-1:0] turn_q;
  logic inside_q;  // m_tdest and the length are those of a packet
  assign m_tdata  = s_tdata[turn_q];
  assign m_tkeep  = s_tkeep[turn_q];
  assign m_tvalid = inside_q & s_tvalid[turn_q];
  assign m_tlast  = s_tlast[turn_q];
  always_comb begin
    s_tready = '0;
    s_tready[turn_q] = inside_q & m_tready;
  end
  always_ff @(posedge clk) begin
    inside_q <= inside_q ? ~(m_tvalid & m_tready & m_tlast) : s_tvalid[turn_q];
    if (!inside_q) {m_tdest, m_length_given, m_length} <= {s_tdest[turn_q], s_length_given[turn_q], s_length[turn_q]};
    if (inside_q ? m_tvalid & m_tready & m_tlast : !s_tvalid[turn_q]) begin
      turn_q <= turn_q == ($bits(turn_q))'(APPS - 1) ? '0 : turn_q + 1'b1;
    end
    if (rst) {inside_q, turn_q} <= '0;
  end
endmodule
