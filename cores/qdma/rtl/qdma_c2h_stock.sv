// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The buffers of each queue that are in the store and not reserved.
//
// Latency: 2 cycles from sized to checked; an operation a cycle.
//
// Interface: sized, credit and undo have valid and ready; checked and buffer_event are for a cycle.  Three ports share the
// RAM, round robin: so buffers that come never wait for asks that are refused.
//
// Operation: a packet takes all of its buffers, or none.  If there are not enough, it is held, or dropped by its queue's
// setting, or because the descriptor ring has failed.  buffer_event says that a queue that was held has more buffers, or will
// have none.  Buffers that go back because the completion ring is full wake nobody: its room_event will.  A packet that needs
// more buffers than the descriptor ring can hold would wait for ever: it is too long.  How many these are is known from the
// first buffers on.
module qdma_c2h_stock
  import qdma_context_pkg::*;
  import qdma_c2h_pkg::*;
#(
    parameter int QUEUES = 2048
) (
    input logic clk,
    input logic rst,

    output logic clearing,

    input  logic       sized_valid,
    output logic       sized_ready,
    input  c2h_sized_t sized,
    output logic       checked_valid,
    output c2h_sized_t checked,

    // Buffers that have come; that were reserved for a packet that does not go
    input  logic        credit_valid,
    output logic        credit_ready,
    input  c2h_credit_t credit,
    input  logic        undo_valid,
    output logic        undo_ready,
    input  c2h_undo_t   undo,

    input logic   stopping,
    input index_t stop_qid,

    output logic          buffer_event,
    output index_t        buffer_event_qid,
    output logic   [63:0] hold_cycles        // without buffers, summed over all queues
);
  localparam int ID_BITS = $clog2(QUEUES);
  typedef logic [ID_BITS-1:0] id_t;
  typedef struct packed {
    logic failed;
    logic held;
    logic [4:0] ring_most;  // 0: not known yet
    logic [7:0] buffers;
  } stock_t;

  logic [2:0] ready, at;
  stock_t stock, reserved, credited, returned;
  c2h_sized_t sized_1_q, sized_2_q;
  c2h_credit_t credit_1_q, credit_2_q;
  c2h_undo_t undo_1_q, undo_2_q;
  logic lacks, too_long, holds, was_held, frees, has_answer;
  id_t at_id;
  qdma_context_ram #(
      .WIDTH($bits(stock_t)),
      .DEPTH(QUEUES),
      .PORTS(3)
  ) stocks (
      .clk,
      .rst,
      .clearing,
      .req_valid({undo_valid, credit_valid, sized_valid}),
      .req_ready(ready),
      .req_addr ({id_t'(undo.qid), id_t'(credit.qid), id_t'(sized.ask.qid)}),
      .at,
      .at_addr  (at_id),
      .at_word  (stock),
      .write    (3'b111),
      .next     ({returned, credited, reserved})
  );
  assign sized_ready   = ready[0];
  assign undo_ready    = ready[2];
  assign checked_valid = at[0];
  assign credit_ready = ready[1];

  logic stops_2_q;  // its queue is being stopped
  assign has_answer = (sized_2_q.answer == C2H_YES) & ~stops_2_q;
  assign lacks      = has_answer & ~sized_2_q.is_discard & (stock.buffers < sized_2_q.buffers);
  assign too_long   = lacks & (stock.ring_most != '0) & (sized_2_q.buffers > 8'(stock.ring_most));
  assign frees      = (at[2] & undo_2_q.wakes) | (at[1] & ((credit_2_q.buffers != '0) | credit_2_q.fails));
  always_comb begin
    reserved = stock;
    if (sized_2_q.is_discard) reserved = '0;
    else if (lacks) reserved.held = stock.held | ~(stock.failed | sized_2_q.drops | too_long);
    else if (has_answer) reserved.buffers = stock.buffers - sized_2_q.buffers;

    credited         = stock;
    credited.buffers = stock.buffers + credit_2_q.buffers;
    credited.failed  = credit_2_q.fails | (stock.failed & ~credit_2_q.begins);
    if (credit_2_q.ring_most != '0) credited.ring_most = credit_2_q.ring_most;
    if (frees) credited.held = 1'b0;
    returned         = stock;
    returned.buffers = stock.buffers + undo_2_q.buffers;
    if (frees) returned.held = 1'b0;

    checked = sized_2_q;
    if (sized_2_q.is_discard) checked.buffers = stock.buffers;
    if (stops_2_q) checked.answer = C2H_INVALID;
    if (lacks) checked.answer = too_long ? C2H_TOO_LONG : stock.failed | sized_2_q.drops ? C2H_DROP : C2H_HOLD;
  end
  assign holds    = at[0] & reserved.held & ~stock.held;
  assign was_held = stock.held & ((at[0] & sized_2_q.is_discard) | frees);

  logic [ID_BITS:0] held_q;
  always_ff @(posedge clk) begin
    sized_1_q        <= sized;
    sized_2_q        <= sized_1_q;
    stops_2_q        <= stopping & (sized_1_q.ask.qid == stop_qid) & ~sized_1_q.is_discard;
    credit_1_q       <= credit;
    credit_2_q       <= credit_1_q;
    undo_1_q         <= undo;
    undo_2_q         <= undo_1_q;
    buffer_event     <= was_held;
    buffer_event_qid <= index_t'(at_id);
    held_q           <= held_q + (ID_BITS + 1)'(holds) - (ID_BITS + 1)'(was_held);
    hold_cycles      <= hold_cycles + 64'(held_q);
    if (rst) begin
      buffer_event <= 1'b0;
      held_q       <= '0;
      hold_cycles  <= '0;
    end
  end

  logic unused;
  assign unused = &{1'b0, credit_2_q, undo_2_q};
endmodule
