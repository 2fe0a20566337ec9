// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Stands for toe_hash_own where any hash will do: it takes a bit of the port for each way.
module toe_hash_own
  import toe_pkg::*;
#(
    parameter int WAYS  = 2,
    parameter int INDEX = 1
) (
    input  iface_id_t                       iface,
    input  logic      [15:INDEX]            port,
    output logic      [WAYS-1:0][INDEX-1:0] part
);
  always_comb for (int way = 0; way < WAYS; way++) part[way] = INDEX'(port[INDEX+way]);
endmodule
