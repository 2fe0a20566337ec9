// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Segments of no session that a listening session may be meant by, beside the way of all others: SYNs, and those with none
// of SYN, ACK and RST, which LISTEN drops and CLOSED answers (RFC 9293, 3.10.7.1 and 3.10.7.2).  Both are called SYNs below.
// Latency: none for other segments.  A SYN waits in a FIFO until a walk over the sessions, one a cycle, has found one
// that listens on its interface and port (hit = 1, sid) or none (hit = 0: the TCP machine refuses it): 3 to SESSIONS +
// 2 cycles after its arrival.  It goes between two segments, AHEAD of which at most may leave before it.  A SYN for
// which the FIFO has no place is dropped and counted, so that a flood of them holds up nobody.  Of its flags SYN, FIN
// and PSH are kept, and `ack` is 0.
//
// A walk begins after the session that was found last, so that the sessions of a port take turns.  A session that is
// found may come into use before its SYN leaves: then the walk goes on, and in that cycle of listen_wr m_valid falls
// without m_ready.  So a reader that gives listen_wr in the cycle after m_ready at the latest, and none while it looks
// at a segment, gets each SYN for a session that still listens.
//
// After rst the table is cleared: listen_wr must not come for SESSIONS cycles.
module toe_listen
  import toe_pkg::*;
