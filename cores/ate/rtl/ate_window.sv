// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// How much a connection may still send, modulo 2^32: credit = MAX_SEQ - SEQ, and whether a payload fits.
// Latency: 1 cycle.
//
// SEQ is taken for past MAX_SEQ if it is ahead by less than 2^31; then nothing fits but a pure ACK (length 0), and the
// credit is 0.  A connection that is not checked has all credit.
module ate_window (
    input logic clk,

    input logic        check,
    input logic [31:0] seq,      // numbers
    input logic [31:0] max_seq,
    input logic [15:0] length,

    output logic        fits,
    output logic [31:0] credit
);
  // max_seq - seq - length in one carry chain: a carry-save stage, and the two ones of the complements as carries in.
  logic [31:0] inverse, lower, partial, left;
  // verilator lint_off UNUSEDSIGNAL
  logic [31:0] carries, rest;  // of the sum only the sign is wanted
  logic unused;
  // verilator lint_on UNUSEDSIGNAL
  assign inverse        = ~seq;
  assign lower          = ~{16'h0, length};
  assign partial        = max_seq ^ inverse ^ lower;
  assign carries        = (max_seq & inverse) | (max_seq & lower) | (inverse & lower);
  assign {rest, unused} = {partial, 1'b1} + {carries[30:0], 2'b11};
  assign left           = max_seq - seq;

  // left is not negative, so rest cannot wrap.
  logic check_q;
  logic [31:0] left_q;
  always_ff @(posedge clk) begin
    fits    <= ~check | (length == 0) | (~left[31] & ~rest[31]);
    check_q <= check;
    left_q  <= left;
  end
  assign credit = !check_q ? 32'hffffffff : left_q[31] ? 32'h0 : left_q;
endmodule
