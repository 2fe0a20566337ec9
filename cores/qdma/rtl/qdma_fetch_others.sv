// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether another queue waits beside the one that is served: it is active, or has a batch under way.
//
// Latency: waits 1 cycle after its inputs.
//
// Interface: batch_begins and batch_ends are for a cycle each; batches are served in the order in which they begin, and end
// in it.  served_qid is of one that is under way.  `more_active`: others are active beside active_qid.
//
// Operation: batches of the queue that was read last are counted up to those that are under way.  If all of these are of that
// queue, and it is the one that is served, no other has any.
//
// formal/others_seen.sv proves: while another queue has a batch under way, `waits` is high; while none has, and none is active,
// it is low.
//
// Limits: a queue whose turn is under way, 10 cycles, is neither.  more_active may be the served queue once more, if a doorbell
// of it has come while it was active: then its turn ends early, once.
module qdma_fetch_others
  import qdma_context_pkg::*;
#(
    parameter int BATCHES = 256  // that are under way, at most
) (
    input logic clk,
    input logic rst,

    input logic   active_valid,
    input index_t active_qid,
    input logic   more_active,

    input logic   batch_begins,
    input index_t batch_qid,
    input logic   batch_ends,

    input  index_t served_qid,
    output logic   waits
);
  typedef logic [$clog2(BATCHES+1)-1:0] count_t;
  count_t pending_q, pending, last_q, last;  // batches under way; of these, from the youngest on, those of one queue
  index_t last_qid_q;
  assign pending = pending_q + count_t'(batch_begins) - count_t'(batch_ends);
  always_comb begin
    last = last_q;
    if (batch_begins) last = batch_qid == last_qid_q ? last_q + 1'b1 : count_t'(1);
    if (last > pending) last = pending;
  end

  always_ff @(posedge clk) begin
    pending_q <= pending;
    last_q    <= last;
    if (batch_begins) last_qid_q <= batch_qid;
    waits <= (active_valid & (more_active | (active_qid != served_qid)))
             | ((pending_q != '0) & ((last_q != pending_q) | (last_qid_q != served_qid)));
    if (rst) begin
      pending_q <= '0;
      last_q    <= '0;
      waits     <= 1'b0;
    end
  end
endmodule
