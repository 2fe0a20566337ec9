// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_fetch_park, for any queues, any blocks, any activations of the turn, and resets at any time.
//   - a queue that is blocked has no turn; one that is not blocked has its turn as if this module was not there
//   - each queue that is provided has its turn or is put aside: none is lost
//   - a queue that was put aside and is blocked no more is activated at once, but for the turn's activation and one of a lower
//     number; an event that has been is not waited for
//   - a queue is activated only if it was put aside, once, or by the turn, whose activation comes first and is not changed
// Assumes that the queue that is provided, and an activation of the turn, are held until they are accepted.
module park_wakes #(
    parameter bit INVARIANTS = 1'b1,
    parameter int QUEUES = 8,
    parameter int LIMITED = 3
) (
    input logic                      clk,               // there is an edge in this step
    input logic                      rst,
    input logic [       LIMITED-1:0] blocked,
    input logic                      active_valid,
    input logic [$clog2(QUEUES)-1:0] active_qid,
    input logic                      turn_ready,
    input logic                      turn_again_valid,
    input logic [$clog2(QUEUES)-1:0] turn_again_qid,
    input logic                      again_ready
);
  typedef logic [$clog2(QUEUES)-1:0] qid_t;
  logic active_take, turn_valid, turn_again_ready, again_valid;
  qid_t again_qid;
  qdma_fetch_park #(
      .QUEUES (QUEUES),
      .LIMITED(LIMITED)
  ) dut (
      .*
  );

  // --- Reference: the queues that are aside
  logic [LIMITED-1:0] aside_q;
  logic reset_q, active_held_q, again_held_q, is_blocked, wakes;
  qid_t active_qid_q, turn_qid_q;
  assign is_blocked = 32'(active_qid) < LIMITED && blocked[2'(active_qid)];
  assign wakes      = again_valid & again_ready & ~turn_again_valid;
  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q       <= 1'b1;
    active_held_q <= active_valid & ~active_take;
    active_qid_q  <= active_qid;
    again_held_q  <= turn_again_valid & ~again_ready;
    turn_qid_q    <= turn_again_qid;
    for (int i = 0; i < LIMITED; i++) begin
      if (wakes && again_qid == qid_t'(i)) aside_q[i] <= 1'b0;
      if (active_valid && active_take && is_blocked && active_qid == qid_t'(i)) aside_q[i] <= 1'b1;
    end
    if (rst) begin
      active_held_q <= 1'b0;
      again_held_q  <= 1'b0;
      aside_q       <= '0;
    end
  end

  always_comb begin
    if (!reset_q) assume (rst);
    if (reset_q) begin
      if (active_held_q) assume (active_valid && active_qid == active_qid_q);
      if (again_held_q) assume (turn_again_valid && turn_again_qid == turn_qid_q);

      // --- The claim
      assert (turn_valid == (active_valid && !is_blocked));
      assert (!(turn_valid && turn_ready) || active_take);
      assert (active_take == (active_valid && (is_blocked || turn_ready)));
      assert (turn_again_ready == again_ready);
      if (turn_again_valid) assert (again_valid && again_qid == turn_again_qid);
      if (!turn_again_valid) begin
        assert (again_valid == ((aside_q & ~blocked) != '0));
        if (again_valid) begin
          assert (32'(again_qid) < LIMITED && aside_q[2'(again_qid)] && !blocked[2'(again_qid)]);
          for (int i = 0; i < LIMITED; i++) if (qid_t'(i) < again_qid) assert (!aside_q[i] || blocked[i]);
        end
      end

      if (INVARIANTS) assert (dut.parked_q == aside_q);
    end
  end
endmodule
