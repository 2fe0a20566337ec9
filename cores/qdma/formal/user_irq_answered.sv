// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_user_interrupt, for any user, whether it holds its interrupt or not, any pace of qdma_msix, and resets.
//   - each interrupt of the user has one request, of the function and vector that it showed first, and one answer
//   - the answer is ack or fail, as qdma_msix has decided, in the cycle after; there is none without a decision
//   - an interrupt that is valid in the cycle of an answer is the one that has been answered: it is not requested again
//   - each fail is counted
// With message_leaves: an interrupt that has ack is sent once, or pending, and none that has fail.
// Assumes that qdma_msix decides only what it has accepted.
module user_irq_answered
  import qdma_tlp_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1
) (
    input logic             clk,            // there is an edge in this step
    input logic             rst,
    input logic             irq_valid,
    input function_t        irq_func,
    input logic      [10:0] irq_vector,
    input logic             request_ready,
    input logic             done,
    input logic             is_accepted
);
  logic irq_ack, irq_fail, request_valid;
  function_t request_func;
  logic [10:0] request_vector;
  logic [31:0] stat_failed;
  qdma_user_interrupt dut (.*);

  // --- Reference, of what can be seen outside
  logic reset_q, is_asked_q, is_requested_q, ack_q, fail_q;
  logic [18:0] asked_q;  // function and vector
  logic [31:0] failed_q;
  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q <= 1'b1;
    ack_q   <= done && is_accepted;
    fail_q  <= done && !is_accepted;
    if (!is_asked_q && irq_valid && !ack_q && !fail_q) begin
      is_asked_q <= 1'b1;
      asked_q    <= {irq_func, irq_vector};
    end
    if (request_valid && request_ready) is_requested_q <= 1'b1;
    if (done) begin
      is_asked_q     <= 1'b0;
      is_requested_q <= 1'b0;
    end
    if (fail_q) failed_q <= failed_q + 1'b1;
    if (rst) begin
      is_asked_q     <= 1'b0;
      is_requested_q <= 1'b0;
      ack_q          <= 1'b0;
      fail_q         <= 1'b0;
      failed_q       <= '0;
    end
  end

  always_comb begin
    if (!reset_q) assume (rst);
    if (!is_requested_q) assume (!done);

    if (reset_q) begin
      // --- The claim
      assert (request_valid == (is_asked_q && !is_requested_q));
      if (request_valid) assert ({request_func, request_vector} == asked_q);
      assert (irq_ack == ack_q && irq_fail == fail_q);
      assert (stat_failed == failed_q);

      if (INVARIANTS) begin
        assert (is_asked_q || !is_requested_q);
        assert (dut.state_q == (is_requested_q ? 2'd2 : is_asked_q ? 2'd1 : 2'd0));
        assert (!(ack_q && fail_q));
        if (ack_q || fail_q) assert (!is_asked_q);
        if (is_asked_q) assert ({request_func, request_vector} == asked_q);
      end
    end
  end
endmodule
