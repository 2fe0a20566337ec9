// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory-mapped descriptors to segments: what one AXI burst can move.
//
// Latency: a segment 2 cycles after its descriptor was accepted; then one in each cycle, within descriptors and between.
//
// Interface: channels with valid and ready.  tail has an entry for each segment, in the same order, and one for each
// descriptor that moves nothing: without bytes, not read, or dropped.  fails says, for a cycle, that a segment of this queue
// has failed; stopping is high while a command stops stop_qid.
//
// Operation: the cuts are at multiples of SEGMENT_BYTES of the card's address.  A descriptor of a queue that has failed or is
// being stopped is dropped, also from within: its next segment is not made.  A failed queue is known by a bit, up to a batch
// before which nothing of it was under way.
//
// formal/segments_cover.sv proves: each byte of a descriptor is in one segment, no segment crosses a multiple of SEGMENT_BYTES.
module qdma_mm_cut
  import qdma_context_pkg::*;
  import qdma_tlp_pkg::*;
  import qdma_read_pkg::*;
  import qdma_fetch_pkg::*;
  import qdma_mm_pkg::*;
#(
    parameter int QUEUES = 2048,
    parameter bit IS_C2H = 1'b0
) (
    input logic clk,
    input logic rst,

    input logic [2:0] status_interval,  // 4 << n descriptors

    input  logic        descriptor_valid,
    output logic        descriptor_ready,
    input  descriptor_t descriptor,

    input logic   fails,
    input index_t fails_qid,
    input logic   stopping,
    input index_t stop_qid,

    output logic        segment_valid,
    input  logic        segment_ready,
    output mm_segment_t segment,
    output logic        tail_valid,
    input  logic        tail_ready,
    output mm_tail_t    tail
);
  localparam int CUT_BITS = $clog2(SEGMENT_BYTES);
  typedef logic [$clog2(QUEUES)-1:0] slot_t;

  // --- What a descriptor is
  mm_descriptor_t mm;
  logic has_failed, first_q, drops, is_bad, accept, ends_interval, is_stopping;
  assign mm = mm_descriptor_t'(descriptor.data);
  assign is_stopping = stopping & (stop_qid == descriptor.qid);
  assign drops = (has_failed & ~(first_q & descriptor.is_start)) | is_stopping;
  assign is_bad = descriptor.error != READ_OK;
  assign ends_interval = (((descriptor.index ^ descriptor.cidx) >> 2 >> status_interval) != '0)
                         | (descriptor.cidx < descriptor.index);
  assign accept = descriptor_valid & descriptor_ready;

  qdma_queue_bits #(
      .QUEUES(QUEUES)
  ) failed (
      .clk,
      .qid      (slot_t'(descriptor.qid)),
      .value    (has_failed),
      .write    (fails | (accept & ((first_q & descriptor.is_start) | is_bad))),
      .write_qid(fails ? slot_t'(fails_qid) : slot_t'(descriptor.qid)),
      .next     (fails | is_bad)
  );

  // --- What is left of it
  logic busy_q, moves_q, drops_q, fits, advance, is_last, stops;
  mm_tail_t base_q;
  logic [63:0] host_q, card_q;
  logic [27:0] left_q;
  segment_bytes_t to_cut, bytes;
  assign to_cut = {1'b0, ~card_q[CUT_BITS-1:0]} + 1'b1;
  assign is_last = ~moves_q | (left_q <= 28'(to_cut));
  assign bytes = left_q <= 28'(to_cut) ? segment_bytes_t'(left_q) : to_cut;
  // Of the segment after this one
  assign stops = drops_q | (fails & (fails_qid == base_q.qid)) | (stopping & (stop_qid == base_q.qid));
  assign tail_valid = busy_q & (~moves_q | fits);
  assign advance = tail_valid & tail_ready;
  assign descriptor_ready = ~fails & (~busy_q | (advance & is_last));

  mm_segment_t next;
  assign next = '{qid: base_q.qid, func: base_q.func, host: host_q, card: card_q, bytes: bytes};
  axis_register #(
      .WIDTH($bits(mm_segment_t))
  ) segments (
      .clk,
      .rst,
      .s_data (next),
      .s_valid(busy_q & moves_q & tail_ready),
      .s_ready(fits),
      .m_data (segment),
      .m_valid(segment_valid),
      .m_ready(segment_ready)
  );

  always_comb begin
    tail             = base_q;
    tail.is_last     = is_last;
    tail.has_segment = moves_q;
    tail.is_end      = base_q.is_end & is_last;
  end

  always_ff @(posedge clk) begin
    if (busy_q) drops_q <= stops;
    if (advance) begin
      host_q          <= host_q + 64'(to_cut);
      card_q          <= card_q + 64'(to_cut);
      left_q          <= left_q - 28'(to_cut);
      moves_q         <= ~stops;
      base_q.is_first <= 1'b0;
      if (stops) base_q.is_dropped <= 1'b1;
    end
    if (~busy_q | (advance & is_last)) busy_q <= accept;
    if (accept) begin
      first_q <= descriptor.is_end;
      drops_q <= 1'b0;
      moves_q <= ~drops & ~is_bad & (mm.bytes != '0);
      host_q <= IS_C2H ? mm.dst : mm.src;
      card_q <= IS_C2H ? mm.src : mm.dst;
      left_q <= mm.bytes;
      base_q <= '{
          qid: descriptor.qid,
          func: descriptor.func,
          wbk_en: descriptor.wbk_en,
          irq_en: descriptor.irq_en,
          pidx: descriptor.pidx,
          index: descriptor.index,
          cidx: descriptor.cidx,
          is_start: descriptor.is_start,
          is_first: first_q,
          is_end: descriptor.is_end,
          is_last: 1'b0,
          has_segment: 1'b0,
          is_dropped: drops,
          is_bad: is_bad & ~drops,
          wants_status:
          (
          descriptor.wbi_chk & (descriptor.cidx == descriptor.pidx)
          ) | (
          descriptor.wbi_intvl_en & ends_interval
          )
      };
    end
    if (rst) begin
      busy_q  <= 1'b0;
      first_q <= 1'b1;
    end
  end

  logic unused;
  assign unused = &{1'b0, descriptor, mm};
endmodule
