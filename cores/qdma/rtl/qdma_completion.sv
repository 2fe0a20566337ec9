// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Completion rings: entries of 8 to 64 bytes, with colour, triggers, timers, status and interrupts.
//
// Latency: from post to the first beat of its write 6 cycles while the channel is idle.  A post a cycle, whatever the
// queues are.
//
// Interface: a source reserves a place (qdma_completion_room), accepts its packet, and posts the entry once its payload
// has been accepted by qdma_write_arbiter; entries of a queue are written in the order of their posts.  doorbell_event
// and command_event have no ready; they are at least 3 cycles apart.  context_* is the engine's port of the completion
// contexts.  completion, status and cause go to qdma_write_arbiter and qdma_interrupt.
//
// Operation:
//   doorbell, command --> qdma_id_queue --> qdma_completion_ring --> qdma_completion_slots --> completion, status, cause
//                                post ----^   ^ timers: qdma_timer_wheel
//                             reserve --> qdma_completion_room <-- CIDX has moved
//
// Limits: the ring's base is a multiple of the entry's size.  A command on the context of a ring that is in use restarts
// it: what waits in its slot is dropped, and counted.
module qdma_completion
  import qdma_context_pkg::*;
  import qdma_tlp_pkg::*;
  import qdma_pkg::*;
  import qdma_write_pkg::*;
