// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// TCP/IP in hardware behind macpcs: sessions that are opened, served and closed without software.  README.md has the rules.
//
// Latency: cut-through, first word to the MAC in the cycle behind the user's first beat; first byte to the user 13 cycles behind
// word 0 from the MAC, first beat of 64 bits 15.
module toe
  import toe_pkg::*;
#(
    parameter int SESSION_COUNT = 64,                // 2 to 1024, each client or server
    parameter int VIRTUAL_INTERFACES_COUNT = 1,      // 1 to 8
    parameter int MTU = 1500,
    parameter int USER2TCP_DATA_WIDTH = 64,          // 32, 64, 128
    parameter int TCP2USER_DATA_WIDTH = 64,          // 32, 64
    parameter bit RX_STORE_FORWARD = 1'b0,           // the user sees no segment before it has been found good
    parameter int RX_FIFO_BYTES = 16384,             // for all sessions: what is free of it is the window
    parameter int RX_FIFO_PACKET_COUNT = 64,
    parameter bit RX_CHECKSUM_VERIFICATION_EN = 1'b1,
    parameter int TX_RETRANSMIT_MEM_DEPTH = 8192,    // bytes a session, a power of two
    parameter bit TX_CONGESTION_CONTROL_EN = 1'b1,
    parameter bit TX_PUSH_BIT_VALUE = 1'b1,
    parameter bit INSTANT_ACK_EN = 1'b0,
    parameter bit ARP_SERVER_EN = 1'b1,
    parameter int ARP_TABLE_ENTRY_COUNT = 16,
    parameter bit ARP_GRATUITOUS_REFRESH_EN = 1'b1,
    parameter bit ICMP_SERVER_EN = 1'b1,
    parameter int RX_OUTPUT_PIPE_COUNT = 0,
    parameter bit RX_FCS = 1'b1                      // the MAC delivers it
) (
    input logic clk,
    input logic rst,

    input logic tick,  // of the timers, nominally every millisecond
    input settings_t settings,
    input iface_t [VIRTUAL_INTERFACES_COUNT-1:0] interfaces,

    // macpcs: received words with the verdict, words to send
    input  logic [31:0] s_mac_tdata,
    input  logic [ 3:0] s_mac_tkeep,
    input  logic        s_mac_tvalid,
    input  logic        s_mac_tlast,
    input  logic        rx_status_valid,
    input  logic        rx_status_good,
    output logic [31:0] m_mac_tdata,
    output logic [ 3:0] m_mac_tkeep,
    output logic        m_mac_tvalid,
    input  logic        m_mac_tready,
    output logic        m_mac_tlast,
    output logic        m_mac_tuser,

    // What the user wants of a session
    input  logic   order_valid,
    output logic   order_ready,
    input  order_t order,

    // To send; see toe_tx
    input  logic [  USER2TCP_DATA_WIDTH-1:0] s_axis_tdata,
    input  logic [USER2TCP_DATA_WIDTH/8-1:0] s_axis_tkeep,
    input  logic                             s_axis_tvalid,
    output logic                             s_axis_tready,
    input  logic                             s_axis_tlast,
    input  sid_t                             s_axis_tdest,
    input  logic                             tx_length_given,
    input  logic [                     15:0] tx_length,
    input  logic                             tx_csum_given,
    input  logic [                     15:0] tx_csum,
    output logic                             credit_valid,
    output sid_t                             credit_sid,
    output logic [                     31:0] credit,

    // Received
    output logic [  TCP2USER_DATA_WIDTH-1:0] m_axis_tdata,
    output logic [TCP2USER_DATA_WIDTH/8-1:0] m_axis_tkeep,
    output logic                             m_axis_tvalid,
    input  logic                             m_axis_tready,
    output logic                             m_axis_tlast,
    output logic                             m_axis_tuser,
    output sid_t                             m_axis_tdest,

    output logic   event_valid,
    input  logic   event_ready,
    output event_e event_code,
    output sid_t   event_sid
);
  if (SESSION_COUNT < 2 || SESSION_COUNT > MAX_SESSIONS) begin : gen_bad_sessions
    $error("toe: SESSION_COUNT must be 2 to 1024");
  end
  if (VIRTUAL_INTERFACES_COUNT < 1 || VIRTUAL_INTERFACES_COUNT > MAX_INTERFACES) begin : gen_bad_interfaces
    $error("toe: VIRTUAL_INTERFACES_COUNT must be 1 to 8");
  end
  localparam int INTERFACES = VIRTUAL_INTERFACES_COUNT;
  localparam int RING_BYTES = TX_RETRANSMIT_MEM_DEPTH;

  // --- Receive
  rx_t rx;
  toe_rx_parse #(
      .INTERFACES,
      .FCS(RX_FCS)
  ) u_parse (
      .clk,
      .rst,
      .iface        (interfaces),
      .s_axis_tdata (s_mac_tdata),
      .s_axis_tkeep (s_mac_tkeep),
      .s_axis_tvalid(s_mac_tvalid),
      .s_axis_tlast (s_mac_tlast),
      .rx_status_valid,
      .rx_status_good,
      .rx
  );
