// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of toe_raw_merge, for any frames at any time, any reader, and resets at any time:
//   - each word that leaves is one that its source offers in that cycle, and is taken from nobody else;
//   - frames are whole: behind a word that is not the last one the next word is of the same source;
//   - an offered word stays until it is taken;
//   - no pause within a frame of a source that does not pause, and 1 cycle in front of one at most;
//   - no starvation: while a source waits, each other one begins one frame at most.
// One source, any, is followed: `chosen`.
module raw_merge_turns #(
    parameter bit INVARIANTS = 1'b1,
    parameter int INPUTS = 3
) (
    input logic                            clk,
    input logic                            rst,
    input logic [$clog2(INPUTS)-1:0]       any,
    input logic [        INPUTS-1:0][31:0] s_tdata,
    input logic [        INPUTS-1:0][ 3:0] s_tkeep,
    input logic [        INPUTS-1:0]       s_tvalid,
    input logic [        INPUTS-1:0]       s_tlast,
    input logic                            m_tready
);
  typedef logic [$clog2(INPUTS)-1:0] input_t;
  logic [INPUTS-1:0] s_tready;
  logic [31:0] m_tdata;
  logic [3:0] m_tkeep;
  logic m_tvalid, m_tlast;
  toe_raw_merge #(
      .INPUTS(INPUTS)
  ) dut (
      .clk,
      .rst,
      .s_tdata,
      .s_tkeep,
      .s_tvalid,
      .s_tready,
      .s_tlast,
      .m_tdata,
      .m_tkeep,
      .m_tvalid,
      .m_tready,
      .m_tlast
  );

  // --- Who gives the word that leaves
  input_t from;
  logic [$clog2(INPUTS+1)-1:0] takers;
  always_comb begin
    from   = '0;
    takers = '0;
    for (int i = 0; i < INPUTS; i++) begin
      if (s_tvalid[i] && s_tready[i]) begin
        from = input_t'(i);
        takers += 1'b1;
      end
    end
  end

  // --- The source that is followed: which others have begun a frame while it waits
  input_t chosen_q;
  logic   began_q = 1'b0;
  logic within_q, gave;
  logic [INPUTS-1:0] before_q;
  input_t from_q;
  assign gave = m_tvalid & m_tready;
  always_ff @(posedge clk) begin
    began_q <= 1'b1;
    if (!began_q) chosen_q <= any;
    if (gave) {within_q, from_q} <= {~m_tlast, from};
    if (gave && !within_q) before_q[from] <= 1'b1;
    if (!s_tvalid[chosen_q] || (gave && from == chosen_q)) before_q <= '0;
    if (rst) {within_q, before_q} <= '0;
  end

  // --- The cycle before
  logic held_q, idle_q;
  logic [36:0] word_q;
  logic [INPUTS-1:0] s_held_q;
  logic [INPUTS-1:0][36:0] s_word_q;
  always_ff @(posedge clk) begin
    held_q <= m_tvalid & ~m_tready & ~rst;
    word_q <= {m_tlast, m_tkeep, m_tdata};
    idle_q <= (s_tvalid != 0) & ~m_tvalid & ~rst & began_q;
    for (int i = 0; i < INPUTS; i++) begin
      s_held_q[i] <= s_tvalid[i] & ~s_tready[i] & ~rst;
      s_word_q[i] <= {s_tlast[i], s_tkeep[i], s_tdata[i]};
    end
  end

  always_comb begin
    if (!began_q) assume (rst);
    assume (32'(any) < INPUTS);
    // A word stays until it is taken; within a frame there is always one.
    for (int i = 0; i < INPUTS; i++) begin
      if (began_q && s_held_q[i]) assume (s_tvalid[i] && {s_tlast[i], s_tkeep[i], s_tdata[i]} == s_word_q[i]);
      if (began_q && within_q && from_q == input_t'(i)) assume (s_tvalid[i]);
    end

    if (began_q) begin
      // The claim
      assert (takers == (gave ? 1 : 0));
      if (gave) assert ({m_tlast, m_tkeep, m_tdata} == {s_tlast[from], s_tkeep[from], s_tdata[from]});
      if (gave && within_q) assert (from == from_q);
      if (held_q) assert (m_tvalid && {m_tlast, m_tkeep, m_tdata} == word_q);
      if (within_q) assert (m_tvalid);
      if (idle_q) assert (m_tvalid);
      if (gave && !within_q && from != chosen_q && s_tvalid[chosen_q]) assert (!before_q[from]);
      // Invariants
      if (INVARIANTS) begin
        assert (32'(dut.turn_q) < INPUTS && 32'(chosen_q) < INPUTS);
        if (within_q) assert (dut.busy_q && dut.turn_q == from_q);
        if (dut.busy_q) assert (within_q || s_held_q[dut.turn_q]);
        if (held_q) assert (dut.busy_q);
        if (idle_q) assert (dut.busy_q);
        assert (!before_q[chosen_q]);
        if (before_q != 0) assert (s_held_q[chosen_q]);
        // Those that have been before lie, in turn, behind the chosen one and not behind the one whose turn it is or was.
        for (int i = 0; i < INPUTS; i++) begin
          if (before_q[i]) begin
            if (dut.turn_q == chosen_q)
              assert (dut.busy_q && !within_q);
              else
                assert ((i + INPUTS - 32'(chosen_q)) % INPUTS <= (32'(dut.turn_q) + INPUTS - 32'(chosen_q)) % INPUTS);
            if (dut.busy_q && !within_q) assert (input_t'(i) != dut.turn_q);
          end
        end
      end
    end
  end
endmodule
