// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// One's complement arithmetic of the Internet checksum (RFC 1071): sums of 16 bits whose carry comes round.
// Combinational.  A sum is 0 only if both operands are; of the two zeros a sum that wraps gives 16'hffff.
//
// The carry is not added after the sum but chooses between two sums that are made side by side, so one addition is the
// time of one carry chain and a LUT.
package ones_pkg;
  function automatic logic [15:0] ones_add(input logic [15:0] a, input logic [15:0] b);
    logic [16:0] sum;
    logic [15:0] more;
    sum  = {1'b0, a} + {1'b0, b};
    more = a + b + 16'd1;
    return sum[16] ? more : sum[15:0];
  endfunction

  // Three operands: a carry-save stage whose top carry comes round, then one addition.
  function automatic logic [15:0] ones_add3(input logic [15:0] a, input logic [15:0] b, input logic [15:0] c);
    logic [15:0] carry;
    carry = (a & b) | (a & c) | (b & c);
    return ones_add(a ^ b ^ c, {carry[14:0], carry[15]});
  endfunction
endpackage
