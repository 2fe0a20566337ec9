// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Interrupts of queues and errors: direct, or through interrupt rings.
//
// Latency: a direct interrupt asks for its message 10 cycles after its cause was accepted, alone; through a ring its entry
// is shown after 13, the message follows when the entry has been accepted.
//
// Interface: causes have valid and ready, one in four cycles.  doorbell_event has no ready; those of interrupt rings are
// at least 3 cycles apart.  write goes to qdma_write_arbiter's client for interrupts, with entries and messages in order;
// message_* is qdma_msix.  context_* is the engine's port of the interrupt rings.
//
// Operation: a cause that was accepted is pending until its entry or message is on its way: its queue, with direction, is
// in a queue of ids, its status in a RAM.  A cause whose ring is full goes to the end of that queue: it waits for room, the others do not.  A
// second cause of a queue that still waits takes the place of the first: its status is the newer one.
//   A ring has one message under way: int_st.  A doorbell clears it if the ring is empty, else the message is sent again:
// an entry that came before software's index waits for nothing.  formal/unread_has_message.sv proves it.
//
// Limits: a cause for a ring that is not valid is lost, and counted.
module qdma_interrupt
  import qdma_context_pkg::*;
  import qdma_tlp_pkg::*;
  import qdma_pkg::*;
  import qdma_write_pkg::*;
