// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Transmit: the user's payload into the retransmit memory and onto the wire, frames of the TCP machine, ACKs, frames of ARP and ICMP.
// Latency: cut-through, line idle: the first word is on m_axis in the cycle behind the user's first beat.
module toe_tx
  import toe_pkg::*;
#(
    parameter int SESSIONS = 64,
    parameter int INTERFACES = 1,
    parameter int RING_BYTES = 8192,          // a session; in all SESSIONS * RING_BYTES
    parameter int USER2TCP_DATA_WIDTH = 64,   // 32, 64 or 128
    parameter int MTU = 1500,
    parameter int RAM_LATENCY = 2,            // of the retransmit memory
    parameter bit TX_PUSH_BIT_VALUE = 1'b1
) (
    input logic clk,
    input logic rst,

    input iface_t [INTERFACES-1:0] iface,
    input settings_t settings,
    input logic      tick,            // for delayed ACKs

    // The user's payload.  With the first beat: session, and what is known.  csum: one's complement sum of the payload as its bytes lie in
    // 16-bit words, first byte lowest.  Length and csum both given: cut-through.
    input  logic [  USER2TCP_DATA_WIDTH-1:0] s_axis_tdata,
    input  logic [USER2TCP_DATA_WIDTH/8-1:0] s_axis_tkeep,
    input  logic                             s_axis_tvalid,
    output logic                             s_axis_tready,
    input  logic                             s_axis_tlast,
    input  sid_t                             s_axis_tdest,
    input  logic                             tx_length_given,
    input  logic [15:0]                      tx_length,
    input  logic                             tx_csum_given,
    input  logic [15:0]                      tx_csum,

    // From the TCP machine (see there)
    input  logic        header_wr,
    input  sid_t        header_sid,
    input  tuple_t      header_tuple,
    input  logic [47:0] header_mac,
    input  logic        snd_wr,
    input  sid_t        snd_wr_sid,
    input  logic [31:0] snd_wr_nxt,
    input  logic        limit_wr,
    input  sid_t        limit_sid,
    input  logic        limit_open,
    input  logic [31:0] limit,
    input  logic [15:0] limit_mss,
    input  logic        request_valid,
    output logic        request_ready,
    input  request_t    request,
    input  logic        ack_valid,
    input  sid_t        ack_note_sid,
    input  logic        ack_now,
    input  sid_t        tcp_sid,
    output logic [31:0] tcp_snd_nxt,
    output logic        tcp_snd_busy,
    output logic        tcp_window_low,

    // SND.NXT for toe_rx_accept; RCV.NXT from there; all combinational
    input  sid_t        snd_sid,
    output logic [31:0] snd_nxt,
    output sid_t        ack_sid,
    input  logic [31:0] ack_nxt,
    input  logic [15:0] room,         // of the user's receive FIFO: the window

    // Whole frames, from ARP and ICMP: words without pauses once taken
    input  logic [31:0] s_raw_tdata,
    input  logic [ 3:0] s_raw_tkeep,
    input  logic        s_raw_tvalid,
    output logic        s_raw_tready,
    input  logic        s_raw_tlast,

    output logic [31:0] m_axis_tdata,
    output logic [ 3:0] m_axis_tkeep,
    output logic        m_axis_tvalid,
    input  logic        m_axis_tready,
    output logic        m_axis_tlast,
    output logic        m_axis_tuser,

    // What the user may send now, for each session one after the other, and at once for one that changes
    output logic        credit_valid,
    output sid_t        credit_sid,
    output logic [31:0] credit,

    output logic   event_valid,
    input  logic   event_ready,
    output event_e event_code,
    output sid_t   event_sid
);
endmodule
