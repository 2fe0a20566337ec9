// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of axis_register, for any data, any valid and ready, and resets at any time:
//   - the words come out as they went in: none lost, repeated or changed, in order; 1 cycle later at the earliest;
//   - an offered word stays until it is taken;
//   - full rate: no pause as long as the reader takes a word in every cycle, and at most two words are held.
// The reference is a queue of two words.
module axis_register_order #(
    parameter bit INVARIANTS = 1'b1,
    parameter int WIDTH = 32
) (
    input logic             clk,
    input logic             rst,
    input logic [WIDTH-1:0] s_data,
    input logic             s_valid,
    input logic             m_ready
);
  logic s_ready, m_valid;
  logic [WIDTH-1:0] m_data;
  axis_register #(
      .WIDTH(WIDTH)
  ) dut (
      .clk,
      .rst,
      .s_data,
      .s_valid,
      .s_ready,
      .m_data,
      .m_valid,
      .m_ready
  );

  // --- Reference
  logic [WIDTH-1:0] front_q, back_q;
  logic [1:0] count_q;
  logic put, take;
  assign put  = s_valid & s_ready;
  assign take = m_valid & m_ready;
  always_ff @(posedge clk) begin
    if (take) front_q <= back_q;
    if (put && count_q == {1'b0, take}) front_q <= s_data;
    else if (put) back_q <= s_data;
    count_q <= count_q + {1'b0, put} - {1'b0, take};
    if (rst) count_q <= 2'd0;
  end

  // --- What the cycle before was like
  logic began_q = 1'b0, rst_q, held_q, flowing_q;
  logic [WIDTH-1:0] held_data_q;
  always_ff @(posedge clk) begin
    began_q     <= 1'b1;
    rst_q       <= rst;
    held_q      <= m_valid & ~m_ready;
    held_data_q <= m_data;
    flowing_q   <= s_ready & (m_ready | ~m_valid);
  end

  always_comb begin
    if (!began_q) assume (rst);
    if (began_q) begin
      // The claim
      assert (m_valid == (count_q != 0));
      if (m_valid) assert (m_data == front_q);
      assert (s_ready == (count_q != 2));
      if (held_q && !rst_q) assert (m_valid && m_data == held_data_q);
      if (flowing_q) assert (s_ready);
      // Invariants
      if (INVARIANTS) begin
        assert (count_q <= 2);
        if (count_q == 2) assert (dut.spare_q == back_q);
      end
    end
  end
endmodule
