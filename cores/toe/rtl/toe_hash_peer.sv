// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The peer's part of a tuple's place (toe_hash_pkg).  Combinational: three levels and the remainder.
//
// The peer's address and port, which are all that a stranger chooses, go through three rounds of a Feistel network of
// 24-bit halves with bits of the secret (a LUT6 a bit): without the secret nobody can predict which tuples collide,
// which a secret that is only added to a linear hash would not hide.  The rounds multiply neighbouring bits and are
// three, because otherwise addresses or ports in a row stay in a straight line and meet in both ways with one secret in
// 1,000 or so.
module toe_hash_peer
  import toe_hash_pkg::*;
#(
    parameter int WAYS  = 2,  // 1 to 4
    parameter int INDEX = 9   // bits, 1 to 9
) (
    input  logic [    31:0]            secret,
    input  logic [    31:0]            peer_ip,
    input  logic [    15:0]            peer_port,
    output logic [WAYS-1:0][INDEX-1:0] part
);
  function automatic logic [23:0] rotate(input logic [23:0] x, input int n);
    return (x << n) | (x >> (24 - n));
  endfunction
  function automatic logic [23:0] round(input logic [23:0] x, input logic [23:0] a, input logic [23:0] b);
    return ((rotate(x, 7) ^ a) & (rotate(x, 8) ^ b)) ^ rotate(x, 14);
  endfunction

  logic [23:0] high, low, high_1, low_2, high_3;
  assign {high, low} = {peer_ip, peer_port};
  assign high_1      = high ^ round(low, secret[23:0], secret[31:8]);
  assign low_2       = low ^ round(high_1, {secret[7:0], secret[31:16]}, {secret[15:0], secret[31:24]});
  assign high_3      = high_1 ^ round(low_2, secret[27:4], {secret[11:0], secret[31:20]});

  for (genvar way = 0; way < WAYS; way++) begin : gen_way
    localparam masks_t MASK = masks(POLYNOMIAL[way]);
    logic [8:0] r;
    assign r = remainder(66'({high_3, low_2}), MASK);
    assign part[way] = r[INDEX-1:0];
  end
endmodule
