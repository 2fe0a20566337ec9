// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Operations on completion rings: entries, doorbells, timers, flushes.
//
// Latency: entry_valid is 4 cycles after post was accepted, emission_valid 5 cycles.  An operation is accepted in each
// cycle in which the contexts' RAM accepts one, whatever the queues are: a queue's next entry needs no bubble.
//
// Interface: valid and ready.  context_* is the engine's port of the completion contexts (qdma_context_ram).  Nothing that
// makes an emission is accepted unless emission_room says that all of those under way find room; a post needs slot_room,
// too.
//
// Operation: what the engine keeps of a ring is in a RAM of its own that is read and written in step with the context
// (qdma_completion_next).  A doorbell or command takes three operations: READ notes CIDX, then the entries that it frees
// and the sizes of the CSRs are worked out, APPLY takes them into account, and CHECK triggers if there is a reason.  Posts,
// timers and flushes go on between them.
module qdma_completion_ring
  import qdma_context_pkg::*;
  import qdma_pkg::*;
  import qdma_write_pkg::*;
  import qdma_completion_ring_pkg::*;
#(
    parameter int QUEUES = 2048
) (
    input logic clk,
    input logic rst,

    // CSRs
    input logic [SIZES-1:0][15:0] ring_size,
    input logic [SIZES-1:0][15:0] count_threshold,
    input logic [SIZES-1:0][15:0] timer_ticks,

    // Entries
    input  logic   post_valid,
    output logic   post_ready,
    input  entry_t post,

    // Rings whose CIDX has moved, or whose context a command has changed
    input  logic   change_valid,
    output logic   change_ready,
    input  index_t change_qid,
    input  logic   change_restart,

    // Timers
    input  logic   [16:0] now,
    input  logic          fire_valid,
    output logic          fire_ready,
    input  index_t        fire_qid,
    output logic          set_valid,
    output index_t        set_qid,
    output logic          set_armed,
    output logic   [16:0] set_deadline,

    // Slots
    input  logic         flush_valid,
    output logic         flush_ready,
    input  index_t       flush_qid,
    input  logic   [7:0] flush_slot,
    input  logic         slot_room,
    input  logic         is_short,        // of slots
    input  logic   [7:0] new_slot,
    output logic         slot_taken,
    output logic         entry_valid,
    output logic         entry_opens,
    output logic   [7:0] entry_slot,
    output logic   [3:0] entry_place,     // in the slot
    output logic   [1:0] entry_size,      // 8 << n bytes
    output logic         entry_colour,
    output entry_t       entry,
    output logic         discard_valid,
    output logic   [7:0] discard_slot,
    output logic   [4:0] discard_entries,

    input  logic      is_idle,         // the channel has nothing to do
    input  logic      emission_room,
    output logic      emission_valid,
    output emission_t emission,

    // Room
    output logic          update_valid,
    output index_t        update_qid,
    output logic          update_restart,
    output logic   [15:0] update_places,
    output logic          update_is_valid,
    output logic          update_drop,
    output logic          update_unlimited,
    output logic          update_wide,

    // Errors, for a cycle
    output logic   refused_valid,  // an entry for a ring that is not valid, or that is full
    output index_t refused_qid,
    output logic   refused_full,
    output logic   cidx_error,     // a doorbell took more than there was
    output index_t cidx_error_qid,

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
  localparam int SOURCES = 6;

  typedef struct packed {
    operation_ring_e kind;
    index_t qid;
    logic restart;
    logic [7:0] flush_slot;
    entry_t entry;
  } operation_t;

  // --- Choice
  logic [SOURCES-1:0] wants, choice, grant;
  logic op_valid_q, accepts, apply_valid_q, check_valid_q, changing_q, is_post_next;
  operation_t chosen, op_q, s1_q, s2_q;
  apply_t apply_q;
  assign accepts = ~op_valid_q | context_ready;
  assign wants = {
    check_valid_q & emission_room,
    flush_valid & emission_room,
    fire_valid & emission_room,
    apply_valid_q,
    change_valid & ~changing_q,
    post_valid & emission_room & slot_room
  };
  qdma_arbiter #(
      .PORTS(SOURCES)
  ) arbiter (
      .clk,
      .rst,
      .enable (accepts),
      .request(wants),
      .choice,
      .grant
  );
  assign {post_ready, change_ready, fire_ready, flush_ready} = {grant[0], grant[1], grant[3], grant[4]};
  always_comb begin
    chosen = '{kind: OPERATION_POST, qid: post.qid, restart: change_restart, flush_slot: flush_slot, entry: post};
    if (choice[1]) {chosen.kind, chosen.qid} = {OPERATION_READ, change_qid};
    if (choice[2]) {chosen.kind, chosen.qid} = {OPERATION_APPLY, apply_q.qid};
    if (choice[3]) {chosen.kind, chosen.qid} = {OPERATION_TIMER, fire_qid};
    if (choice[4]) {chosen.kind, chosen.qid} = {OPERATION_FLUSH, flush_qid};
    if (choice[5]) {chosen.kind, chosen.qid} = {OPERATION_CHECK, apply_q.qid};
  end
  assign context_valid = op_valid_q;
  assign context_index = op_q.qid;

  always_ff @(posedge clk) begin
    if (accepts) begin
      op_valid_q <= |grant;
      op_q       <= chosen;
    end
    s1_q <= op_q;
    s2_q <= s1_q;
    if (rst) op_valid_q <= 1'b0;
  end

  // --- Read-modify-write, in step with the context
  completion_context_t was, next;
  ring_t ring_was, ring_next;
  logic ring_clearing, ring_ready, ring_at;
  id_t ring_qid;
  qdma_context_ram #(
      .WIDTH($bits(ring_t)),
      .DEPTH(QUEUES),
      .PORTS(1)
  ) rings (
      .clk,
      .rst,
      .clearing (ring_clearing),
      .req_valid(context_valid & context_ready),
      .req_ready(ring_ready),
      .req_addr (id_t'(context_index)),
      .at       (ring_at),
      .at_addr  (ring_qid),
      .at_word  (ring_was),
      .write    (1'b1),
      .next     (ring_next)
  );

  logic writes, posted, refused, was_full, opens, closes, discards, triggers, bad_cidx, sets_timer, idle_q, short_q;
  logic [7:0] slot;
  logic [4:0] fill;
  assign was = context_word[$bits(completion_context_t)-1:0];
  // A post after this one would make its slot fuller.
  assign is_post_next = (op_valid_q & (op_q.kind == OPERATION_POST)) | post_ready;
  qdma_completion_next step (
      .kind           (s2_q.kind),
      .was,
      .ring_was,
      .is_user_trigger(s2_q.entry.is_user_trigger),
      .is_idle        (idle_q),
      .is_short       (short_q),
      .new_slot,
      .apply          (apply_q),
      .restart        (s2_q.restart),
      .flush_slot     (s2_q.flush_slot),
      .now,
      .next,
      .ring_next,
      .writes,
      .posted,
      .refused,
      .was_full,
      .opens,
      .closes,
      .discards,
      .triggers,
      .cidx_error     (bad_cidx),
      .sets_timer,
      .slot,
      .fill
  );
  assign context_write = context_at & writes;
  assign context_next  = words_t'(next);
  assign slot_taken    = context_at & opens;

  always_ff @(posedge clk) begin
    idle_q          <= is_idle & ~is_post_next;
    short_q         <= is_short;

    entry_valid     <= context_at & posted;
    entry_opens     <= opens & ~closes;
    entry_slot      <= slot;
    entry_place     <= 4'(fill - 1'b1);
    entry_size      <= was.desc_size;
    entry_colour    <= was.color;
    entry           <= s2_q.entry;
    entry.qid       <= s2_q.qid;
    discard_valid   <= context_at & discards;
    discard_slot    <= ring_was.slot;
    discard_entries <= ring_was.fill;
    set_valid       <= context_at & sets_timer;
    set_qid         <= s2_q.qid;
    set_armed       <= next.timer_running;
    set_deadline    <= ring_next.deadline;
    refused_valid   <= context_at & refused;
    refused_qid     <= s2_q.qid;
    refused_full    <= was_full;
    cidx_error      <= context_at & bad_cidx;
    cidx_error_qid  <= s2_q.qid;
    if (rst) begin
      entry_valid   <= 1'b0;
      discard_valid <= 1'b0;
      set_valid     <= 1'b0;
      refused_valid <= 1'b0;
      cidx_error    <= 1'b0;
    end
  end

  // --- Doorbells and commands: from what READ has found to what APPLY needs
  logic reads, read_1_q, read_2_q, read_3_q, restart_q, is_aligned_q, is_size_q, is_inside_q;
  index_t read_qid_q;
  logic [3:0] size_ix_q, count_ix_q, timer_ix_q;
  logic [15:0] pidx_q, cidx_q, from_q, size_q, count_q, ticks_q, last_q;
  logic [16:0] difference_q;
  logic applied, checked;
  assign reads   = context_at & (s2_q.kind == OPERATION_READ);
  assign applied = context_at & (s2_q.kind == OPERATION_APPLY);
  assign checked = context_at & (s2_q.kind == OPERATION_CHECK);

  always_ff @(posedge clk) begin
    // One doorbell or command at a time, up to its last operation
    if (change_ready) changing_q <= 1'b1;
    if (checked || (applied && apply_q.restart)) changing_q <= 1'b0;
    if (reads) begin
      read_qid_q   <= s2_q.qid;
      restart_q    <= s2_q.restart;
      size_ix_q    <= was.qsize_ix;
      count_ix_q   <= was.cnter_ix;
      timer_ix_q   <= was.timer_ix;
      pidx_q       <= was.pidx;
      cidx_q       <= was.cidx;
      from_q       <= s2_q.restart ? was.cidx : ring_was.seen;
      is_aligned_q <= ({was.baddr_low[3:0], 2'b0} & 6'((7'd8 << was.desc_size) - 1'b1)) == '0;
    end
    read_1_q     <= reads;
    // 1: what the CSRs say
    size_q       <= ring_size[size_ix_q];
    count_q      <= count_threshold[count_ix_q];
    ticks_q      <= timer_ticks[timer_ix_q];
    read_2_q     <= read_1_q;
    // 2: how far apart
    last_q       <= size_q - 16'd2;
    is_size_q    <= size_q >= 16'd3;
    difference_q <= {1'b0, restart_q ? pidx_q : cidx_q} - {1'b0, from_q};
    read_3_q     <= read_2_q;
    // 3: around the ring's end
    if (read_3_q) begin
      apply_q.qid       <= read_qid_q;
      apply_q.restart   <= restart_q;
      apply_q.is_good   <= is_size_q & is_aligned_q & (pidx_q <= last_q) & (cidx_q <= last_q);
      apply_q.freed     <= difference_q[16] ? difference_q[15:0] + last_q + 1'b1 : difference_q[15:0];
      apply_q.seen      <= cidx_q;
      apply_q.last      <= last_q;
      apply_q.threshold <= count_q == '0 ? '0 : count_q - 1'b1;
      apply_q.ticks     <= ticks_q;
    end
    is_inside_q <= read_3_q;
    // 4
    if (is_inside_q) begin
      apply_q.freed_and_threshold <= {1'b0, apply_q.freed} + {1'b0, apply_q.threshold};
      apply_q.is_none             <= apply_q.freed == '0;
      apply_q.is_all              <= apply_q.freed == apply_q.last;
      apply_q.reaches             <= apply_q.freed >= apply_q.threshold;
      apply_q.has_reached         <= apply_q.freed > apply_q.threshold;
      apply_valid_q               <= 1'b1;
    end
    if (grant[2]) apply_valid_q <= 1'b0;
    if (grant[5]) check_valid_q <= 1'b0;
    if (applied && !apply_q.restart) check_valid_q <= 1'b1;

    update_valid     <= applied & (was.valid | apply_q.restart);
    update_qid       <= apply_q.qid;
    update_restart   <= apply_q.restart;
    update_places    <= apply_q.restart ? apply_q.last - apply_q.freed : apply_q.freed;
    update_is_valid  <= next.valid & ring_next.is_ready;
    update_drop      <= was.drop_full;
    update_unlimited <= was.ovf_chk_dis;
    update_wide      <= was.desc_size == 2'd3;
    if (rst) begin
      changing_q    <= 1'b0;
      read_1_q      <= 1'b0;
      read_2_q      <= 1'b0;
      read_3_q      <= 1'b0;
      is_inside_q   <= 1'b0;
      apply_valid_q <= 1'b0;
      check_valid_q <= 1'b0;
      update_valid  <= 1'b0;
    end
  end

  // --- Emissions: addresses take two additions, that of the index first
  typedef struct packed {
    emission_t   emission;
    logic [63:0] base;
    logic [15:0] index;
    logic [15:0] status_index;
    logic [1:0]  size;
  } addressed_t;
  logic [1:0] valid_q;
  addressed_t e1_q;
  logic [22:0] offset, status_offset;
  assign offset        = 23'(e1_q.index) << (3'd3 + 3'(e1_q.size));
  assign status_offset = 23'(e1_q.status_index) << (3'd3 + 3'(e1_q.size));
  always_ff @(posedge clk) begin
    valid_q <= {valid_q[0], context_at & (closes | triggers)};
    e1_q.base <= {was.baddr_high, was.baddr_low, 2'b0};
    e1_q.size <= was.desc_size;
    e1_q.index <= was.pidx - 16'(fill) + 16'(s2_q.kind == OPERATION_POST);
    e1_q.status_index <= ring_was.last + 1'b1;
    e1_q.emission <= '0;
    e1_q.emission.has_write <= closes;
    e1_q.emission.has_status <= triggers & was.en_stat_desc;
    e1_q.emission.has_interrupt <= triggers & was.en_int;
    e1_q.emission.slot <= slot;
    e1_q.emission.bytes <= 8'(11'({6'b0, fill} << 3) << was.desc_size);
    e1_q.emission.cause <= '{
        qid: s2_q.qid,
        is_c2h: 1'b1,
        func: was.fnc_id,
        is_aggregated: was.int_aggr,
        vector: was.vec,
        status: {next.err, next.int_st, next.color, next.cidx, next.pidx}
    };
    emission <= e1_q.emission;
    emission.addr <= e1_q.base + 64'(offset);
    emission.status_addr <= e1_q.base + 64'(status_offset);
    if (rst) valid_q <= '0;
  end
  assign emission_valid = valid_q[1];

`ifndef SYNTHESIS
  in_step :
  assert property (@(posedge clk) disable iff (rst) context_at |-> ring_at && ring_qid == id_t'(s2_q.qid))
  else $error("qdma_completion_ring: ring and context are not read together");
  both_ready :
  assert property (@(posedge clk) disable iff (rst) context_valid && context_ready |-> ring_ready);
`endif

  logic unused;
  assign unused = &{1'b0, choice, ring_clearing, ring_ready, ring_at, ring_qid, context_word, next, ring_next};
endmodule
