// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_context_share and qdma_arbiter, for any requests, any port, and resets at any time.
//   - the port sees a request if and only if an engine has one; the one that is accepted has its engine's index
//   - `at`, two cycles after a request was accepted, is its engine's alone, and what this engine says is what is written
//   - no engine that waits sees the port accept another twice
// Assumes what the head of qdma_context_share says: a request is held until it is accepted.
module share_in_step
  import qdma_context_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1,
    parameter int ENGINES = 3
) (
    input logic                 clk,           // there is an edge in this step
    input logic                 rst,
    input logic   [ENGINES-1:0] engine_valid,
    input index_t [ENGINES-1:0] engine_index,
    input logic   [ENGINES-1:0] engine_write,
    input words_t [ENGINES-1:0] engine_next,
    input logic                 port_ready
);
  logic [ENGINES-1:0] engine_ready, engine_at;
  logic valid, ready, at, write;
  index_t index;
  words_t next;
  assign ready = port_ready & valid;
  qdma_context_share #(.ENGINES(ENGINES)) dut (.*);

  logic [ENGINES-1:0] accepted_1_q, accepted_2_q, held_q;
  logic [ENGINES-1:0][2:0] passed_q;  // requests of others that were accepted while it waited
  logic reset_q;
  assign at = |accepted_2_q;
  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q      <= 1'b1;
    accepted_1_q <= engine_ready;
    accepted_2_q <= accepted_1_q;
    held_q       <= engine_valid & ~engine_ready;
    for (int i = 0; i < ENGINES; i++) begin
      passed_q[i] <= !engine_valid[i] || engine_ready[i] ? '0 : passed_q[i] + 3'(ready);
    end
    if (rst) begin
      accepted_1_q <= '0;
      accepted_2_q <= '0;
      held_q       <= '0;
      passed_q     <= '0;
    end
  end

  // Engines that go before i
  logic [ENGINES-1:0][ENGINES-1:0] ahead;
  always_comb begin
    for (int i = 0; i < ENGINES; i++) begin
      for (int j = 0; j < ENGINES; j++) begin
        ahead[i][j] = dut.arbiter.after_q[j] == dut.arbiter.after_q[i] ? j < i : dut.arbiter.after_q[j];
      end
    end
  end

  always_comb begin
    if (!reset_q) assume (rst);
    if (reset_q) begin
      assume ((held_q & ~engine_valid) == '0);

      // --- The claim
      assert (valid == (engine_valid != '0));
      assert ((engine_ready & ~engine_valid) == '0 && $onehot0(engine_ready) && (engine_ready != '0) == ready);
      assert (engine_at == accepted_2_q);
      for (int i = 0; i < ENGINES; i++) begin
        if (engine_ready[i]) assert (index == engine_index[i]);
        if (engine_at[i]) assert (write == engine_write[i] && next == engine_next[i]);
        assert (passed_q[i] < 3'(ENGINES));
      end
      if (!at) assert (!write);

      if (INVARIANTS) begin
        assert (dut.engine_1_q == accepted_1_q && dut.engine_2_q == accepted_2_q);
        assert ($onehot0(accepted_1_q) && $onehot0(accepted_2_q));
        assert ((~dut.arbiter.after_q & (~dut.arbiter.after_q + 1'b1)) == '0);
        for (int i = 0; i < ENGINES; i++) begin
          if (held_q[i])
            assert (4'(passed_q[i]) + 4'($countones(ahead[i])) < 4'(ENGINES));
            else assert (passed_q[i] == '0);
        end
      end
    end
  end
endmodule
