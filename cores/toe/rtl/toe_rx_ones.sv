// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Internet checksum (RFC 1071) over two 16-bit lanes, checked against all ones.
// Latency: good, combinational from registers, speaks of all operands that were added in cycles before.
//
// The carry of a lane comes round with its next operand, so that a lane is one 16-bit addition and nothing behind it.
// Assumes: some operand is not 0 (of the two zeros of the sum only 16'hffff is taken for right).
module toe_rx_ones (
    input logic clk,

    input logic        load,  // begins a sum with these operands
    input logic        add,
    input logic [15:0] lo,
    input logic [15:0] hi,

    output logic good  // the sum is 0 modulo 65535
);
  logic [16:0] lo_q, hi_q;
  always_ff @(posedge clk) begin
    if (load) begin
      lo_q <= {1'b0, lo};
      hi_q <= {1'b0, hi};
    end else if (add) begin
      lo_q <= 17'({1'b0, lo_q[15:0], 1'b1} + {1'b0, lo, lo_q[16]} >> 1);
      hi_q <= 17'({1'b0, hi_q[15:0], 1'b1} + {1'b0, hi, hi_q[16]} >> 1);
    end
  end
  // Both lanes and one of the carries are 65535 or twice that, or one less where the other carry adds to it.
  logic [16:0] sum;
  assign sum  = 17'({1'b0, lo_q[15:0], 1'b1} + {1'b0, hi_q[15:0], lo_q[16]} >> 1);
  assign good = hi_q[16] ? sum inside {17'h0fffe, 17'h1fffd} : sum inside {17'h0ffff, 17'h1fffe};
endmodule
