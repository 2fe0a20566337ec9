// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What a visit of the walk does to a session: deadlines, what is to be sent again, FIN, window updates.  Combinational.
//
// One deadline a session.  What it is for follows from the session; a change sets it anew:
//   RETRANSMIT  something is not acknowledged (RFC 6298), or the window is closed or nearly so (RFC 9293, 3.8.6.1)
//   IDLE        nothing is, and keepalives are wanted (3.8.4)
//   WAIT        TIME_WAIT; or FIN_WAIT_2, if that shall end: without a FIN (3.5 has no end) RST and EV_TIMED_OUT
// Each time that one passes without an answer the time to the next doubles.  With a closed window the probe is the first byte
// that is not acknowledged, from the ring; without one, and as a keepalive, a segment without payload and with SND.UNA - 1:
// each must be answered.
module toe_tcp_walk
  import toe_pkg::*;
  import toe_tcp_pkg::*;
#(
    parameter bit SOFT_ERRORS_EN = 1'b0  // an event, when something has been retransmitted three times
) (
    input context_t       c,
    input facts_t         f,
    input logic           busy,         // the user's data are on their way
    input logic           window_low,
    input logic           fin_due,      // a FIN that came before its time counts now
    input logic           keepalive,    // wanted
    input logic           fin_wait,     // FIN_WAIT_2 ends
    input logic     [3:0] syn_retries,
    input logic     [3:0] retries,

    output decision_t d
);
  logic synced, shut, speaks, exhausted;
  timer_e timer;
  assign synced    = c.state != SYN_SENT && c.state != SYN_RCVD;
  assign shut      = synced && closed(c.wnd, f.flight_any);
  assign speaks    = c.state == ESTABLISHED || c.state == CLOSE_WAIT;  // may send
  assign exhausted = c.retries >= (synced ? retries : syn_retries);
  always_comb begin
    if (c.state == TIME_WAIT || (c.state == FIN_WAIT_2 && fin_wait)) timer = WAIT_TIMER;
    else if (f.flight_any || (shut && speaks)) timer = RETRANSMIT_TIMER;
    else if (keepalive && (speaks || c.state == FIN_WAIT_2)) timer = IDLE_TIMER;
    else timer = NO_TIMER;
  end

  always_comb begin
    d = '0;
    d.state = c.state;
    d.event_code = EV_CLOSED;
    d.timer = timer;
    if (c.state == CLOSED || c.state == LISTEN) begin
      d.arm = 1'b0;
    end else if (f.due && c.timer == timer) begin
      if (c.state == TIME_WAIT) begin
        d.finish   = 1'b1;
        d.event_on = 1'b1;
      end else if (exhausted || timer == WAIT_TIMER) begin
        d.finish     = 1'b1;
        d.reset      = c.state != SYN_SENT;
        d.event_on   = ~(c.state == SYN_RCVD & c.listen);
        d.event_code = EV_TIMED_OUT;
      end else begin
        d.expired = 1'b1;
        d.probe   = shut | timer == IDLE_TIMER;
        if (SOFT_ERRORS_EN && !d.probe && c.retries == 4'd3) begin
          d.event_on   = ~(c.state == SYN_RCVD & c.listen);
          d.event_code = EV_UNANSWERED;
        end
      end
    end else if (fin_due && receives(c.state)) begin
      d.fin_in           = 1'b1;
      d.peer_closed      = 1'b1;
      d.state            = behind_fin(c.state, 1'b0);  // an ACK of ours has been seen before
      d.restart          = d.state == TIME_WAIT;
      {d.ack, d.ack_now} = 2'b11;
    end else begin
      d.arm       = c.timer != timer;
      d.syn_go    = c.rtx_on & ~synced;
      d.resend_go = c.rtx_on & synced;
      d.fin_go    = c.close & ~c.fin & ~busy & ~c.rtx_on & speaks;
      if (d.fin_go) d.state = c.state == ESTABLISHED ? FIN_WAIT_1 : LAST_ACK;
      d.time_go = synced & f.flight_any & ~c.timing & ~c.rtx_on & ~c.fast & c.retries == 0;
      d.grow = window_low & synced & receives(c.state);
      {d.ack, d.ack_now} = {2{d.grow}};
    end
  end
endmodule
