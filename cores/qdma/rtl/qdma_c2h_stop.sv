// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Stops a queue: after `done` it writes nothing, has no buffers, and no read of its descriptors is under way.
//
// Latency: what the host takes for the reads of descriptors that are under way; less than 200 cycles if there are none.  Nothing
// is waited for of the user.
//
// Interface: stop has valid and ready, one at a time; the software context should have qen = 0 by then.  The fetch begins no
// new reads of the queue while `stopping` is high, whatever the context says.  done is for a cycle.  Until then packets of the queue are answered with C2H_INVALID.
//
// Operation: packets that were granted are not written any more: a TLP that has begun ends, and is_quiet says that nothing of
// the queue is on its way.  Buffers are discarded until the fetch has no batch of the queue under way, and once more.
//
//   SETTLE   grants that were decided have their serials
//   FLUSH    buffers that the user has
//   QUERY    are batches under way?
//   DISCARD  its buffers cannot be reserved any more; WAIT: were there any?
//   DRAIN    they are taken from the store, so their batches are retired
//   PAUSE    then again, until there was nothing
//
// Limits: at most STOPS stopped queues have packets under way, whose source has not sent them yet.  The next stop waits.
module qdma_c2h_stop
  import qdma_context_pkg::*;
  import qdma_c2h_pkg::*;
#(
    parameter bit BYPASS = 1'b0
) (
    input logic clk,
    input logic rst,

    input  logic   stop_valid,
    output logic   stop_ready,
    input  index_t stop,
    output logic   stop_done,

    output logic stopping,
    output index_t stop_qid,
    input serial_t next_serial,
    input serial_t done_serial,
    output c2h_stop_t [STOPS-1:0] stops,

    output logic discard_valid,
    input  logic discard_ready,
    input  logic discard_done,
    input  logic discard_any,
    output logic drain_valid,
    input  logic drain_done,
    input  logic drain_any,
    input  logic is_settled,
    input  logic is_quiet,       // no write of the queue is on its way

    output logic query_valid,
    input  logic query_ready,
    input  logic query_done,
    input  logic query_pending,

    // As qdma_bypass_c2h has it, of stop_qid
    output logic flush_valid,
    input  logic flush_done
);
  typedef enum logic [3:0] {
    IDLE,
    SETTLE,
    DISCARD,
    WAIT,
    QUERY,
    ASKED,
    DRAIN,
    PAUSE,
    FLUSH
  } state_e;
  state_e state_q;
  logic flushed_q, nothing_pending_q;  // flushed_q: asks from before the stop have their answers
  logic [3:0] pause_q;
  logic [STOPS-1:0] free, chosen;
  always_comb begin
    for (int i = 0; i < STOPS; i++) free[i] = ~stops[i].valid;
  end
  assign chosen        = free & (~free + 1'b1);
  assign stop_ready    = (state_q == IDLE) & (free != '0);
  assign discard_valid = state_q == DISCARD;
  assign drain_valid   = state_q == DRAIN;
  assign query_valid   = state_q == QUERY;
  assign flush_valid   = BYPASS & (state_q == FLUSH);
  assign stopping      = state_q != IDLE;

  always_ff @(posedge clk) begin
    stop_done <= 1'b0;
    pause_q   <= pause_q + 1'b1;
    for (int i = 0; i < STOPS; i++) if (stops[i].upto == done_serial) stops[i].valid <= 1'b0;
    case (state_q)
      IDLE: begin
        flushed_q         <= 1'b0;
        nothing_pending_q <= 1'b0;
        if (stop_valid && stop_ready) begin
          state_q  <= SETTLE;
          stop_qid <= stop;
        end
      end
      SETTLE: begin
        state_q <= BYPASS ? FLUSH : QUERY;
        for (int i = 0; i < STOPS; i++) begin
          if (chosen[i]) stops[i] <= '{valid: 1'b1, qid: stop_qid, upto: next_serial};
        end
      end
      QUERY:   if (query_ready) state_q <= ASKED;
      ASKED:
      if (query_done) begin
        nothing_pending_q <= ~query_pending & is_settled & flushed_q;
        state_q           <= DISCARD;
      end
      DISCARD: if (discard_ready) state_q <= WAIT;
      WAIT:
      if (discard_done) begin
        flushed_q         <= 1'b1;
        nothing_pending_q <= nothing_pending_q & ~discard_any;
        state_q           <= DRAIN;
      end
      DRAIN:
      if (drain_done) begin
        pause_q   <= '0;
        state_q   <= nothing_pending_q & ~drain_any & is_quiet ? IDLE : PAUSE;
        stop_done <= nothing_pending_q & ~drain_any & is_quiet;
      end
      PAUSE:   if (&pause_q) state_q <= BYPASS ? FLUSH : QUERY;
      default: if (flush_done || !BYPASS) state_q <= QUERY;
    endcase
    if (rst) begin
      state_q   <= IDLE;
      stop_done <= 1'b0;
      for (int i = 0; i < STOPS; i++) stops[i].valid <= 1'b0;
    end
  end
endmodule
