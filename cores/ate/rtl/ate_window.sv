// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// How much a connection may still send, modulo 2^32: credit = MAX_SEQ - SEQ, and whether a payload fits.
// Latency: 1 cycle; with LATE_CHECK none from `check`, which then comes a cycle after seq and max_seq.
//
// SEQ is taken for past MAX_SEQ if it is ahead by less than 2^31; then nothing fits but a pure ACK (length 0), and the
// credit is 0.  A connection that is not checked has all credit.
module ate_window #(
    parameter bit LATE_CHECK = 1'b0
) (
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
  logic [31:0] carries, rest;  // of the sum only the sign is wanted
  logic unused;
  assign inverse        = ~seq;
  assign lower          = ~{16'h0, length};
  assign partial        = max_seq ^ inverse ^ lower;
  assign carries        = (max_seq & inverse) | (max_seq & lower) | (inverse & lower);
  assign {rest, unused} = {partial, 1'b1} + {carries[30:0], 2'b11};
  assign left           = max_seq - seq;

  // left is not negative, so rest cannot wrap.
  logic checked, fits_now;
  logic [31:0] left_q;
  assign fits_now = (~left[31] & ~rest[31]) | (length == 0);
  always_ff @(posedge clk) left_q <= left;
  if (LATE_CHECK) begin : gen_late_check
    logic fits_q;
    always_ff @(posedge clk) fits_q <= fits_now;
    assign checked = check;
    assign fits    = ~check | fits_q;
  end else begin : gen_check
    always_ff @(posedge clk) begin
      fits    <= ~check | fits_now;
      checked <= check;
    end
  end
  assign credit = !checked ? 32'hffffffff : left_q[31] ? 32'h0 : left_q;
endmodule
