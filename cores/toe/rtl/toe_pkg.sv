// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What the modules of toe share.  All fields are numbers (the first byte that is sent is the most significant) unless they
// are called words: those lie as the MAC's, first byte in bits 7:0.
package toe_pkg;
  localparam int MAX_SESSIONS = 1024;
  localparam int MAX_INTERFACES = 8;
  typedef logic [9:0] sid_t;  // a session
  typedef logic [2:0] iface_id_t;

  // A virtual interface
  typedef struct packed {
    logic        enable;
    logic        vlan_on;
    logic [15:0] vlan;     // priority, DEI, identifier
    logic [47:0] mac;
    logic [31:0] ip;
    logic [31:0] mask;
    logic [31:0] gateway;  // 0: none
  } iface_t;

  // What names a connection: RFC 9293, 3.3.1, with the interface for the local address
  typedef struct packed {
    iface_id_t   iface;
    logic [31:0] peer_ip;
    logic [15:0] peer_port;
    logic [15:0] local_port;
  } tuple_t;

  // RFC 9293, figure 5
  typedef enum logic [3:0] {
    CLOSED,
    LISTEN,
    SYN_SENT,
    SYN_RCVD,
    ESTABLISHED,
    FIN_WAIT_1,
    FIN_WAIT_2,
    CLOSE_WAIT,
    CLOSING,
    LAST_ACK,
    TIME_WAIT
  } state_e;

  // Flags as in the header's byte 13
  localparam logic [7:0] FIN = 8'h01;
  localparam logic [7:0] SYN = 8'h02;
  localparam logic [7:0] RST = 8'h04;
  localparam logic [7:0] PSH = 8'h08;
  localparam logic [7:0] ACK = 8'h10;
  localparam logic [7:0] URG = 8'h20;

  // Index of a received word: 0 to 13 as in the table; all after 13 have BEHIND.  A VLAN tag's word has 3, and so has the next.
  //
  //   0  DMAC 0-3               5  flags, fragment, TTL, protocol   10  SEQ 2-3, ACK 0-1
  //   1  DMAC 4-5, SMAC 0-1     6  IP checksum, SIP 0-1             11  ACK 2-3, offset, flags
  //   2  SMAC 2-5               7  SIP 2-3, DIP 0-1                 12  window, checksum
  //   3  type, 0x45, DSCP       8  DIP 2-3, source port             13  urgent pointer, payload 0-1
  //   4  total length, ident    9  destination port, SEQ 0-1
  localparam logic [3:0] BEHIND = 4'd14;
  localparam logic [3:0] TAG = 4'd15;  // of a tag's word in frames that are sent

  // A received frame as it passes.  The first group is of this cycle, straight from the MAC but for index; the others are registers,
  // each there from the cycle after the word that completes it until word 0 of the next frame has passed.
  typedef struct packed {
    logic valid;  // a word
    logic [3:0] index;  // of the word that is here or comes next: a register
    logic tag;  // with index 3: it is a VLAN tag
    logic [31:0] word;
    logic [3:0] keep;
    logic last;
    logic end_valid;  // the verdict on the frame: with its last word or after it, before the next frame's word 0
    logic end_good;  // FCS right, no error on the line, and the words were all that the IP length says
    logic end_short;  // all that, but the words were fewer

    logic [7:0]  mac_match;     // word 3: of each interface, its address (or for everyone) and its VLAN
    logic        broadcast;     // word 1: for everyone
    logic [47:0] smac;          // word 2
    logic        arp;           // word 3
    logic        ipv4;          // word 3: and version 4, IHL 5
    logic        options;       // word 3: IPv4 with IHL above 5
    logic [15:0] total_length;  // word 4
    logic        fragment;      // word 5
    logic [7:0]  protocol;      // word 5
    logic [31:0] sip;           // word 7
    logic [7:0]  ip_match;      // word 8: of each interface, mac_match and its IP address
    logic        ip_good;       // word 8: header checksum right
    iface_id_t   iface;         // word 8: the first of ip_match
  } rx_t;

  // Bytes that have arrived after a gap; right: the number after them
  typedef struct packed {
    logic [31:0] left;
    logic [31:0] right;
  } block_t;

  // A TCP segment that has arrived whole, with right FCS and checksums, for one of our addresses
  typedef struct packed {
    logic         hit;         // it belongs to session sid
    sid_t         sid;
    tuple_t       tuple;
    logic [47:0]  peer_mac;
    logic [7:0]   flags;
    logic [31:0]  seq;
    logic [31:0]  ack;
    logic [15:0]  window;      // as it is in the header
    logic [15:0]  length;      // of the payload, bytes
    logic         accepted;    // the payload is the user's, RCV.NXT has moved past it
    logic         gap;         // and that has filled a gap, or a part of it
    logic         mss_on;      // options, of a segment with SYN only
    logic [15:0]  mss;
    logic         scale_on;
    logic [3:0]   scale;       // 14 at most
    logic         stamp_on;    // timestamps, RFC 7323, 3.2
    logic         old;         // the session has them, and this one is before TS.Recent
    logic [31:0]  stamp;       // TSval
    logic [31:0]  echo;        // TSecr
    logic [15:0]  urgent;      // pointer, with URG
    logic         upcoming;    // it is ahead of RCV.NXT, as that was before this segment
    logic         sack_on;     // SACK-permitted, of a SYN (RFC 2018, 2)
    logic [2:0]   sack_count;
    block_t [3:0] sacks;       // of other segments, the first in 0 (RFC 2018, 3)
  } segment_t;

  // What a frame that leaves reports of SACK: see toe_sack_blocks
  typedef struct packed {
    logic         on;      // offered or agreed on; combinational, as is
    logic         some;    // on, and something waits after a gap
    logic [2:0]   count;   // blocks, a cycle after `look`
    block_t [3:0] blocks;
  } sack_tx_t;

  // Timestamps of a session, see toe_timestamps: for the receive path, for a frame that leaves, and a connection's beginning
  typedef struct packed {
    logic        on;      // offered or agreed on
    logic        valid;   // recent counts
    logic [31:0] recent;  // TS.Recent
    logic [31:0] acked;   // Last.ACK.sent
  } stamp_rx_t;
  typedef struct packed {
    logic        on;
    logic [31:0] stamp;  // TSval
    logic [31:0] echo;   // TSecr of a frame with ACK
  } stamp_tx_t;
  typedef struct packed {
    logic        on;
    logic        begins;  // with a new offset
    logic [31:0] offset;
    logic        syn;     // the peer's SYN: recent counts
    logic [31:0] recent;
  } stamp_wr_t;

  // A frame that the TCP machine asks for
  typedef struct packed {
    logic        no_session;  // of no session: tuple, peer_mac and ack are given here, the window is 0
    sid_t        sid;
    tuple_t      tuple;
    logic [47:0] peer_mac;
    logic [31:0] ack;
    logic [31:0] seq;
    logic [7:0]  flags;
    logic        options;     // with SYN: MSS and window scale 0 follow the header
    logic        scale;       // and that is among them
    logic [15:0] length;      // payload from the retransmit memory
  } request_t;

  // What the user wants of a session
  typedef enum logic [1:0] {
    DO_LISTEN,   // on local_port of iface; again after each connection, until DO_ABORT
    DO_CONNECT,
    DO_CLOSE,    // FIN after what has been given
    DO_ABORT     // RST, or stop listening
  } command_e;

  typedef struct packed {
    command_e    command;
    sid_t        sid;
    tuple_t      tuple;     // DO_LISTEN: iface and local_port; DO_CONNECT: all
    logic [47:0] peer_mac;  // DO_CONNECT, after the resolution of the address
  } order_t;

  // Events of a session, for the user
  typedef enum logic [3:0] {
    EV_CONNECTED,
    EV_PEER_CLOSED,  // FIN has arrived: no more to receive
    EV_CLOSED,       // the session is free (or listens again)
    EV_RESET,        // by the peer
    EV_TIMED_OUT,    // no answer to retransmissions, probes or SYN
    EV_REFUSED,      // the peer answered the SYN with RST
    EV_UNREACHABLE,  // no answer to ARP
    EV_BAD_COMMAND,  // not possible in this state, or no room for the tuple
    EV_TX_DROPPED,   // what the user sent was not taken: not connected, or longer than the peer's MSS
    EV_TX_CUT,       // the user's words were not as many as it said
    EV_TX_LATE,      // the user paused in a cut-through payload, or its checksum was wrong: sent again
    EV_URGENT,       // the peer's urgent pointer has advanced
    EV_ICMP_ERROR,   // about what the session has sent
    EV_UNANSWERED    // sent again three times; it goes on (RFC 9293, 3.8.3: R1)
  } event_e;

  // What of the frames for us that the engine does not take goes to the host, see toe_host
  typedef struct packed {
    logic broadcast;
    logic addresses;
    logic types;
    logic protocols;
    logic icmp;
    logic udp;
    logic options;
    logic fragments;
  } host_t;

  // Settings, from registers.  Ticks are pulses of `tick`, nominally 1 ms.
  typedef struct packed {
    host_t       host;         // with HOST_EN
    logic [15:0] rto_initial;  // ticks
    logic [15:0] rto_min;
    logic [15:0] rto_max;
    logic [15:0] time_wait;    // 2 MSL
    logic [15:0] delayed_ack;
    logic [23:0] keepalive;    // idle time; 0: none
    logic [3:0]  syn_retries;
    logic [3:0]  retries;
    logic [31:0] secret;       // of initial sequence numbers and the hash
    logic [7:0]  ttl;          // time to live of TCP segments
    logic [5:0]  dscp;         // and their Differentiated Services code point
    logic [15:0] fin_wait;     // FIN-WAIT-2 without a segment of the peer's; 0: for ever
  } settings_t;

  // And of one session by itself, see toe_policy
  typedef struct packed {
    logic       own;        // else as the settings say
    logic       keepalive;  // wanted
    logic [3:0] retries;
    logic [5:0] dscp;
  } policy_t;

  function automatic logic [15:0] swap16(input logic [15:0] x);
    return {x[7:0], x[15:8]};
  endfunction
  function automatic logic [31:0] swap32(input logic [31:0] x);
    return {x[7:0], x[15:8], x[23:16], x[31:24]};
  endfunction
  // The host is on the interface's network: no gateway is needed
  function automatic logic on_link(input iface_t own, input logic [31:0] ip);
    return ((ip ^ own.ip) & own.mask) == '0;
  endfunction
  // a is before b, RFC 9293, 3.4
  function automatic logic seq_lt(input logic [31:0] a, input logic [31:0] b);
    return (a - b) >= 32'h8000_0000;
  endfunction
endpackage
