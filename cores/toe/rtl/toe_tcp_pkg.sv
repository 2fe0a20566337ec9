// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What the parts of toe_tcp share: the context of a session, what a comparison finds, what is decided.
package toe_tcp_pkg;
  import toe_pkg::*;

  typedef logic [17:0] window_t;  // bytes in flight or allowed: rings of 65536 bytes at most
  typedef logic [24:0] ticks_t;  // a moment, modulo 2^25: half of that is more than any setting

  typedef enum logic [1:0] {
    IDLE_EVENT,
    SEGMENT_EVENT,
    ORDER_EVENT,
    WALK_EVENT
  } kind_e;

  // What the deadline of a session is for
  typedef enum logic [1:0] {
    NO_TIMER,
    RETRANSMIT_TIMER,  // and probes of a closed window
    IDLE_TIMER,        // keepalive
    WAIT_TIMER         // 2 MSL
  } timer_e;

  localparam int MAX_BEAT_BYTES = 16;  // of the user's port, toe_tx
  localparam int MSS_DEFAULT = 536;  // RFC 9293, 3.7.1, MUST-15
  localparam int MSS_LEAST = 28;  // no IPv4 host has less: an MTU of 68 (RFC 791)
  localparam logic [31:0] REOPEN_STEP = 32'h20000;  // a new connection out of TIME_WAIT begins so far ahead

  typedef struct packed {
    state_e      state;
    logic        listen;      // listens again when the connection is over; it was opened by the peer
    logic        used;        // there has been a connection since the reset
    tuple_t      tuple;
    logic [31:0] una;         // SND.UNA
    logic [31:0] wl1;         // SND.WL1, SND.WL2
    logic [31:0] wl2;
    logic [15:0] window;      // as it was in the header: what a duplicate ACK must repeat
    window_t     wnd;         // SND.WND: scaled, the ring's size at most
    logic [15:0] mss;         // of segments that we send
    logic [3:0]  scale;
    logic        scale_on;    // the peer's SYN had the option
    logic        stamps;      // timestamps are agreed on
    window_t     cwnd;
    window_t     ssthresh;
    window_t     counted;     // bytes acknowledged since cwnd last grew, in congestion avoidance
    logic [1:0]  dup;         // duplicate ACKs, 3 at most
    logic        fast;        // in fast recovery
    logic        partial;     // and a partial ACK has restarted the timer
    logic        hold;        // nothing after `recover` is acknowledged: duplicate ACKs start no recovery
    logic [31:0] recover;     // RFC 6582: SND.NXT at the last loss
    logic        rtx_on;      // from rtx on is to be sent again; in SYN states: the SYN; in fast recovery: one segment
    logic [31:0] rtx;
    logic        timing;      // an ACK of `timed` makes a sample of the round trip, begun at `start`
    logic [31:0] timed;
    logic [15:0] start;
    logic        sampled;
    logic [18:0] srtt;        // eighths of a tick
    logic [17:0] rttvar;      // quarters
    logic [15:0] rto;         // as backed off
    timer_e      timer;
    ticks_t      deadline;
    logic [3:0]  retries;
    logic        close;       // the user wants to close
    logic        fin;         // FIN is sent: SND.NXT is past it
    logic [2:0]  epoch;       // of the count of challenge ACKs
    logic [2:0]  challenges;
  } context_t;

  // What toe_tcp_compare finds.  SEG and the session are the event's; "before" and so on modulo 2^32.
  typedef struct packed {
    logic seq_next;      // SEG.SEQ is RCV.NXT
    logic seq_last;      // SEG.SEQ is RCV.NXT - 1
    logic seq_ahead;     // SEG.SEQ is RCV.NXT, or in the advertised window
    logic seq_behind;    // SEG.SEQ is before RCV.NXT
    logic end_next;      // SEG.SEQ + length is RCV.NXT
    logic end_ahead;     // and after it
    logic ack_same;      // SEG.ACK is SND.UNA
    logic ack_more;      // SND.UNA < SEG.ACK <= SND.NXT
    logic ack_all;       // SEG.ACK is SND.NXT
    logic ack_near;      // SND.NXT - SEG.ACK < 2 * RING_BYTES: RFC 5961, 5
    logic wl_new;        // the segment is no older than the last that set the window
    logic timed_done;    // SEG.ACK >= timed
    logic echo_good;     // SEG.TSecr is one that we have sent, less than 65536 ticks ago
    logic recover_full;  // SEG.ACK >= recover
    logic recover_past;  // SEG.ACK > recover
    logic rtx_behind;    // rtx < SEG.ACK
    logic window_same;
    logic tuple_same;
    logic local_same;    // its interface and local port
    logic flight_any;    // SND.NXT is not SND.UNA
    logic due;           // the deadline has come
  } facts_t;

  // What an event does to its session
  typedef struct packed {
    state_e state;
    // A connection begins
    logic   passive;      // by the peer's SYN
    logic   active;       // by the user
    logic   reopen;       // passive, out of TIME_WAIT
    logic   later;        // the order is not taken yet
    logic   listen;       // the session begins to listen
    logic   syn;          // SEG is the peer's SYN: its options and RCV.NXT count
    logic   establish;
    // SEG.ACK
    logic   heard;        // it counts, and so do blocks beside it
    logic   acked;        // SND.UNA moves to SEG.ACK
    logic   window;       // SND.WND is SEG's
    logic   dup;          // a duplicate ACK
    logic   answered;     // the peer is alive: retries count anew
    logic   restart;      // the timer begins anew
    logic   resend;       // everything after SND.UNA is to be sent again
    // The user's or the peer's end
    logic   close;
    logic   fin_in;       // FIN: RCV.NXT moves past it
    logic   fin_later;    // FIN: it counts when all before it has come and is the user's
    logic   finish;       // the connection is over
    logic   forget;       // the session does not listen any more
    logic   failed;       // the tuple is not in the table
    // Timers
    logic   expired;      // the retransmission timer
    logic   probe;        // a segment that must be answered
    logic   resend_go;    // a piece from rtx on may go
    logic   syn_go;       // SYN, or SYN and ACK
    logic   fin_go;       // the first FIN
    logic   time_go;      // a round trip begins to be timed
    logic   arm;          // the deadline is set
    timer_e timer;
    // What goes out
    logic   ack;
    logic   ack_now;
    logic   grow;         // with a window update
    logic   challenge;    // an ACK, if there have not been too many
    logic   refuse;       // RST as an answer to SEG, RFC 9293, 3.10.7.1
    logic   reset;        // RST to the peer
    logic   event_on;
    event_e event_code;
    logic   peer_closed;  // EV_PEER_CLOSED, too
    logic   urgent;       // the urgent pointer counts
  } decision_t;

  // Data may be received: RCV.NXT moves
  // The peer's window is closed, or nothing is under way and not a beat of the user's fits: what opens it may get lost, so it has
  // to be asked for (RFC 9293, 3.8.6.1, 3.8.6.2.1)
  function automatic logic closed(input window_t wnd, input logic flight_any);
    return wnd == 0 || (wnd < window_t'(MAX_BEAT_BYTES) && !flight_any);
  endfunction
  function automatic logic receives(input state_e state);
    return state == SYN_RCVD || state == ESTABLISHED || state == FIN_WAIT_1 || state == FIN_WAIT_2;
  endfunction
  // After the peer's FIN
  function automatic state_e behind_fin(input state_e state, input logic fin_acked);
    case (state)
      FIN_WAIT_1: return fin_acked ? TIME_WAIT : CLOSING;
      FIN_WAIT_2: return TIME_WAIT;
      default:    return CLOSE_WAIT;
    endcase
  endfunction
  function automatic window_t least(input window_t a, input window_t b);
    return a < b ? a : b;
  endfunction
endpackage
