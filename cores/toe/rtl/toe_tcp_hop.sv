// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Does a session send to the host whose MAC address has changed: its peer, if that is on the interface's network, else
// the gateway (RFC 1122, 3.3.1.1).
// Latency: 2 cycles.
module toe_tcp_hop
  import toe_pkg::*;
#(
    parameter int INTERFACES = 1
) (
    input logic clk,

    input iface_t    [INTERFACES-1:0] iface,          // not all of it
    input tuple_t                     tuple,          // of the session; not its ports
    input iface_id_t                  changed_iface,
    input logic      [          31:0] changed_ip,

    output logic here
);
  iface_t ours;
  logic iface_q, near_q, peer_q, gateway_q;
  always_comb begin
    ours = iface[0];
    for (int i = 1; i < INTERFACES; i++) if (changed_iface == iface_id_t'(i)) ours = iface[i];
  end
  always_ff @(posedge clk) begin
    iface_q   <= tuple.iface == changed_iface;
    near_q    <= on_link(ours, tuple.peer_ip);
    peer_q    <= tuple.peer_ip == changed_ip;
    gateway_q <= ours.gateway == changed_ip;
    here      <= iface_q & (near_q ? peer_q : gateway_q);
  end
endmodule
