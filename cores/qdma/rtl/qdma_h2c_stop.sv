// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Stops an H2C queue: after stop_done no read of it is under way, of descriptors or of payload, and none comes; all status
// of it has been handed over.
//
// Latency: 6 cycles if nothing is under way, beside the turns of the fetch; else what its packets take.
//
// Interface: stop has valid and ready, one at a time; the software context should have qen = 0 by then.  The fetch begins no
// new reads of the queue while `stopping` is high, whatever the context says.  stop_done is for a cycle.  has_status: one of
// stop_qid waits for its writer.
//
// Operation: the fetch counts a batch from its read on until all its packets have gone to the user or were dropped, so all
// of their payload has come by then.  A batch's status waits from the cycle in which the batch is retired.
//
// Limits: packets of all queues go to the user in one order.  A user that accepts none holds the stop.
module qdma_h2c_stop
  import qdma_context_pkg::*;
#(
    parameter bit BYPASS = 1'b0
) (
    input logic clk,
    input logic rst,

    input  logic   stop_valid,
    output logic   stop_ready,
    input  index_t stop,
    output logic   stop_done,

    output logic   stopping,
    output index_t stop_qid,
    input  logic   has_status,

    // As qdma_fetch has them
    output logic query_valid,
    input  logic query_ready,
    input  logic query_done,
    input  logic query_pending,

    // As qdma_bypass has it, of stop_qid
    output logic flush_valid,
    input  logic flush_done
);
  typedef enum logic [2:0] {
    IDLE,
    QUERY,  // are batches under way?
    ASKED,
    PAUSE,  // then again
    FLUSH   // descriptors that the user has provided; then again, once
  } state_e;
  state_e state_q;
  logic flushed_q, flushed;
  assign flushed = ~BYPASS | flushed_q;
  assign flush_valid = BYPASS & (state_q == FLUSH);
  logic [3:0] pause_q;
  assign stop_ready  = state_q == IDLE;
  assign stopping    = state_q != IDLE;
  assign query_valid = state_q == QUERY;

  always_ff @(posedge clk) begin
    stop_done <= 1'b0;
    pause_q   <= state_q == PAUSE ? pause_q + 1'b1 : '0;
    case (state_q)
      IDLE:
      if (stop_valid) begin
        state_q   <= QUERY;
        stop_qid  <= stop;
        flushed_q <= 1'b0;
      end
      QUERY: if (query_ready) state_q <= ASKED;
      ASKED:
      if (query_done) begin
        if (query_pending || has_status) state_q <= PAUSE;
        else state_q <= flushed ? IDLE : FLUSH;
        stop_done <= ~query_pending & ~has_status & flushed;
      end
      PAUSE: if (&pause_q) state_q <= QUERY;
      default:
      if (flush_done || !BYPASS) begin
        state_q   <= QUERY;
        flushed_q <= 1'b1;
      end
    endcase
    if (rst) begin
      state_q   <= IDLE;
      stop_done <= 1'b0;
    end
  end
endmodule
