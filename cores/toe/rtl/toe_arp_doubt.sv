// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A peer has not answered for long (RFC 9293, 3.8.3: advice at R1): its next hop is asked for by broadcast, so that a host that has
// taken the address over is heard of, and all sessions that send to it follow (toe_tcp_hop).  Not more often than once in INTERVAL
// ticks (RFC 1122, 2.3.2.1); what is doubted meanwhile is doubted again with the next retransmission.
module toe_arp_doubt
  import toe_pkg::*;
  import toe_arp_pkg::*;
#(
    parameter int INTERFACES = 1,
    parameter int INTERVAL   = 1000  // ticks
) (
    input logic clk,
    input logic rst,

    input logic                    tick,
    input iface_t [INTERFACES-1:0] iface,

    input logic             doubt,        // one cycle
    input iface_id_t        doubt_iface,
    input logic      [31:0] doubt_ip,     // of the peer

    output logic  send_valid,
    input  logic  send_ready,
    output send_t send
);
  localparam int BITS = $clog2(INTERVAL + 1);
  logic taken_q, near_q, due_q;
  logic [BITS-1:0] timer_q;
  iface_id_t iface_q;
  logic [31:0] ip_q, hop;
  iface_t ours;
  always_comb begin
    ours = iface[0];
    for (int i = 1; i < INTERFACES; i++) if (iface_q == iface_id_t'(i)) ours = iface[i];
  end
  assign hop        = near_q ? ip_q : ours.gateway;
  assign send_valid = due_q & ours.enable & (hop != '0);
  assign send       = '{iface: iface_q, reply: 1'b0, everyone: 1'b1, mac: '0, ip: hop};
  always_ff @(posedge clk) begin
    if (tick && timer_q != 0) timer_q <= timer_q - 1'b1;
    if (doubt && !taken_q && !due_q && timer_q == 0) begin
      taken_q <= 1'b1;
      iface_q <= doubt_iface;
      ip_q    <= doubt_ip;
    end
    if (taken_q) begin
      taken_q <= 1'b0;
      near_q  <= on_link(ours, ip_q);
      due_q   <= 1'b1;
      timer_q <= BITS'(INTERVAL);
    end
    if (due_q && (send_ready || !send_valid)) due_q <= 1'b0;
    if (rst) begin
      {taken_q, due_q} <= '0;
      timer_q          <= '0;
    end
  end
endmodule
