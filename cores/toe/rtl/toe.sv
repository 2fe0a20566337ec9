// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// TCP/IP in hardware after macpcs: sessions that are opened, served and closed without software.  README.md has the rules.
//
// Latency: cut-through, first word to the MAC in the cycle after the user's first beat; first byte to the user 13 cycles after
// word 0 from the MAC, first beat of 64 bits 15.
module toe
  import toe_pkg::*;
#(
    parameter int SESSION_COUNT               = 64,     // 2 to 1024, each client or server
    parameter int VIRTUAL_INTERFACES_COUNT    = 1,      // 1 to 8
    parameter int MTU                         = 1500,
    parameter int MAC2TCP_DATA_WIDTH          = 32,     // 32, 64
    parameter int TCP2MAC_DATA_WIDTH          = 32,     // 32, 64
    parameter int USER2TCP_DATA_WIDTH         = 64,     // 32, 64, 128
    parameter int TCP2USER_DATA_WIDTH         = 64,     // 32, 64
    parameter int RX_STORE_FORWARD            = 0,      // the user sees no segment before it has been found good
    parameter int RX_FIFO_BYTES               = 16384,  // for all sessions: what is free of it is the window
    parameter int RX_FIFO_PACKET_COUNT        = 64,
    // Of a session at most, 65535 or fewer.  RX_FIFO_BYTES by the number of sessions whose users may be slow at once: nothing
    // that a peer sends then finds no room, unless in segments of few bytes (README.md, The window).
    parameter int RX_WINDOW_BYTES             = 16384,
    parameter int RX_REORDERING_EN            = 0,      // what comes after a gap waits for it in a memory
    parameter int RX_REORDERING_MEM_DEPTH     = 16384,  // bytes a session, a power of two, RX_WINDOW_BYTES or more
    parameter int RX_REORDERING_INTERVALS     = 4,      // pieces after gaps, a session
    parameter int RX_OOS_SEQNUM_EN            = 0,      // or goes to the user, flagged, and comes again in order
    parameter int RX_CHECKSUM_VERIFICATION_EN = 1,
    parameter int TX_RETRANSMIT_MEM_DEPTH     = 8192,   // bytes a session, a power of two, 65536 at most
    parameter int TX_RETRANSMIT_MEM_EXTERNAL  = 0,      // it is connected to tx_mem_*
    parameter int TX_RETRANSMIT_MEM_LATENCY   = 2,      // cycles of a read: 1 to 6, external 1 to 48
    parameter int TX_RETRANSMIT_MEM_WRITE_LAG = 1,      // external: cycles from a write to a read that sees it, 1 to 64
    parameter int TX_CONGESTION_CONTROL_EN    = 1,
    parameter int TX_PUSH_BIT_VALUE           = 1,
    parameter int INSTANT_ACK_EN              = 0,
    parameter int TIMESTAMPS_EN               = 0,      // RFC 7323; a session then has 12 bytes less in a segment
    parameter int SACK_EN                     = 0,      // RFC 2018; blocks are reported with RX_REORDERING_EN
    parameter int RX_URGENT_EN                = 0,      // the urgent pointer is reported
    parameter int SOFT_ERRORS_EN              = 0,      // ICMP errors and repetitions are
    parameter int ARP_SERVER_EN               = 1,
    parameter int ARP_TABLE_ENTRY_COUNT       = 16,
    parameter int ARP_GRATUITOUS_REFRESH_EN   = 1,
    parameter int ARP_DOUBT_EN                = 0,      // the next hop of a peer that does not answer is resolved again
    parameter int ICMP_SERVER_EN              = 1,
    parameter int SESSION_POLICY_EN           = 0,      // policy_* is there: R2, keepalives, DSCP of each session
    parameter int HOST_EN                     = 0,      // m_host_* is there: what is for us and not the engine's
    parameter int HOST_FIFO_BYTES             = 16384,  // a power of two
    parameter int RX_OUTPUT_PIPE_COUNT        = 0,      // registers in front of the user, a cycle each
    parameter int TX_OUTPUT_PIPE_COUNT        = 0,      // and of the MAC
    parameter int RX_FCS                      = 1,      // the MAC delivers it

    parameter int TX_DROP_IF_NOT_ESTABLISHED_EN = 1  // 0: what is given for a session that is not open waits for it
) (
    input logic clk,
    input logic rst,

    input logic tick,  // of the timers, nominally every millisecond
    input settings_t settings,
    input iface_t [VIRTUAL_INTERFACES_COUNT-1:0] interfaces,

    // macpcs: received words with the verdict, words to send
    input  logic [  MAC2TCP_DATA_WIDTH-1:0] s_mac_tdata,
    input  logic [MAC2TCP_DATA_WIDTH/8-1:0] s_mac_tkeep,
    input  logic                            s_mac_tvalid,
    input  logic                            s_mac_tlast,
    input  logic                            rx_status_valid,
    input  logic                            rx_status_good,
    output logic [  TCP2MAC_DATA_WIDTH-1:0] m_mac_tdata,
    output logic [TCP2MAC_DATA_WIDTH/8-1:0] m_mac_tkeep,
    output logic                            m_mac_tvalid,
    input  logic                            m_mac_tready,
    output logic                            m_mac_tlast,
    output logic                            m_mac_tuser,

    // What the user wants of a session
    input  logic   order_valid,
    output logic   order_ready,
    input  order_t order,

    // What the user sets for a session by itself, with SESSION_POLICY_EN; see toe_policy
    input  logic    policy_valid,
    output logic    policy_ready,
    input  sid_t    policy_sid,
    input  policy_t policy,

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

    // The retransmit memory, if it is external: words of the user's width; a read's comes TX_RETRANSMIT_MEM_LATENCY cycles later
    output logic [                                              USER2TCP_DATA_WIDTH/8-1:0] tx_mem_wr_en,    // bytes
    output logic [$clog2(SESSION_COUNT*TX_RETRANSMIT_MEM_DEPTH*8/USER2TCP_DATA_WIDTH)-1:0] tx_mem_wr_addr,
    output logic [                                                USER2TCP_DATA_WIDTH-1:0] tx_mem_wr_data,
    output logic                                                                           tx_mem_rd_en,
    output logic [$clog2(SESSION_COUNT*TX_RETRANSMIT_MEM_DEPTH*8/USER2TCP_DATA_WIDTH)-1:0] tx_mem_rd_addr,
    input  logic [                                                USER2TCP_DATA_WIDTH-1:0] tx_mem_rd_data,

    // Received
    output logic [  TCP2USER_DATA_WIDTH-1:0] m_axis_tdata,
    output logic [TCP2USER_DATA_WIDTH/8-1:0] m_axis_tkeep,
    output logic                             m_axis_tvalid,
    input  logic                             m_axis_tready,
    output logic                             m_axis_tlast,
    output logic                             m_axis_tuser,
    output sid_t                             m_axis_tdest,
    output logic [                     31:0] m_axis_seq,     // RX_OOS_SEQNUM_EN: number of the segment's first byte
    output logic                             m_axis_oos,     // and it is out of sequence

    // Frames that settings.host passes, whole, good, without FCS; see toe_host
    output logic [31:0] m_host_tdata,
    output logic [ 3:0] m_host_tkeep,
    output logic        m_host_tvalid,
    input  logic        m_host_tready,
    output logic        m_host_tlast,

    output logic event_valid,
    input logic event_ready,
    output event_e event_code,
    output sid_t event_sid,
    // With EV_URGENT: bytes that the user has not taken yet up to the end of the urgent data, as of this cycle.  With
    // EV_ICMP_ERROR: next hop's MTU (type 3, code 4), type, code.
    output logic [31:0] event_info,

    input sid_t look_sid,  // below SESSION_COUNT
    output state_e look_state,  // a cycle later
    output logic [31:0] look_urgent,  // as event_info; a cycle later

    // ARP messages, answered pings, and connections that found no place: a cycle each
    output logic stat_arp_bad,
    output logic stat_arp_claimed,
    output logic stat_arp_dropped,
    output logic stat_arp_unasked,
    output logic stat_echo_sent,
    output logic stat_echo_full,
    output logic stat_echo_bad,
    output logic stat_table_full,

    // ICMP errors about what we have sent: a cycle each
    output logic stat_icmp_reported,
    output logic stat_icmp_bad,  // malformed, or its checksum is wrong
    output logic stat_icmp_other,  // of no session, or of nothing that is under way
    output logic stat_icmp_busy,  // another one is on its way to the user

    // Good frames for us that the engine does not take, with HOST_EN: a cycle each
    output logic stat_host_passed,
    output logic stat_host_full,    // no room in the FIFO
    output logic stat_host_other,   // not of what is passed

    // Frames that were dropped, or went to the host, and why: a cycle each
    output logic stat_ip_bad,      // IP header checksum
    output logic stat_ip_options,
    output logic stat_fragment,
    output logic stat_checksum,    // TCP
    output logic stat_malformed,   // TCP: offset or length; any: the frame is shorter than the IP length
    output logic stat_no_room,     // the payload had no place, or the TCP machine did not keep up
    output logic stat_syn_dropped  // too many SYNs wait, or segments without SYN, ACK and RST of no session
);
  if (SESSION_COUNT < 2 || SESSION_COUNT > MAX_SESSIONS) begin : gen_bad_sessions
    $error("toe: SESSION_COUNT must be 2 to 1024");
  end
  if (VIRTUAL_INTERFACES_COUNT < 1 || VIRTUAL_INTERFACES_COUNT > MAX_INTERFACES) begin : gen_bad_interfaces
    $error("toe: VIRTUAL_INTERFACES_COUNT must be 1 to 8");
  end
  localparam int FLAGS = RX_STORE_FORWARD | RX_REORDERING_EN | RX_OOS_SEQNUM_EN | RX_CHECKSUM_VERIFICATION_EN |
      TX_RETRANSMIT_MEM_EXTERNAL | TX_CONGESTION_CONTROL_EN | TX_PUSH_BIT_VALUE | INSTANT_ACK_EN |
      TIMESTAMPS_EN | SACK_EN | RX_URGENT_EN | SOFT_ERRORS_EN | ARP_SERVER_EN | ARP_GRATUITOUS_REFRESH_EN
      | ARP_DOUBT_EN | ICMP_SERVER_EN | SESSION_POLICY_EN | HOST_EN | RX_FCS |
      TX_DROP_IF_NOT_ESTABLISHED_EN;
  if (!(FLAGS inside {0, 1})) begin : gen_bad_flag
    $error("toe: each *_EN, RX_STORE_FORWARD, TX_RETRANSMIT_MEM_EXTERNAL, TX_PUSH_BIT_VALUE and RX_FCS must be 0 or 1");
  end
  if (RX_WINDOW_BYTES < 1 || RX_WINDOW_BYTES > 65535) begin : gen_bad_window
    $error("toe: RX_WINDOW_BYTES must be 1 to 65535");
  end
  if (RX_REORDERING_EN != 0 && RX_OOS_SEQNUM_EN != 0) begin : gen_bad_reordering
    $error("toe: RX_REORDERING_EN and RX_OOS_SEQNUM_EN exclude each other");
  end
  if (RX_REORDERING_EN != 0 && RX_REORDERING_MEM_DEPTH < RX_WINDOW_BYTES) begin : gen_bad_memory
    $error("toe: RX_REORDERING_MEM_DEPTH must be RX_WINDOW_BYTES or more");
  end
  if (!(MAC2TCP_DATA_WIDTH inside {32, 64}) || !(TCP2MAC_DATA_WIDTH inside {32, 64})) begin : gen_bad_mac
    $error("toe: MAC2TCP_DATA_WIDTH and TCP2MAC_DATA_WIDTH must be 32 or 64");
  end
  localparam int INTERFACES = VIRTUAL_INTERFACES_COUNT;
  localparam int RING_BYTES = TX_RETRANSMIT_MEM_DEPTH;

  // --- Receive
  rx_t rx;
  logic [31:0] in_tdata;
  logic [3:0] in_tkeep;
  logic in_tvalid, in_tlast, in_status_valid, in_status_good;
  if (MAC2TCP_DATA_WIDTH == 64) begin : gen_narrow
    toe_mac_narrow u_narrow (
        .clk,
        .rst,
        .s_axis_tdata  (s_mac_tdata),
        .s_axis_tkeep  (s_mac_tkeep),
        .s_axis_tvalid (s_mac_tvalid),
        .s_axis_tlast  (s_mac_tlast),
        .s_status_valid(rx_status_valid),
        .s_status_good (rx_status_good),
        .m_axis_tdata  (in_tdata),
        .m_axis_tkeep  (in_tkeep),
        .m_axis_tvalid (in_tvalid),
        .m_axis_tlast  (in_tlast),
        .m_status_valid(in_status_valid),
        .m_status_good (in_status_good)
    );
  end else begin : gen_no_narrow
    assign {in_tdata, in_tkeep, in_tvalid, in_tlast} = {s_mac_tdata, s_mac_tkeep, s_mac_tvalid, s_mac_tlast};
    assign {in_status_valid, in_status_good}         = {rx_status_valid, rx_status_good};
  end
  toe_rx_parse #(
      .INTERFACES(INTERFACES),
      .FCS(1'(RX_FCS))
  ) u_parse (
      .clk,
      .rst,
      .iface          (interfaces),
      .s_axis_tdata   (in_tdata),
      .s_axis_tkeep   (in_tkeep),
      .s_axis_tvalid  (in_tvalid),
      .s_axis_tlast   (in_tlast),
      .rx_status_valid(in_status_valid),
      .rx_status_good (in_status_good),
      .rx
  );

  sid_t snd_sid, ack_sid, tcp_sid;
  logic [31:0] snd_nxt, ack_nxt, tcp_snd_nxt;
  logic snd_none, advertise, advertise_syn, advertise_ack, tcp_window_low, tcp_unread, tcp_rcv_waits;
  logic window_looks, window_offer, window_grow, window_grow_ready, window_grow_kept;
  logic [15:0] window;
  logic [16:0] window_left;
  logic change_valid, change_ready, change_insert, change_failed;
  tuple_t change_tuple;
  sid_t   change_sid;
  logic rcv_wr, rcv_wr_ready, rcv_wr_open;
  sid_t rcv_wr_sid;
  logic [31:0] rcv_wr_nxt;
  stamp_rx_t rx_stamps;
  stamp_tx_t tx_stamps;
  stamp_wr_t stamp_new;
  logic stamp_wr, stamp_move, acked;
  sid_t stamp_sid;
  logic [31:0] stamp, tcp_stamp, acked_nxt;
  logic [31:0] accepted;
  logic [1:0][31:0] taken;
  logic accept_valid, segment_room;
  segment_t accept_segment;
  logic sack_wr, sack_new, sack_look;
  logic sack_some, tcp_sack;
  sack_tx_t sack;
  toe_rx #(
      .SESSIONS                   (SESSION_COUNT),
      .MSS                        (MTU - 40),
      .RING_BYTES                 (RING_BYTES),
      .TCP2USER_DATA_WIDTH        (TCP2USER_DATA_WIDTH),
      .STORE_FORWARD              (1'(RX_STORE_FORWARD)),
      .FIFO_BYTES                 (RX_FIFO_BYTES),
      .RX_FIFO_PACKET_COUNT       (RX_FIFO_PACKET_COUNT),
      .WINDOW_BYTES               (RX_WINDOW_BYTES),
      .RX_REORDERING_EN           (1'(RX_REORDERING_EN)),
      .REORDER_BYTES              (RX_REORDERING_MEM_DEPTH),
      .REORDER_INTERVALS          (RX_REORDERING_INTERVALS),
      .RX_OOS_SEQNUM_EN           (1'(RX_OOS_SEQNUM_EN)),
      .RX_CHECKSUM_VERIFICATION_EN(1'(RX_CHECKSUM_VERIFICATION_EN)),
      .TIMESTAMPS_EN              (1'(TIMESTAMPS_EN)),
      .SACK_EN                    (1'(SACK_EN)),
      .RX_URGENT_EN               (1'(RX_URGENT_EN)),
      .RX_OUTPUT_PIPE_COUNT       (RX_OUTPUT_PIPE_COUNT)
  ) u_rx (
      .clk,
      .rst,
      .rx,
      .secret       (settings.secret),
      .change_valid,
      .change_ready,
      .change_insert,
      .change_tuple,
      .change_sid,
      .change_failed,
      .snd_sid,
      .snd_nxt,
      .snd_none,
      .stamps       (rx_stamps),
      .stamp_move,
      .stamp_sid,
      .stamp,
      .rcv_wr,
      .rcv_wr_ready,
      .rcv_wr_sid,
      .rcv_wr_nxt,
      .rcv_wr_open,
      .advertise,
      .advertise_sid(ack_sid),
      .advertise_syn,
      .advertise_ack,
      .tcp_sid,
      .nxt          (ack_nxt),
      .window,
      .left         (window_left),
      .low          (tcp_window_low),
      .unread       (tcp_unread),
      .looks        (window_looks),
      .offer        (window_offer),
      .grow         (window_grow),
      .grow_ready   (window_grow_ready),
      .grow_kept    (window_grow_kept),
      .waits        (tcp_rcv_waits),
      .sack_some,
      .sack_look,
      .sack_count   (sack.count),
      .sacks        (sack.blocks),
      .accepted,
      .taken_sid    ({event_sid, look_sid}),
      .taken,
      .segment_valid(accept_valid),
      .segment      (accept_segment),
      .segment_room,
      .m_axis_tdata,
      .m_axis_tkeep,
      .m_axis_tvalid,
      .m_axis_tready,
      .m_axis_tlast,
      .m_axis_tuser,
      .m_axis_tdest,
      .m_axis_seq,
      .m_axis_oos,
      .stat_ip_bad,
      .stat_ip_options,
      .stat_fragment,
      .stat_checksum,
      .stat_malformed,
      .stat_no_room
  );

  // --- What the engine does not take
  if (HOST_EN != 0) begin : gen_host
    toe_host #(
        .FIFO_BYTES    (HOST_FIFO_BYTES),
        .FCS           (1'(RX_FCS)),
        .ICMP_SERVER_EN(1'(ICMP_SERVER_EN)),
        .SOFT_ERRORS_EN(1'(SOFT_ERRORS_EN))
    ) u_host (
        .clk,
        .rst,
        .pass        (settings.host),
        .rx,
        .m_tdata     (m_host_tdata),
        .m_tkeep     (m_host_tkeep),
        .m_tvalid    (m_host_tvalid),
        .m_tready    (m_host_tready),
        .m_tlast     (m_host_tlast),
        .stat_passed (stat_host_passed),
        .stat_full   (stat_host_full),
        .stat_refused(stat_host_other)
    );
  end else begin : gen_no_host
    assign {m_host_tdata, m_host_tkeep, m_host_tvalid, m_host_tlast} = '0;
    assign {stat_host_passed, stat_host_full, stat_host_other}       = '0;
  end

  // --- Settings of a session by itself
  settings_t tcp_settings, tx_settings;
  logic no_session, doubt;
  if (SESSION_POLICY_EN != 0) begin : gen_policy
    toe_policy #(
        .SESSIONS(SESSION_COUNT)
    ) u_policy (
        .clk,
        .rst,
        .settings,
        .valid        (policy_valid),
        .ready        (policy_ready),
        .sid          (policy_sid),
        .policy,
        .tcp_sid,
        .tcp_settings,
        .tx_sid       (ack_sid),
        .tx_no_session(no_session),
        .tx_settings
    );
  end else begin : gen_no_policy
    logic unused;
    assign unused       = no_session;
    assign policy_ready = 1'b0;
    assign tcp_settings = settings;
    assign tx_settings  = settings;
  end

  // --- The TCP machine
  logic arrived_valid, arrived_ready, segment_some, segment_valid, segment_ready;
  segment_t arrived, segment;
  logic sender_host;
  toe_rx_sender #(
      .INTERFACES(INTERFACES)
  ) u_sender (
      .interfaces,
      .iface(accept_segment.tuple.iface),
      .ip   (accept_segment.tuple.peer_ip),
      .host (sender_host)
  );
  toe_fifo #(
      .WIDTH($bits(segment_t)),
      .DEPTH(16)
  ) u_segments (
      .clk,
      .rst,
      .wr_valid(accept_valid & sender_host),
      .wr_ready(),
      .wr_data (accept_segment),
      .wr_room (segment_room),
      .rd_valid(arrived_valid),
      .rd_ready(arrived_ready),
      .rd_data (arrived)
  );
  logic listen_wr, listen_on, over, tcp_settled;
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
      .m_some   (segment_some),
      .m_valid  (segment_valid),
      .m_ready  (segment_ready),
      .m_segment(segment),
      .hold     (~tcp_settled),
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
  logic open_valid, open_ready, todo_valid, todo_ready;
  order_t open_order, todo;
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
      .m_valid    (open_valid),
      .m_ready    (open_ready),
      .m_order    (open_order),
      .event_valid(ev_valid[0]),
      .event_ready(ev_ready[0]),
      .event_code (ev_code[0]),
      .event_sid  (ev_sid[0])
  );

  // A register: the TCP machine chooses by the order's session
  assign open_ready = ~todo_valid | todo_ready;
  always_ff @(posedge clk) begin
    if (open_ready) todo <= open_order;
    todo_valid <= ~rst & (open_valid | (todo_valid & ~todo_ready));
  end

  logic tcp_snd_busy;
  logic header_wr, snd_wr, snd_wr_syn, limit_wr, limit_open, limit_alive;
  sid_t header_sid, snd_wr_sid, limit_sid;
  tuple_t header_tuple;
  logic [47:0] header_mac;
  logic [31:0] snd_wr_nxt, limit;
  logic [15:0] limit_mss;
  logic request_valid, request_ready, ack_valid, ack_now;
  request_t request;
  sid_t ack_note_sid;
  logic changed_valid, changed_ready;
  iface_id_t changed_iface;
  logic [31:0] changed_ip;
  logic [47:0] changed_mac;
  logic urgent_begins, urgent_text, urgent_set, urgent_report;
  logic icmp_valid, icmp_match, icmp_over;
  tuple_t icmp_tuple;
  logic [31:0] icmp_seq;
  toe_tcp #(
      .SESSIONS                (SESSION_COUNT),
      .INTERFACES              (INTERFACES),
      .RING_BYTES              (RING_BYTES),
      .MSS                     (MTU - 40),
      .TX_CONGESTION_CONTROL_EN(1'(TX_CONGESTION_CONTROL_EN)),
      .INSTANT_ACK_EN          (1'(INSTANT_ACK_EN)),
      .TIMESTAMPS_EN           (1'(TIMESTAMPS_EN)),
      .SACK_EN                 (1'(SACK_EN)),
      .RX_REORDERING_EN        (1'(RX_REORDERING_EN)),
      .RX_URGENT_EN            (1'(RX_URGENT_EN)),
      .SOFT_ERRORS_EN          (1'(SOFT_ERRORS_EN))
  ) u_tcp (
      .clk,
      .rst,
      .settings   (tcp_settings),
      .tick,
      .segment_some,
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
      .tcp_rcv_nxt(ack_nxt),
      .tcp_rcv_waits,
      .tcp_snd_nxt,
      .tcp_snd_busy,
      .tcp_wait   (advertise),
      .tcp_left   (window_left),
      .tcp_unread,
      .tcp_window_low,
      .window_looks,
      .window_offer,
      .window_grow,
      .window_grow_ready,
      .window_grow_kept,
      .interfaces,
      .changed_valid,
      .changed_ready,
      .changed_iface,
      .changed_ip,
      .changed_mac,
      .doubt,
      .stamp_wr,
      .stamp_new,
      .tcp_stamp,
      .tcp_sack,
      .sack_wr,
      .sack_new,
      .urgent_begins,
      .urgent_text,
      .urgent_set,
      .urgent_report,
      .icmp_valid,
      .icmp_tuple,
      .icmp_seq,
      .icmp_match,
      .icmp_over,
      .header_wr,
      .header_sid,
      .header_tuple,
      .header_mac,
      .snd_wr,
      .snd_wr_sid,
      .snd_wr_nxt,
      .snd_wr_syn,
      .limit_wr,
      .limit_sid,
      .limit_open,
      .limit_alive,
      .limit,
      .limit_mss,
      .request_valid,
      .request_ready,
      .request,
      .over,
      .tcp_settled,
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

  // --- Timestamps
  if (TIMESTAMPS_EN != 0) begin : gen_timestamps
    toe_timestamps #(
        .SESSIONS(SESSION_COUNT)
    ) u_timestamps (
        .clk,
        .rst,
        .tick,
        .wr        (stamp_wr),
        .wr_sid    (rcv_wr_sid),
        .wr_stamp  (stamp_new),
        .tcp_sid,
        .tcp_stamp,
        .rx_sid    (snd_sid),
        .rx_stamps,
        .move      (stamp_move),
        .move_sid  (stamp_sid),
        .move_stamp(stamp),
        .tx_sid    (ack_sid),
        .tx_stamps,
        .acked,
        .acked_nxt
    );
  end else begin : gen_no_timestamps
    assign tcp_stamp = '0;
    assign rx_stamps = '0;
    assign tx_stamps = '0;
    logic unused;
    assign unused = ^{stamp_wr, stamp_new, stamp_move, stamp_sid, stamp, acked, acked_nxt};
  end

  // --- SACK
  if (SACK_EN != 0) begin : gen_sack
    toe_sack_agreed #(
        .SESSIONS(SESSION_COUNT)
    ) u_agreed (
        .clk,
        .wr    (sack_wr),
        .wr_sid(rcv_wr_sid),
        .wr_on (sack_new),
        .tx_sid(ack_sid),
        .tx_on (sack.on),
        .tcp_sid,
        .tcp_on(tcp_sack)
    );
  end else begin : gen_no_sack
    assign {sack.on, tcp_sack} = '0;
    logic unused;
    assign unused = ^{sack_wr, sack_new};
  end
  assign sack.some = sack.on & sack_some;

  // --- ARP and ICMP
  logic [1:0][31:0] small_tdata;
  logic [1:0][ 3:0] small_tkeep;
  logic [1:0] small_tvalid, small_tready, small_tlast;
  toe_arp #(
      .INTERFACES(INTERFACES),
      .ARP_SERVER_EN(1'(ARP_SERVER_EN)),
      .ARP_TABLE_ENTRY_COUNT(ARP_TABLE_ENTRY_COUNT),
      .ARP_GRATUITOUS_REFRESH_EN(1'(ARP_GRATUITOUS_REFRESH_EN)),
      .ARP_DOUBT_EN(1'(ARP_DOUBT_EN))
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
      .doubt,
      .doubt_iface   (change_tuple.iface),
      .doubt_ip      (change_tuple.peer_ip),
      .changed_valid,
      .changed_ready,
      .changed_iface,
      .changed_ip,
      .changed_mac,
      .stat_malformed(stat_arp_bad),
      .stat_conflict (stat_arp_claimed),
      .stat_dropped  (stat_arp_dropped),
      .stat_unasked  (stat_arp_unasked),
      .m_tdata       (small_tdata[0]),
      .m_tkeep       (small_tkeep[0]),
      .m_tvalid      (small_tvalid[0]),
      .m_tready      (small_tready[0]),
      .m_tlast       (small_tlast[0])
  );
  if (ICMP_SERVER_EN != 0) begin : gen_icmp
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
        .stat_answered(stat_echo_sent),
        .stat_bad     (stat_echo_bad),
        .stat_dropped (stat_echo_full)
    );
  end else begin : gen_no_icmp
    assign {small_tdata[1], small_tkeep[1], small_tvalid[1], small_tlast[1]} = '0;
    assign {stat_echo_sent, stat_echo_bad, stat_echo_full} = '0;
  end

  // --- Urgent data and ICMP errors
  logic [1:0][31:0] urgent_left;
  logic [31:0] icmp_info;
  if (RX_URGENT_EN != 0) begin : gen_urgent
    toe_urgent #(
        .SESSIONS(SESSION_COUNT)
    ) u_urgent (
        .clk,
        .rst,
        .sid     (tcp_sid),
        .seq     (segment.seq),
        .pointer (segment.urgent),
        .ahead   (segment.upcoming),
        .hold    (advertise),
        .nxt     (ack_nxt),
        .bytes   (accepted),
        .begins  (urgent_begins),
        .text    (urgent_text),
        .set     (urgent_set),
        .report  (urgent_report),
        .look_sid({event_sid, look_sid}),
        .taken,
        .left    (urgent_left)
    );
  end else begin : gen_no_urgent
    logic unused;
    assign unused = ^{urgent_begins, urgent_text, urgent_set, accepted, taken};
    assign {urgent_report, urgent_left} = '0;
  end
  if (SOFT_ERRORS_EN != 0) begin : gen_icmp_errors
    toe_icmp_errors u_icmp_errors (
        .clk,
        .rst,
        .rx,
        .valid         (icmp_valid),
        .tuple         (icmp_tuple),
        .seq           (icmp_seq),
        .match         (icmp_match),
        .over          (icmp_over),
        .taken         (event_valid & event_ready & (event_code == EV_ICMP_ERROR)),
        .info          (icmp_info),
        .stat_reported (stat_icmp_reported),
        .stat_bad      (stat_icmp_bad),
        .stat_unmatched(stat_icmp_other),
        .stat_busy     (stat_icmp_busy)
    );
  end else begin : gen_no_icmp_errors
    logic unused;
    assign unused = ^{icmp_match, icmp_over};
    assign {icmp_valid, icmp_tuple, icmp_seq, icmp_info} = '0;
    assign {stat_icmp_reported, stat_icmp_bad, stat_icmp_other, stat_icmp_busy} = '0;
  end
  always_comb begin
    case (event_code)
      EV_URGENT:     event_info = urgent_left[1];
      EV_ICMP_ERROR: event_info = icmp_info;
      default:       event_info = '0;
    endcase
  end
  always_ff @(posedge clk) begin
    look_urgent     <= urgent_left[0];
    stat_table_full <= change_failed & ~rst;
  end

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
  logic [37:0] stage_data[TX_OUTPUT_PIPE_COUNT+1];
  logic stage_valid[TX_OUTPUT_PIPE_COUNT+1];
  logic stage_ready[TX_OUTPUT_PIPE_COUNT+1];
  for (genvar i = 0; i < TX_OUTPUT_PIPE_COUNT; i++) begin : gen_pipe
    axis_register #(
        .WIDTH(38)
    ) u_stage (
        .clk,
        .rst,
        .s_data (stage_data[i]),
        .s_valid(stage_valid[i]),
        .s_ready(stage_ready[i]),
        .m_data (stage_data[i+1]),
        .m_valid(stage_valid[i+1]),
        .m_ready(stage_ready[i+1])
    );
  end
  if (TCP2MAC_DATA_WIDTH == 64) begin : gen_widen
    toe_mac_widen u_widen (
        .clk,
        .rst,
        .s_axis_tdata (stage_data[TX_OUTPUT_PIPE_COUNT][37:6]),
        .s_axis_tkeep (stage_data[TX_OUTPUT_PIPE_COUNT][5:2]),
        .s_axis_tvalid(stage_valid[TX_OUTPUT_PIPE_COUNT]),
        .s_axis_tready(stage_ready[TX_OUTPUT_PIPE_COUNT]),
        .s_axis_tlast (stage_data[TX_OUTPUT_PIPE_COUNT][1]),
        .s_axis_tuser (stage_data[TX_OUTPUT_PIPE_COUNT][0]),
        .m_axis_tdata (m_mac_tdata),
        .m_axis_tkeep (m_mac_tkeep),
        .m_axis_tvalid(m_mac_tvalid),
        .m_axis_tready(m_mac_tready),
        .m_axis_tlast (m_mac_tlast),
        .m_axis_tuser (m_mac_tuser)
    );
  end else begin : gen_no_widen
    assign {m_mac_tdata, m_mac_tkeep, m_mac_tlast, m_mac_tuser} = stage_data[TX_OUTPUT_PIPE_COUNT];
    assign m_mac_tvalid                                         = stage_valid[TX_OUTPUT_PIPE_COUNT];
    assign stage_ready[TX_OUTPUT_PIPE_COUNT]                    = m_mac_tready;
  end
  toe_tx #(
      .SESSIONS(SESSION_COUNT),
      .INTERFACES(INTERFACES),
      .RING_BYTES(RING_BYTES),
      .USER2TCP_DATA_WIDTH(USER2TCP_DATA_WIDTH),
      .MTU(MTU),
      .RAM_LATENCY(TX_RETRANSMIT_MEM_EXTERNAL != 0 ? 2 : TX_RETRANSMIT_MEM_LATENCY),
      .MEM_LATENCY(TX_RETRANSMIT_MEM_EXTERNAL != 0 ? TX_RETRANSMIT_MEM_LATENCY : 0),
      .MEM_WRITE_LATENCY(TX_RETRANSMIT_MEM_WRITE_LAG),
      .TX_DROP_IF_NOT_ESTABLISHED_EN(1'(TX_DROP_IF_NOT_ESTABLISHED_EN)),
      .TX_PUSH_BIT_VALUE(1'(TX_PUSH_BIT_VALUE)),
      .TIMESTAMPS_EN(1'(TIMESTAMPS_EN)),
      .SACK_EN(1'(SACK_EN))
  ) u_tx (
      .clk,
      .rst,
      .iface        (interfaces),
      .settings     (tx_settings),
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
      .snd_wr_syn,
      .limit_wr,
      .limit_sid,
      .limit_open,
      .limit_alive,
      .limit,
      .limit_mss,
      .request_valid,
      .request_ready,
      .request,
      .over,
      .tcp_settled,
      .ack_valid,
      .ack_note_sid,
      .ack_now,
      .tcp_sid,
      .tcp_snd_nxt,
      .tcp_snd_busy,
      .snd_sid,
      .snd_nxt,
      .snd_none,
      .ack_sid,
      .ack_nxt,
      .no_session,
      .advertise,
      .advertise_syn,
      .advertise_ack,
      .room         (window),
      .stamps       (tx_stamps),
      .sack,
      .sack_look,
      .acked,
      .acked_nxt,
      .s_raw_tdata  (raw_tdata),
      .s_raw_tkeep  (raw_tkeep),
      .s_raw_tvalid (raw_tvalid),
      .s_raw_tready (raw_tready),
      .s_raw_tlast  (raw_tlast),
      .m_axis_tdata (stage_data[0][37:6]),
      .m_axis_tkeep (stage_data[0][5:2]),
      .m_axis_tvalid(stage_valid[0]),
      .m_axis_tready(stage_ready[0]),
      .m_axis_tlast (stage_data[0][1]),
      .m_axis_tuser (stage_data[0][0]),
      .mem_wr_en    (tx_mem_wr_en),
      .mem_wr_addr  (tx_mem_wr_addr),
      .mem_wr_data  (tx_mem_wr_data),
      .mem_rd_en    (tx_mem_rd_en),
      .mem_rd_addr  (tx_mem_rd_addr),
      .mem_rd_data  (tx_mem_rd_data),
      .credit_valid,
      .credit_sid,
      .credit,
      .event_valid  (ev_valid[2]),
      .event_ready  (ev_ready[2]),
      .event_code   (ev_code[2]),
      .event_sid    (ev_sid[2])
  );
endmodule
