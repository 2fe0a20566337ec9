// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether a segment comes from an address that a host can have (RFC 1122, 3.2.1.3): not "this network" (0/8), not loopback
// (127/8), no multicast or reserved one (224/3), not the broadcast address of the interface's network, and not its own.
// What does not is forged, and nothing may answer it (RFC 9293, 3.9.2.3).  Combinational.
module toe_rx_sender
  import toe_pkg::*;
#(
    parameter int INTERFACES = 1
) (
    input iface_t    [INTERFACES-1:0] interfaces,
    input iface_id_t                  iface,       // that the segment came to
    input logic      [          31:0] ip,

    output logic host
);
  logic [31:0] own, mask;
  always_comb begin
    {own, mask} = '0;
    for (int i = 0; i < INTERFACES; i++) begin
      if (iface == iface_id_t'(i)) {own, mask} = {interfaces[i].ip, interfaces[i].mask};
    end
  end
  // A network of two or one has no broadcast address (RFC 3021)
  logic everyone;
  assign everyone = (ip == (own | ~mask)) & ~mask[1];
  assign host     = ~everyone & (ip != own) & (ip[31:29] != 3'b111) & (ip[31:24] != 8'd0) & (ip[31:24] != 8'd127);
endmodule
