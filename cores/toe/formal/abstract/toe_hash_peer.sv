// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Stands for toe_hash_peer where any hash will do: it takes a bit of the port for each way, whose other bits are free.
module toe_hash_peer #(
    parameter int WAYS  = 2,
    parameter int INDEX = 1
) (
    input  logic [    31:0]            secret,
    input  logic [    31:0]            peer_ip,
    input  logic [    15:0]            peer_port,
    output logic [WAYS-1:0][INDEX-1:0] part
);
  always_comb for (int way = 0; way < WAYS; way++) part[way] = INDEX'(peer_port[way]) ^ INDEX'(secret[way]);
endmodule
