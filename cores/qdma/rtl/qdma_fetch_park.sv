// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Keeps queues from their turn that are blocked: they are put aside, and are active again when they are blocked no more.
//
// Latency: none of a turn; 1 cycle from the end of a block to its activation, if the turn activates none.
//
// Interface: active_* is the provided queue of qdma_active, turn_* what qdma_fetch_turn sees of it; again_* goes to
// qdma_active, from the turn or from here.  The turn's activation comes first.
module qdma_fetch_park #(
    parameter int QUEUES  = 2048,
    parameter int LIMITED = 2      // queues 0 to LIMITED - 1 may be blocked
) (
    input logic clk,
    input logic rst,

    input logic [LIMITED-1:0] blocked,

    input  logic                      active_valid,
    input  logic [$clog2(QUEUES)-1:0] active_qid,
    output logic                      active_take,
    output logic                      turn_valid,
    input  logic                      turn_ready,

    input  logic                      turn_again_valid,
    output logic                      turn_again_ready,
    input  logic [$clog2(QUEUES)-1:0] turn_again_qid,
    output logic                      again_valid,
    input  logic                      again_ready,
    output logic [$clog2(QUEUES)-1:0] again_qid
);
  typedef logic [$clog2(QUEUES)-1:0] qid_t;
  logic [LIMITED-1:0] selected, parked_q, wakes, first, woken;
  logic parks;
  always_comb for (int i = 0; i < LIMITED; i++) selected[i] = active_qid == qid_t'(i);
  assign parks            = active_valid & (|(selected & blocked));
  assign turn_valid       = active_valid & ~parks;
  assign active_take      = parks | (turn_valid & turn_ready);

  assign wakes            = parked_q & ~blocked;
  assign first            = wakes & (~wakes + 1'b1);
  assign woken            = again_ready & ~turn_again_valid ? first : '0;
  assign again_valid      = turn_again_valid | (|wakes);
  assign turn_again_ready = again_ready;
  always_comb begin
    again_qid = '0;
    for (int i = 0; i < LIMITED; i++) again_qid |= first[i] ? qid_t'(i) : '0;
    if (turn_again_valid) again_qid = turn_again_qid;
  end

  always_ff @(posedge clk) begin
    parked_q <= (parked_q & ~woken) | (parks ? selected : '0);
    if (rst) parked_q <= '0;
  end
endmodule
