// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// One's complement sum of a beat's bytes, as two numbers of 16 bits: carry-save stages only, no carry chain.
// Combinational.
module toe_tx_sum
  import toe_tx_pkg::*;
#(
    parameter int WIDTH = 64  // 32, 64 or 128
) (
    input logic [WIDTH-1:0] data,
    output logic [15:0] sum_a,
    output logic [15:0] sum_b
);
  logic [WIDTH/16-1:0][15:0] h;
  logic [1:0][15:0] sum;
  assign h = data;
  if (WIDTH == 32) begin : gen_2
    assign sum = h;
  end else if (WIDTH == 64) begin : gen_4
    logic [1:0][15:0] first;
    assign first = ones_csa(h[0], h[1], h[2]);
    assign sum   = ones_csa(first[0], first[1], h[3]);
  end else begin : gen_8
    logic [1:0][15:0] a, b, c, d, e;
    assign a   = ones_csa(h[0], h[1], h[2]);
    assign b   = ones_csa(h[3], h[4], h[5]);
    assign c   = ones_csa(a[0], a[1], b[0]);
    assign d   = ones_csa(b[1], h[6], h[7]);
    assign e   = ones_csa(c[0], c[1], d[0]);
    assign sum = ones_csa(e[0], e[1], d[1]);
  end
  assign {sum_b, sum_a} = sum;
endmodule
