// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Internet checksum (RFC 1071) over two lanes of 16 bits, checked against all ones.
// Latency: good, combinational from registers, speaks of all operands that were added in cycles before.
//
// The carry of a lane comes round with its next operand, so that a lane is one addition and nothing after it.
// Assumes: some operand is not 0 (of the two zeros of the sum only all ones is taken for right).
module toe_rx_ones #(
    parameter int WIDTH = 16  // the proof has fewer
) (
    input logic clk,

    input logic             load,  // begins a sum with these operands
    input logic             add,
    input logic [WIDTH-1:0] lo,
    input logic [WIDTH-1:0] hi,

    output logic good  // the sum is 0 modulo all ones
);
  localparam int W = WIDTH + 1;
  localparam logic [W-1:0] ONES = W'((1 << WIDTH) - 1), TWICE = ONES << 1;
  // a + b + carry is `wanted`, without a carry chain: in each bit the carry that it needs is the one that comes out of the bit
  // below, which needs one, too.
  function automatic logic equals(input logic [WIDTH-1:0] a, input logic [WIDTH-1:0] b, input logic cin,
                                  input logic [W-1:0] wanted);
    logic [W-1:0] need, come;
    need = {1'b0, a ^ b} ^ wanted;
    come = {(a & b) | ((a | b) & need[WIDTH-1:0]), cin};
    return need == come;
  endfunction
  function automatic logic [W-1:0] plus(input logic [WIDTH-1:0] a, input logic [WIDTH-1:0] b, input logic cin);
    return W'(({1'b0, a, 1'b1} + {1'b0, b, cin}) >> 1);
  endfunction

  logic [W-1:0] lo_q, hi_q;
  always_ff @(posedge clk) begin
    if (load) begin
      lo_q <= {1'b0, lo};
      hi_q <= {1'b0, hi};
    end else if (add) begin
      lo_q <= plus(lo_q[WIDTH-1:0], lo, lo_q[WIDTH]);
      hi_q <= plus(hi_q[WIDTH-1:0], hi, hi_q[WIDTH]);
    end
  end
  // Both lanes and both carries are all ones or twice that.
  logic carry, other;
  assign {carry, other} = {lo_q[WIDTH], hi_q[WIDTH]};
  assign good = equals(
      lo_q[WIDTH-1:0], hi_q[WIDTH-1:0], carry, ONES - W'(other)
  ) | equals(
      lo_q[WIDTH-1:0], hi_q[WIDTH-1:0], carry, TWICE - W'(other)
  );
endmodule
