// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What a received segment does to its session: RFC 9293, 3.10.7, with RFC 5961.  Combinational.
//
// RCV.NXT has moved past the payload already if it was accepted; it may have moved past later segments, too, that wait.
// A segment is acceptable if it has a part in the advertised window, or begins at RCV.NXT (with a window of 0 the RFC
// asks that ACK and RST count).  Of an RST the number alone counts (RFC 5961, 3.2).  Probes and keepalives of Linux and BSD
// lie before RCV.NXT: if they acknowledge something they count, as who sends them does not acknowledge it again.
module toe_tcp_segment
  import toe_pkg::*;
  import toe_tcp_pkg::*;
#(
    parameter bit INSTANT_ACK_EN   = 1'b0,
    parameter bit RX_REORDERING_EN = 1'b0
) (
    input context_t       c,
    input facts_t         f,
    input logic           hit,
    input logic     [7:0] flags,
    input logic           text,      // it has payload
    input logic           accepted,
    input logic           stamped,   // it has timestamps
    input logic           old,       // before TS.Recent
    input logic           gap,       // and has filled a gap, or a part of it
    input logic           waits,     // what RCV.NXT has moved over is not the user's yet
    input logic           some,      // the window that it offers is not 0,
    input logic           enough,    // and enough for a beat of the user's
    input logic           busy,      // data of the session's last connection are on their way
    input logic           unread,    // there are such that its user has not taken

    output decision_t d
);
  logic fin, syn, rst, ack;
  logic unused_flags;
  assign {unused_flags, ack, rst, syn, fin} = {|{flags[7:5], flags[3]}, flags[4], flags[2], flags[1], flags[0]};

  logic acceptable, asks, untimed, again, acked, shut, low, fin_acked, alone;
  // In order to this point, or a part of it is; a lone segment of no length is old if it is before that
  assign acceptable = (accepted | f.seq_ahead | (f.seq_behind & ~rst & (f.end_ahead | (f.end_next & fin))) | asks) &
                      ~(c.stamps & old & ~rst);  // RFC 7323, 5.3, R1
  assign asks = f.seq_last & acked & alone & ~rst & (c.state != SYN_RCVD);
  assign untimed = c.stamps & ~stamped & ~rst;
  assign again = c.state == SYN_RCVD & syn & ~rst & f.seq_last;  // the peer's SYN once more
  assign acked = ack & f.ack_more;
  assign shut = c.wnd == 0;
  assign low = closed(c.wnd, f.flight_any);
  assign fin_acked = c.fin & f.ack_all;
  assign alone = ~text & ~syn & ~fin;

  always_comb begin
    d = '0;
    d.state = c.state;
    d.event_code = EV_CLOSED;
    if (!hit || c.state == CLOSED || !(c.state == LISTEN ? f.local_same : f.tuple_same)) begin
      // 3.10.7.1.  A session that it found has another use by now: its port may be listened on, where only an ACK is answered
      d.refuse = ~rst & ~(hit & ~ack & (syn | c.state != CLOSED));
    end else if (c.state == LISTEN) begin
      // 3.10.7.2.  With data of the last connection on their way, or not read: the peer will try again
      d.refuse = ~rst & ack;
      if (syn && !rst && !ack && !busy && !unread) begin
        d.passive = 1'b1;
        d.syn     = 1'b1;
        d.state   = SYN_RCVD;
      end
    end else if (c.state == SYN_SENT) begin
      // 3.10.7.3
      if (ack && !f.ack_more) begin
        d.refuse = ~rst;
      end else if (rst) begin
        d.finish     = ack;
        d.event_on   = ack;
        d.event_code = EV_REFUSED;
      end else if (syn) begin
        d.syn    = 1'b1;
        d.window = 1'b1;
        if (ack) begin
          d.establish = 1'b1;
          d.state     = ESTABLISHED;
          d.ack       = 1'b1;
          d.ack_now   = 1'b1;
        end else begin
          d.state  = SYN_RCVD;
          d.resend = 1'b1;
        end
      end
    end else if (c.state == TIME_WAIT && syn && !ack && !rst && c.listen && !f.seq_behind && !f.seq_next) begin
      // 3.6.1: a new connection in the place of the old one, as above; at RCV.NXT it may be forged as anywhere else
      if (!unread) begin
        d.reopen  = 1'b1;
        d.passive = 1'b1;
        d.syn     = 1'b1;
        d.state   = SYN_RCVD;
      end
    end else if (again && !ack) begin
      d.resend = 1'b1;  // it has not seen our answer
    end else if (again && acked) begin
      // 3.5, figure 8: both opened
      d.establish = 1'b1;
      d.state     = ESTABLISHED;
      d.window    = 1'b1;
      d.ack       = 1'b1;
      d.ack_now   = 1'b1;
    end else if (syn && !rst) begin
      // RFC 5961, 4; 3.10.7.4, fourth
      if (c.state == SYN_RCVD && c.listen && f.seq_ahead) d.finish = 1'b1;
      else d.challenge = 1'b1;
    end else if (untimed) begin
      d.restart = 1'b0;  // RFC 7323, 3.2: dropped in silence
    end else if (!acceptable) begin
      // 3.10.7.4, first.  Of those without payload not too many, or two that are wrong about each other would never end
      d.challenge = ~rst & ~text & ~fin;
      d.ack       = ~rst & (text | fin);
      d.ack_now   = d.ack;
      d.restart   = c.state == TIME_WAIT & fin & ~rst;
    end else if (rst) begin
      // RFC 5961, 3
      d.challenge = ~f.seq_next;
      d.finish    = f.seq_next;
      case (c.state)
        SYN_RCVD: begin
          d.event_on   = f.seq_next & ~c.listen;
          d.event_code = EV_REFUSED;
        end
        ESTABLISHED, FIN_WAIT_1, FIN_WAIT_2, CLOSE_WAIT: begin
          d.event_on   = f.seq_next;
          d.event_code = EV_RESET;
        end
        default: d.event_on = f.seq_next;
      endcase
    end else if (!ack) begin
      d.restart = 1'b0;
    end else if (c.state == SYN_RCVD && !f.ack_more) begin
      d.refuse = 1'b1;
    end else if (c.state != SYN_RCVD && !f.ack_near && !accepted) begin
      d.challenge = 1'b1;  // RFC 5961, 5
    end else begin
      d.establish = c.state == SYN_RCVD;
      d.urgent    = ((flags & URG) != 0) & receives(c.state);  // sixth
      if (d.establish) d.state = ESTABLISHED;
      d.heard = 1'b1;
      d.acked = f.ack_more;
      d.window = (f.ack_more | f.ack_same) & f.wl_new | d.establish;
      // RFC 5681, 2
      d.dup = f.flight_any & alone & f.ack_same & f.window_same & ~shut & ~d.establish;
      d.answered = f.ack_more | low | c.timer == IDLE_TIMER;
      // RFC 6298, 5.3; RFC 6582, 3.2: of the partial ACKs the first
      d.restart  = (f.ack_more & ~(c.fast & c.partial & ~f.recover_full)) | c.timer == IDLE_TIMER |
                   c.state == FIN_WAIT_2;
      if (low && d.window && (f.flight_any ? some : enough) && !d.establish) begin
        // What was sent into the closed window is lost
        d.restart = 1'b1;
        d.resend  = f.flight_any & ~f.ack_all;
      end
      if (fin_acked) begin
        case (c.state)
          FIN_WAIT_1: d.state = FIN_WAIT_2;
          CLOSING: begin
            d.state   = TIME_WAIT;
            d.restart = 1'b1;
          end
          LAST_ACK: begin
            d.finish   = 1'b1;
            d.event_on = 1'b1;
          end
          default: ;
        endcase
      end
      // In TIME-WAIT, too, but for what our own answer would be to the peer, or two ends that wait would never rest
      d.challenge = (asks & ~d.finish) | (c.state == TIME_WAIT & alone & ~f.seq_next);
      // Seventh: what was not accepted lies after a gap, or found no room: the peer shall know at once, and that of a gap,
      // too (RFC 5681, 4.2)
      d.ack       = (text | fin) & ~d.finish;
      d.ack_now   = (text & (~accepted | gap | INSTANT_ACK_EN)) | fin;
      // Eighth: only after all that precedes it
      if (fin && f.end_next && !waits && receives(c.state)) begin
        d.fin_in      = 1'b1;
        d.peer_closed = 1'b1;
        d.state       = behind_fin(c.state, fin_acked);
        if (d.state == TIME_WAIT) d.restart = 1'b1;
      end else d.fin_later = RX_REORDERING_EN & fin & (f.end_next | f.end_ahead) & receives(c.state);
    end
    if (d.establish) begin
      d.acked      = 1'b1;
      d.answered   = 1'b1;
      d.restart    = 1'b1;
      d.event_on   = 1'b1;
      d.event_code = EV_CONNECTED;
    end
  end
endmodule
