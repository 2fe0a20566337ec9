// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A port's way from a packet to its answer, one packet at a time.
//
// Latency: none from has_packet to wants; an answer takes effect in the next cycle.
//
// Interface: wants is held until chosen, after which the ask is made.  `answer_valid`, `event_valid` are those of this
// port's queue.  is_done: the packet has its final answer.  While discards is high, its beats are discarded; they begin
// when has_granted is low: no granted packet of the port is before them.
//
// Operation:
//   IDLE     a packet may be there: chosen ─► ASKED
//   ASKED    an event that comes meanwhile counts.  C2H_YES ─► IDLE, C2H_HOLD ─► HELD, or IDLE after an event; else DROPPED
//   HELD     an event ─► IDLE, to ask again
//   DROPPED  the packet's last beat was discarded ─► IDLE
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
  logic had_event_q, is_answered;
  assign wants       = (state_q == IDLE) & has_packet;
  assign is_answered = (state_q == ASKED) & answer_valid;
  assign is_done     = is_answered & (answer != C2H_HOLD);
  assign is_granted  = is_answered & (answer == C2H_YES);
  assign discards    = (state_q == DROPPED) & ~has_granted;

  always_ff @(posedge clk) begin
    case (state_q)
      IDLE:    if (chosen) state_q <= ASKED;
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
    if (rst) state_q <= IDLE;
  end
endmodule
