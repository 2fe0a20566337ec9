// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// SYNs of no session to one that listens on their port: a walk over a table, beside the way of all other segments.
// Segments that are no stray SYN (hit = 0, SYN without ACK and RST) pass through; a SYN waits in a short FIFO until the walk has
// found a free listening session for it (hit = 1, sid), or none (hit = 0: the TCP machine refuses it).  A SYN for which the FIFO has no
// place is dropped and counted.
module toe_listen
  import toe_pkg::*;
#(
    parameter int SESSIONS = 64,
    parameter int DEPTH = 8
) (
    input logic clk,
    input logic rst,

    input  logic     s_valid,
    output logic     s_ready,
    input  segment_t s_segment,

    output logic     m_valid,
    input  logic     m_ready,
    output segment_t m_segment,

    // From the TCP machine: session sid listens (or does not any more: it is in use)
    input logic      listen_wr,
    input sid_t      listen_sid,
    input logic      listen_on,
    input iface_id_t listen_iface,
    input logic [15:0] listen_port,

    output logic stat_syn_dropped
);
endmodule
