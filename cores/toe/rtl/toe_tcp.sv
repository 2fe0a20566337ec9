// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The TCP machine: one segment, order or visit of the timers at a time, from the session's context to a new one (RFC 9293, 3.10).
// It is the only writer of the context.
module toe_tcp
  import toe_pkg::*;
#(
    parameter int SESSIONS = 64,
    parameter int RING_BYTES = 8192,  // a power of two
    parameter int MSS = 1460,         // ours
    parameter bit TX_CONGESTION_CONTROL_EN = 1'b1,
    parameter bit INSTANT_ACK_EN = 1'b0
) (
    input logic clk,
    input logic rst,

    input settings_t settings,
    input logic      tick,

    input  logic     segment_valid,  // from toe_listen
    output logic     segment_ready,
    input  segment_t segment,

    input  logic   order_valid,      // from toe_open; DO_CONNECT with the address resolved
    output logic   order_ready,
    input  order_t order,

    output logic   change_valid,     // to toe_lookup
    input  logic   change_ready,
    output logic   change_insert,
    output tuple_t change_tuple,
    output sid_t   change_sid,
    input  logic   change_failed,

    output logic        listen_wr,   // to toe_listen
    output sid_t        listen_sid,
    output logic        listen_on,
    output iface_id_t   listen_iface,
    output logic [15:0] listen_port,

    output logic        rcv_wr,      // to toe_rx_accept
    input  logic        rcv_wr_ready,
    output sid_t        rcv_wr_sid,
    output logic [31:0] rcv_wr_nxt,
    output logic        rcv_wr_open,
    output sid_t        tcp_sid,     // read, combinational: RCV.NXT, SND.NXT, and
    input  logic [31:0] tcp_rcv_nxt,
    input  logic [31:0] tcp_snd_nxt,
    input  logic        tcp_snd_busy,  // the user's data of this session are on their way into the memory or to the MAC
    input  logic        tcp_window_low,  // the window that was last sent for this session was less than what it is now by two MSS or more, or half

    output logic        header_wr,   // to toe_tx: whom session sid talks to
    output sid_t        header_sid,
    output tuple_t      header_tuple,
    output logic [47:0] header_mac,
    output logic        snd_wr,      // SND.NXT, when nothing is on its way
    output sid_t        snd_wr_sid,
    output logic [31:0] snd_wr_nxt,
    output logic        limit_wr,    // the user may send up to this sequence number, in segments of mss at most
    output sid_t        limit_sid,
    output logic        limit_open,
    output logic [31:0] limit,
    output logic [15:0] limit_mss,

    output logic     request_valid,  // a frame
    input  logic     request_ready,
    output request_t request,
    output logic     ack_valid,      // session sid owes an ACK
    output sid_t     ack_sid,
    output logic     ack_now,        // at once; else it may wait for a second one or the delay

    output logic   event_valid,
    input  logic   event_ready,
    output event_e event_code,
    output sid_t   event_sid
);
endmodule
