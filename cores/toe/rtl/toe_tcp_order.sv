// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What an order of the user's does to its session: RFC 9293, 3.10.1 (OPEN), 3.10.4 (CLOSE), 3.10.5 (ABORT).  Combinational.
//
// CLOSE of a session that listens, or whose peer is not EV_CONNECTED yet, is refused: it was meant for a connection that
// has just ended.  Only ABORT stops listening.  OPEN waits for what the session's last connection has left.
module toe_tcp_order
  import toe_pkg::*;
  import toe_tcp_pkg::*;
(
    input state_e   state,
    input logic     closing,    // the user has closed already
    input logic     there,      // there is such a session
    input logic     failed,     // no order: the tuple found no place
    input logic     listening,  // the session was opened by the peer, or listens
    input logic     busy,       // data of its last connection are on their way, or not read
    input command_e command,

    output decision_t d
);
  logic bad;
  always_comb begin
    d = '0;
    d.state = state;
    d.event_code = EV_CLOSED;
    bad = 1'b0;
    if (failed) begin
      d.finish = 1'b1;
      d.failed = 1'b1;
      bad = ~listening;
    end else begin
      case (command)
        DO_LISTEN: begin
          bad = state != CLOSED;
          d.listen = ~bad;
          if (!bad) d.state = LISTEN;
        end
        DO_CONNECT: begin
          bad = state != CLOSED;
          d.later = ~bad & busy;
          d.active = ~bad & ~busy;
          if (d.active) d.state = SYN_SENT;
        end
        DO_CLOSE: begin
          case (state)
            SYN_SENT: begin
              d.finish   = 1'b1;
              d.forget   = 1'b1;
              d.event_on = 1'b1;
            end
            SYN_RCVD, ESTABLISHED, CLOSE_WAIT: begin
              bad = closing | (state == SYN_RCVD & listening);
              d.close = ~bad;
            end
            default: bad = 1'b1;
          endcase
        end
        default: begin
          bad = state == CLOSED;
          d.finish = ~bad;
          d.forget = ~bad;
          d.event_on = ~bad;
          case (state)
            SYN_RCVD, ESTABLISHED, FIN_WAIT_1, FIN_WAIT_2, CLOSE_WAIT: d.reset = 1'b1;
            default: d.reset = 1'b0;
          endcase
        end
      endcase
      if (!there) begin
        d   = '0;
        bad = 1'b1;
      end
    end
    if (bad) begin
      d.event_on   = 1'b1;
      d.event_code = EV_BAD_COMMAND;
    end
  end
endmodule