#(
    parameter int QUEUES      = 2048,
    parameter int SLOTS       = 128,   // rings that have entries waiting, and writes under way
    parameter int TIMER_LANES = 128,
    parameter bit INLINE      = 1'b0   // as qdma_completion_room has it
) (
    input logic clk,
    input logic rst,

    output logic clearing,  // after a reset, QUEUES cycles: nothing is accepted
    output logic timers_armed,  // as qdma_timer_wheel has it

    // CSRs
    input logic [SIZES-1:0][15:0] ring_size,
    input logic [SIZES-1:0][15:0] count_threshold,
    input logic [SIZES-1:0][15:0] timer_ticks,
    input logic [     31:0]       tick_cycles,
    input logic [     15:0]       coalesce_cycles,
    input logic [      6:0][ 8:0] colour_place,
    input logic [      6:0][ 8:0] error_place,

    // CIDX has moved; a command has changed a completion context
    input doorbell_event_t doorbell_event,
    input logic            command_valid,
    input index_t          command_qid,

    // Room in rings
    input  logic   reserve_valid,
    output logic   reserve_ready,
    input  index_t reserve_qid,
    input  logic   reserve_wide,   // of an entry of 64 bytes
    output logic   answer_valid,
    output index_t answer_qid,
    output room_e  answer,
    output logic   room_event,
    output index_t room_qid,

    // Entries
    input  logic   post_valid,
    output logic   post_ready,
    input  entry_t post,

    // To the host
    input  logic             channel_is_idle,
    output logic             completion_valid,
    input  logic             completion_ready,
    output write_beat_t      completion,
    output logic             status_valid,
    input  logic             status_ready,
    output write_beat_t      status,
    output logic             cause_valid,
    input  logic             cause_ready,
    output interrupt_cause_t cause,

    // Errors, for a cycle, and statistics
    output logic          refused_valid,
    output index_t        refused_qid,
    output logic          refused_full,         // else the ring is not valid
    output logic          cidx_error,
    output index_t        cidx_error_qid,
    output logic   [31:0] stat_refused,
    output logic   [31:0] stat_discarded,       // entries that a command on their ring has dropped
    output logic   [63:0] stat_full_cycles,
    output logic          stat_full_end,
    output index_t        stat_full_end_qid,
    output logic   [31:0] stat_full_end_cycles,

    // Completion contexts
    output logic   context_valid,
    input  logic   context_ready,
    output index_t context_index,
    input  logic   context_at,
    input  words_t context_word,
    output logic   context_write,
    output words_t context_next
);
  localparam int ID_BITS = $clog2(QUEUES);
  typedef logic [ID_BITS-1:0] id_t;

  // --- Changes
  logic is_cidx, change_valid, change_ready, changes_clearing, room_clearing;
  id_t change_id, fire_id, found_id;
  logic [1:0] change_flags;
  assign is_cidx  = doorbell_event.valid & (doorbell_event.kind == DOORBELL_COMPLETION);
  assign clearing = changes_clearing | room_clearing;
  qdma_id_queue #(
      .IDS  (QUEUES),
      .FLAGS(2)
  ) changes (
      .clk,
      .rst,
      .clearing  (changes_clearing),
      .push_valid(is_cidx | command_valid),
      .push_id   (id_t'(command_valid ? command_qid : doorbell_event.qid)),
      .push_flags({command_valid, is_cidx}),
      .pop_valid (change_valid),
      .pop_ready (change_ready),
      .pop_id    (change_id),
      .pop_flags (change_flags)
  );

  // --- Timers
  logic [16:0] now, set_deadline;
  logic fire_valid, fire_ready, found_valid, found_ready, set_valid, set_armed;
  index_t set_qid;
  qdma_timer_wheel #(
      .QUEUES(QUEUES),
      .LANES (TIMER_LANES)
  ) wheel (
      .clk,
      .rst,
      .tick_cycles,
      .now,
      .some_armed(timers_armed),
      .set_valid,
      .set_qid(id_t'(set_qid)),
      .set_armed,
      .set_deadline,
      .fire_valid(found_valid),
      .fire_ready(found_ready),
      .fire_qid(found_id)
  );
  axis_register #(
      .WIDTH(ID_BITS)
  ) found (
      .clk,
      .rst,
      .s_data (found_id),
      .s_valid(found_valid),
      .s_ready(found_ready),
      .m_data (fire_id),
      .m_valid(fire_valid),
      .m_ready(fire_ready)
  );

  // --- Rings
  logic
      flush_valid, flush_ready, slot_room, is_short, slot_taken, entry_valid, entry_opens, entry_colour, discard_valid;
  logic emission_room, emission_valid, is_empty, is_idle;
  index_t flush_qid, update_qid;
  logic [7:0] flush_slot, new_slot, entry_slot, discard_slot;
  logic [3:0] entry_place;
  logic [4:0] discard_entries;
  logic [1:0] entry_size;
  entry_t entry;
  emission_t emission;
  logic update_valid, update_restart, update_is_valid, update_drop, update_unlimited, update_wide;
  logic [15:0] update_places;
  assign is_idle = channel_is_idle & is_empty;
  qdma_completion_ring #(
      .QUEUES(QUEUES)
  ) ring (
      .clk,
      .rst,
      .ring_size,
      .count_threshold,
      .timer_ticks,
      .post_valid,
      .post_ready,
      .post,
      .change_valid,
      .change_ready,
      .change_qid    (index_t'(change_id)),
      .change_restart(change_flags[1]),
      .now,
      .fire_valid,
      .fire_ready,
      .fire_qid      (index_t'(fire_id)),
      .set_valid,
      .set_qid,
      .set_armed,
      .set_deadline,
      .flush_valid,
      .flush_ready,
      .flush_qid,
      .flush_slot,
      .slot_room,
      .is_short,
      .new_slot,
      .slot_taken,
      .entry_valid,
      .entry_opens,
      .entry_slot,
      .entry_place,
      .entry_size,
      .entry_colour,
      .entry,
      .discard_valid,
      .discard_slot,
      .discard_entries,
      .is_idle,
      .emission_room,
      .emission_valid,
      .emission,
      .update_valid,
      .update_qid,
      .update_restart,
      .update_places,
      .update_is_valid,
      .update_drop,
      .update_unlimited,
      .update_wide,
      .refused_valid,
      .refused_qid,
      .refused_full,
      .cidx_error,
      .cidx_error_qid,
      .context_valid,
      .context_ready,
      .context_index,
      .context_at,
      .context_word,
      .context_write,
      .context_next
  );

  qdma_completion_slots #(
      .SLOTS(SLOTS)
  ) slots (
      .clk,
      .rst,
      .colour_place,
      .error_place,
      .coalesce_cycles,
      .is_idle,
      .slot_room,
      .is_short,
      .new_slot,
      .slot_taken,
      .entry_valid,
      .entry_opens,
      .entry_slot,
      .entry_place,
      .entry_size,
      .entry_colour,
      .entry,
      .discard_valid,
      .discard_slot,
      .flush_valid,
      .flush_ready,
      .flush_qid,
      .flush_slot,
      .emission_room,
      .emission_valid,
      .emission,
      .is_empty,
      .completion_valid,
      .completion_ready,
      .completion,
      .status_valid,
      .status_ready,
      .status,
      .cause_valid,
      .cause_ready,
      .cause
  );

  qdma_completion_room #(
      .QUEUES(QUEUES),
      .INLINE(INLINE)
  ) room (
      .clk,
      .rst,
      .clearing       (room_clearing),
      .reserve_valid,
      .reserve_ready,
      .reserve_qid,
      .reserve_wide,
      .answer_valid,
      .answer_qid,
      .answer,
      .room_event,
      .room_qid,
      .update_valid,
      .update_qid,
      .update_restart,
      .update_places,
      .update_is_valid,
      .update_drop,
      .update_unlimited,
      .update_wide,
      .full_cycles    (stat_full_cycles),
      .full_end       (stat_full_end),
      .full_end_qid   (stat_full_end_qid),
      .full_end_cycles(stat_full_end_cycles)
  );

  always_ff @(posedge clk) begin
    if (refused_valid) stat_refused <= stat_refused + 1'b1;
    if (discard_valid) stat_discarded <= stat_discarded + 32'(discard_entries);
    if (rst) begin
      stat_refused   <= '0;
      stat_discarded <= '0;
    end
  end

`ifndef SYNTHESIS
  one_change :
  assert property (@(posedge clk) disable iff (rst) !(is_cidx && command_valid));
`endif

  logic unused;
  assign unused = &{1'b0, doorbell_event, command_qid, change_flags, set_qid};
endmodule
