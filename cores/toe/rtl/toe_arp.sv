// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// ARP (RFC 826): answers for our addresses, a table of neighbours learnt from what arrives and refreshed, requests for those that
// toe_open wants.
module toe_arp
  import toe_pkg::*;
#(
    parameter int INTERFACES = 1,
    parameter bit ARP_SERVER_EN = 1'b1,
    parameter int ARP_TABLE_ENTRY_COUNT = 16,
    parameter bit ARP_GRATUITOUS_REFRESH_EN = 1'b1
) (
    input logic clk,
    input logic rst,

    input iface_t [INTERFACES-1:0] iface,
    input logic                    tick,

    input rx_t rx,

    input  logic        resolve_valid,   // held until done
    input  iface_id_t   resolve_iface,
    input  logic [31:0] resolve_ip,      // of the next hop
    output logic        resolve_done,    // one cycle
    output logic        resolve_found,
    output logic [47:0] resolve_mac,

    // Frames to send, whole: no pause between first and last word
    output logic [31:0] m_tdata,
    output logic [ 3:0] m_tkeep,
    output logic        m_tvalid,
    input  logic        m_tready,
    output logic        m_tlast
);
endmodule
