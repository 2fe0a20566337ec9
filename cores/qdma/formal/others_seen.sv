// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_fetch_others, for any batches of any queues, up to BATCHES under way, and resets at any time: `waits` is high if
// and only if a queue other than the one that was served a cycle before had a batch under way, or was active, or more were.
// Assumes what the head of qdma_fetch_others says: batches end in the order in which they begin.
module others_seen
  import qdma_context_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1,
    parameter int BATCHES = 5
) (
    input logic   clk,           // there is an edge in this step
    input logic   rst,
    input logic   active_valid,
    input index_t active_qid,
    input logic   more_active,
    input logic   batch_begins,
    input index_t batch_qid,
    input logic   batch_ends,
    input index_t served_qid
);
  logic waits;
  qdma_fetch_others #(.BATCHES(BATCHES)) dut (.*);

  // --- Reference: those under way, the youngest in place 0
  index_t [BATCHES-1:0] qid_q;
  logic [$clog2(BATCHES+1)-1:0] count_q;
  logic reset_q, due_q, others;
  int run;  // of these, from the youngest on, how many are of its queue
  always_comb begin
    others = active_valid & (more_active | (active_qid != served_qid));
    for (int i = 0; i < BATCHES; i++) if (i < 32'(count_q) && qid_q[i] != served_qid) others = 1'b1;
    run = 0;
    for (int i = 0; i < BATCHES; i++) if (run == i && i < 32'(count_q) && qid_q[i] == qid_q[0]) run = i + 1;
  end

  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q <= 1'b1;
    due_q   <= others & ~rst;
    count_q <= count_q + $bits(count_q)'(batch_begins) - $bits(count_q)'(batch_ends);
    if (batch_begins) qid_q <= {qid_q[BATCHES-2:0], batch_qid};
    if (rst) count_q <= '0;
  end

  always_comb begin
    if (!reset_q) assume (rst);
    if (reset_q && !rst) begin
      assume (!(batch_begins && 32'(count_q) == BATCHES && !batch_ends) && !(batch_ends && count_q == '0));
      assert (waits == due_q);
      if (INVARIANTS) begin
        assert (32'(count_q) <= BATCHES && dut.pending_q == count_q && 32'(dut.last_q) == run);
        if (count_q != '0) assert (dut.last_qid_q == qid_q[0]);
      end
    end
  end
endmodule
