// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Orders of the user to the TCP machine; one that connects waits here for the address of its next hop (the peer itself, or the interface's
// gateway) and others pass it.
module toe_open
  import toe_pkg::*;
#(
    parameter int INTERFACES = 1,
    parameter int DEPTH = 4  // connects that wait; further ones make the user wait
) (
    input logic clk,
    input logic rst,

    input iface_t [INTERFACES-1:0] iface,

    input  logic   s_valid,
    output logic   s_ready,
    input  order_t s_order,

    output logic        resolve_valid,
    output iface_id_t   resolve_iface,
    output logic [31:0] resolve_ip,
    input  logic        resolve_done,
    input  logic        resolve_found,
    input  logic [47:0] resolve_mac,

    output logic   m_valid,
    input  logic   m_ready,
    output order_t m_order,

    output logic   event_valid,  // EV_UNREACHABLE
    input  logic   event_ready,
    output event_e event_code,
    output sid_t   event_sid
);
endmodule
