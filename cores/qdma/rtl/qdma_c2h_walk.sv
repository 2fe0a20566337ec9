// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Grants to segments: takes the buffers of a packet from the store, one a cycle, and says what goes into each.
//
// Latency: 4 cycles from a grant to its first segment.  A packet without payload is a segment without bytes.
//
// Operation: what is left of a packet whose queue has been stopped is one segment without a buffer: its bytes are taken from
// the source, and not written.
module qdma_c2h_walk
  import qdma_tlp_pkg::*;
  import qdma_context_pkg::*;
  import qdma_c2h_pkg::*;
(
    input logic clk,
    input logic rst,

    input  logic       grant_valid,
    output logic       grant_ready,
    input  c2h_grant_t grant,
    input  logic       grant_is_stopped,

    output logic             take_valid,
    input  logic             take_ready,
    output index_t           take_qid,
    input  logic             taken_valid,
    input  logic      [63:0] taken_addr,
    input  function_t        taken_func,

    output logic         segment_valid,
    input  logic         segment_ready,
    output c2h_segment_t segment
);
  localparam int SEGMENTS = 16, UNDER_WAY = 4;
  localparam int TAKE_CYCLES = 3;

  typedef struct packed {
    logic valid;
    index_t qid;
    serial_t serial;
    logic [15:0] bytes;
    logic is_last;
  } step_t;

  logic [$clog2(SEGMENTS):0] used;
  logic [15:0] left_q, left;
  logic begun_q, takes, is_last, may_go, goes;
  step_t step, step_1_q, step_2_q, step_3_q;
  assign may_go = used < ($clog2(SEGMENTS) + 1)'(SEGMENTS - UNDER_WAY);
  assign left = begun_q ? left_q : grant.bytes;
  assign takes = (left != '0) & ~grant_is_stopped;
  assign is_last = ~takes | (left <= grant.buffer_bytes);
  assign take_valid = grant_valid & takes & may_go;
  assign take_qid = grant.qid;
  assign goes = grant_valid & may_go & (~takes | take_ready);
  assign grant_ready = may_go & (~takes | take_ready) & is_last;
  assign step = '{
          valid: goes,
          qid: grant.qid,
          serial: grant.serial,
          bytes: is_last ? left : grant.buffer_bytes,
          is_last: is_last
      };

  always_ff @(posedge clk) begin
    if (goes) begin
      begun_q <= ~is_last;
      left_q  <= left - grant.buffer_bytes;
    end
    step_1_q <= step;
    step_2_q <= step_1_q;
    step_3_q <= step_2_q;
    if (rst) begin
      begun_q        <= 1'b0;
      step_1_q.valid <= 1'b0;
      step_2_q.valid <= 1'b0;
      step_3_q.valid <= 1'b0;
    end
  end

  c2h_segment_t found;
  logic segments_ready;
  assign found = '{
          qid: step_3_q.qid,
          serial: step_3_q.serial,
          func: taken_func,
          addr: taken_addr,
          bytes: step_3_q.bytes,
          is_last: step_3_q.is_last
      };
  qdma_small_fifo #(
      .WIDTH($bits(c2h_segment_t)),
      .DEPTH(SEGMENTS)
  ) segments (
      .clk,
      .rst,
      .wr_valid(step_3_q.valid),
      .wr_ready(segments_ready),
      .wr_data (found),
      .rd_valid(segment_valid),
      .rd_ready(segment_ready),
      .rd_data (segment),
      .used
  );

`ifndef SYNTHESIS
  segments_fits :
  assert property (@(posedge clk) disable iff (rst) step_3_q.valid |-> segments_ready);
  logic [TAKE_CYCLES-1:0] taking_q;
  always_ff @(posedge clk) taking_q <= rst ? '0 : {taking_q[TAKE_CYCLES-2:0], take_valid & take_ready};
  in_step :
  assert property (@(posedge clk) disable iff (rst) taken_valid == taking_q[TAKE_CYCLES-1])
  else $error("qdma_c2h_walk: the store is not in step");
`endif

  logic unused;
  assign unused = &{1'b0, segments_ready, taken_valid};
endmodule
