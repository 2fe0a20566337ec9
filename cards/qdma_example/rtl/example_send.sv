// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Sends the packets that were granted, in order.
//
// Latency: 1 cycle from granted_valid to the first beat; a beat in each cycle, also from packet to packet, but for the loop,
// which has 2 cycles between packets.
//
// Interface: `granted` is taken with the last beat; `sent` is that cycle.  loop_*: the beats of a packet of the loop.
// m_*: what qdma has as s_axis_c2h.
//
// Operation: the numbers of a start go on from packet to packet, and begin again with `restart`; each packet without end
// begins with 0.  A packet of an odd number of bytes has half of its last number; the next one goes on with the number after it.
module example_send
  import example_pkg::*;
(
    input logic clk,
    input logic rst,

    input logic        restart,
    input logic        stamps,   // packets that are made have `now` in bytes 7:0
    input logic [63:0] now,

    input  logic            granted_valid,
    output logic            granted_ready,
    input  packet_t         granted,
    input  logic            loop_valid,
    output logic            loop_ready,
    input  logic    [511:0] loop_data,

    output logic         m_tvalid,
    input  logic         m_tready,
    output logic [511:0] m_tdata,
    output logic         m_tlast,
    output logic [  5:0] m_tmty,
    output logic         m_tzero_byte,
    output logic         m_tuser_format
);
  logic [15:0] at_q, next_q, left, first;  // bytes of the packet that have gone; the next number of the start
  logic is_open, is_of_loop, is_last, moves, has_stamp;
  assign is_of_loop    = (granted.source == OF_LOOP) & (granted.bytes != '0);
  assign is_open       = ~m_tvalid | m_tready;
  assign moves         = is_open & granted_valid & (~is_of_loop | loop_valid);
  assign left          = granted.bytes - at_q;
  assign is_last       = left <= 16'd64;
  assign granted_ready = moves & is_last;
  assign loop_ready    = is_open & granted_valid & is_of_loop;
  assign first         = granted.source == OF_START ? next_q : at_q >> 1;

  assign has_stamp     = stamps & (granted.source != OF_LOOP) & (at_q == '0) & (granted.bytes >= 16'd8);

  always_ff @(posedge clk) begin
    if (moves) begin
      at_q    <= is_last ? '0 : at_q + 16'd64;
      m_tdata <= is_of_loop ? loop_data : pattern(first);
      if (has_stamp) m_tdata[63:0] <= now;
      m_tlast        <= is_last;
      m_tmty         <= is_last ? 6'(16'd64 - left) : '0;
      m_tzero_byte   <= granted.bytes == '0;
      m_tuser_format <= granted.has_user_format;
      if (granted.source == OF_START) next_q <= next_q + (is_last ? (left + 16'd1) >> 1 : 16'd32);
    end
    m_tvalid <= moves | (m_tvalid & ~m_tready);
    if (restart) next_q <= '0;
    if (rst) begin
      at_q     <= '0;
      m_tvalid <= 1'b0;
    end
  end

  logic unused;
  assign unused = &{1'b0, granted};
endmodule
