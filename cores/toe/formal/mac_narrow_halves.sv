// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of toe_mac_narrow: each word leaves once, whole, in order, low half first, and each verdict with the last half of what it
// came with.  One thing that comes, word or verdict, is followed: any.
// With LINE, words and verdicts come as a line gives them, and nothing is ever thrown away: a word in every second cycle at most,
// no more than one verdict without a word for each frame, and 3 cycles from a frame's last word to the next one's first, at
// least.  Else they come at any time, and what is taken leaves; a verdict with which a word was thrown away is bad.
module mac_narrow_halves #(
    parameter bit INVARIANTS = 1'b1,
    parameter bit LINE       = 1'b0,
    parameter int DEPTH      = 4
) (
    input logic        rst_in,
    input logic [63:0] data,
    input logic [ 7:0] keep,
    input logic        valid,
    input logic        last,
    input logic        verdict,
    input logic        good,
    input logic        mark
);
  logic clk;  // each step is a cycle
  assign clk = 1'b1;
  logic began_q = 1'b0, rst;
  assign rst = rst_in | ~began_q;
  logic [31:0] m_data;
  logic [ 3:0] m_keep;
  logic m_valid, m_last, m_verdict, m_good;
  toe_mac_narrow #(
      .DEPTH(DEPTH)
  ) dut (
      .clk,
      .rst,
      .s_axis_tdata  (data),
      .s_axis_tkeep  (keep),
      .s_axis_tvalid (valid),
      .s_axis_tlast  (last),
      .s_status_valid(verdict),
      .s_status_good (good),
      .m_axis_tdata  (m_data),
      .m_axis_tkeep  (m_keep),
      .m_axis_tvalid (m_valid),
      .m_axis_tlast  (m_last),
      .m_status_valid(m_verdict),
      .m_status_good (m_good)
  );

  // --- What is inside: what has been taken and whose last half has not been on m_*
  logic taken, lost, out, leaves, lost_q, half_q;
  logic [3:0] inside_q;
  assign lost   = dut.comes & ~dut.room;
  assign taken  = dut.comes & dut.room;
  assign out    = m_valid | m_verdict;
  assign leaves = out & ~dut.high_q;

  // --- The one that is followed
  logic there_q, both;
  logic [ 3:0] ahead_q;  // others in front of it
  logic [63:0] data_q;
  logic [ 7:0] keep_q;
  logic valid_q, last_q, verdict_q, good_q;
  assign both = valid_q & ~(last_q & (keep_q[7:4] == 0));
  always_ff @(posedge clk) begin
    began_q  <= 1'b1;
    half_q   <= dut.high_q;
    inside_q <= inside_q + 4'(taken) - 4'(leaves);
    lost_q   <= ~verdict & (lost | lost_q);
    if (there_q && leaves) begin
      if (ahead_q == 0) there_q <= 1'b0;
      else ahead_q <= ahead_q - 1'b1;
    end
    if (taken && mark && (!there_q || (leaves && ahead_q == 0))) begin
      there_q                                      <= 1'b1;
      ahead_q                                      <= inside_q - 4'(leaves);
      {data_q, keep_q, valid_q, last_q, verdict_q} <= {data, keep, valid, last, verdict};
      good_q                                       <= good & ~lost_q;
    end
    if (rst) {half_q, inside_q, lost_q, there_q} <= '0;
  end

  // --- The line
  logic [1:0] since_q;  // cycles since the last word, 3 or more
  logic end_q, seen_q;  // that was a frame's last one; its verdict has come
  logic line;
  assign line = (!valid || (end_q ? since_q >= 2'd2 : since_q != 0)) && (!verdict || (valid ? last : end_q && !seen_q));
  always_ff @(posedge clk) begin
    since_q <= valid ? 2'd0 : since_q + 2'(since_q != 2'd3);
    if (valid) end_q <= last;
    seen_q <= valid ? verdict : seen_q | verdict;
    if (rst) {since_q, end_q, seen_q} <= 4'b1111;
  end

  logic [1:0] at;  // of the one that is followed, in the FIFO
  always_comb begin
    at = 2'(dut.rd_q + 3'(ahead_q) - 3'(out));
    if (!began_q) assume (rst_in);
    if (began_q) begin
      if (LINE) assume (rst || line);
      // --- The claim
      if (there_q && ahead_q == 0 && out) begin
        assert (m_valid == valid_q && dut.high_q == (both && !half_q));
        if (valid_q) begin
          assert (m_data == (half_q ? data_q[63:32] : data_q[31:0]) && m_keep == (half_q ? keep_q[7:4] : keep_q[3:0]));
          assert (m_last == (last_q && (half_q || !both)));
        end
        assert (m_verdict == (verdict_q && !dut.high_q));
        if (m_verdict) assert (m_good == good_q);
      end
      assert (out == (inside_q != 0));  // nothing else leaves, and nothing stays
      if (LINE) assert (!lost);
      // --- Invariants
      if (INVARIANTS) begin
        assert (dut.used <= 3'(DEPTH) && 32'(inside_q) == 32'(dut.used) + 32'(out) && dut.spoilt_q == lost_q);
        if (dut.high_q) assert (m_valid && !half_q && !m_verdict);
        if (half_q) assert (m_valid);
        for (int i = 0; i < DEPTH; i++)
        if ({1'b0, 2'(2'(i) - dut.rd_q[1:0])} < dut.used) assert (dut.ram[i].valid || dut.ram[i].verdict);
        if (there_q) begin
          assert (ahead_q < inside_q && (valid_q || verdict_q));
          if (ahead_q >= 4'(out)) begin
            assert (dut.ram[at].data == data_q && dut.ram[at].keep == keep_q && dut.ram[at].valid == valid_q);
            assert (dut.ram[at].last == last_q && dut.ram[at].verdict == verdict_q && dut.ram[at].good == good_q);
          end else if (dut.high_q) begin
            assert (dut.data_q == data_q[63:32] && dut.keep_q == keep_q[7:4] && dut.last_q == last_q);
            assert (dut.verdict_q == verdict_q && dut.good_q == good_q);
          end
        end
        if (LINE) begin
          // A word leaves in two cycles, a verdict in one
          assert (dut.used == 0 || (dut.used == 3'd1 && since_q == 2'd1 && end_q && seen_q && !dut.high_q));
          if (dut.high_q) assert (since_q == 0);
        end
      end
    end
  end
endmodule
