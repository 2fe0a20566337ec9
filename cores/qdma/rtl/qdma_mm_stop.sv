// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Stops a queue of memory-mapped transfers, and in the streaming engine at the same time: a context says only what the queue
// was.
//
// Latency: what the segments that are under way take: those of the host's reads, and those of the card's memory.
//
// Interface: stop has valid and ready, one at a time; the software context should have qen = 0 by then.  done is for a
// cycle.  While `stopping` is high the fetch begins no reads of stop_qid, and its descriptors are dropped.
//
// Operation: nothing of the queue is under way when all of its batches are retired, and they are retired after the writes of
// their segments, and after their status.  So the fetch is asked until it has none.
//
//   IDLE
//   ASK     are batches under way?
//   ANSWER
//   PAUSE   then again
//   FLUSH   descriptors that the user has provided; then again, once
//   STREAM  the streaming engine may not be done yet
module qdma_mm_stop
  import qdma_context_pkg::*;
  import qdma_fetch_pkg::*;
#(
    parameter bit BYPASS = 1'b0
) (
    input logic clk,
    input logic rst,

    input  logic   stop_valid,
    output logic   stop_ready,
    input  logic   stop_is_h2c,
    input  index_t stop,
    output logic   stop_done,

    // The same queue, in the engine of streams
    output logic stream_valid,
    input  logic stream_ready,
    input  logic stream_done,

    // Of each direction, C2H in 0, H2C in 1
    output index_t       stop_qid,
    output logic   [1:0] stopping,
    output logic   [1:0] query_valid,
    input  logic   [1:0] query_ready,
    input  logic   [1:0] query_done,
    input  logic   [1:0] query_pending,

    // As qdma_bypass has it
    output logic [1:0] flush_valid,
    input  logic [1:0] flush_done
);
  typedef enum logic [2:0] {
    IDLE,
    ASK,
    ANSWER,
    PAUSE,
    FLUSH,
    STREAM
  } state_e;
  state_e state_q;
  logic is_h2c_q, stream_is_done_q, flushed_q, flushed;
  logic [3:0] pause_q;
  logic [1:0] direction;
  assign direction = {is_h2c_q, ~is_h2c_q};
  assign flushed = ~BYPASS | flushed_q;
  assign stop_ready = (state_q == IDLE) & stream_ready;
  assign stream_valid = (state_q == IDLE) & stop_valid;
  assign stopping = state_q == IDLE ? '0 : direction;
  assign query_valid = state_q == ASK ? direction : '0;
  assign flush_valid = BYPASS && state_q == FLUSH ? direction : '0;

  always_ff @(posedge clk) begin
    stop_done <= 1'b0;
    pause_q   <= pause_q + 1'b1;
    if (stream_done) stream_is_done_q <= 1'b1;
    case (state_q)
      IDLE:
      if (stop_valid && stop_ready) begin
        state_q          <= ASK;
        stop_qid         <= stop;
        is_h2c_q         <= stop_is_h2c;
        stream_is_done_q <= 1'b0;
        flushed_q        <= 1'b0;
      end
      ASK:   if (|(query_valid & query_ready)) state_q <= ANSWER;
      ANSWER: begin
        pause_q <= '0;
        if (|(direction & query_done)) begin
          if (|(direction & query_pending)) state_q <= PAUSE;
          else state_q <= flushed ? STREAM : FLUSH;
        end
      end
      PAUSE: if (&pause_q) state_q <= ASK;
      FLUSH:
      if ((|(direction & flush_done)) || !BYPASS) begin
        state_q   <= ASK;
        flushed_q <= 1'b1;
      end
      default:
      if (stream_is_done_q) begin
        state_q   <= IDLE;
        stop_done <= 1'b1;
      end
    endcase
    if (rst) begin
      state_q   <= IDLE;
      stop_done <= 1'b0;
    end
  end
endmodule
