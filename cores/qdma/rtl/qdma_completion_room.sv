// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Room in completion rings: a place is reserved before a packet is accepted, so that its entry never has to wait.
//
// Latency: answer_valid is 3 cycles after reserve was accepted; an answer a cycle, whatever the queues are.
//
// Interface: reserve has valid and ready.  The answer says that a place is reserved, or why not.  After ROOM_FULL
// room_event names the queue when there is room again; the packet waits at its source, and stops no other queue's.  So it
// does when a ring has become valid.
// A packet that goes into its entry needs an entry of 64 bytes (reserve_wide): in another ring it is ROOM_INVALID.  So it does
// when the size has changed.
// With `drop` in the queue's context the answer is ROOM_DROP.  update_* comes from qdma_completion_ring when CIDX
// moves or the ring is set up; it has no ready, and is at least 3 cycles after the one before.
//
// Operation: a RAM has the free places of each queue.  Time full is counted from the first answer that is not ROOM_YES
// until there is room, or the ring is not valid: full_cycles is the sum over all queues, full_end the time of one.
module qdma_completion_room
  import qdma_context_pkg::*;
  import qdma_write_pkg::*;
#(
    parameter int QUEUES = 2048,
    parameter bit INLINE = 1'b0   // packets may go into their entries
) (
    input logic clk,
    input logic rst,

    output logic clearing,

    input  logic   reserve_valid,
    output logic   reserve_ready,
    input  index_t reserve_qid,
    input  logic   reserve_wide,
    output logic   answer_valid,
    output index_t answer_qid,
    output room_e  answer,
    output logic   room_event,
    output index_t room_qid,

    input logic          update_valid,
    input index_t        update_qid,
    input logic          update_restart,    // the ring is set up again: places is all there are, else those that came
    input logic   [15:0] update_places,
    input logic          update_is_valid,
    input logic          update_drop,
    input logic          update_unlimited,
    input logic          update_wide,       // entries have 64 bytes

    // Statistics
    output logic   [63:0] full_cycles,
    output logic          full_end,
    output index_t        full_end_qid,
    output logic   [31:0] full_end_cycles
);
  localparam int ID_BITS = $clog2(QUEUES);
  typedef logic [ID_BITS-1:0] id_t;
  typedef struct packed {
    logic        is_valid;
    logic        is_wide;    // 0 without INLINE
    logic        drop;
    logic        unlimited;
    logic        is_full;    // since
    logic        was_held;
    logic [31:0] since;
    logic [15:0] places;
  } room_t;

  typedef struct packed {
    logic restart;
    logic is_valid;
    logic drop;
    logic unlimited;
    logic is_wide;
    logic [15:0] places;
  } update_t;

  logic waiting_q;
  id_t waiting_qid_q, at_qid;
  update_t waiting_update_q, update_1_q, update_2_q;
  logic [1:0] ready, at;
  room_t word, reserved, updated;
  logic [31:0] cycle_q;
  logic [ID_BITS:0] full_queues_q;

  qdma_context_ram #(
      .WIDTH($bits(room_t)),
      .DEPTH(QUEUES),
      .PORTS(2)
  ) rooms (
      .clk,
      .rst,
      .clearing,
      .req_valid({waiting_q, reserve_valid}),
      .req_ready(ready),
      .req_addr ({waiting_qid_q, id_t'(reserve_qid)}),
      .at,
      .at_addr  (at_qid),
      .at_word  (word),
      .write    (2'b11),
      .next     ({updated, reserved})
  );
  assign reserve_ready = ready[0];

  logic has_room, refuse, is_usable, wide_1_q, wide_2_q;
  assign has_room  = word.unlimited | (word.places != '0);
  assign is_usable = word.is_valid & ~(INLINE & wide_2_q & ~word.is_wide);
  assign refuse    = is_usable & ~has_room;
  always_comb begin
    reserved         = word;
    reserved.is_wide = INLINE & word.is_wide;
    if (is_usable && has_room && !word.unlimited) reserved.places = word.places - 1'b1;
    if (refuse) begin
      reserved.is_full  = 1'b1;
      reserved.was_held = word.was_held | ~word.drop;
      if (!word.is_full) reserved.since = cycle_q;
    end
  end

  logic gives_room, opens;
  assign opens = update_2_q.is_valid & (~word.is_valid | (updated.is_wide & ~word.is_wide));
  assign gives_room = ~update_2_q.is_valid | update_2_q.unlimited | (update_2_q.places != '0);
  always_comb begin
    updated           = word;
    updated.is_valid  = update_2_q.is_valid;
    updated.drop      = update_2_q.drop;
    updated.unlimited = update_2_q.unlimited;
    updated.is_wide   = INLINE & update_2_q.is_wide;
    updated.places    = update_2_q.restart ? update_2_q.places : word.places + update_2_q.places;
    if (gives_room) begin
      updated.is_full  = 1'b0;
      updated.was_held = 1'b0;
    end
  end

  always_ff @(posedge clk) begin
    cycle_q <= cycle_q + 1'b1;
    if (ready[1]) waiting_q <= 1'b0;
    if (update_valid) begin
      waiting_q <= 1'b1;
      waiting_qid_q <= id_t'(update_qid);
      waiting_update_q <= '{
          restart: update_restart,
          is_valid: update_is_valid,
          drop: update_drop,
          unlimited: update_unlimited,
          is_wide: update_wide,
          places: update_places
      };
    end
    update_1_q   <= waiting_update_q;
    update_2_q   <= update_1_q;
    wide_1_q     <= reserve_wide;
    wide_2_q     <= wide_1_q;

    answer_valid <= at[0];
    answer_qid   <= index_t'(at_qid);
    if (!is_usable) answer <= ROOM_INVALID;
    else if (has_room) answer <= ROOM_YES;
    else answer <= word.drop ? ROOM_DROP : ROOM_FULL;

    room_event      <= at[1] & ((gives_room & word.was_held) | opens);
    room_qid        <= index_t'(at_qid);
    full_end        <= at[1] & gives_room & word.is_full;
    full_end_qid    <= index_t'(at_qid);
    full_end_cycles <= cycle_q - word.since;
    full_cycles     <= full_cycles + 64'(full_queues_q);
    if (at[0] && refuse && !word.is_full) full_queues_q <= full_queues_q + 1'b1;
    if (at[1] && gives_room && word.is_full) full_queues_q <= full_queues_q - 1'b1;
    if (rst) begin
      cycle_q       <= '0;
      waiting_q     <= 1'b0;
      answer_valid  <= 1'b0;
      room_event    <= 1'b0;
      full_end      <= 1'b0;
      full_cycles   <= '0;
      full_queues_q <= '0;
    end
  end

`ifndef SYNTHESIS
  apart :
  assert property (@(posedge clk) disable iff (rst) update_valid |-> !waiting_q || ready[1])
  else $error("qdma_completion_room: an update before the one before was accepted");
`endif

  logic unused;
  assign unused = &{1'b0, reserve_qid, update_qid};
endmodule
