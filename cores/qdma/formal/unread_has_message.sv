// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_interrupt, of one interrupt ring: for any entries and any doorbells,
//   - an entry that software has not read has a message that was sent after the last doorbell, or is on its way: while
//     nothing is under way, a valid ring with something unread has int_st set, and its message was asked for
//   - a ring without something unread, after its doorbell, has no message outstanding
//   - no entry is written over one that was not read
// The ring's context is what context_ram_order proves: one operation a cycle, 2 cycles after it was accepted.  The queues of
// ids are free: any id at any time.  Doorbells do what qdma_doorbell does.
module unread_has_message
  import qdma_context_pkg::*;
  import qdma_tlp_pkg::*;
  import qdma_pkg::*;
  import qdma_write_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1
) (
    input logic        clk,            // there is an edge in this step
    input logic        rst,
    input logic        door_valid,
    input logic [11:0] door_cidx,
    input logic        cause_valid,
    input logic        cause_pop,
    input logic        ring_pop,
    input logic        request_ready,
    input logic        write_ready,
    input logic [11:0] pidx_const,     // of the ring at the reset
    input logic [11:0] cidx_const
);
  localparam logic [2:0] IDLE = 3'd0, CAUSE = 3'd1, RING = 3'd2, RESULT = 3'd3;
  localparam logic [2:0] ENTRY = 3'd4, REQUEST = 3'd5, AGAIN = 3'd6;
  localparam logic [1:0] IS_CAUSE = 2'd0, IS_DOORBELL = 2'd1;

  logic clearing, error_ready, request_valid, message_ready, write_valid, lost, context_valid, context_write;
  logic [1:0] cause_ready;
  function_t request_func;
  logic [10:0] request_vector, lost_qid;
  logic [31:0] stat_lost;
  write_beat_t write;
  index_t context_index;
  words_t context_next;
  interrupt_state_t word, next;
  logic engine_1_q, engine_2_q;

  interrupt_cause_t cause;

  qdma_interrupt #(
      .QUEUES (2),
      .SOURCES(2)
  ) dut (
      .clk,
      .rst,
      .clearing,
      .cause_valid   ({1'b0, cause_valid}),
      .cause_ready,
      .cause         ({interrupt_cause_t'('0), cause}),
      .error_valid   (1'b0),
      .error_ready,
      .error         ('0),
      .doorbell_event('0),
      .reset_active  (1'b0),
      .reset_func    ('0),
      .drains_causes (1'b0),
      .causes_drained(),
      .request_valid,
      .request_ready,
      .request_func,
      .request_vector,
      .message_valid (1'b0),
      .message_ready,
      .message_func  ('0),
      .message_addr  ('0),
      .message_data  ('0),
      .write_valid,
      .write_ready,
      .write,
      .lost,
      .lost_qid,
      .stat_lost,
      .context_valid,
      .context_ready (context_valid),
      .context_index,
      .context_at    (engine_2_q),
      .context_word  (words_t'(word)),
      .context_write,
      .context_next
  );

  // --- The ring
  logic [11:0] pidx_q, cidx_q;
  logic int_st_q, reset_q, event_q, requested_q;
  always_comb begin
    word             = '0;
    word.ring.valid  = 1'b1;
    word.ring.pidx   = pidx_q;
    word.ring.int_st = int_st_q;
    word.cidx        = cidx_q;
  end
  assign next  = context_next[$bits(interrupt_state_t)-1:0];
  assign cause = '{is_aggregated: 1'b1, default: '0};
  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q    <= 1'b1;
    engine_1_q <= context_valid;
    engine_2_q <= engine_1_q;
    if (door_valid) begin
      cidx_q <= door_cidx;
      event_q <= 1'b1;
      requested_q <= 1'b0;
    end
    // The doorbell's operation, or the id that stands for it, has been taken from the queue.
    if (ring_pop && dut.ring_pop_ready) event_q <= door_valid;
    if (engine_2_q && context_write) {pidx_q, int_st_q} <= {next.ring.pidx, next.ring.int_st};
    if (request_valid && request_ready) requested_q <= ~door_valid;
    if (rst) begin
      engine_1_q  <= 1'b0;
      engine_2_q  <= 1'b0;
      pidx_q      <= pidx_const;
      cidx_q      <= cidx_const;
      int_st_q    <= 1'b0;
      event_q     <= 1'b1;  // its first doorbell
      requested_q <= 1'b0;
    end
  end

  // The doorbell's operation is still to come
  logic doorbell_under_way, message_under_way, has_unread;
  assign has_unread         = pidx_q != cidx_q;
  assign doorbell_under_way = event_q || (dut.state_q inside {RING, RESULT} && dut.kind_q == IS_DOORBELL);
  assign message_under_way  = dut.state_q inside {ENTRY, REQUEST} && dut.sends_q;

  always_comb begin
    if (!reset_q) assume (rst);
    if (rst) assume (pidx_const < 12'd512 && cidx_const < 12'd512);
    // Indices of a ring of one page; a doorbell and the engine never meet in a cycle.
    if (door_valid) assume (door_cidx < 12'd512 && !engine_2_q);
    // A doorbell says what has been read, of what there is.
    if (door_valid) assume (9'(door_cidx - cidx_q) <= 9'(pidx_q - cidx_q));
    // The queues' outputs are free; the ring's has an id if there was a doorbell.
    assume (dut.ring_pop_valid == ring_pop && dut.cause_pop_valid == cause_pop);
    if (ring_pop) assume (dut.ring_pop_id == '0);
    if (dut.state_q == CAUSE) assume (dut.head.is_aggregated && dut.head.vector == '0);

    if (reset_q) begin
      // --- The claim
      if (!doorbell_under_way && has_unread) assert (int_st_q && (requested_q || message_under_way));
      if (!doorbell_under_way && int_st_q && !has_unread) assert (requested_q || message_under_way);
      if (engine_2_q && next.ring.pidx != pidx_q) assert (next.ring.pidx != cidx_q);

      if (INVARIANTS) begin
        assert (pidx_q < 12'd512 && cidx_q < 12'd512);
        assert (engine_1_q == (dut.state_q == RESULT && !engine_2_q));
        if (engine_2_q) assert (dut.state_q == RESULT && !engine_1_q);
        if (dut.state_q inside {RING, RESULT}) assert (dut.cause_q.vector == '0 && dut.kind_q <= IS_DOORBELL);
        if (dut.state_q == REQUEST) assert (dut.sends_q);
        assert (!dut.error_pending_q && !dut.held_q | !dut.message_first_q);
        assert (dut.state_q <= AGAIN);
        if (dut.state_q inside {CAUSE, AGAIN}) assert (dut.kind_q == IS_CAUSE);
      end
    end
  end

  logic unused;
  assign unused = &{1'b0, clearing, error_ready, message_ready, cause_ready, request_func, request_vector, lost_qid,
      lost, stat_lost, write, write_valid, context_index};
endmodule
