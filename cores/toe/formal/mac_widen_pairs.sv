// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of toe_mac_widen: each word leaves once, in order, two at a time or a frame's last one alone, tuser with it; and within a
// frame there is a word in every cycle with m_axis_tready, as macpcs wants it, if that is never high twice in a row and the
// sender makes no pause.
module mac_widen_pairs #(
    parameter bit INVARIANTS = 1'b1
) (
    input logic        clk,
    input logic        rst_in,
    input logic [31:0] data,
    input logic [ 3:0] keep,
    input logic        valid,
    input logic        last,
    input logic        user,
    input logic        ready
);
  logic began_q = 1'b0, rst;
  assign rst = rst_in | ~began_q;
  logic s_ready, m_valid, m_last, m_user;
  logic [63:0] m_data;
  logic [ 7:0] m_keep;
  toe_mac_widen dut (
      .clk,
      .rst,
      .s_axis_tdata (data),
      .s_axis_tkeep (keep),
      .s_axis_tvalid(valid),
      .s_axis_tready(s_ready),
      .s_axis_tlast (last),
      .s_axis_tuser (user),
      .m_axis_tdata (m_data),
      .m_axis_tkeep (m_keep),
      .m_axis_tvalid(m_valid),
      .m_axis_tready(ready),
      .m_axis_tlast (m_last),
      .m_axis_tuser (m_user)
  );

  // Words that have been taken and have not left: one at most, not a frame's last one
  logic [31:0] word_q;
  logic one_q, user_q;
  // Within a frame: of the sender; of the receiver, with what its last cycles were like
  logic under_q, begun_q, ready_q, steady_q, held_q, held_last_q;
  logic put, take;
  assign put  = valid & s_ready;
  assign take = m_valid & ready;
  always_ff @(posedge clk) begin
    began_q <= 1'b1;
    if (put) {word_q, user_q} <= {data, user};
    one_q <= take ? 1'b0 : one_q | put;
    if (put) under_q <= ~last;
    if (take) begun_q <= ~m_last;
    ready_q     <= ready;
    held_q      <= valid & ~s_ready & ~rst;
    held_last_q <= last;
    // No pause of the sender's and no two cycles with ready, since the frame's first word left
    steady_q    <= take & ~begun_q ? 1'b1 : steady_q & (valid | ~begun_q) & ~(ready & ready_q);
    if (rst) {one_q, under_q, begun_q, ready_q, steady_q} <= '0;
  end
  always_comb begin
    if (!began_q) assume (rst_in);
    if (began_q && held_q) assume (valid && last == held_last_q);  // a word that is offered stays
    if (began_q && !rst_in) begin
      if (one_q) begin
        // Nothing is taken on top of it
        if (put) assert (take);
        if (take) assert (put && m_data == {data, word_q} && m_keep == {keep, 4'hf} && m_user == (user || user_q));
      end else if (take) assert (put && last && m_data[31:0] == data && m_keep == {4'h0, keep} && m_user == user);
      if (take) assert (m_last == last);
      if (put && !take) assert (!last);
      if (m_valid) assert (valid);
      if (ready && m_valid) assert (s_ready);
      // No pause
      if (begun_q && steady_q && valid && ready && !ready_q) assert (m_valid);
      if (INVARIANTS) begin
        assert (one_q == dut.low_q);
        if (one_q) assert (word_q == dut.data_q && user_q == dut.user_q && under_q);
        assert (!begun_q || under_q);
        if (begun_q && steady_q && !ready_q) assert (one_q || (held_q && held_last_q));
        if (held_q) assert (one_q || held_last_q);
      end
    end
  end
endmodule
