// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The lowest one of many bits, found in groups: of 128 bits in about six levels of logic, where a carry chain with what
// decodes it takes fifteen.
//
// Latency: none, combinational.
module qdma_first #(
    parameter int WIDTH = 128  // a power of two, 2 to 256
) (
    input  logic [        WIDTH-1:0] bits,
    output logic [        WIDTH-1:0] first,     // the lowest one of bits, or 0
    output logic [$clog2(WIDTH)-1:0] index,     // of it, or 0
    output logic                     is_single  // bits has at most one
);
  localparam int MOST = 16;
  localparam int GROUP = WIDTH < MOST ? WIDTH : MOST;
  localparam int GROUPS = WIDTH / GROUP;
  typedef logic [MOST-1:0] group_t;
  typedef logic [$clog2(WIDTH)-1:0] index_t;

  function automatic group_t lowest(input group_t x);
    for (int i = 0; i < MOST; i++) lowest[i] = x[i] & ((x & ((group_t'(1) << i) - 1'b1)) == '0);
  endfunction
  function automatic logic two_of_4(input logic [3:0] x);
    return (x[0] & |x[3:1]) | (x[1] & |x[3:2]) | (x[2] & x[3]);
  endfunction
  function automatic logic two_of_16(input group_t x);
    logic [3:0] any_of, two_of;
    for (int i = 0; i < 4; i++) begin
      any_of[i] = |x[4*i+:4];
      two_of[i] = two_of_4(x[4*i+:4]);
    end
    return |two_of | two_of_4(any_of);
  endfunction

  group_t any, group, first_group;
  group_t [GROUPS-1:0] first_in;
  logic [GROUPS-1:0] two;
  index_t index_in;
  always_comb begin
    any = '0;
    for (int i = 0; i < GROUPS; i++) begin
      group       = group_t'(bits[GROUP*i+:GROUP]);
      any[i]      = |group;
      two[i]      = two_of_16(group);
      first_in[i] = lowest(group);
    end
    first_group = lowest(any);
    is_single   = ~|two & ~two_of_16(any);
    index       = '0;
    for (int i = 0; i < GROUPS; i++) begin
      first[GROUP*i+:GROUP] = first_group[i] ? first_in[i][GROUP-1:0] : '0;
      index_in              = index_t'(GROUP * i);
      for (int j = 0; j < GROUP; j++) if (first_in[i][j]) index_in |= index_t'(j);
      if (first_group[i]) index |= index_in;
    end
  end
endmodule
