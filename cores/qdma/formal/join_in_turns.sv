// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_bypass_join, for any batches of fetch and user, any pace of the engine, and resets.
//   - what is shown is the descriptor of one of the two, which alone sees it accepted; it stays until then
//   - batches are not mixed; a batch of the fetch that is continued is followed by the next one, as long as one may come
//   - what waits when a batch of the other ends is next
//   - if nothing is shown, no batch is in progress, and none is read after one that was continued, what waits is shown in the
//     next cycle
// Assumes that both hold what they show until it is accepted.
module join_in_turns
  import qdma_fetch_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1
) (
    input logic        clk,              // there is an edge in this step
    input logic        rst,
    input logic        goes_on,
    input logic        read_begins,
    input logic        batch_left,
    input logic        fetched_valid,
    input descriptor_t fetched,
    input logic        user_valid,
    input descriptor_t user,
    input logic        descriptor_ready
);
  logic fetched_ready, user_ready, descriptor_valid;
  descriptor_t descriptor;
  qdma_bypass_join dut (.*);

  // --- Reference: the batch in progress, whose turn is next, what is held
  logic reset_q, begun_q, continued_q, chain_q, was_user_q, fetch_turn_q, user_turn_q, due_q;
  logic fetched_held_q, user_held_q, shown_held_q;
  descriptor_t fetched_q, user_q, shown_q;
  logic [8:0] batches_q;
  logic takes_fetched, takes_user, may_come, is_open;
  assign takes_fetched = fetched_valid && fetched_ready;
  assign takes_user    = user_valid && user_ready;
  assign may_come      = goes_on || batches_q != '0;
  assign is_open       = begun_q || (continued_q && may_come);
  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q        <= 1'b1;
    fetched_held_q <= fetched_valid && !fetched_ready;
    user_held_q    <= user_valid && !user_ready;
    shown_held_q   <= descriptor_valid && !descriptor_ready;
    fetched_q      <= fetched;
    user_q         <= user;
    shown_q        <= descriptor;
    due_q          <= !descriptor_valid && !begun_q && !(chain_q && may_come) && (fetched_valid || user_valid);
    batches_q      <= batches_q + 9'(read_begins) - 9'(takes_fetched && fetched.is_end) - 9'(batch_left);
    if (!may_come) continued_q <= 1'b0;
    if (takes_fetched || takes_user) begin
      begun_q      <= takes_user ? !user.is_end : !fetched.is_end;
      continued_q  <= takes_fetched && fetched.is_end && fetched.is_continued;
      chain_q      <= takes_fetched && fetched.is_end && fetched.is_continued;
      was_user_q   <= takes_user;
      user_turn_q  <= takes_fetched && fetched.is_end && !fetched.is_continued && user_valid;
      fetch_turn_q <= takes_user && user.is_end && fetched_valid;
    end
    if (rst) begin
      {fetched_held_q, user_held_q, shown_held_q, due_q} <= '0;
      {begun_q, continued_q, chain_q, was_user_q, user_turn_q, fetch_turn_q} <= '0;
      batches_q <= '0;
    end
  end

  always_comb begin
    if (!reset_q) assume (rst);
    if (reset_q) begin
      if (fetched_held_q) assume (fetched_valid && fetched == fetched_q);
      if (user_held_q) assume (user_valid && user == user_q);

      // --- The claim
      assert (!(takes_fetched && takes_user));
      assert ((takes_fetched || takes_user) == (descriptor_valid && descriptor_ready));
      if (takes_fetched) assert (descriptor == fetched);
      if (takes_user) assert (descriptor == user);
      if (shown_held_q) assert (descriptor_valid && descriptor == shown_q);
      if (is_open) assert (was_user_q ? !takes_fetched : !takes_user);
      if (user_turn_q) assert (!takes_fetched);
      if (fetch_turn_q) assert (!takes_user);
      if (due_q) assert (descriptor_valid);

      if (INVARIANTS) begin
        assert (dut.batches_q == batches_q && dut.begun_q == begun_q);
        assert (dut.continued_q == chain_q && (chain_q || !continued_q));
        if (chain_q) assert (!begun_q && !was_user_q);
        if (begun_q) assert (dut.is_user_q == was_user_q);
        if (continued_q) assert (!dut.is_user_q && !was_user_q);
        assert (!(begun_q && continued_q));
        if (user_turn_q) assert (dut.is_user_q && user_held_q && !begun_q && !continued_q);
        if (fetch_turn_q) assert (!dut.is_user_q && fetched_held_q && !begun_q && !continued_q);
        if (due_q) assert (dut.is_user_q ? user_held_q : fetched_held_q);
        if (shown_held_q)
          assert (dut.is_user_q ? user_held_q && shown_q == user_q : fetched_held_q && shown_q == fetched_q);
      end
    end
  end
endmodule
