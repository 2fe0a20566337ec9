// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Lines of 64 bytes to each session of the app that is connected, in turn, in blocks of 1024 bytes, as fast as its credit lets it.
// Byte c of line l of a block is 0x30 + (l + c) % 64, but for the last two, CR and LF.
module app_generator
  import toe_pkg::*;
#(
    parameter int SESSIONS = 16  // the low bits of their numbers differ
) (
    input logic clk,
    input logic rst,

    // Of this app's sessions
    input logic event_valid,
    input event_e event_code,
    input sid_t event_sid,
    input logic credit_valid,
    input sid_t credit_sid,
    input logic [31:0] credit,

    output logic [63:0] m_tdata,
    output logic [ 7:0] m_tkeep,
    output logic        m_tvalid,
    input  logic        m_tready,
    output logic        m_tlast,
    output sid_t        m_tdest,
    output logic [15:0] m_length
);
  localparam int BITS = $clog2(SESSIONS);
  localparam int BLOCK = 1024;
  logic [SESSIONS-1:0] on_q, may_q;  // connected; has credit for a block
  logic [BITS-1:0] sid_q;
  logic [9:BITS] base_q;  // the high bits of their numbers
  logic busy_q;
  logic [6:0] beat_q;
  logic [5:0] mark;

  assign m_tvalid = busy_q;
  assign m_tkeep  = 8'hff;
  assign m_tlast  = beat_q == 7'd127;
  assign m_tdest  = {base_q, sid_q};
  assign m_length = 16'(BLOCK);
  always_comb begin
    for (int i = 0; i < 8; ++i) begin
      mark = {2'd0, beat_q[6:3]} + {beat_q[2:0], 3'(i)};
      m_tdata[8*i+:8] = 8'h30 + {2'd0, mark};
    end
    if (beat_q[2:0] == 3'd7) m_tdata[63:48] = 16'h0a0d;
  end

  always_ff @(posedge clk) begin
    if (busy_q) begin
      if (m_tready) beat_q <= beat_q + 1'b1;
      if (m_tready && m_tlast) {busy_q, may_q[sid_q]} <= '0;
    end else if (on_q[sid_q] && may_q[sid_q]) busy_q <= 1'b1;
    else sid_q <= sid_q + 1'b1;
    if (credit_valid) may_q[credit_sid[BITS-1:0]] <= credit >= BLOCK;
    if (event_valid) begin
      base_q <= event_sid[9:BITS];
      on_q[event_sid[BITS-1:0]] <= event_code == EV_CONNECTED;
    end
    if (rst) {busy_q, beat_q, on_q} <= '0;
  end
endmodule
