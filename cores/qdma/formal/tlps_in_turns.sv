// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_merge_tlps, for any traffic, and resets at any time.
//   - what is accepted is what one channel has, and this one alone sees it accepted; it stays until it is accepted
//   - the beats of a TLP follow each other, without the other channel's between them
//   - a channel that has something is shown, or the other one has begun a TLP; while it waits, the other sends at most one
//     TLP, and the rest of one that had begun
// Assumes that a channel holds what it shows until it is accepted.
module tlps_in_turns
  import qdma_write_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1
) (
    input logic              clk,      // there is an edge in this step
    input logic              rst,
    input logic        [1:0] s_valid,
    input write_beat_t [1:0] s_data,
    input logic              m_ready
);
  logic [1:0] s_ready, held_q, open_q, ends, begins, begun_q, twice_q;  // open: within a TLP
  write_beat_t [1:0] data_q;
  logic m_valid, shown_q, reset_q;
  write_beat_t m_data, shown_data_q;
  qdma_merge_tlps dut (.*);

  always_comb begin
    for (int i = 0; i < 2; i++) begin
      ends[i]   = s_valid[i] & s_ready[i] & s_data[i].last;
      begins[i] = s_valid[i] & s_ready[i] & ~open_q[i];
    end
  end
  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q      <= 1'b1;
    held_q       <= s_valid & ~s_ready;
    data_q       <= s_data;
    shown_q      <= m_valid & ~m_ready;
    shown_data_q <= m_data;
    for (int i = 0; i < 2; i++) begin
      if (s_valid[i] && s_ready[i]) open_q[i] <= ~s_data[i].last;
      // The other has begun a TLP while this one waits, and another one
      begun_q[i] <= s_valid[i] & ~s_ready[i] & (begun_q[i] | begins[1-i]);
      twice_q[i] <= s_valid[i] & begun_q[i] & begins[1-i];
    end
    if (rst) begin
      held_q  <= '0;
      shown_q <= 1'b0;
      open_q  <= '0;
      begun_q <= '0;
      twice_q <= '0;
    end
  end

  always_comb begin
    if (!reset_q) assume (rst);
    if (reset_q) begin
      for (int i = 0; i < 2; i++) if (held_q[i]) assume (s_valid[i] && s_data[i] == data_q[i]);

      // --- The claim
      if (m_valid)
        assert ((s_ready != '0) == m_ready && s_ready != 2'b11);
        else assert ((s_ready & s_valid) == '0);
      for (int i = 0; i < 2; i++) begin
        if (s_valid[i] && s_ready[i]) assert (m_valid && m_data == s_data[i]);
        if (s_valid[i] && !m_valid) assert (open_q[1-i]);
        if (open_q[1-i]) assert (!(s_valid[i] && s_ready[i]));
      end
      if (shown_q) assert (m_valid && m_data == shown_data_q);
      assert (twice_q == '0);

      if (INVARIANTS) begin
        assert (open_q != 2'b11);
        assert (dut.held_q == (shown_q | (open_q != '0)));
        for (int i = 0; i < 2; i++) begin
          if (open_q[i]) assert (dut.is_second_q == 1'(i));
          if (begun_q[i]) assert (held_q[i] && dut.is_second_q == (shown_q ? dut.is_second_q : 1'(1 - i)));
          if (begun_q[i] && shown_q && !open_q[1-i]) assert (dut.is_second_q == 1'(i));
        end
        if (shown_q) assert (held_q[dut.is_second_q] && shown_data_q == data_q[dut.is_second_q]);
      end
    end
  end
endmodule
