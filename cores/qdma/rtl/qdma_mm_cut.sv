// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory-mapped descriptors to segments: what one AXI burst can move.
//
// Latency: a segment 2 cycles after its descriptor was accepted, 4 if a part of it has been moved before; then one in each
// cycle, within descriptors and between.
//
// Interface: channels with valid and ready.  tail has an entry for each segment, in the same order, and one for each
// descriptor that moves nothing more: without bytes, bad, dropped, or parked.  fails says, for a cycle, that a segment of
// this queue has failed; stopping is high while a command stops stop_qid; others_wait says that a queue other than served_qid
// waits.
//
// Operation: the cuts are at multiples of SEGMENT_BYTES of the card's address.  A descriptor of a queue that has failed or is
// being stopped is dropped, also from within: its next segment is not made.  A failed queue is known by a bit, up to a batch
// before which nothing of it was under way.
//
// Turns: while another queue waits, a batch has TURN_SEGMENTS, and then up to the end of its descriptor or, if that is longer,
// to the end of the segment.  The rest is parked: what of the queue is under way is dropped as if it had failed, and the fetch
// brings it again.  Then qdma_mm_turn knows how much of the first descriptor has been moved.
//
// The driver may change a descriptor while it is parked.  What is left of it, as it is read then, is moved.  None is parked
// at its end, so one of which nothing is left has been shortened: it is bad, as one that was not read.
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
    parameter bit IS_C2H = 1'b0,
    parameter int TURN_SEGMENTS = 64  // of a batch, before another queue has its turn; a power of two
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

    output index_t served_qid,
    input  logic   others_wait,

    output logic        segment_valid,
    input  logic        segment_ready,
    output mm_segment_t segment,
    output logic        tail_valid,
    input  logic        tail_ready,
    output mm_tail_t    tail
);
  localparam int CUT_BITS = $clog2(SEGMENT_BYTES);
  typedef logic [$clog2(QUEUES)-1:0] slot_t;

  // The one that is cut
  logic busy_q, moves_q, drops_q, fits, advance, is_last, stops, is_over;
  mm_tail_t base_q;

  // --- What a descriptor is
  mm_descriptor_t mm;
  logic has_failed, first_q, drops, is_bad, accept, ends_interval, is_stopping, closes, continues;
  assign mm = mm_descriptor_t'(descriptor.data);
  assign is_stopping = stopping & (stop_qid == descriptor.qid);
  assign drops = (has_failed & ~(first_q & descriptor.is_start)) | is_stopping;
  assign continues = first_q & descriptor.is_continuing;
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
      .write    (fails | (accept & first_q & descriptor.is_start) | (advance & closes)),
      .write_qid(fails ? slot_t'(fails_qid) : closes ? slot_t'(base_q.qid) : slot_t'(descriptor.qid)),
      .next     (fails | closes)
  );

  // --- What is left of it
  logic skips_q, checks_q;  // what has been moved of it before; that something is left after that
  logic [15:0] moved, skipped;  // segments, less 1
  logic [63:0] host_q, card_q;
  logic [27:0] left_q;
  segment_bytes_t to_cut, bytes;
  logic [CUT_BITS+1:0] last_byte;  // of what is left, from the cut before on, if that is less than two segments
  logic reaches_end, is_nothing, covers;  // covers: it has the bytes that are skipped
  logic [27:0] left;
  assign to_cut = {1'b0, ~card_q[CUT_BITS-1:0]} + 1'b1;
  // left_q <= to_cut, by a sum of registers and not of to_cut: descriptor_ready depends on it.
  assign last_byte = (CUT_BITS + 2)'(left_q[CUT_BITS:0]) + (CUT_BITS + 2)'(card_q[CUT_BITS-1:0]) - 1'b1;
  assign reaches_end = ~|left_q[27:CUT_BITS+1] & ~|last_byte[CUT_BITS+1:CUT_BITS];
  assign is_nothing = ~|left_q[27:CUT_BITS+1] & (&last_byte[CUT_BITS+1:CUT_BITS]);  // no bytes, at a cut: it is -1
  assign is_last = ~moves_q | reaches_end;
  assign bytes = reaches_end ? segment_bytes_t'(left_q) : to_cut;
  // Of the segment after this one
  assign stops = drops_q | (fails & (fails_qid == base_q.qid)) | (stopping & (stop_qid == base_q.qid));
  // This one is parked or bad: what else of its queue is under way is dropped.  Its tail writes that, in a cycle without fails.
  assign closes = busy_q & (base_q.is_parked | base_q.is_bad);
  assign tail_valid = busy_q & ~skips_q & ~checks_q & (moves_q ? fits : ~(fails & closes));
  assign advance = tail_valid & tail_ready;
  assign descriptor_ready = ~fails & ~closes & (~busy_q | (advance & is_last));
  assign served_qid = base_q.qid;

  qdma_mm_turn #(
      .QUEUES       (QUEUES),
      .TURN_SEGMENTS(TURN_SEGMENTS)
  ) turn (
      .clk,
      .begins      (accept),
      .begins_batch(first_q),
      .begins_qid  (descriptor.qid),
      .skips       (skips_q),
      .advances    (advance & moves_q),
      .parks       (advance & base_q.is_parked),
      .qid         (base_q.qid),
      .is_over,
      .moved
  );
  // Of what an advance adds, to_cut or more, the complement: one carry chain with the sum.
  assign skipped = skips_q ? moved : '0;
  assign {covers, left} = 29'(left_q) + 29'({~skipped, card_q[CUT_BITS-1:0]});

  mm_segment_t next;
  assign next = '{qid: base_q.qid, func: base_q.func, host: host_q, card: card_q, bytes: bytes};
  axis_register #(
      .WIDTH($bits(mm_segment_t))
  ) segments (
      .clk,
      .rst,
      .s_data (next),
      .s_valid(busy_q & ~skips_q & ~checks_q & moves_q & tail_ready),
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
    skips_q  <= 1'b0;
    checks_q <= skips_q;
    if (advance || skips_q) begin
      host_q <= host_q - {{36{1'b1}}, ~skipped, card_q[CUT_BITS-1:0]};
      card_q <= {card_q[63:CUT_BITS] - {{36{1'b1}}, ~skipped}, CUT_BITS'(0)};
      left_q <= left;
    end
    if (advance) begin
      moves_q          <= ~stops & ~(is_over & others_wait);
      base_q.is_first  <= 1'b0;
      base_q.is_parked <= is_over & others_wait & ~stops;
      if (stops) base_q.is_dropped <= 1'b1;
    end
    if (skips_q && !covers) moves_q <= 1'b0;
    if (checks_q && (!moves_q || is_nothing)) begin
      moves_q       <= 1'b0;
      base_q.is_bad <= ~base_q.is_dropped;
    end
    if (~busy_q | (advance & is_last)) busy_q <= accept;
    if (accept) begin
      first_q <= descriptor.is_end;
      drops_q <= 1'b0;
      moves_q <= ~drops & ~is_bad & (mm.bytes != '0);
      skips_q <= continues;
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
          is_parked: 1'b0,
          is_bad: is_bad & ~drops,
          read_error: descriptor.bypass.is_bypass ? READ_OK : descriptor.error,
          bypass: descriptor.bypass,
          wants_status:
          (
          descriptor.wbi_chk & (descriptor.cidx == descriptor.pidx)
          ) | (
          descriptor.wbi_intvl_en & ends_interval
          )
      };
    end
    if (rst) begin
      busy_q   <= 1'b0;
      first_q  <= 1'b1;
      skips_q  <= 1'b0;
      checks_q <= 1'b0;
    end
  end

  logic unused;
  assign unused = &{1'b0, descriptor, mm, last_byte[CUT_BITS-1:0]};
endmodule
