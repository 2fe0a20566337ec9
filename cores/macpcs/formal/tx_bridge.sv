// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of macpcs_tx_bridge (with axis_narrow in it), for any words, well-formed or not, any tready, and resets at any
// time.  On the fast clock, with `second` given: it is high in every other cycle, and the user's word changes only
// after such a cycle.
//   1. The halves that come out are those of the words that the user has had taken, in order: none lost, repeated or
//      changed.  A word that is withdrawn untaken leaves nothing behind, nor does one that a reset cuts.
//   2. No half waits: in each cycle in which the user shows a word or a half is left over, one is offered.
//   3. At a slow edge s_axis_tready says that the word's low half has gone, in this cycle or in the one before.
module tx_bridge #(
    parameter bit INVARIANTS = 1'b1
) (
    input logic        clk,
    input logic        rst,
    input logic        second,
    // Free in every slow cycle
    input logic [31:0] tdata,
    input logic [ 3:0] tkeep,
    input logic        tvalid,
    input logic        tlast,
    input logic        tuser,
    // Free in every cycle
    input logic        ready
);
  typedef struct packed {
    logic [15:0] data;
    logic [1:0]  keep;
    logic        last;
    logic        user;
  } half_t;

  half_t out;
  logic s_ready, out_valid;
  macpcs_tx_bridge dut (
      .clk,
      .rst,
      .second,
      .s_axis_tdata (tdata),
      .s_axis_tkeep (tkeep),
      .s_axis_tvalid(tvalid),
      .s_axis_tready(s_ready),
      .s_axis_tlast (tlast),
      .s_axis_tuser (tuser),
      .m_axis_tdata (out.data),
      .m_axis_tkeep (out.keep),
      .m_axis_tvalid(out_valid),
      .m_axis_tready(ready),
      .m_axis_tlast (out.last),
      .m_axis_tuser (out.user)
  );

  // --- Environment
  logic began_q = 1'b0, second_q;
  logic [38:0] word_q;  // what the user showed in the cycle before
  always_ff @(posedge clk) begin
    began_q  <= 1'b1;
    second_q <= second;
    word_q   <= {tvalid, tdata, tkeep, tlast, tuser};
  end
  always_comb begin
    if (!began_q) assume (rst);
    if (began_q) assume (second == !second_q);
    if (began_q && second) assume (word_q == {tvalid, tdata, tkeep, tlast, tuser});
  end

  // --- Reference: the halves of the word that is shown, and how many of them have gone; what is left of the one before
  half_t low, high, left_q;
  logic two;  // the word has a high half
  logic left_valid_q;
  logic [1:0] gone_q;
  logic take;
  assign two  = !(tlast && tkeep inside {4'h0, 4'h1, 4'h2, 4'h3});
  assign low  = '{data: tdata[15:0], keep: tkeep[1:0], last: !two, user: tuser};
  assign high = '{data: tdata[31:16], keep: tkeep[3:2], last: tlast, user: 1'b0};
  assign take = out_valid & ready;

  logic  due;
  half_t want;
  always_comb begin
    due  = 1'b1;
    want = low;
    if (left_valid_q) want = left_q;
    else if (tvalid && gone_q == 1 && two) want = high;
    else due = tvalid & (gone_q == 0);
  end

  logic [1:0] gone;  // after this cycle
  assign gone = gone_q + ((take & !left_valid_q) ? 2'd1 : 2'd0);
  always_ff @(posedge clk) begin
    if (take) left_valid_q <= 1'b0;
    gone_q <= gone;
    if (second) begin
      gone_q <= 2'd0;
      if (gone == 1 && two) begin
        left_valid_q <= 1'b1;
        left_q       <= high;
      end
    end
    if (rst) begin
      left_valid_q <= 1'b0;
      gone_q       <= 2'd0;
    end
  end

  // --- The claims
  always_comb
    if (began_q) begin
      assert (out_valid == due);
      if (out_valid) assert (out == want);
      if (second && tvalid) assert (s_ready == (gone != 0));
    end

  // --- Invariants
  always_comb
    if (INVARIANTS && began_q) begin
      assert (gone_q <= 1 && !(gone_q != 0 && (left_valid_q || !second || !tvalid)));
      assert (dut.taken_q == (gone_q != 0));
      assert (dut.u_narrow.high_q == (left_valid_q || (gone_q == 1 && two)));
      if (dut.u_narrow.high_q)
        assert ({dut.u_narrow.data_q, dut.u_narrow.keep_q, dut.u_narrow.last_q} ==
                (left_valid_q ? left_q[19:1] : high[19:1]));
      if (left_valid_q) assert (!left_q.user);
    end
endmodule
