// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Of one direction of memory-mapped transfers: descriptors to segments, done segments to status.  What moves them is outside.
//
// Latency: that of its parts, and 2 cycles of the FIFO between them.
//
// Interface: segment and done have valid and ready; done comes once for each segment, in order.
//
// Limits: descriptors are served in the order of their batches, which turns within long ones change (qdma_mm_cut).
module qdma_mm_control
  import qdma_context_pkg::*;
  import qdma_read_pkg::read_error_e;
  import qdma_fetch_pkg::*;
  import qdma_mm_pkg::*;
  import qdma_bypass_pkg::*;
  import qdma_write_pkg::status_request_t;
#(
    parameter int QUEUES   = 2048,
    parameter bit IS_C2H   = 1'b0,
    parameter int SEGMENTS = 256,   // that are under way
    parameter bit BYPASS   = 1'b0
) (
    input logic clk,
    input logic rst,

    input logic [2:0] status_interval,  // 4 << n descriptors

    input  logic        descriptor_valid,
    output logic        descriptor_ready,
    input  descriptor_t descriptor,
    output logic        retire_valid,
    input  logic        retire_ready,
    output retire_t     retire,

    input logic   stopping,
    input index_t stop_qid,

    output index_t served_qid,
    input  logic   others_wait,

    // Bypass, for a cycle each
    output logic           flushed,
    output bypass_marker_t marker,

    // What moves the segments
    output logic        segment_valid,
    input  logic        segment_ready,
    output mm_segment_t segment,
    input  logic        done_valid,
    output logic        done_ready,
    input  logic        done_error,
    input  read_error_e done_kind,      // as qdma_mm_finish has it

    output logic            status_valid,
    input  logic            status_ready,
    output status_request_t status
);
  logic cut_valid, cut_ready, stored_valid, stored_ready, tail_valid, tail_ready, fails;
  index_t fails_qid;
  mm_tail_t cut_tail, stored, tail;
  qdma_mm_cut #(
      .QUEUES(QUEUES),
      .IS_C2H(IS_C2H)
  ) cut (
      .clk,
      .rst,
      .status_interval,
      .descriptor_valid,
      .descriptor_ready,
      .descriptor,
      .fails,
      .fails_qid,
      .stopping,
      .stop_qid,
      .served_qid,
      .others_wait,
      .segment_valid,
      .segment_ready,
      .segment,
      .tail_valid(cut_valid),
      .tail_ready(cut_ready),
      .tail      (cut_tail)
  );

  qdma_fifo #(
      .WIDTH($bits(mm_tail_t)),
      .DEPTH(SEGMENTS)
  ) tails (
      .clk,
      .rst,
      .wr_valid(cut_valid),
      .wr_ready(cut_ready),
      .wr_data (cut_tail),
      .rd_valid(stored_valid),
      .rd_ready(stored_ready),
      .rd_data (stored)
  );
  // A block RAM is slow, and finish looks a queue up.
  axis_register #(
      .WIDTH($bits(mm_tail_t))
  ) next_tail (
      .clk,
      .rst,
      .s_data (stored),
      .s_valid(stored_valid),
      .s_ready(stored_ready),
      .m_data (tail),
      .m_valid(tail_valid),
      .m_ready(tail_ready)
  );

  qdma_mm_finish #(
      .QUEUES(QUEUES),
      .IS_C2H(IS_C2H),
      .BYPASS(BYPASS)
  ) finish (
      .clk,
      .rst,
      .tail_valid,
      .tail_ready,
      .tail,
      .done_valid,
      .done_ready,
      .done_error,
      .done_kind,
      .fails,
      .fails_qid,
      .flushed,
      .marker,
      .retire_valid,
      .retire_ready,
      .retire,
      .status_valid,
      .status_ready,
      .status
  );
endmodule
