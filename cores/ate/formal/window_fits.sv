// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of ate_window, for all SEQ, MAX_SEQ and lengths: modulo 2^32 the credit is how far MAX_SEQ is ahead, none if it is
// behind; a payload fits exactly if it is not longer, and nothing but an ACK fits in none.  With LATE_CHECK whether the
// connection is checked comes a cycle later.
module window_fits #(
    parameter bit INVARIANTS = 1'b1,  // there is none beside the claim
    parameter bit LATE_CHECK = 1'b0
) (
    input logic        clk,
    input logic        check,
    input logic [31:0] seq,
    input logic [31:0] ahead,
    input logic [15:0] length
);
  logic fits;
  logic [31:0] credit;
  logic check_q;
  ate_window #(
      .LATE_CHECK(LATE_CHECK)
  ) dut (
      .clk,
      .check  (LATE_CHECK ? check_q : check),
      .seq,
      .max_seq(seq + ahead),
      .length,
      .fits,
      .credit
  );
  logic began_q = 1'b0;
  logic [31:0] ahead_q;
  logic [15:0] length_q;
  always_ff @(posedge clk) begin
    began_q <= 1'b1;
    {check_q, ahead_q, length_q} <= {check, ahead, length};
  end
  logic behind;
  assign behind = ahead_q >= 32'h80000000;
  always_comb begin
    if (began_q) begin
      assert (credit == (!check_q ? 32'hffffffff : behind ? 32'd0 : ahead_q));
      assert (fits == (!check_q || length_q == 0 || (!behind && ahead_q >= 32'(length_q))));
      assert (!check_q || length_q == 0 || fits == (credit >= 32'(length_q)));
    end
  end
endmodule
