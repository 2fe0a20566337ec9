// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_h2c_stop, for any stops, any batches and any status, and resets at any time.  Of a queue that is chosen freely:
//   - at stop_done no batch of it is under way, and no status of it waits
//   - each stop ends; after an answer that something is under way the next query comes within 17 cycles
// Assumes what the neighbours keep.  The fetch begins no batch of a queue that is being stopped, and says in the cycle of
// query_done whether there are any.  A batch that is retired leaves its status in the same cycle, if it has one.
module stop_waits
  import qdma_context_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1
) (
    input logic   clk,            // there is an edge in this step
    input logic   rst,
    input index_t chosen_const,   // one value for a whole run
    input logic   stop_valid,
    input index_t stop,
    input logic   query_ready,
    input logic   query_done,
    input logic   other_pending,
    input logic   other_status,
    input logic   begins,         // a batch of the chosen queue
    input logic   retires,
    input logic   with_status,
    input logic   status_leaves
);
  logic stop_ready, stop_done, stopping, has_status, query_valid, query_pending;
  index_t stop_qid;
  // Of the chosen queue: batches, at most 15, and a status
  index_t chosen_q, stop_of_q;
  logic [3:0] batches_q;
  logic [4:0] silent_q;
  logic status_q, reset_q, asked_q, open_q, is_ours;
  assign is_ours       = stop_qid == chosen_q;
  assign has_status    = is_ours ? status_q : other_status;
  assign query_pending = is_ours ? batches_q != '0 : other_pending;
  logic flush_valid;
  qdma_h2c_stop dut (
      .flush_done(1'b0),
      .*
  );

  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q   <= 1'b1;
    batches_q <= batches_q + 4'(begins) - 4'(retires);
    if (status_leaves) status_q <= 1'b0;
    if (retires && with_status) status_q <= 1'b1;
    asked_q  <= (query_valid & query_ready) | (asked_q & ~query_done);
    silent_q <= open_q && !query_valid && !asked_q ? silent_q + 1'b1 : '0;
    if (stop_done) open_q <= 1'b0;
    if (stop_valid && stop_ready) begin
      open_q    <= 1'b1;
      stop_of_q <= stop;
    end
    if (rst) begin
      chosen_q  <= chosen_const;
      batches_q <= '0;
      status_q  <= 1'b0;
      asked_q   <= 1'b0;
      open_q    <= 1'b0;
      silent_q  <= '0;
    end
  end

  always_comb begin
    if (!reset_q) assume (rst);
    if (reset_q) begin
      assume (!(begins && (batches_q == '1 || (stopping && is_ours))));
      assume (!(retires && batches_q == '0));
      assume (!(retires && with_status && status_q));
      assume (!(query_done && !asked_q));

      // --- The claim
      if (stop_done) assert (open_q);
      if (stop_done && stop_of_q == chosen_q) assert (batches_q == '0 && !status_q);
      if (open_q && !stop_done) assert (stopping && stop_qid == stop_of_q);
      assert (stop_ready == !stopping);
      assert (silent_q <= 5'd17);

      if (INVARIANTS) begin
        assert (open_q == (stopping || stop_done));
        if (open_q) assert (stop_qid == stop_of_q);
        assert (asked_q == (dut.state_q == 2'd2));
        if (stop_done) assert (!stopping);
        case (dut.state_q)
          2'd0: assert (silent_q <= 5'd1 && (!open_q || silent_q == '0));
          2'd1: assert (silent_q <= 5'd16);
          2'd2: assert (silent_q == '0);
          default: assert (silent_q == {1'b0, dut.pause_q});
        endcase
        if (stop_done && is_ours) assert (batches_q == '0 && !status_q);
      end
    end
  end
endmodule