#(
    parameter int SESSIONS = 64,
    parameter int DEPTH    = 8    // SYNs that wait, a power of two
) (
    input logic clk,
    input logic rst,

    input  logic     s_valid,
    output logic     s_ready,
    input  segment_t s_segment,

    // m_valid may be 1; it is earlier.  Not so with a SYN that goes into the FIFO or is taken back
    output logic     m_some,
    output logic     m_valid,
    input  logic     m_ready,
    output segment_t m_segment,

    input logic hold,  // no SYN may leave now, but for one on offer

    // From the TCP machine: session sid listens (or does not any more: it is in use)
    input logic             listen_wr,
    input sid_t             listen_sid,    // below SESSIONS
    input logic             listen_on,
    input iface_id_t        listen_iface,
    input logic      [15:0] listen_port,

    output logic stat_syn_dropped
);
  localparam int BITS = $clog2(SESSIONS);
  localparam logic [1:0] AHEAD = 2'd3;  // segments that may leave while a SYN is ready to
  typedef struct packed {
    logic        on;
    iface_id_t   iface;
    logic [15:0] port;
  } listener_t;
  // Of a segment, what one without ACK and RST has
  typedef struct packed {
    tuple_t      tuple;
    logic [47:0] peer_mac;
    logic        syn;
    logic        fin;
    logic        psh;
    logic [31:0] seq;
    logic [15:0] window;
    logic [15:0] length;
    logic        mss_on;
    logic [15:0] mss;
    logic        scale_on;
    logic [3:0]  scale;
    logic        stamp_on;
    logic [31:0] stamp;
    logic        sack_on;
  } syn_t;
  typedef enum logic [1:0] {
    CLEAR,  // after rst
    WALK,   // the first SYN of the FIFO, if there is one, and a session
    HAVE    // what was found waits to leave
  } step_e;

  step_e step_q;
  logic hit_q, offer_q, waiting, take;
  logic [1:0] ahead_q;
  logic [BITS-1:0] at_q, next, left_q;  // the session, the one after it, and how many after it the walk has to see

  // --- In
  logic no_session, put, syn_ready;
  syn_t syn, in;
  assign no_session = ~s_segment.hit && (s_segment.flags & (ACK | RST)) == 0;
  assign put = s_valid & no_session;
  assign in = '{
          tuple: s_segment.tuple,
          peer_mac: s_segment.peer_mac,
          syn: (s_segment.flags & SYN) != 0,
          fin: (s_segment.flags & FIN) != 0,
          psh: (s_segment.flags & PSH) != 0,
          seq: s_segment.seq,
          window: s_segment.window,
          length: s_segment.length,
          mss_on: s_segment.mss_on,
          mss: s_segment.mss,
          scale_on: s_segment.scale_on,
          scale: s_segment.scale,
          stamp_on: s_segment.stamp_on,
          stamp: s_segment.stamp,
          sack_on: s_segment.sack_on
      };
  toe_fifo #(
      .WIDTH($bits(syn_t)),
      .DEPTH(DEPTH)
  ) u_syns (
      .clk,
      .rst,
      .wr_valid(put),
      .wr_ready(syn_ready),
      .wr_data (in),
      .wr_room (),
      .rd_valid(waiting),
      .rd_ready(take),
      .rd_data (syn)
  );
  always_ff @(posedge clk) stat_syn_dropped <= put & ~syn_ready & ~rst;

  // --- The table
  (* ram_style = "distributed" *) logic [$bits(listener_t)-1:0] listeners[SESSIONS];
  listener_t listener;
  logic match, changes;
  assign listener = listener_t'(listeners[at_q]);
  assign match    = listener.on && listener.iface == syn.tuple.iface && listener.port == syn.tuple.local_port;
  assign changes  = listen_wr && listen_sid[BITS-1:0] == at_q;  // what is read now is not true any more
  assign next     = at_q == BITS'(SESSIONS - 1) ? '0 : at_q + 1'b1;
  always_ff @(posedge clk) begin
    if (step_q == CLEAR) listeners[at_q] <= '0;
    else if (listen_wr) listeners[listen_sid[BITS-1:0]] <= {listen_on, listen_iface, listen_port};
  end

  // --- The walk
  logic lost;
  assign lost = step_q == HAVE & hit_q & changes;
  assign take = offer_q & m_ready & ~lost;
  always_ff @(posedge clk) begin
    case (step_q)
      CLEAR: begin
        at_q <= next;
        if (next == '0) step_q <= WALK;
      end
      WALK: begin
        if (waiting && !changes) begin
          hit_q <= match;
          if (match || left_q == '0) step_q <= HAVE;
          else left_q <= left_q - 1'b1;
          if (!match) at_q <= next;
        end
      end
      default: begin
        if (lost) step_q <= WALK;
        if (take) begin
          step_q <= WALK;
          left_q <= BITS'(SESSIONS - 1);
          if (hit_q) at_q <= next;
        end
      end
    endcase
    if (rst) begin
      step_q <= CLEAR;
      at_q   <= '0;
      left_q <= BITS'(SESSIONS - 1);
    end
  end

  // --- Out: segments first, but not for ever
  logic pass;
  assign pass = s_valid & ~no_session & ~offer_q;
  always_ff @(posedge clk) begin
    if (offer_q) begin
      if (take || lost) offer_q <= 1'b0;
      if (take) ahead_q <= '0;
    end else if (step_q == HAVE && !lost && !hold) begin
      // One that is on offer stays
      offer_q <= pass ? m_ready & (ahead_q == AHEAD) : 1'b1;
      if (pass && m_ready && ahead_q != AHEAD) ahead_q <= ahead_q + 1'b1;
    end
    if (rst) begin
      offer_q <= 1'b0;
      ahead_q <= '0;
    end
  end
  assign s_ready = no_session | (m_ready & ~offer_q);
  assign m_valid = offer_q ? ~lost : pass;
  assign m_some  = offer_q | s_valid;
  always_comb begin
    m_segment = s_segment;
    if (offer_q) begin
      m_segment          = '0;
      m_segment.hit      = hit_q;
      m_segment.sid      = sid_t'(at_q);
      m_segment.tuple    = syn.tuple;
      m_segment.peer_mac = syn.peer_mac;
      m_segment.flags    = (syn.syn ? SYN : 8'h0) | (syn.fin ? FIN : 8'h0) | (syn.psh ? PSH : 8'h0);
      m_segment.seq      = syn.seq;
      m_segment.window   = syn.window;
      m_segment.length   = syn.length;
      m_segment.mss_on   = syn.mss_on;
      m_segment.mss      = syn.mss;
      m_segment.scale_on = syn.scale_on;
      m_segment.scale    = syn.scale;
      m_segment.stamp_on = syn.stamp_on;
      m_segment.stamp    = syn.stamp;
      m_segment.sack_on  = syn.sack_on;
    end
  end
endmodule
