// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Where toe_lookup keeps a tuple: a place in each of its ways.  Combinational; the local port is added last.
//
// The peer's address and port, which are all that a stranger chooses, go through three rounds of a Feistel network of
// 24-bit halves with bits of the secret (a LUT6 a bit): without the secret nobody can tell which of his tuples meet,
// which a secret that is only added to a linear hash would not hide.  The rounds multiply neighbouring bits and are
// three, because otherwise addresses or ports in a row stay in a straight line and meet in both ways with one secret in
// 1,000 or so.  The result and what else the tuple has, as a polynomial, give the remainder by a primitive polynomial
// for each way.  The low bits of the local port are added as they are: so the place and the rest of the tuple say what
// they were, and the table need not hold them.
module toe_hash
  import toe_pkg::*;
#(
    parameter int WAYS  = 2,  // 1 to 4
    parameter int INDEX = 9   // bits, 1 to 9
) (
    input  logic   [    31:0]            secret,
    input  tuple_t                       tuple,
    output logic   [WAYS-1:0][INDEX-1:0] place
);
  localparam int MIXED = $bits(tuple_t) - INDEX;
  localparam bit [8:0] POLYNOMIAL[4] = '{9'h05f, 9'h0db, 9'h14f, 9'h1cd};  // primitive ones, without their t^9

  function automatic logic [23:0] rotate(input logic [23:0] x, input int n);
    return (x << n) | (x >> (24 - n));
  endfunction
  function automatic logic [23:0] round(input logic [23:0] x, input logic [23:0] a, input logic [23:0] b);
    return ((rotate(x, 7) ^ a) & (rotate(x, 8) ^ b)) ^ rotate(x, 14);
  endfunction

  // x times t^9, modulo the polynomial without its t^9
  function automatic logic [8:0] remainder(input logic [MIXED-1:0] x, input logic [8:0] polynomial);
    logic [8:0] r;
    r = '0;
    for (int i = MIXED - 1; i >= 0; i--) r = {r[7:0], 1'b0} ^ (r[8] ^ x[i] ? polynomial : 9'd0);
    return r;
  endfunction

  logic [23:0] high, low, high_1, low_2, high_3;
  logic [MIXED-1:0] mixed;
  assign {high, low} = {tuple.peer_ip, tuple.peer_port};
  assign high_1      = high ^ round(low, secret[23:0], secret[31:8]);
  assign low_2       = low ^ round(high_1, {secret[7:0], secret[31:16]}, {secret[15:0], secret[31:24]});
  assign high_3      = high_1 ^ round(low_2, secret[27:4], {secret[11:0], secret[31:20]});
  assign mixed       = {tuple.iface, tuple.local_port[15:INDEX], high_3, low_2};

  for (genvar way = 0; way < WAYS; way++) begin : gen_way
    logic [8:0] r;
    assign r = remainder(mixed, POLYNOMIAL[way]);
    assign place[way] = tuple.local_port[INDEX-1:0] ^ r[INDEX-1:0];
  end
endmodule
