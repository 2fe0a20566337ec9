// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Asks qdma for C2H packets, of the loop and of the generator, and keeps those that are granted until they are sent.
//
// Latency: 1 cycle from a request to its ask, 1 from a grant to granted_valid.
//
// Interface: valid and ready; the loop goes before the generator.  A verdict comes for each packet that was accepted, in
// order, without ready.  any_event: an event of any queue.
//
// Operation: the asks without an answer are in one FIFO, granted packets in another, which has room for all of both.  Each ask
// has a bit that says whether an event came after it: then its answer may be out of date.  The event may be of another
// queue; then the packet is asked for once more in vain.
module example_ask
  import example_pkg::*;
  import qdma_c2h_pkg::*;
(
    input logic clk,
    input logic rst,

    input  logic    loop_valid,
    output logic    loop_ready,
    input  packet_t loop,
    input  logic    generator_valid,
    output logic    generator_ready,
    input  packet_t generator,

    output logic        c2h_ask_valid,
    input  logic        c2h_ask_ready,
    output logic [10:0] c2h_ask_qid,
    output logic [15:0] c2h_ask_len,
    output logic        c2h_ask_has_cmpt,
    output logic        c2h_ask_marker,
    input  logic        c2h_answer_valid,
    input  logic [ 2:0] c2h_answer,
    input  logic        any_event,

    output verdict_t verdict,

    output logic    granted_valid,
    input  logic    granted_ready,
    output packet_t granted
);
  localparam int ASKED = 16;
  localparam int GRANTED = 64;
  localparam int BITS = $clog2(ASKED);
  packet_t ask_q, asked;
  logic is_open, may_ask_q, granted_wr_ready, asked_wr_ready, asked_valid;
  logic [BITS-1:0] push_q, pop_q;
  logic [ASKED-1:0] had_event_q;
  logic [BITS:0] asked_used;
  logic [$clog2(GRANTED):0] granted_used;

  assign is_open          = may_ask_q & (~c2h_ask_valid | c2h_ask_ready);
  assign loop_ready       = is_open;
  assign generator_ready  = is_open & ~loop_valid;

  assign c2h_ask_qid      = ask_q.qid;
  assign c2h_ask_len      = ask_q.bytes;
  assign c2h_ask_has_cmpt = ask_q.has_completion;
  assign c2h_ask_marker   = ask_q.source == OF_MARKER;

  // The ask is in the FIFO before qdma can have accepted it.
  qdma_small_fifo #(
      .WIDTH($bits(packet_t)),
      .DEPTH(ASKED)
  ) asks (
      .clk,
      .rst,
      .wr_valid(is_open & (loop_valid | generator_valid)),
      .wr_ready(asked_wr_ready),
      .wr_data (loop_valid ? loop : generator),
      .rd_valid(asked_valid),
      .rd_ready(c2h_answer_valid),
      .rd_data (asked),
      .used    (asked_used)
  );
  qdma_small_fifo #(
      .WIDTH($bits(packet_t)),
      .DEPTH(GRANTED)
  ) grants (
      .clk,
      .rst,
      .wr_valid(verdict.valid & verdict.is_granted),
      .wr_ready(granted_wr_ready),
      .wr_data (verdict.packet),
      .rd_valid(granted_valid),
      .rd_ready(granted_ready),
      .rd_data (granted),
      .used    (granted_used)
  );

  always_ff @(posedge clk) begin
    // One more is accepted before this takes effect.
    may_ask_q <= (asked_used < (BITS + 1)'(ASKED - 2)) & (granted_used < ($clog2(GRANTED) + 1)'(GRANTED - ASKED));
    c2h_ask_valid <= (is_open & (loop_valid | generator_valid)) | (c2h_ask_valid & ~c2h_ask_ready);
    if (is_open) ask_q <= loop_valid ? loop : generator;

    if (any_event) had_event_q <= '1;
    if (is_open && (loop_valid || generator_valid)) begin
      had_event_q[push_q] <= any_event;
      push_q              <= push_q + 1'b1;
    end
    if (c2h_answer_valid) pop_q <= pop_q + 1'b1;

    verdict <= '{
        valid: c2h_answer_valid,
        packet: asked,
        is_granted: c2h_answer == C2H_YES,
        is_held: c2h_answer == C2H_HOLD,
        is_closed: ~had_event_q[pop_q] & ~any_event
    };
    if (rst) begin
      may_ask_q     <= 1'b0;
      c2h_ask_valid <= 1'b0;
      push_q        <= '0;
      pop_q         <= '0;
      verdict.valid <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  asks_fit :
  assert property (@(posedge clk) disable iff (rst) is_open && (loop_valid || generator_valid) |-> asked_wr_ready)
  else $error("example_ask: an ask without a place");
  grants_fit :
  assert property (@(posedge clk) disable iff (rst) verdict.valid && verdict.is_granted |-> granted_wr_ready)
  else $error("example_ask: a grant without a place");
  answers_asked :
  assert property (@(posedge clk) disable iff (rst) c2h_answer_valid |-> asked_valid)
  else $error("example_ask: an answer without an ask");
`endif
  logic unused;
  assign unused = &{1'b0, ask_q, asked_wr_ready, granted_wr_ready, asked_valid};
endmodule
