// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Stands for toe_hash where any hash will do that adds the low bits of the local port last: it takes a bit of the tuple for
// each way, whose other bits are free.
module toe_hash
  import toe_pkg::*;
#(
    parameter int WAYS  = 2,
    parameter int INDEX = 1
) (
    input  logic   [    31:0]            secret,
    input  tuple_t                       tuple,
    output logic   [WAYS-1:0][INDEX-1:0] place
);
  always_comb
    for (int way = 0; way < WAYS; way++)
      place[way] = tuple.local_port[INDEX-1:0] ^ INDEX'(tuple.peer_port[way]) ^ INDEX'(secret[way]);
endmodule
