// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Takes completions out of the requester completion interface (RC) of the PCIe block, straddled at 16 bytes.
//
// Latency: 2 cycles from the beat in which a completion's 64 bytes end to their beat of the channel.  A beat of the
// channel in each cycle; RC waits only where more than one of them begins in one of its beats.  tready comes from
// registers alone.
//
// Interface: completion channel of qdma_tlp_pkg, without ready; the header is valid with every beat of a TLP.
//
// Operation: a descriptor has three dwords and begins at dword 0, 4, 8 or 12, so all beats of a completion begin at the
// same place of their beats of RC, the `start`: dword 3, 7, 11 or 15.  `beat_q` is the beat of RC in which the next one
// begins, and `next` the one on RC, where it ends unless the TLP does before.
//
// Errors: a code that is none of those below counts as a completer abort.  `discontinued`, for a cycle: the block has
// found an error in its own RAM after the header had left, and is to be reset (PG213); the data are as they came.
module qdma_usp_rc
  import qdma_tlp_pkg::*;
  import qdma_usp_pkg::*;
(
    input logic clk,
    input logic rst,

    input  logic     m_axis_rc_tvalid,
    output logic     m_axis_rc_tready,
    input  beat_t    m_axis_rc_tdata,
    input  rc_user_t m_axis_rc_tuser,

    output logic        completion_valid,
    output completion_t completion,
    output beat_t       completion_data,
    output logic        completion_last,
    output logic        discontinued
);
  localparam int STARTS = 4, HEADER_DWORDS = 3;
  typedef logic [$clog2(STARTS)-1:0] place_t;

  // --- A beat of RC: where TLPs begin and end, by 4 dwords
  typedef struct packed {
    logic [STARTS-1:0] sop;
    logic [STARTS-1:0] eop;
    place_t [STARTS-1:0] eop_dword;
    beat_t data;
  } segments_t;
  segments_t next, beat_q;
  always_comb begin
    next = '{data: m_axis_rc_tdata, default: '0};
    for (int i = 0; i < STARTS; i++) begin
      if (m_axis_rc_tuser.is_sop[i]) next.sop[m_axis_rc_tuser.sop_ptr[i]] = 1'b1;
      if (m_axis_rc_tuser.is_eop[i]) begin
        next.eop[m_axis_rc_tuser.eop_ptr[i][3:2]]       = 1'b1;
        next.eop_dword[m_axis_rc_tuser.eop_ptr[i][3:2]] = m_axis_rc_tuser.eop_ptr[i][1:0];
      end
    end
  end

  // --- The first start of beat_q, and whether its TLP ends before the next one
  logic [STARTS-1:0] starts_q, ahead;  // ahead: at or after this start
  logic takes, ends_here, ends_in_next, leaves, goes_on;
  place_t place, next_end;
  logic [3:0] next_last;  // dword in which the TLP ends, if it does so in next
  always_comb begin
    place = '0;
    for (int i = STARTS - 1; i >= 0; i--) if (starts_q[i]) place = place_t'(i);
    next_end = '0;
    for (int i = STARTS - 1; i >= 0; i--) if (next.eop[i]) next_end = place_t'(i);
    ahead = {STARTS{1'b1}} << place;
  end
  assign ends_here = |(beat_q.eop & ahead);
  assign next_last = {next_end, next.eop_dword[next_end]};
  assign ends_in_next = |next.eop & (next_last < {place, 2'(HEADER_DWORDS)});
  assign leaves = |starts_q & (ends_here | m_axis_rc_tvalid);
  assign goes_on = leaves & ~ends_here & ~ends_in_next;
  assign m_axis_rc_tready = (starts_q & (starts_q - 1'b1)) == '0;  // at most one is left, and leaves if a beat comes
  assign takes = m_axis_rc_tvalid & m_axis_rc_tready;

  always_ff @(posedge clk) begin
    if (takes) begin
      beat_q   <= next;
      starts_q <= next.sop | (STARTS'(goes_on) << place);
    end else if (leaves) starts_q <= starts_q & (starts_q - 1'b1);
    if (rst) starts_q <= '0;
  end

  // --- Its data, and its header if it is the first
  logic [2*BEAT_BITS-1:0] both;
  rc_descriptor_t descriptor;
  completion_t header;
  logic is_first;
  assign both       = {next.data, beat_q.data};
  assign descriptor = rc_descriptor_t'(both[128*place+:$bits(rc_descriptor_t)]);
  assign is_first   = beat_q.sop[place];
  always_comb begin
    header = '{
        status: status_e'(descriptor.status),
        is_poisoned: descriptor.poisoned,
        is_timeout: descriptor.error_code == RC_TIMEOUT,
        is_final: descriptor.request_completed,
        tag: descriptor.tag,
        dwords: descriptor.dwords,
        byte_count: descriptor.byte_count,
        lower_addr: descriptor.lower_addr[6:0]
    };
    if (!(descriptor.error_code inside {RC_NORMAL, RC_POISONED, RC_BAD_STATUS, RC_TIMEOUT})) begin
      header.status = STATUS_CA;
    end
  end

  always_ff @(posedge clk) begin
    completion_valid <= leaves;
    if (leaves && is_first) completion <= header;
    completion_data <= both[128*place+32*HEADER_DWORDS+:BEAT_BITS];
    completion_last <= ends_here | ends_in_next;
    discontinued    <= takes & m_axis_rc_tuser.discontinue;
    if (rst) begin
      completion_valid <= 1'b0;
      discontinued     <= 1'b0;
    end
  end

  logic unused;
  assign unused = &{1'b0, m_axis_rc_tuser, descriptor, beat_q, both[2*BEAT_BITS-1-:32]};
endmodule
