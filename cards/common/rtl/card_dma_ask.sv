// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A port's way from a packet to its answer, one packet at a time.
//
// Latency: none from has_packet to wants; an answer takes effect in the next cycle.
//
// Interface: wants is held until chosen, after which the ask is made; an event of a closed queue raises it.
// `answer_valid`, `event_valid` are those of this port's queue.  is_done: the packet has its final answer, or is_unasked:
// it is dropped without an ask.  While discards is high, its beats are discarded; they begin when has_granted is low: no
// granted packet of the port is before them.
//
// Operation:
//   IDLE     a packet may be there: chosen ─► ASKED.  The queue is closed: is_unasked ─► DROPPED
//   ASKED    an event that comes meanwhile counts.  C2H_YES ─► IDLE, C2H_HOLD ─► HELD, or IDLE after an event; else DROPPED
//   HELD     an event ─► IDLE, to ask again
//   DROPPED  the packet's last beat was discarded ─► IDLE
//
// A queue is closed from C2H_INVALID to its next event: qdma would answer so until then.
module card_dma_ask
  import qdma_c2h_pkg::*;
(
    input logic clk,
    input logic rst,

    input  logic has_packet,
    output logic wants,
    input  logic chosen,

    input  logic        answer_valid,
    input  c2h_answer_e answer,
    input  logic        event_valid,
    output logic        is_done,
    output logic        is_granted,
    output logic        is_unasked,

    input  logic has_granted,
    output logic discards,
    input  logic discard_ends
);
  typedef enum logic [1:0] {
    IDLE,
    ASKED,
    HELD,
    DROPPED
  } state_e;
  state_e state_q;
  logic had_event_q, is_answered, is_closed_q;
  assign wants       = (state_q == IDLE) & has_packet & ~is_closed_q;
  assign is_unasked  = (state_q == IDLE) & has_packet & is_closed_q & ~event_valid;
  assign is_answered = (state_q == ASKED) & answer_valid;
  assign is_done     = is_unasked | (is_answered & (answer != C2H_HOLD));
  assign is_granted  = is_answered & (answer == C2H_YES);
  assign discards    = (state_q == DROPPED) & ~has_granted;

  always_ff @(posedge clk) begin
    case (state_q)
      IDLE: begin
        if (chosen) state_q <= ASKED;
        if (is_unasked) state_q <= DROPPED;
      end
      ASKED: begin
        if (is_answered) begin
          case (answer)
            C2H_YES:  state_q <= IDLE;
            C2H_HOLD: state_q <= had_event_q || event_valid ? IDLE : HELD;
            default:  state_q <= DROPPED;
          endcase
        end
      end
      HELD:    if (event_valid) state_q <= IDLE;
      default: if (discard_ends) state_q <= IDLE;
    endcase
    had_event_q <= ~chosen & (had_event_q | event_valid);
    if (event_valid) is_closed_q <= 1'b0;
    else if (is_answered && answer == C2H_INVALID && !had_event_q) is_closed_q <= 1'b1;
    if (rst) begin
      state_q     <= IDLE;
      is_closed_q <= 1'b0;
    end
  end
endmodule
