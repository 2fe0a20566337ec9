// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_mm_cut, for any descriptors of two queues, failures and stops, and resets at any time.
//   - the segments of a descriptor follow each other on both sides, from its first byte to its last; so each byte is in one
//   - no segment is empty, or crosses a multiple of SEGMENT_BYTES of the card
//   - each segment has a tail, each descriptor one last tail, of its batch if the descriptor ends the batch
//   - a descriptor of a queue that is stopped has no segment, nor one of a queue that has failed, up to a batch before which
//     nothing of the queue was under way; one that is stopped or fails within has no segment after the one that is shown
//   - a descriptor is parked while another queue waits only, after TURN_SEGMENTS of its batch; then the queue is as one that has
//     failed, and the descriptor that continues it begins with the byte that was next
//   - the one that continues it may be any descriptor: it begins with the segment that was next, and no byte outside of it is
//     moved.  If it has no byte there, it has no segment and is bad, and then the queue is as one that has failed
// Segments are looked at before their register, whose order axis_register_order proves.
// Assumes: the first descriptor of each batch says so by the end of the one before; of a queue that was never looked at it is
// one before which nothing was under way.  Only a queue that has parked one has a descriptor that continues one.
module segments_cover
  import qdma_context_pkg::*;
  import qdma_tlp_pkg::*;
  import qdma_read_pkg::*;
  import qdma_fetch_pkg::*;
  import qdma_mm_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1,
    parameter bit CALM = 1'b0,  // one queue, few whole pages from address 0 to 0, no wait and no reset
    parameter bit IS_C2H = 1'b0
) (
    input logic              clk,               // there is an edge in this step
    input logic              rst,
    input logic        [2:0] status_interval,
    input logic              descriptor_valid,
    input descriptor_t       descriptor,
    input logic              fails,
    input index_t            fails_qid,
    input logic              stopping,
    input index_t            stop_qid,
    input logic              others_wait,
    input logic              segment_ready,
    input logic              tail_ready
);
  logic descriptor_ready, segment_valid, tail_valid;
  mm_segment_t segment;
  mm_tail_t tail;
  localparam int TURN_SEGMENTS = 2;
  index_t served_qid;
  qdma_mm_cut #(
      .QUEUES       (2),
      .IS_C2H       (IS_C2H),
      .TURN_SEGMENTS(TURN_SEGMENTS)
  ) dut (
      .*
  );

  // --- What is expected of the descriptor that is cut
  logic reset_q, open_q, moves_q, stops_q, first_q, ends_q, parked_q, bad_q;
  logic [63:0] host_q, card_q;
  logic [27:0] left_q;
  index_t qid_q;
  logic [27:0] done_q;  // bytes before these
  logic [16:0] count_q;  // segments of these
  logic [11:0] low_q;  // of the descriptor's address in the card
  logic [1:0] turn_q;  // segments of the batch, up to TURN_SEGMENTS
  logic [1:0] known_q, failed_q;  // of each queue
  logic [1:0] kept_q;  // of each queue: one is parked, and how far it has come
  logic [1:0][27:0] done_of_q;
  logic [1:0][16:0] count_of_q;
  logic [1:0][11:0] low_of_q;
  mm_descriptor_t mm;
  logic accept, advance, has_failed, drops, bad, stops, continues, parks;
  logic [11:0] low;
  logic [28:0] earlier;  // bytes that are not to be moved again; their number depends on where the first segment ends
  logic is_short;
  assign mm = mm_descriptor_t'(descriptor.data);
  assign accept = descriptor_valid & descriptor_ready;
  assign advance = tail_valid & tail_ready;
  assign bad = descriptor.error != READ_OK;
  assign has_failed = known_q[descriptor.qid[0]] & failed_q[descriptor.qid[0]];
  assign drops = (has_failed & ~(first_q & descriptor.is_start)) | (stopping & (stop_qid == descriptor.qid));
  assign stops = (fails & (fails_qid == qid_q)) | (stopping & (stop_qid == qid_q));

  assign continues = first_q & descriptor.is_continuing;
  assign low = IS_C2H ? mm.src[11:0] : mm.dst[11:0];
  assign earlier = continues ? {count_of_q[descriptor.qid[0]], 12'h0} - 29'(low) : '0;
  assign is_short = continues & (29'(mm.bytes) <= earlier);
  assign parks = moves_q & (32'(turn_q) == TURN_SEGMENTS) & others_wait & ~stops & ~stops_q;

  // For the invariants: bytes to the segment after count_q of them, and whether the RTL's descriptor ends before that
  logic [28:0] skip;
  logic nothing_left;
  assign skip = {count_q, 12'h0} - 29'(low_q);
  assign nothing_left = dut.checks_q ? ~dut.moves_q | (dut.left_q == '0) : 29'(dut.left_q) <= skip;

  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q <= 1'b1;
    if (fails) begin
      known_q[fails_qid[0]]  <= 1'b1;
      failed_q[fails_qid[0]] <= 1'b1;
    end
    if (open_q && stops) stops_q <= 1'b1;
    if (advance) begin
      moves_q  <= moves_q & ~stops & ~stops_q & ~parks;
      parked_q <= parks;
      host_q   <= host_q + 64'(dut.bytes);
      card_q   <= card_q + 64'(dut.bytes);
      left_q   <= left_q - 28'(dut.bytes);
      done_q   <= done_q + 28'(dut.bytes);
      count_q  <= count_q + 17'(moves_q);
      if (moves_q && 32'(turn_q) != TURN_SEGMENTS) turn_q <= turn_q + 1'b1;
      if (tail.is_last) open_q <= 1'b0;
      if (parked_q || bad_q) begin
        known_q[qid_q[0]]  <= 1'b1;
        failed_q[qid_q[0]] <= 1'b1;
      end
      if (parked_q) begin
        kept_q[qid_q[0]]    <= 1'b1;
        done_of_q[qid_q[0]]  <= done_q;
        count_of_q[qid_q[0]] <= count_q;
        low_of_q[qid_q[0]]   <= low_q;
      end
    end
    if (accept) begin
      open_q   <= 1'b1;
      stops_q  <= 1'b0;
      parked_q <= 1'b0;
      bad_q    <= ~drops & (bad | is_short);
      moves_q  <= ~drops & ~bad & ~is_short & (mm.bytes != '0);
      host_q   <= (IS_C2H ? mm.dst : mm.src) + 64'(earlier);
      card_q   <= (IS_C2H ? mm.src : mm.dst) + 64'(earlier);
      left_q   <= mm.bytes - 28'(earlier);
      done_q   <= 28'(earlier);
      count_q  <= continues ? count_of_q[descriptor.qid[0]] : '0;
      low_q    <= low;
      qid_q    <= descriptor.qid;
      if (first_q) turn_q <= '0;
      first_q <= descriptor.is_end;
      ends_q  <= descriptor.is_end;
      if (first_q && descriptor.is_start) begin
        known_q[descriptor.qid[0]]  <= 1'b1;
        failed_q[descriptor.qid[0]] <= 1'b0;
      end
    end
    if (rst) begin
      open_q  <= 1'b0;
      first_q <= 1'b1;
      known_q <= '0;
      kept_q  <= '0;
    end
  end

  always_comb begin
    if (!reset_q)
      assume (rst);
      else if (CALM) assume (!rst);
    if (reset_q && !rst) begin
      assume (descriptor.qid < 2 && fails_qid < 2 && stop_qid < 2);
      if (CALM) begin
        assume (clk && !fails && !stopping && others_wait && segment_ready && tail_ready && status_interval == '0);
        assume (descriptor.qid == '0 && mm.src == '0 && mm.dst == '0);
        assume (mm.bytes[27:15] == '0 && mm.bytes[11:0] == '0);
      end
      if (descriptor_valid && !known_q[descriptor.qid[0]]) assume (first_q && descriptor.is_start);

      if (descriptor_valid && continues) begin
        assume (kept_q[descriptor.qid[0]]);
        if (low == low_of_q[descriptor.qid[0]]) assert (earlier == 29'(done_of_q[descriptor.qid[0]]));
      end

      // --- The claim
      assert (!tail_valid || open_q);
      if (accept) assert (!open_q || (advance && tail.is_last));
      if (tail_valid) begin
        assert (tail.qid == qid_q && tail.has_segment == moves_q && tail.is_end == (ends_q & tail.is_last));
        assert (tail.is_parked == parked_q && tail.is_bad == bad_q);
        if (tail.has_segment) begin
          assert (dut.next.host == host_q && dut.next.card == card_q && dut.next.qid == qid_q);
          assert (dut.next.bytes != '0 && 28'(dut.next.bytes) <= left_q);
          assert (13'(card_q[11:0]) + dut.next.bytes <= 13'(SEGMENT_BYTES));
          assert (tail.is_last == (28'(dut.next.bytes) == left_q));
        end else begin
          assert (tail.is_last);
        end
      end
      // A segment enters its register with its tail.
      assert ((dut.segments.s_valid & dut.segments.s_ready) == (advance & tail.has_segment));

      if (INVARIANTS) begin
        assert (dut.busy_q == open_q && dut.first_q == first_q);
        if (open_q) begin
          assert (dut.base_q.qid == qid_q && dut.base_q.is_end == ends_q && qid_q < 2);
          assert (dut.drops_q == stops_q && dut.base_q.is_parked == parked_q && !(parked_q && moves_q));
          assert (!(moves_q && bad_q) && !(dut.skips_q && dut.checks_q));
          if (dut.skips_q || dut.checks_q) begin
            assert (kept_q[qid_q[0]] && !parked_q && count_q == count_of_q[qid_q[0]]);
            assert (32'(dut.moves_q) + 32'(dut.base_q.is_dropped) + 32'(dut.base_q.is_bad) <= 1);
            assert (bad_q == (~dut.base_q.is_dropped & (dut.base_q.is_bad | nothing_left)));
            assert (moves_q == (dut.moves_q & ~nothing_left));
            if (dut.skips_q) begin
              // What has been moved before is not counted yet
              assert (low_q == dut.card_q[11:0] && dut.turn.moved == dut.turn.parked.ram[qid_q[0]]);
              assert (dut.moves_q || dut.base_q.is_dropped || dut.base_q.is_bad || dut.left_q == '0);
              if (moves_q) begin
                assert (29'(done_q) == skip);
                assert (dut.host_q + 64'(skip) == host_q && dut.card_q + 64'(skip) == card_q);
                assert (dut.left_q - 28'(skip) == left_q);
              end
            end else assert (dut.card_q[11:0] == '0);
          end else begin
            assert (dut.moves_q == moves_q && dut.base_q.is_bad == bad_q);
          end
          if ((moves_q && !dut.skips_q) || parked_q) begin
            assert (dut.turn.count_q == 16'(count_q - 17'd1));
            assert (29'(done_q) == (count_q == '0 ? 29'd0 : skip));
            assert (29'(done_q) + 29'(left_q) < 29'h1000_0000);
            assert (!parked_q || count_q != '0);
            if (moves_q) begin
              assert (dut.host_q == host_q && dut.card_q == card_q && dut.left_q == left_q && left_q != '0);
              assert (card_q[11:0] == (count_q == '0 ? low_q : '0));
            end
          end
        end
        assert ((dut.turn.turn_q == turn_q && 32'(turn_q) <= TURN_SEGMENTS) || (first_q && !open_q));
        assert (open_q || !(dut.skips_q || dut.checks_q));
        for (int i = 0; i < 2; i++) begin
          if (kept_q[i]) begin
            assert (count_of_q[i] != '0 && 29'(done_of_q[i]) == {count_of_q[i], 12'h0} - 29'(low_of_q[i]));
            assert (dut.turn.parked.ram[i] == 16'(count_of_q[i] - 17'd1));
          end
        end
        for (int i = 0; i < 2; i++) begin
          if (known_q[i]) begin
            assert ((dut.failed.write_q && dut.failed.qid_q == 1'(i) ? dut.failed.next_q : dut.failed.bits[i])
                    == failed_q[i]);
          end
        end
      end
    end
  end
endmodule
