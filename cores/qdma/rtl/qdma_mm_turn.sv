// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// When the turn of a memory-mapped queue is over within a descriptor, and where its next turn goes on.
//
// Latency: is_over 1 cycle after the segment that uses the turn up; moved 1 cycle after begins.
//
// Interface: begins is for a cycle, with the queue whose descriptor is accepted; begins_batch says that it is the first of its
// batch; skips comes 1 cycle after begins, if a part of it has been moved.  advances is for a cycle, one for each segment.
// parks is for a cycle, after the last segment of the turn, before the next begins; `moved` is that of the last time when its
// queue did.
//
// Operation: segments of a descriptor are counted, since all but its first begin at a multiple of SEGMENT_BYTES of the card:
// so their number says how much of it has been moved.
module qdma_mm_turn
  import qdma_context_pkg::*;
#(
    parameter int QUEUES = 2048,
    parameter int TURN_SEGMENTS = 64  // a power of two
) (
    input logic clk,

    input logic   begins,
    input logic   begins_batch,
    input index_t begins_qid,
    input logic   skips,
    input logic   advances,
    input logic   parks,
    input index_t qid,

    output logic        is_over,
    output logic [15:0] moved     // segments, less 1
);
  localparam int QID_BITS = $clog2(QUEUES);
  localparam int TURN_BITS = $clog2(TURN_SEGMENTS);
  logic [TURN_BITS:0] turn_q;  // segments of the batch, up to TURN_SEGMENTS
  logic [15:0] count_q;  // of the descriptor, less 1
  assign is_over = turn_q[TURN_BITS];

  ram_sdp #(
      .WIDTH(16),
      .DEPTH(QUEUES)
  ) parked (
      .clk,
      .wr_en  (parks),
      .wr_addr(QID_BITS'(qid)),
      .wr_data(count_q),
      .rd_en  (begins),
      .rd_addr(QID_BITS'(begins_qid)),
      .rd_data(moved)
  );

  always_ff @(posedge clk) begin
    if (begins_batch && begins) turn_q <= '0;
    else if (advances && !is_over) turn_q <= turn_q + 1'b1;
    if (begins) count_q <= '1;
    else if (skips) count_q <= moved;
    else if (advances) count_q <= count_q + 1'b1;
  end

  logic unused;
  assign unused = &{1'b0, qid, begins_qid};
endmodule
