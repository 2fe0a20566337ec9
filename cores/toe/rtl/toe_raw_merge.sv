// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole frames of several sources onto one stream, in turn: while one waits, each of the others sends one frame at most.
// Latency: 1 cycle in front of each frame; none for its words, so a source that does not pause is not made to.
//
// Assumes: a word that is offered stays until it is taken.
module toe_raw_merge #(
    parameter int INPUTS = 2  // 2 or more
) (
    input logic clk,
    input logic rst,

    input  logic [INPUTS-1:0][31:0] s_tdata,
    input  logic [INPUTS-1:0][ 3:0] s_tkeep,
    input  logic [INPUTS-1:0]       s_tvalid,
    output logic [INPUTS-1:0]       s_tready,
    input  logic [INPUTS-1:0]       s_tlast,

    output logic [31:0] m_tdata,
    output logic [ 3:0] m_tkeep,
    output logic        m_tvalid,
    input  logic        m_tready,
    output logic        m_tlast
);
  localparam int BITS = $clog2(INPUTS);
  logic busy_q;
  logic [BITS-1:0] turn_q, next;  // whose frame it is, or was

  // The first with a frame after the one that had its turn; itself last
  always_comb begin
    next = turn_q;
    for (int i = INPUTS - 1; i > 0; i--) begin
      automatic int at = 32'(turn_q) + i;
      if (at >= INPUTS) at -= INPUTS;
      if (s_tvalid[at[BITS-1:0]]) next = at[BITS-1:0];
    end
  end

  assign m_tdata  = s_tdata[turn_q];
  assign m_tkeep  = s_tkeep[turn_q];
  assign m_tlast  = s_tlast[turn_q];
  assign m_tvalid = busy_q & s_tvalid[turn_q];
  always_comb begin
    s_tready         = '0;
    s_tready[turn_q] = busy_q & m_tready;
  end

  always_ff @(posedge clk) begin
    if (!busy_q) begin
      busy_q <= s_tvalid != 0;
      turn_q <= next;
    end else if (m_tvalid && m_tready && m_tlast) begin
      busy_q <= 1'b0;
    end
    if (rst) begin
      busy_q <= 1'b0;
      turn_q <= '0;
    end
  end
endmodule
