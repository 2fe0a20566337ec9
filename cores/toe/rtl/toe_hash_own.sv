// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Our part of a tuple's place (toe_hash_pkg): interface and local port, but the low bits of the port.  Combinational, two
// levels.
module toe_hash_own
  import toe_pkg::*;
  import toe_hash_pkg::*;
#(
    parameter int WAYS  = 2,  // 1 to 4
    parameter int INDEX = 9   // bits, 1 to 9
) (
    input  iface_id_t                       iface,
    input  logic      [15:INDEX]            port,
    output logic      [WAYS-1:0][INDEX-1:0] part
);
  for (genvar way = 0; way < WAYS; way++) begin : gen_way
    localparam masks_t MASK = masks(POLYNOMIAL[way]);
    logic [8:0] r;
    assign r = remainder(66'({iface, port, {MIXED{1'b0}}}), MASK);
    assign part[way] = r[INDEX-1:0];
  end
endmodule
