// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Events after which a source asks for C2H packets again: its completion ring has room or has become valid, a command has
// written its prefetch context, or its stop is over.
//
// Latency: none of a ring's event; one of the others is shown in the next cycle without one of a ring.
//
// Interface: no ready.  Events of a ring come in at most three cycles one after another; those of commands, and ends of
// stops, are at least 8 cycles apart from those of their kind.  The next stop may begin at once.
//
// Operation: a queue whose answer was C2H_INVALID has one of these events when the answer may be another.  An event may
// come without need: the source's next ask is answered with C2H_INVALID again.
module qdma_c2h_reopen
  import qdma_context_pkg::*;
(
    input logic clk,
    input logic rst,

    input logic   room_valid,
    input index_t room_qid,
    input logic   written_valid,
    input index_t written_qid,
    input logic   stop_valid,     // a stop begins; stop_done ends it
    input index_t stop_qid,
    input logic   stop_done,

    output logic   event_valid,
    output index_t event_qid
);
  logic written_q, stopped_q, shows_written, shows_stopped;
  index_t written_qid_q, stop_qid_q, stopped_qid_q;
  assign shows_written = written_q & ~room_valid;
  assign shows_stopped = stopped_q & ~room_valid & ~written_q;
  assign event_valid   = room_valid | written_q | stopped_q;
  always_comb begin
    event_qid = stopped_qid_q;
    if (written_q) event_qid = written_qid_q;
    if (room_valid) event_qid = room_qid;
  end

  always_ff @(posedge clk) begin
    written_q <= written_valid | (written_q & ~shows_written);
    stopped_q <= stop_done | (stopped_q & ~shows_stopped);
    if (written_valid) written_qid_q <= written_qid;
    if (stop_valid) stop_qid_q <= stop_qid;
    if (stop_done) stopped_qid_q <= stop_qid_q;
    if (rst) begin
      written_q <= 1'b0;
      stopped_q <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  written_fits :
  assert property (@(posedge clk) disable iff (rst) written_valid |-> !written_q || shows_written)
  else $error("qdma_c2h_reopen: a context is written before the event of the one before was shown");
  stopped_fits :
  assert property (@(posedge clk) disable iff (rst) stop_done |-> !stopped_q || shows_stopped)
  else $error("qdma_c2h_reopen: a stop ends before the event of the one before was shown");
`endif
endmodule
