// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Admits packets: reserves their buffers and their place in the completion ring before their first beat is accepted.  So
// no packet ever waits within the engine, and no queue stops another.
//
// Latency: an answer 13 cycles after its ask was accepted, alone; an ask a cycle, but for those of several buffers, which
// take a cycle for each of them.
//
// Interface: ask has valid and ready.  Answers come in the order of the asks, for a cycle each.  After C2H_HOLD the source
// waits for buffer_event of the queue, or for room_event of qdma_completion_room, and asks again for all that it holds of
// the queue; an event that came after the ask counts for it, also if it came before the answer.  Packets with C2H_YES are
// granted in this order.
//
// Operation:
//   ask --> qdma_c2h_size --> qdma_c2h_stock --> place in the completion ring --> answer, grant
//                                    ^-- buffers of a packet that finds no place go back --+
//
// A discard takes all buffers of the queue that is being stopped off the stock; its asks are answered with C2H_INVALID.
// Grants never wait for the source: so a stop does not, either.  A place in the completion ring
// that an ask of the stopped queue has got is lost, until a command sets the ring up again.
module qdma_c2h_admit
  import qdma_context_pkg::*;
  import qdma_pkg::*;
  import qdma_write_pkg::*;
  import qdma_c2h_pkg::*;
#(
    parameter int QUEUES = 2048,
    parameter bit BYPASS = 1'b0,
    parameter bit INLINE = 1'b0
) (
    input logic clk,
    input logic rst,

    output logic clearing,

    input logic [SIZES-1:0][15:0] buffer_size,  // CSRs, bytes

    input  logic        ask_valid,
    output logic        ask_ready,
    input  c2h_ask_t    ask,
    output logic        answer_valid,
    output index_t      answer_qid,
    output c2h_answer_e answer,
    output logic        buffer_event,
    output index_t      buffer_event_qid,

    // Prefetch contexts, which are read only
    output logic              context_valid,
    input  logic              context_ready,
    output index_t            context_index,
    input  logic              context_at,
    input  prefetch_context_t context_word,

    // Buffers that have come; whether the descriptor ring has failed, or is restarted
    input  logic        credit_valid,
    output logic        credit_ready,
    input  c2h_credit_t credit,

    // Room in completion rings
    output logic   reserve_valid,
    input  logic   reserve_ready,
    output index_t reserve_qid,
    output logic   reserve_wide,   // the packet goes into its entry
    input  logic   room_valid,
    input  room_e  room,

    // A queue that is being stopped
    input  logic   stopping,
    input  index_t stop_qid,
    input  logic   discard_valid,
    output logic   discard_ready,
    output logic   discard_done,
    output logic   discard_any,    // with discard_done: there were buffers
    output logic   is_settled,     // no buffers are on their way back

    // There is room for PACKETS of them: grants never wait
    output logic       grant_valid,
    output c2h_grant_t grant,
    output c2h_ask_t   grant_ask,        // of its packet
    output logic       grant_is_inline,  // it goes into its entry: the grant has no bytes
    output serial_t    next_serial,
    input  serial_t    done_serial,      // packets before it have left

    output c2h_admit_stats_t stats
);
  logic [$clog2(ASKS):0] asks_q;
  serial_t serial_q;
  logic may_ask_q, answered, undoes, undo_valid, undo_ready, settled, undone;
  logic sized_valid, sized_ready, checked_now;
  c2h_sized_t sized, checked;
  c2h_undo_t undo;
  assign is_settled = ~undo_valid & ~credit_valid;
  qdma_c2h_size #(
      .QUEUES(QUEUES),
      .BYPASS(BYPASS),
      .INLINE(INLINE)
  ) size (
      .clk,
      .rst,
      .buffer_size,
      .ask_valid,
      .ask_ready,
      .ask,
      .may_ask    (may_ask_q),
      .context_valid,
      .context_ready,
      .context_index,
      .context_at,
      .context_word,
      .discard_valid,
      .discard_ready,
      .discard_qid(stop_qid),
      .sized_valid,
      .sized_ready,
      .sized
  );
  qdma_c2h_stock #(
      .QUEUES(QUEUES)
  ) stock_of_queues (
      .clk,
      .rst,
      .clearing,
      .sized_valid,
      .sized_ready,
      .sized,
      .checked_valid(checked_now),
      .checked,
      .credit_valid,
      .credit_ready,
      .credit,
      .undo_valid,
      .undo_ready,
      .undo,
      .stopping,
      .stop_qid,
      .buffer_event,
      .buffer_event_qid,
      .hold_cycles  (stats.hold_cycles)
  );

  // --- Asks without an answer, or whose buffers are on their way back; packets that are under way
  logic few_asks, few_packets;
  assign few_asks    = asks_q < ($clog2(ASKS) + 1)'(ASKS - 5);
  assign few_packets = serial_t'(serial_q - done_serial) + serial_t'(asks_q) < serial_t'(PACKETS - 5);
  always_ff @(posedge clk) begin
    asks_q    <= asks_q + ($clog2(ASKS) + 1)'(ask_ready) - ($clog2(ASKS) + 1)'(settled) - ($clog2(ASKS) + 1)'(undone);
    // Asks may be accepted in the cycles before this takes effect.
    may_ask_q <= (context_valid & ~context_ready) | (few_asks & few_packets);
    if (rst) begin
      asks_q    <= '0;
      may_ask_q <= 1'b0;
    end
  end

  // --- A place in the completion ring
  logic checked_valid, asks_room, waits_valid, waits_ready, waits_room, room_there;
  c2h_sized_t next, decided;
  room_e decided_room;
  logic with_buffers_ready;
  logic [$clog2(ASKS):0] with_buffers_used;
  qdma_small_fifo #(
      .WIDTH($bits(c2h_sized_t)),
      .DEPTH(ASKS)
  ) with_buffers (
      .clk,
      .rst,
      .wr_valid(checked_now),
      .wr_ready(with_buffers_ready),
      .wr_data (checked),
      .rd_valid(checked_valid),
      .rd_ready(~asks_room | reserve_ready),
      .rd_data (next),
      .used    (with_buffers_used)
  );
  assign asks_room     = (next.answer == C2H_YES) & next.ask.has_completion;
  assign reserve_valid = checked_valid & asks_room;
  assign reserve_qid   = next.ask.qid;
  assign reserve_wide  = INLINE & next.is_inline;
  logic with_room_ready;
  logic [$clog2(ASKS):0] with_room_used;
  qdma_small_fifo #(
      .WIDTH($bits(c2h_sized_t)),
      .DEPTH(ASKS)
  ) with_room (
      .clk,
      .rst,
      .wr_valid(checked_valid & (~asks_room | reserve_ready)),
      .wr_ready(with_room_ready),
      .wr_data (next),
      .rd_valid(waits_valid),
      .rd_ready(waits_ready),
      .rd_data (decided),
      .used    (with_room_used)
  );
  assign waits_room = (decided.answer == C2H_YES) & decided.ask.has_completion;
  logic [1:0] room_bits;
  logic rooms_ready;
  logic [$clog2(ASKS):0] rooms_used;
  qdma_small_fifo #(
      .WIDTH(2),
      .DEPTH(ASKS)
  ) rooms (
      .clk,
      .rst,
      .wr_valid(room_valid),
      .wr_ready(rooms_ready),
      .wr_data (room),
      .rd_valid(room_there),
      .rd_ready(waits_valid & waits_ready & waits_room),
      .rd_data (room_bits),
      .used    (rooms_used)
  );
  assign decided_room = room_e'(room_bits);

  // --- The answer
  logic is_stopping, has_buffers;
  c2h_answer_e given;
  assign is_stopping = stopping & (stop_qid == decided.ask.qid);
  assign has_buffers = decided.answer == C2H_YES;
  always_comb begin
    given = decided.answer;
    if (waits_room) begin
      case (room_e'(decided_room))
        ROOM_YES:  given = C2H_YES;
        ROOM_FULL: given = C2H_HOLD;
        ROOM_DROP: given = C2H_DROP;
        default:   given = C2H_INVALID;
      endcase
    end
    if (is_stopping && given != C2H_TOO_LONG) given = C2H_INVALID;
    if (decided.is_discard) given = C2H_YES;
  end
  assign waits_ready = ~waits_room | room_there;
  assign grant_valid = answered & (given == C2H_YES);
  assign answered = waits_valid & waits_ready & ~decided.is_discard;
  assign settled = answered & ~undoes;
  assign undone = undo_valid & undo_ready;
  assign undoes = answered & has_buffers & (given != C2H_YES) & (decided.buffers != '0);
  assign next_serial = serial_q;
  assign grant_ask = decided.ask;
  assign grant_is_inline = INLINE & decided.is_inline;
  assign grant = '{
          qid: decided.ask.qid,
          serial: serial_q,
          bytes: grant_is_inline ? '0 : decided.ask.bytes,
          buffer_bytes: decided.size
      };

  logic undos_ready;
  logic [$clog2(ASKS):0] undos_used;
  qdma_small_fifo #(
      .WIDTH($bits(c2h_undo_t)),
      .DEPTH(ASKS)
  ) undos (
      .clk,
      .rst,
      .wr_valid(undoes),
      .wr_ready(undos_ready),
      .wr_data ({decided.ask.qid, decided.buffers, given != C2H_HOLD}),
      .rd_valid(undo_valid),
      .rd_ready(undo_ready),
      .rd_data (undo),
      .used    (undos_used)
  );

  always_ff @(posedge clk) begin
    answer_valid <= answered;
    answer_qid   <= decided.ask.qid;
    answer       <= given;
    discard_done <= waits_valid & waits_ready & decided.is_discard;
    discard_any  <= decided.buffers != '0;
    if (grant_valid) serial_q <= serial_q + 1'b1;
    if (answered) begin
      case (given)
        C2H_YES: stats.granted <= stats.granted + 1'b1;
        C2H_HOLD: stats.held <= stats.held + 1'b1;
        C2H_INVALID: stats.invalid <= stats.invalid + 1'b1;
        C2H_DROP:
        if (has_buffers) stats.ring_full <= stats.ring_full + 1'b1;
        else stats.no_buffers <= stats.no_buffers + 1'b1;
        default: stats.too_long <= stats.too_long + 1'b1;
      endcase
    end
    if (rst) begin
      answer_valid     <= 1'b0;
      discard_done     <= 1'b0;
      serial_q         <= '0;
      stats.granted    <= '0;
      stats.held       <= '0;
      stats.invalid    <= '0;
      stats.ring_full  <= '0;
      stats.no_buffers <= '0;
      stats.too_long   <= '0;
    end
  end
`ifndef SYNTHESIS
  with_buffers_fits :
  assert property (@(posedge clk) disable iff (rst) checked_now |-> with_buffers_ready);
  with_room_fits :
  assert property (@(posedge clk) disable iff (rst) checked_valid & (~asks_room | reserve_ready) |-> with_room_ready);
  rooms_fits :
  assert property (@(posedge clk) disable iff (rst) room_valid |-> rooms_ready);
  undos_fits :
  assert property (@(posedge clk) disable iff (rst) undoes |-> undos_ready);
`endif

  logic unused;
  assign unused = &{1'b0, decided, with_buffers_ready, with_buffers_used, with_room_ready, with_room_used,
      rooms_ready, rooms_used, undos_ready, undos_used};
endmodule
