// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What an operation makes of a completion ring.
//
// Latency: none, combinational: it is in the cycle of a context's read-modify-write.
//
// Operation: status and interrupt leave while the ring's state is STATE_TRIGGER; then software must move CIDX before the
// next ones.  A user trigger that comes meanwhile is kept in user_trig_pend.  Entries wait in a slot; they leave when it is
// full, at the end of the ring, before a status that counts them, and at once while the channel has nothing else to do or
// slots run short.
//   What decides comes from bits that the operation before has left (ring_t), but for a timer's deadline.  A sum or a
// comparison that is made here goes into such a bit, or into an index: what follows from a new CIDX is decided by a second
// operation, CHECK.  Between the two entries are posted as ever.
//
// Limits: a command on the context restarts the ring: entries that wait in its slot are dropped.
module qdma_completion_next
  import qdma_context_pkg::*;
  import qdma_completion_ring_pkg::*;
(
    input operation_ring_e            kind,
    input completion_context_t        was,
    input ring_t                      ring_was,
    input logic                       is_user_trigger,  // POST
    input logic                       is_idle,          // POST: nothing else to send
    input logic                       is_short,         // POST: of slots
    input logic                [ 7:0] new_slot,         // POST
    input apply_t                     apply,            // APPLY
    input logic                       restart,          // READ
    input logic                [ 7:0] flush_slot,       // FLUSH
    input logic                [16:0] now,

    output completion_context_t       next,
    output ring_t                     ring_next,
    output logic                      writes,      // the context
    output logic                      posted,      // the entry has its place
    output logic                      refused,     // or not
    output logic                      was_full,    // and why
    output logic                      opens,       // new_slot is used
    output logic                      closes,      // the slot's entries leave
    output logic                      discards,    // they do not
    output logic                      triggers,    // status and interrupt, as enabled
    output logic                      cidx_error,
    output logic                      sets_timer,
    output logic                [7:0] slot,
    output logic                [4:0] fill         // with the entry of POST
);
  // --- What is compared, side by side
  logic is_good, is_full, is_wrap, is_slot_end, is_armed, is_due, is_over, has_unread, is_same_slot;
  logic [6:0] entry_bytes, offset;
  logic [15:0] unread_more;
  logic [16:0] late, left;
  assign is_good = was.valid & ring_was.is_ready;
  assign is_full = ~was.ovf_chk_dis & ring_was.is_all;
  assign is_wrap = was.pidx == ring_was.last;
  assign entry_bytes = 7'd8 << was.desc_size;
  assign offset = {was.baddr_high[0], was.baddr_low, 2'b0} + 7'({3'b0, was.pidx[3:0]} << (3'd3 + 3'(was.desc_size)));
  assign is_slot_end = 7'(offset + entry_bytes) == '0;
  assign is_armed = was.int_st == STATE_TRIGGER;
  assign late = now - ring_was.deadline;
  assign is_due = ~late[16];
  assign left = {1'b0, ring_was.unread} - {1'b0, apply.freed};
  assign is_over = left[16] & ~was.ovf_chk_dis;
  assign has_unread = ring_was.unread != '0;
  assign unread_more = ring_was.unread + 1'b1;
  assign is_same_slot = ring_was.has_slot & (ring_was.slot == flush_slot);

  logic starts_timer, stops_timer;
  always_comb begin
    next         = was;
    ring_next    = ring_was;
    writes       = 1'b1;
    posted       = 1'b0;
    refused      = 1'b0;
    was_full     = is_good & is_full;
    opens        = 1'b0;
    closes       = 1'b0;
    discards     = 1'b0;
    triggers     = 1'b0;
    cidx_error   = 1'b0;
    starts_timer = 1'b0;
    stops_timer  = 1'b0;
    slot         = ring_was.slot;
    fill         = ring_was.fill;

    case (kind)
      OPERATION_POST: begin
        posted  = is_good & ~is_full;
        refused = ~posted;
        opens   = posted & ~ring_was.has_slot;
        if (!ring_was.has_slot) slot = new_slot;
        fill = ring_was.has_slot ? ring_was.fill + 1'b1 : 5'd1;
        if (posted) begin
          next.pidx = is_wrap ? '0 : was.pidx + 1'b1;
          next.color = was.color ^ is_wrap;
          ring_next.unread = ring_was.is_all ? '0 : unread_more;
          ring_next.is_all = ~ring_was.is_all & (unread_more == ring_was.last);
          ring_next.has_reached = ~ring_was.is_all & ring_was.reaches;
          ring_next.reaches = ring_was.is_all ? ring_was.threshold == '0 :
              ring_was.reaches | (unread_more == ring_was.threshold);
          triggers = is_armed & (was.trig_mode == TRIGGER_EVERY | (has_count(was.trig_mode) & ring_was.reaches) |
                                 (has_user(was.trig_mode) & is_user_trigger));
          starts_timer = is_armed & has_timer(was.trig_mode) & ~was.timer_running & ~triggers;
          stops_timer = triggers & was.timer_running;
          if (has_user(was.trig_mode) && is_user_trigger) next.user_trig_pend = 1'b1;
          closes = triggers | is_wrap | is_slot_end | is_idle | (is_short & ~ring_was.has_slot);
        end
      end

      OPERATION_READ: begin
        ring_next.seen = was.cidx;
        if (restart) ring_next.is_ready = 1'b0;
        writes = 1'b0;
      end

      OPERATION_APPLY: begin
        if (apply.restart) begin
          ring_next.is_ready    = was.valid & apply.is_good;
          ring_next.last        = apply.last;
          ring_next.unread      = apply.freed;
          ring_next.is_all      = apply.is_all;
          ring_next.reaches     = apply.reaches;
          ring_next.has_reached = apply.has_reached;
          ring_next.has_error   = 1'b0;
          ring_next.threshold   = apply.threshold;
          ring_next.ticks       = apply.ticks;
          next.timer_running    = 1'b0;
          stops_timer           = 1'b1;
          discards              = ring_was.has_slot;
        end else if (is_good) begin
          ring_next.threshold   = apply.threshold;
          ring_next.ticks       = apply.ticks;
          ring_next.unread      = left[16] ? left[15:0] + ring_was.last + 1'b1 : left[15:0];
          ring_next.is_all      = ring_was.is_all & apply.is_none;
          ring_next.reaches     = {1'b0, ring_was.unread} >= apply.freed_and_threshold;
          ring_next.has_reached = {1'b0, ring_was.unread} > apply.freed_and_threshold;
          next.int_st           = STATE_TRIGGER;
          if (is_over) begin
            cidx_error          = 1'b1;
            ring_next.has_error = 1'b1;
            next.err            = ERROR_CIDX;
            next.valid          = 1'b0;
          end
        end
      end

      OPERATION_TIMER: begin
        // A timer that has been started again meanwhile fires again.
        stops_timer = ~was.timer_running | is_due;
        triggers    = is_good & is_due & was.timer_running & is_armed & has_timer(was.trig_mode) & has_unread;
        closes      = triggers & ring_was.has_slot;
      end

      OPERATION_CHECK: begin
        if (ring_was.has_error) begin
          ring_next.has_error = 1'b0;
          triggers            = 1'b1;
          stops_timer         = 1'b1;
        end else if (is_good) begin
          triggers = is_armed & has_unread &
              (was.trig_mode == TRIGGER_EVERY | (has_count(was.trig_mode) & ring_was.has_reached) |
               (has_user(was.trig_mode) & was.user_trig_pend));
          stops_timer = triggers | ~is_armed | ~has_unread | ~has_timer(was.trig_mode);
          starts_timer = ~stops_timer & ~was.timer_running;
          if (!has_unread) next.user_trig_pend = 1'b0;
          // Exact where software has read more than there was
          ring_next.is_all      = ring_was.unread == ring_was.last;
          ring_next.reaches     = ring_was.unread >= ring_was.threshold;
          ring_next.has_reached = ring_was.unread > ring_was.threshold;
        end
        closes = triggers & ring_was.has_slot;
      end

      default: begin
        closes   = is_same_slot & (is_good | ring_was.has_error);
        discards = is_same_slot & ~is_good & ~ring_was.has_error;
        writes   = 1'b0;
      end
    endcase

    if (triggers) begin
      next.int_st         = STATE_SERVICE;
      next.user_trig_pend = 1'b0;
    end
    if (stops_timer) next.timer_running = 1'b0;
    if (starts_timer) begin
      next.timer_running = 1'b1;
      ring_next.deadline = now + {1'b0, ring_next.ticks};
    end
    ring_next.has_slot = (ring_was.has_slot | opens) & ~closes & ~discards;
    if (posted) begin
      ring_next.slot = slot;
      ring_next.fill = fill;
    end
    sets_timer = starts_timer | stops_timer;
  end

  logic unused;
  assign unused = &{1'b0, late, apply.qid, apply.seen};
endmodule
