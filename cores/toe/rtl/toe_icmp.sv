// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// ICMP echo (RFC 792, RFC 1122 3.2.2.6): answers to requests for our addresses.
module toe_icmp
  import toe_pkg::*;
#(
    parameter int INTERFACES = 1,
    parameter int DEPTH = 1024  // words: what a request may have, and how many wait
) (
    input logic clk,
    input logic rst,

    input iface_t [INTERFACES-1:0] iface,
    input rx_t rx,

    output logic [31:0] m_tdata,
    output logic [ 3:0] m_tkeep,
    output logic        m_tvalid,
    input  logic        m_tready,
    output logic        m_tlast,

    output logic stat_dropped  // no room, or its checksum is wrong
);
endmodule
