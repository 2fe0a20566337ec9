// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests and proofs: the place of a tuple, of its parts as toe_lookup adds them.
module toe_hash_bench
  import toe_pkg::*;
#(
    parameter int WAYS  = 2,
    parameter int INDEX = 9
) (
    input  logic   [    31:0]            secret,
    input  tuple_t                       tuple,
    output logic   [WAYS-1:0][INDEX-1:0] place
);
  logic [WAYS-1:0][INDEX-1:0] peer, own;
  toe_hash_peer #(
      .WAYS (WAYS),
      .INDEX(INDEX)
  ) u_peer (
      .secret,
      .peer_ip  (tuple.peer_ip),
      .peer_port(tuple.peer_port),
      .part     (peer)
  );
  toe_hash_own #(
      .WAYS (WAYS),
      .INDEX(INDEX)
  ) u_own (
      .iface(tuple.iface),
      .port (tuple.local_port[15:INDEX]),
      .part (own)
  );
  always_comb for (int way = 0; way < WAYS; way++) place[way] = peer[way] ^ own[way] ^ tuple.local_port[INDEX-1:0];
endmodule
