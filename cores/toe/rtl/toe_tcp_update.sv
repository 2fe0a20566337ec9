// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The session's new context, from the old one, the decision, and what was computed meanwhile.  Combinational.
module toe_tcp_update
  import toe_pkg::*;
  import toe_tcp_pkg::*;
(
    input context_t  c,
    input decision_t d,
    input facts_t    f,
    input settings_t settings,
    input segment_t  segment,

    input tuple_t         tuple,       // of the segment or the order
    input logic           stamped,     // the segment has timestamps
    input logic    [31:0] snd_nxt,
    input logic    [31:0] iss,         // of a connection that begins
    input logic    [15:0] now,
    input logic    [ 2:0] epoch,
    input logic           enter,       // fast recovery
    input logic           sample,
    input window_t        wnd,
    input logic    [15:0] mss,
    input window_t        cwnd,
    input window_t        ssthresh,
    input window_t        counted,
    input logic    [18:0] srtt,
    input logic    [17:0] rttvar,
    input logic    [15:0] rto,
    input logic    [15:0] rto_double,
    input ticks_t         deadline,
    input logic    [31:0] rtx_end,     // after the piece that is sent again
    input logic           piece,       // there is one
    input logic           rtx_over,    // and it was the last
    input logic           sack,        // the peer reports what it has after gaps

    output context_t n
);
  logic begins, timed;
  assign begins = d.passive | d.active;
  // Karn: a SYN is timed when it goes for the first time
  assign timed  = d.time_go | (d.syn_go & c.timer == NO_TIMER & c.retries == 0);

  always_comb begin
    n          = c;
    n.state    = d.state;
    n.cwnd     = cwnd;
    n.ssthresh = ssthresh;
    n.counted  = counted;

    if (d.window) begin
      {n.wl1, n.wl2, n.window} = {segment.seq, segment.ack, segment.window};
      n.wnd = wnd;
    end
    if (d.answered) n.retries = '0;
    if (d.restart || d.expired) n.timer = NO_TIMER;
    if (d.close) n.close = 1'b1;

    // In the second case what was not answered were probes, not segments that got lost
    if (d.acked || (d.heard && d.restart)) n.rto = rto;

    // --- An acknowledgement
    if (d.acked) begin
      n.una = segment.ack;
      n.dup = '0;
      {n.srtt, n.rttvar} = {srtt, rttvar};
      n.sampled = c.sampled | sample;
      if (sample) n.timing = 1'b0;
      if (f.recover_past) n.hold = 1'b0;
      if (c.fast && f.recover_full) {n.fast, n.partial} = 2'b00;
      else if (c.fast) n.partial = ~sack;  // each restarts the timer, then (RFC 6298, 5.3)
      if (f.ack_all | (sack & c.fast & f.recover_full)) n.rtx_on = 1'b0;
      else if (c.fast & ~f.recover_full) n.rtx_on = 1'b1;
    end
    if (d.dup && c.dup != 2'd3) n.dup = c.dup + 2'd1;
    // --- What is to be sent again.  In one place, because the choice of rtx is wide
    if (d.resend || enter || (d.expired && !d.probe)) n.rtx_on = 1'b1;
    if (d.acked && (d.resend || f.rtx_behind || (c.fast && !sack))) n.rtx = segment.ack;
    else if (d.resend || enter || (d.expired && !d.probe)) n.rtx = c.una;
    else if (piece) n.rtx = rtx_end;
    if (piece && rtx_over || d.syn_go) n.rtx_on = 1'b0;
    if (enter || d.resend || d.expired || (d.acked && c.fast)) n.timing = 1'b0;
    if (enter || (d.expired && !d.probe)) begin
      n.recover = snd_nxt;
      n.partial = 1'b0;
      n.fast    = enter;
      n.hold    = c.state != SYN_SENT && c.state != SYN_RCVD;
      if (!enter) n.dup = '0;
    end

    // --- Timers
    if (d.expired) begin
      n.retries = c.retries + 4'd1;
      n.rto     = rto_double;
    end
    if (d.arm) {n.timer, n.deadline} = {d.timer, deadline};
    if (timed) {n.timing, n.timed, n.start} = {1'b1, snd_nxt, now};
    if (d.fin_go) n.fin = 1'b1;

    // --- Challenge ACKs of this time
    if (d.challenge) begin
      n.epoch      = epoch;
      n.challenges = c.epoch != epoch ? 3'd1 : c.challenges == 3'd7 ? 3'd7 : c.challenges + 3'd1;
    end

    // --- A connection begins
    n.mss = mss;  // the session's, unless this is the SYN that opens it
    if (d.syn) {n.scale_on, n.scale} = {segment.scale_on, segment.scale_on ? segment.scale : 4'd0};
    if (d.syn || begins) n.stamps = d.syn & stamped;
    if (begins || d.listen) n.tuple = tuple;
    if (begins) begin
      {n.una, n.rtx, n.rtx_on}                                         = {iss, iss, 1'b1};
      {n.close, n.fin, n.fast, n.partial, n.hold, n.timing, n.sampled} = '0;
      {n.dup, n.retries, n.challenges, n.counted}                      = '0;
      n.timer                                                          = NO_TIMER;
      n.ssthresh                                                       = '1;
      n.rto                                                            = settings.rto_initial;
      n.used                                                           = 1'b1;
    end
    if (d.listen) n.listen = 1'b1;

    // --- And ends
    if (d.finish) begin
      n.listen = c.listen & ~d.forget;
      n.state  = n.listen ? LISTEN : CLOSED;
      n.rtx_on = 1'b0;
      n.timer  = NO_TIMER;
    end
  end
endmodule