#(
    parameter int QUEUES  = 2048,
    parameter int SOURCES = 2
) (
    input logic clk,
    input logic rst,

    output logic clearing,

    input  logic             [SOURCES-1:0] cause_valid,
    output logic             [SOURCES-1:0] cause_ready,
    input  interrupt_cause_t [SOURCES-1:0] cause,

    // Errors of the core: qdma_errors
    input  logic             error_valid,
    output logic             error_ready,
    input  error_interrupt_t error,

    // CIDX of an interrupt ring has moved
    input doorbell_event_t doorbell_event,

    // A function that is being reset: its causes are dropped.  causes_drained: none of it is left, since drains_causes is high
    input  logic      reset_active,
    input  function_t reset_func,
    input  logic      drains_causes,
    output logic      causes_drained,

    // Messages: to qdma_msix, and from it
    output logic             request_valid,
    input  logic             request_ready,
    output function_t        request_func,
    output logic      [10:0] request_vector,
    input  logic             message_valid,
    output logic             message_ready,
    input  function_t        message_func,
    input  logic      [63:0] message_addr,
    input  logic      [31:0] message_data,

    // To the host
    output logic        write_valid,
    input  logic        write_ready,
    output write_beat_t write,

    output logic        lost,      // for a cycle, with the queue
    output logic [10:0] lost_qid,
    output logic [31:0] stat_lost,

    // Interrupt rings
    output logic   context_valid,
    input  logic   context_ready,
    output index_t context_index,
    input  logic   context_at,
    input  words_t context_word,
    output logic   context_write,
    output words_t context_next
);
  localparam int ID_BITS = $clog2(QUEUES) + 1;
  typedef logic [ID_BITS-1:0] id_t;

  // --- Causes: into the RAM, and into the queue
  logic [SOURCES-1:0] choice, grant;
  logic [1:0] apart_q;  // cycles until the next push
  logic accepts, requeue, causes_clearing, cause_pop_valid, cause_pop_ready, unused_flag;
  interrupt_cause_t accepted, head;
  id_t pop_id, requeue_id, accepted_id;
  assign accepts = (apart_q == '0) & ~requeue & ~clearing;
  qdma_arbiter #(
      .PORTS(SOURCES)
  ) arbiter (
      .clk,
      .rst,
      .enable (accepts),
      .request(cause_valid),
      .choice,
      .grant
  );
  assign cause_ready = grant;
  always_comb begin
    accepted = '0;
    for (int i = 0; i < SOURCES; i++) if (choice[i]) accepted |= cause[i];
  end
  assign accepted_id = {accepted.is_c2h, (ID_BITS - 1)'(accepted.qid)};
  always_ff @(posedge clk) begin
    if (requeue || |grant) apart_q <= 2'd3;
    else if (apart_q != '0) apart_q <= apart_q - 1'b1;
    if (rst) apart_q <= '0;
  end
  ram_sdp #(
      .WIDTH($bits(interrupt_cause_t)),
      .DEPTH(2 * QUEUES)
  ) causes (
      .clk,
      .wr_en  (|grant),
      .wr_addr(accepted_id),
      .wr_data(accepted),
      .rd_en  (1'b1),
      .rd_addr(pop_id),
      .rd_data(head)
  );
  qdma_id_queue #(
      .IDS  (2 * QUEUES),
      .FLAGS(1)
  ) pending (
      .clk,
      .rst,
      .clearing  (causes_clearing),
      .push_valid(requeue | |grant),
      .push_id   (requeue ? requeue_id : accepted_id),
      .push_flags(1'b1),
      .pop_valid (cause_pop_valid),
      .pop_ready (cause_pop_ready),
      .pop_id,
      .pop_flags (unused_flag)
  );

  // --- Doorbells
  logic rings_clearing, ring_pop_valid, ring_pop_ready, unused_ring_flag;
  logic [7:0] ring_pop_id;
  qdma_id_queue #(
      .IDS  (INTERRUPT_RINGS),
      .FLAGS(1)
  ) doorbells (
      .clk,
      .rst,
      .clearing  (rings_clearing),
      .push_valid(doorbell_event.valid & (doorbell_event.kind == DOORBELL_INTERRUPT)),
      .push_id   (doorbell_event.qid[7:0]),
      .push_flags(1'b1),
      .pop_valid (ring_pop_valid),
      .pop_ready (ring_pop_ready),
      .pop_id    (ring_pop_id),
      .pop_flags (unused_ring_flag)
  );
  assign clearing = causes_clearing | rings_clearing;

  // --- One at a time
  logic message_first, message_first_q, held_q;
  typedef enum logic [2:0] {
    IDLE,
    CAUSE,    // its status is on its way
    RING,     // waits for the RAM of rings
    RESULT,
    ENTRY,
    REQUEST,
    AGAIN     // the ring is full: to the end of the queue
  } state_e;
  typedef enum logic [1:0] {
    IS_CAUSE,
    IS_DOORBELL,
    IS_ERROR
  } kind_e;
  state_e state_q;
  kind_e kind_q;
  interrupt_cause_t cause_q;
  logic [63:0] entry_addr_q;
  logic [63:0] entry_q;
  logic sends_q, is_turn_q, error_pending_q;
  error_interrupt_t error_q;
  id_t id_q;

  interrupt_state_t was, next;
  logic [11:0] pidx_next;
  logic is_full, is_wrap, has_unread, puts, sends, is_ring;
  assign was = context_word[$bits(interrupt_state_t)-1:0];
  // The last index of its page, or beyond the pages: without a sum, as it is in the cycle of the read-modify-write
  assign is_wrap    = (was.ring.pidx[11:9] > was.ring.page_size)
                      | ((was.ring.pidx[11:9] == was.ring.page_size) & (&was.ring.pidx[8:0]));
  assign pidx_next = is_wrap ? '0 : was.ring.pidx + 1'b1;
  assign is_full = is_wrap ? was.cidx == '0 : 12'(was.ring.pidx + 1'b1) == was.cidx;
  assign has_unread = was.ring.pidx != was.cidx;
  assign puts = (kind_q != IS_DOORBELL) & was.ring.valid & ~is_full;
  assign sends = was.ring.valid & (kind_q == IS_DOORBELL ? has_unread : ~is_full & ~was.ring.int_st);
  always_comb begin
    next = was;
    if (puts) begin
      next.ring.pidx   = pidx_next;
      next.ring.color  = was.ring.color ^ is_wrap;
      next.ring.int_st = 1'b1;
    end
    if (kind_q == IS_DOORBELL) next.ring.int_st = was.ring.valid & has_unread;
  end
  // An index that no ring has is not looked up.
  assign is_ring       = cause_q.vector < 11'(INTERRUPT_RINGS);
  assign context_valid = (state_q == RING) & is_ring;
  assign context_index = index_t'(cause_q.vector[7:0]);
  assign context_write = context_at;
  assign context_next  = words_t'(next);

  logic takes_error, takes_ring, takes_cause;
  assign takes_ring      = (state_q == IDLE) & ring_pop_valid;
  assign takes_error     = (state_q == IDLE) & ~ring_pop_valid & error_pending_q & (~is_turn_q | ~cause_pop_valid);
  assign takes_cause     = (state_q == IDLE) & ~ring_pop_valid & cause_pop_valid & ~takes_error;
  assign ring_pop_ready  = takes_ring;
  assign error_ready     = ~error_pending_q & ~((state_q != IDLE) & (kind_q == IS_ERROR));
  assign cause_pop_ready = takes_cause;
  assign requeue         = (state_q == AGAIN) & (apart_q == '0);
  assign requeue_id      = id_q;
  assign request_valid   = state_q == REQUEST;
  assign request_func    = cause_q.func[7:0];
  assign request_vector  = cause_q.vector;

  // --- A function that is being reset.  Those that wait have each been seen once as many have been taken as there are places.
  localparam int IDLE_CYCLES = 31;  // more than from one that is taken to the next that is shown
  logic [ID_BITS:0] taken_q;
  logic [4:0] none_q;
  function automatic logic is_reset(input logic [11:0] func);
    return reset_active && func == 12'(reset_func);
  endfunction
  always_ff @(posedge clk) begin
    taken_q <= drains_causes ? taken_q + (ID_BITS + 1)'(takes_cause) : '0;
    none_q <= drains_causes && state_q == IDLE && !cause_pop_valid && !error_pending_q ? none_q + 1'b1 : '0;
    causes_drained <= drains_causes & ((32'(taken_q) > 2 * QUEUES) | (32'(none_q) == IDLE_CYCLES));
  end

  logic no_ring;
  assign no_ring = context_at & ~was.ring.valid & (kind_q != IS_DOORBELL);
  always_ff @(posedge clk) begin
    lost <= 1'b0;
    if (error_valid && error_ready) begin
      error_pending_q <= 1'b1;
      error_q         <= error;
    end
    case (state_q)
      IDLE: begin
        sends_q <= 1'b1;
        if (takes_ring) begin
          kind_q         <= IS_DOORBELL;
          cause_q.vector <= 11'(ring_pop_id);
          state_q        <= RING;
        end else if (takes_error && is_reset(error_q.func)) begin
          error_pending_q <= 1'b0;
        end else if (takes_error) begin
          kind_q <= IS_ERROR;
          cause_q <= '{func: error_q.func, is_aggregated: error_q.en_coal, vector: error_q.vec, default: '0};
          state_q <= error_q.en_coal ? RING : REQUEST;
          error_pending_q <= 1'b0;
        end else if (takes_cause) begin
          kind_q  <= IS_CAUSE;
          id_q    <= pop_id;
          state_q <= CAUSE;
        end
        if (takes_error || takes_cause) is_turn_q <= takes_error;
      end
      CAUSE: begin
        cause_q <= head;
        if (is_reset(head.func)) state_q <= IDLE;
        else state_q <= head.is_aggregated ? RING : REQUEST;
      end
      RING: begin
        if (!is_ring) begin
          lost     <= 1'b1;
          lost_qid <= cause_q.qid;
          state_q  <= IDLE;
        end else if (context_ready) begin
          state_q <= RESULT;
        end
      end
      RESULT: begin
        entry_addr_q <= {was.ring.baddr_4k, 12'b0} + 64'({was.ring.pidx, 3'b0});
        entry_q      <= {was.ring.color, 13'b0, cause_q.qid, cause_q.is_c2h, 1'b0, cause_q.status};
        sends_q      <= sends;
        if (context_at) begin
          lost           <= no_ring;
          lost_qid       <= cause_q.qid;
          cause_q.func   <= was.ring.func;
          cause_q.vector <= was.ring.vec;
          if (puts) state_q <= ENTRY;
          else if (kind_q == IS_DOORBELL) state_q <= sends ? REQUEST : IDLE;
          else if (no_ring) state_q <= IDLE;
          else begin
            state_q <= kind_q == IS_CAUSE ? AGAIN : IDLE;
            if (kind_q == IS_ERROR) error_pending_q <= 1'b1;
          end
        end
      end
      ENTRY:   if (write_ready && !message_first) state_q <= sends_q ? REQUEST : IDLE;
      REQUEST: if (request_ready) state_q <= IDLE;
      default: if (requeue) state_q <= IDLE;
    endcase
    if (lost) stat_lost <= stat_lost + 1'b1;
    if (rst) begin
      state_q         <= IDLE;
      lost            <= 1'b0;
      is_turn_q       <= 1'b0;
      error_pending_q <= 1'b0;
      stat_lost       <= '0;
    end
  end

  // --- Way out: a message is held by qdma_msix until it is accepted, so one of the two waits for the other.
  assign message_first = held_q ? message_first_q : message_valid;
  assign write_valid   = message_first ? message_valid : state_q == ENTRY;
  assign message_ready = write_ready & message_first;
  always_comb begin
    write = '{
        last: 1'b1,
        header: write_header(cause_q.func[7:0], entry_addr_q[63:2], 11'd2),
        data: beat_t'(entry_q)
    };
    if (message_first) begin
      write.header = write_header(message_func, message_addr[63:2], 11'd1);
      write.data   = beat_t'(message_data);
    end
  end
  always_ff @(posedge clk) begin
    held_q          <= write_valid & ~write_ready;
    message_first_q <= message_first;
    if (rst) held_q <= 1'b0;
  end

  logic unused;
  assign unused = &{1'b0, message_addr[1:0], entry_addr_q[1:0], cause_q, doorbell_event, context_word, unused_flag,
      unused_ring_flag, error_q, next};
endmodule
