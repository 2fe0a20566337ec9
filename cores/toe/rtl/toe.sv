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
    parameter int SESSION_COUNT               = 64,     // 2 to 1024, each client or server
    parameter int VIRTUAL_INTERFACES_COUNT    = 1,      // 1 to 8
    parameter int MTU                         = 1500,
    parameter int USER2TCP_DATA_WIDTH         = 64,     // 32, 64, 128
    parameter int TCP2USER_DATA_WIDTH         = 64,     // 32, 64
    parameter bit RX_STORE_FORWARD            = 1'b0,   // the user sees no segment before it has been found good
    parameter int RX_FIFO_BYTES               = 16384,  // for all sessions: what is free of it is the window
    parameter int RX_FIFO_PACKET_COUNT        = 64,
    // Of a session at most, 65535 or fewer.  RX_FIFO_BYTES by the number of sessions whose users may be slow at once: nothing
    // that a peer sends then finds no room.
    parameter int RX_WINDOW_BYTES             = 16384,
    parameter bit RX_CHECKSUM_VERIFICATION_EN = 1'b1,
    parameter int TX_RETRANSMIT_MEM_DEPTH     = 8192,   // bytes a session, a power of two
    parameter bit TX_CONGESTION_CONTROL_EN    = 1'b1,
    parameter bit TX_PUSH_BIT_VALUE           = 1'b1,
    parameter bit INSTANT_ACK_EN              = 1'b0,
    parameter bit ARP_SERVER_EN               = 1'b1,
    parameter int ARP_TABLE_ENTRY_COUNT       = 16,
    parameter bit ARP_GRATUITOUS_REFRESH_EN   = 1'b1,
    parameter bit ICMP_SERVER_EN              = 1'b1,
    parameter int RX_OUTPUT_PIPE_COUNT        = 0,
    parameter bit RX_FCS                      = 1'b1    // the MAC delivers it
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
    output sid_t   event_sid,

    input  sid_t   look_sid,   // below SESSION_COUNT
    output state_e look_state, // combinational

    // Frames that were dropped, and why: a cycle each
    output logic stat_ip_bad,      // IP header checksum
    output logic stat_ip_options,
    output logic stat_fragment,
    output logic stat_checksum,    // TCP
    output logic stat_malformed,   // TCP: offset or length
    output logic stat_no_room,     // the payload had no place, or the TCP machine was behind
    output logic stat_syn_dropped  // too many SYNs wait
);
  if (SESSION_COUNT < 2 || SESSION_COUNT > MAX_SESSIONS) begin : gen_bad_sessions
    $error("toe: SESSION_COUNT must be 2 to 1024");
  end
  if (VIRTUAL_INTERFACES_COUNT < 1 || VIRTUAL_INTERFACES_COUNT > MAX_INTERFACES) begin : gen_bad_interfaces
    $error("toe: VIRTUAL_INTERFACES_COUNT must be 1 to 8");
  end
  if (RX_WINDOW_BYTES < 1 || RX_WINDOW_BYTES > 65535) begin : gen_bad_window
    $error("toe: RX_WINDOW_BYTES must be 1 to 65535");
  end
  localparam int INTERFACES = VIRTUAL_INTERFACES_COUNT;
  localparam int RING_BYTES = TX_RETRANSMIT_MEM_DEPTH;

  // --- Receive
  rx_t rx;
  toe_rx_parse #(
      .INTERFACES(INTERFACES),
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

  logic look, found;
  tuple_t tuple;
  sid_t found_sid, snd_sid, ack_sid, tcp_sid;
  logic [31:0] snd_nxt, ack_nxt, tcp_rcv_nxt, tcp_snd_nxt;
  logic rcv_wr, rcv_wr_ready, rcv_wr_open;
  sid_t rcv_wr_sid;
  logic [31:0] rcv_wr_nxt;
  logic data_valid, data_first, data_last, data_bad;
  logic [31:0] data_word;
  logic [3:0] data_keep;
  logic data_final;
  logic [15:0] room;
  sid_t data_sid;
  logic accept_valid, segment_room;
  segment_t accept_segment;
  toe_rx_accept #(
      .SESSIONS(SESSION_COUNT),
      .RING_BYTES(RING_BYTES),
      .RX_CHECKSUM_VERIFICATION_EN(RX_CHECKSUM_VERIFICATION_EN)
  ) u_accept (
      .clk,
      .rst,
      .rx,
      .look,
      .tuple,
      .found,
      .found_sid,
      .snd_sid,
      .snd_nxt,
      .rcv_wr,
      .rcv_wr_ready,
      .rcv_wr_sid,
      .rcv_wr_nxt,
      .rcv_wr_open,
      .ack_sid,
      .ack_nxt,
      .tcp_sid,
      .tcp_nxt      (tcp_rcv_nxt),
      .data_valid,
      .data_word,
      .data_keep,
      .data_first,
      .data_final,
      .data_last,
      .data_bad,
      .data_sid,
      .room,
      .segment_valid(accept_valid),
      .segment      (accept_segment),
      .segment_room,
      .stat_ip_bad,
      .stat_ip_options,
      .stat_fragment,
      .stat_checksum,
      .stat_malformed,
      .stat_no_room
  );

  logic change_valid, change_ready, change_insert, change_failed;
  tuple_t change_tuple;
  sid_t   change_sid;
  toe_lookup #(
      .SESSIONS(SESSION_COUNT)
  ) u_lookup (
      .clk,
      .rst,
      .secret(settings.secret),
      .look,
      .tuple,
      .found,
      .sid   (found_sid),
      .change_valid,
      .change_ready,
      .change_insert,
      .change_tuple,
      .change_sid,
      .change_failed
  );

  toe_rx_user #(
      .TCP2USER_DATA_WIDTH(TCP2USER_DATA_WIDTH),
      .STORE_FORWARD(RX_STORE_FORWARD),
      .DEPTH_BYTES(RX_FIFO_BYTES),
      .RX_FIFO_PACKET_COUNT(RX_FIFO_PACKET_COUNT),
      .RX_OUTPUT_PIPE_COUNT(RX_OUTPUT_PIPE_COUNT)
  ) u_rx_user (
      .clk,
      .rst,
      .data_valid,
      .data_word,
      .data_keep,
      .data_first,
      .data_final,
      .data_last,
      .data_bad,
      .data_sid,
      .room,
      .m_axis_tdata,
      .m_axis_tkeep,
      .m_axis_tvalid,
      .m_axis_tready,
      .m_axis_tlast,
      .m_axis_tuser,
      .m_axis_tdest
  );

  // --- The TCP machine
  logic arrived_valid, arrived_ready, segment_valid, segment_ready;
  segment_t arrived, segment;
  toe_fifo #(
      .WIDTH($bits(segment_t)),
      .DEPTH(16)
  ) u_segments (
      .clk,
      .rst,
      .wr_valid(accept_valid),
      // verilator lint_off PINCONNECTEMPTY
      .wr_ready(),
      // verilator lint_on PINCONNECTEMPTY
      .wr_data (accept_segment),
      .wr_room (segment_room),
      .rd_valid(arrived_valid),
      .rd_ready(arrived_ready),
      .rd_data (arrived)
  );
  logic listen_wr, listen_on;
  sid_t listen_sid;
  iface_id_t listen_iface;
  logic [15:0] listen_port;
  toe_listen #(
      .SESSIONS(SESSION_COUNT)
  ) u_listen (
      .clk,
      .rst,
      .s_valid  (arrived_valid),
      .s_ready  (arrived_ready),
      .s_segment(arrived),
      .m_valid  (segment_valid),
      .m_ready  (segment_ready),
      .m_segment(segment),
      .listen_wr,
      .listen_sid,
      .listen_on,
      .listen_iface,
      .listen_port,
      .stat_syn_dropped
  );

  logic resolve_valid, resolve_done, resolve_found;
  iface_id_t resolve_iface;
  logic [31:0] resolve_ip;
  logic [47:0] resolve_mac;
  logic todo_valid, todo_ready;
  order_t todo;
  logic [2:0] ev_valid, ev_ready;
  event_e [2:0] ev_code;
  sid_t   [2:0] ev_sid;
  toe_open #(
      .INTERFACES(INTERFACES)
  ) u_open (
      .clk,
      .rst,
      .iface      (interfaces),
      .s_valid    (order_valid),
      .s_ready    (order_ready),
      .s_order    (order),
      .resolve_valid,
      .resolve_iface,
      .resolve_ip,
      .resolve_done,
      .resolve_found,
      .resolve_mac,
      .m_valid    (todo_valid),
      .m_ready    (todo_ready),
      .m_order    (todo),
      .event_valid(ev_valid[0]),
      .event_ready(ev_ready[0]),
      .event_code (ev_code[0]),
      .event_sid  (ev_sid[0])
  );

  logic tcp_snd_busy, tcp_window_low;
  logic header_wr, snd_wr, limit_wr, limit_open, limit_alive;
  sid_t header_sid, snd_wr_sid, limit_sid;
  tuple_t header_tuple;
  logic [47:0] header_mac;
  logic [31:0] snd_wr_nxt, limit;
  logic [15:0] limit_mss;
  logic request_valid, request_ready, ack_valid, ack_now;
  request_t request;
  sid_t ack_note_sid;
  toe_tcp #(
      .SESSIONS                (SESSION_COUNT),
      .RING_BYTES              (RING_BYTES),
      .MSS                     (MTU - 40),
      .TX_CONGESTION_CONTROL_EN(TX_CONGESTION_CONTROL_EN),
      .INSTANT_ACK_EN          (INSTANT_ACK_EN)
  ) u_tcp (
      .clk,
      .rst,
      .settings,
      .tick,
      .segment_valid,
      .segment_ready,
      .segment,
      .order_valid(todo_valid),
      .order_ready(todo_ready),
      .order      (todo),
      .change_valid,
      .change_ready,
      .change_insert,
      .change_tuple,
      .change_sid,
      .change_failed,
      .listen_wr,
      .listen_sid,
      .listen_on,
      .listen_iface,
      .listen_port,
      .rcv_wr,
      .rcv_wr_ready,
      .rcv_wr_sid,
      .rcv_wr_nxt,
      .rcv_wr_open,
      .tcp_sid,
      .tcp_rcv_nxt,
      .tcp_snd_nxt,
      .tcp_snd_busy,
      .tcp_window_low,
      .header_wr,
      .header_sid,
      .header_tuple,
      .header_mac,
      .snd_wr,
      .snd_wr_sid,
      .snd_wr_nxt,
      .limit_wr,
      .limit_sid,
      .limit_open,
      .limit_alive,
      .limit,
      .limit_mss,
      .request_valid,
      .request_ready,
      .request,
      .ack_valid,
      .ack_sid    (ack_note_sid),
      .ack_now,
      .event_valid(ev_valid[1]),
      .event_ready(ev_ready[1]),
      .event_code (ev_code[1]),
      .event_sid  (ev_sid[1]),
      .look_sid,
      .look_state
  );
  toe_events #(
      .SOURCES(3)
  ) u_events (
      .clk,
      .rst,
      .s_valid(ev_valid),
      .s_ready(ev_ready),
      .s_code (ev_code),
      .s_sid  (ev_sid),
      .m_valid(event_valid),
      .m_ready(event_ready),
      .m_code (event_code),
      .m_sid  (event_sid)
  );

  // --- ARP and ICMP
  logic [1:0][31:0] small_tdata;
  logic [1:0][ 3:0] small_tkeep;
  logic [1:0] small_tvalid, small_tready, small_tlast;
  toe_arp #(
      .INTERFACES(INTERFACES),
      .ARP_SERVER_EN(ARP_SERVER_EN),
      .ARP_TABLE_ENTRY_COUNT(ARP_TABLE_ENTRY_COUNT),
      .ARP_GRATUITOUS_REFRESH_EN(ARP_GRATUITOUS_REFRESH_EN)
  ) u_arp (
      .clk,
      .rst,
      .iface         (interfaces),
      .tick,
      .rx,
      .resolve_valid,
      .resolve_iface,
      .resolve_ip,
      .resolve_done,
      .resolve_found,
      .resolve_mac,
      // A session keeps the address that it was opened with.
      // verilator lint_off PINCONNECTEMPTY
      .changed_valid (),
      .changed_ready (1'b1),
      .changed_iface (),
      .changed_ip    (),
      .changed_mac   (),
      .stat_malformed(),
      .stat_conflict (),
      .stat_dropped  (),
      .stat_unasked  (),
      // verilator lint_on PINCONNECTEMPTY
      .m_tdata       (small_tdata[0]),
      .m_tkeep       (small_tkeep[0]),
      .m_tvalid      (small_tvalid[0]),
      .m_tready      (small_tready[0]),
      .m_tlast       (small_tlast[0])
  );
  if (ICMP_SERVER_EN) begin : gen_icmp
    toe_icmp #(
        .INTERFACES(INTERFACES)
    ) u_icmp (
        .clk,
        .rst,
        .iface        (interfaces),
        .rx,
        .m_tdata      (small_tdata[1]),
        .m_tkeep      (small_tkeep[1]),
        .m_tvalid     (small_tvalid[1]),
        .m_tready     (small_tready[1]),
        .m_tlast      (small_tlast[1]),
        // verilator lint_off PINCONNECTEMPTY
        .stat_answered(),
        .stat_bad     (),
        .stat_dropped ()
        // verilator lint_on PINCONNECTEMPTY
    );
  end else begin : gen_no_icmp
    assign {small_tdata[1], small_tkeep[1], small_tvalid[1], small_tlast[1]} = '0;
  end
  logic [15:0] ack_window, tcp_window;
  toe_rx_window #(
      .SESSIONS    (SESSION_COUNT),
      .WINDOW_BYTES(RX_WINDOW_BYTES),
      .FIFO_BYTES  (RX_FIFO_BYTES),
      .BEAT_BYTES  (TCP2USER_DATA_WIDTH / 8)
  ) u_window (
      .clk,
      .rst,
      .data_valid,
      .data_keep,
      .data_last,
      .data_bad,
      .data_sid,
      .beat_taken(m_axis_tvalid & m_axis_tready),
      .beat_keep (m_axis_tkeep),
      .beat_last (m_axis_tlast),
      .beat_bad  (m_axis_tuser),
      .beat_sid  (m_axis_tdest),
      .room,
      .ack_sid,
      .ack_window,
      .tcp_sid,
      .tcp_window
  );
  logic [31:0] raw_tdata;
  logic [ 3:0] raw_tkeep;
  logic raw_tvalid, raw_tready, raw_tlast;
  toe_raw_merge #(
      .INPUTS(2)
  ) u_raw (
      .clk,
      .rst,
      .s_tdata (small_tdata),
      .s_tkeep (small_tkeep),
      .s_tvalid(small_tvalid),
      .s_tready(small_tready),
      .s_tlast (small_tlast),
      .m_tdata (raw_tdata),
      .m_tkeep (raw_tkeep),
      .m_tvalid(raw_tvalid),
      .m_tready(raw_tready),
      .m_tlast (raw_tlast)
  );

  // --- Transmit
  toe_tx #(
      .SESSIONS(SESSION_COUNT),
      .INTERFACES(INTERFACES),
      .RING_BYTES(RING_BYTES),
      .USER2TCP_DATA_WIDTH(USER2TCP_DATA_WIDTH),
      .MTU(MTU),
      .TX_PUSH_BIT_VALUE(TX_PUSH_BIT_VALUE)
  ) u_tx (
      .clk,
      .rst,
      .iface        (interfaces),
      .settings,
      .tick,
      .s_axis_tdata,
      .s_axis_tkeep,
      .s_axis_tvalid,
      .s_axis_tready,
      .s_axis_tlast,
      .s_axis_tdest,
      .tx_length_given,
      .tx_length,
      .tx_csum_given,
      .tx_csum,
      .header_wr,
      .header_sid,
      .header_tuple,
      .header_mac,
      .snd_wr,
      .snd_wr_sid,
      .snd_wr_nxt,
      .limit_wr,
      .limit_sid,
      .limit_open,
      .limit_alive,
      .limit,
      .limit_mss,
      .request_valid,
      .request_ready,
      .request,
      .ack_valid,
      .ack_note_sid,
      .ack_now,
      .tcp_sid,
      .tcp_snd_nxt,
      .tcp_snd_busy,
      .tcp_window_low,
      .snd_sid,
      .snd_nxt,
      .ack_sid,
      .ack_nxt,
      .room         (ack_window),
      .tcp_room     (tcp_window),
      .s_raw_tdata  (raw_tdata),
      .s_raw_tkeep  (raw_tkeep),
      .s_raw_tvalid (raw_tvalid),
      .s_raw_tready (raw_tready),
      .s_raw_tlast  (raw_tlast),
      .m_axis_tdata (m_mac_tdata),
      .m_axis_tkeep (m_mac_tkeep),
      .m_axis_tvalid(m_mac_tvalid),
      .m_axis_tready(m_mac_tready),
      .m_axis_tlast (m_mac_tlast),
      .m_axis_tuser (m_mac_tuser),
      .credit_valid,
      .credit_sid,
      .credit,
      .event_valid  (ev_valid[2]),
      .event_ready  (ev_ready[2]),
      .event_code   (ev_code[2]),
      .event_sid    (ev_sid[2])
  );
endmodule
