// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_merge, for any traffic, and resets at any time.
//   - something is shown if and only if a channel has something; it stays until it is accepted
//   - what is accepted is what one channel has, and this one alone sees it accepted
//   - while a channel waits, the other sends at most one
// Assumes that a channel holds what it shows until it is accepted.
module merge_in_turns #(
    parameter bit INVARIANTS = 1'b1,
    parameter int WIDTH = 3
) (
    input logic                  clk,      // there is an edge in this step
    input logic                  rst,
    input logic [1:0]            s_valid,
    input logic [1:0][WIDTH-1:0] s_data,
    input logic                  m_ready
);
  logic [1:0] s_ready, held_q, passed_q, twice_q;
  logic [1:0][WIDTH-1:0] data_q;
  logic m_valid, shown_q, reset_q;
  logic [WIDTH-1:0] m_data, shown_data_q;
  qdma_merge #(.WIDTH(WIDTH)) dut (.*);

  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q      <= 1'b1;
    held_q       <= s_valid & ~s_ready;
    data_q       <= s_data;
    shown_q      <= m_valid & ~m_ready;
    shown_data_q <= m_data;
    for (int i = 0; i < 2; i++) begin
      passed_q[i] <= s_valid[i] & ~s_ready[i] & (passed_q[i] | (s_valid[1-i] & s_ready[1-i]));
      twice_q[i]  <= s_valid[i] & passed_q[i] & s_valid[1-i] & s_ready[1-i];
    end
    if (rst) begin
      held_q   <= '0;
      shown_q  <= 1'b0;
      passed_q <= '0;
      twice_q  <= '0;
    end
  end

  always_comb begin
    if (!reset_q) assume (rst);
    if (reset_q) begin
      for (int i = 0; i < 2; i++) if (held_q[i]) assume (s_valid[i] && s_data[i] == data_q[i]);

      // --- The claim
      assert (m_valid == (s_valid != '0));
      if (m_valid) assert ((s_ready != '0) == m_ready && s_ready != 2'b11 && (s_ready & ~s_valid) == '0);
      for (int i = 0; i < 2; i++) if (s_valid[i] && s_ready[i]) assert (m_data == s_data[i]);
      if (shown_q) assert (m_valid && m_data == shown_data_q);
      assert (twice_q == '0);

      if (INVARIANTS) begin
        assert (dut.held_q == shown_q);
        for (int i = 0; i < 2; i++) begin
          if (passed_q[i]) assert (held_q[i] && dut.is_second_q == (shown_q ? dut.is_second_q : 1'(1 - i)));
          if (passed_q[i] && shown_q) assert (dut.is_second_q == 1'(i));
        end
        if (shown_q) assert (held_q[dut.is_second_q] && shown_data_q == data_q[dut.is_second_q]);
      end
    end
  end
endmodule
