// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// How far each queue has got, for software; and a watchdog, which freezes a trace when a queue with work makes no progress.
//
// Latency: what software sees of a queue is 11 cycles old at most, and that of a queue 3 cycles after it is selected.
//
// Interface: steps are what the blocks show, for a cycle each; none waits for this module.  It changes nothing but its own state.
//
// Operation: one queue is looked at in 8 cycles, so a tick is 8 * QUEUES cycles.  An H2C queue has work if its doorbell has moved
// PIDX to where its packets have not got.  It moves with each packet that the user has.  A C2H queue has work while its
// last packet was refused for want of buffers or of room in its completion ring.  It moves with each other answer.  The first
// queue that is found while it is armed is kept, and disarms it.  Without an arm only the indices are kept up to date: nothing is
// looked at, and no event is stored.
//
// Limits: memory-mapped queues, and those with bypass, are not watched (qdma_doorbell shows no step of theirs).  A source of
// C2H that gives up a packet leaves its queue with work.
module qdma_watchdog
  import qdma_watch_pkg::*;
  import qdma_c2h_pkg::C2H_HOLD;
#(
    parameter int QUEUES = 2048,
    parameter int HELD_BITS = 9  // of buffers that are held
) (
    input logic clk,
    input logic rst,

    input step_t    [STEPS-1:0] steps,
    input buffers_t             buffers,

    input  watch_setting_t setting,
    output watch_state_t   state
);
  localparam int ID_BITS = $clog2(QUEUES);
  typedef logic [ID_BITS-1:0] id_t;
  typedef logic [HELD_BITS-1:0] held_t;

  // --- What is looked at: in cycle 0 of 8 the next queue, in cycle 4 the one that software has selected, and when it is selected
  logic [2:0] phase_q;
  id_t look_qid_q;
  logic [1:0] fresh_q;  // rounds that are to begin, or to end, until all queues have been looked at since
  logic is_last, reads_shown, is_shown_q;
  logic rd_en;
  logic [10:0] rd_qid, shown_qid_q;
  assign is_last = (phase_q == '1) & (look_qid_q == id_t'(QUEUES - 1));
  assign reads_shown = (phase_q != '0) & ((phase_q == 3'd4) | (setting.qid != shown_qid_q));
  assign rd_en = reads_shown | ((phase_q == '0) & setting.armed);
  assign rd_qid = phase_q == '0 ? 11'(look_qid_q) : setting.qid;
  always_ff @(posedge clk) begin
    phase_q    <= phase_q + 1'b1;
    is_shown_q <= reads_shown;
    if (reads_shown) shown_qid_q <= setting.qid;
    if (phase_q == '1) look_qid_q <= look_qid_q + 1'b1;
    if (is_last && fresh_q != '0) fresh_q <= fresh_q - 1'b1;
    if (setting.arm || rst) fresh_q <= 2'd2;
    if (rst) begin
      phase_q     <= '0;
      look_qid_q  <= '0;
      shown_qid_q <= '0;
      is_shown_q  <= 1'b0;
    end
  end

  // --- Steps of the stop that goes on, and of an error: not before the context says so, or a doorbell could come after it
  localparam int ERROR_CYCLES = 32;
  step_t [STEPS-1:0] all_steps;
  logic stop_h2c_q;
  logic [10:0] stop_qid_q;
  logic [ERROR_CYCLES-1:0] error_valid_q;
  logic [$clog2(ERROR_CYCLES)-1:0] error_at_q;
  logic [11:0] error_ids[ERROR_CYCLES];
  logic error_is_h2c;
  logic [10:0] error_qid;
  assign {error_is_h2c, error_qid} = error_ids[error_at_q];
  always_comb begin
    all_steps = steps;
    all_steps[STEP_STOPPED].qid = stop_qid_q;
    all_steps[STEP_STOPPED].index = 16'(stop_h2c_q);
  end
  always_ff @(posedge clk) begin
    error_at_q <= error_at_q + 1'b1;
    error_valid_q <= {error_valid_q[ERROR_CYCLES-2:0], steps[STEP_ERROR].valid};
    if (steps[STEP_ERROR].valid) error_ids[error_at_q] <= {steps[STEP_ERROR].index[0], steps[STEP_ERROR].qid};
    if (steps[STEP_STOP].valid) {stop_h2c_q, stop_qid_q} <= {steps[STEP_STOP].index[0], steps[STEP_STOP].qid};
    if (rst) {error_at_q, error_valid_q} <= '0;
  end

  // --- PIDX, or that an H2C queue does not run.  Doorbells come first, at most every other cycle.
  localparam logic [15:0] NOT_RUNNING = '1;  // no ring has this index
  step_t posted, error_q, stop_q;
  always_comb begin
    posted = steps[STEP_POSTED_H2C];
    if (!posted.valid) posted = error_q.valid ? error_q : stop_q;
  end
  always_ff @(posedge clk) begin
    if (!steps[STEP_POSTED_H2C].valid) begin
      error_q.valid <= 1'b0;
      if (!error_q.valid) stop_q.valid <= 1'b0;
    end
    if (error_valid_q[ERROR_CYCLES-1] && error_is_h2c) error_q <= '{valid: 1'b1, qid: error_qid, index: NOT_RUNNING};
    if (steps[STEP_STOP].valid && steps[STEP_STOP].index[0])
      stop_q <= '{valid: 1'b1, qid: steps[STEP_STOP].qid, index: NOT_RUNNING};
    if (rst) {error_q.valid, stop_q.valid} <= '0;
  end

  // --- How far each queue has got
  logic clears_h2c, clears_c2h;
  logic [15:0] posted_to, issued, done, written;
  logic is_refused;
  held_t stored, taken;
  step_t answered;
  assign clears_h2c = steps[STEP_STOPPED].valid & stop_h2c_q;
  assign clears_c2h = steps[STEP_STOPPED].valid & ~stop_h2c_q;
  always_comb begin
    answered = steps[STEP_REFUSED].valid ? steps[STEP_REFUSED] : steps[STEP_GRANTED];
    answered.index = 16'(steps[STEP_REFUSED].valid & (steps[STEP_REFUSED].index[2:0] == 3'(C2H_HOLD)));
  end
  qdma_progress_index #(
      .QUEUES(QUEUES)
  ) of_posted (
      .clk,
      .rst,
      .step     (posted),
      .clear    (1'b0),
      .clear_qid('0),
      .rd_en,
      .rd_qid,
      .value    (posted_to)
  );
  qdma_progress_index #(
      .QUEUES(QUEUES)
  ) of_issued (
      .clk,
      .rst,
      .step     (steps[STEP_ISSUED]),
      .clear    (clears_h2c),
      .clear_qid(stop_qid_q),
      .rd_en,
      .rd_qid,
      .value    (issued)
  );
  qdma_progress_index #(
      .QUEUES(QUEUES)
  ) of_done (
      .clk,
      .rst,
      .step     (steps[STEP_DONE]),
      .clear    (clears_h2c),
      .clear_qid(stop_qid_q),
      .rd_en,
      .rd_qid,
      .value    (done)
  );
  qdma_progress_index #(
      .QUEUES(QUEUES)
  ) of_written (
      .clk,
      .rst,
      .step     (steps[STEP_STATUS_H2C]),
      .clear    (clears_h2c),
      .clear_qid(stop_qid_q),
      .rd_en,
      .rd_qid,
      .value    (written)
  );
  qdma_progress_index #(
      .QUEUES(QUEUES),
      .WIDTH (1)
  ) of_refused (
      .clk,
      .rst,
      .step     (answered),
      .clear    (clears_c2h),
      .clear_qid(stop_qid_q),
      .rd_en,
      .rd_qid,
      .value    (is_refused)
  );
  qdma_progress_index #(
      .QUEUES(QUEUES),
      .WIDTH (HELD_BITS)
  ) of_stored (
      .clk,
      .rst,
      .step     (buffers.stored),
      .clear    (1'b0),
      .clear_qid('0),
      .rd_en,
      .rd_qid,
      .value    (stored)
  );
  qdma_progress_index #(
      .QUEUES(QUEUES),
      .WIDTH (HELD_BITS)
  ) of_taken (
      .clk,
      .rst,
      .step     (buffers.taken),
      .clear    (1'b0),
      .clear_qid('0),
      .rd_en,
      .rd_qid,
      .value    (taken)
  );

  // --- What software sees; what a look finds
  logic look, works_h2c_q, works_c2h_q, stuck_h2c, stuck_c2h;
  id_t stuck_h2c_qid, stuck_c2h_qid;
  assign look = (phase_q == 3'd2) & setting.armed;
  always_ff @(posedge clk) begin
    if (phase_q == 3'd1) begin
      works_h2c_q <= (posted_to != NOT_RUNNING) & (posted_to != done);
      works_c2h_q <= is_refused;
    end
    if (is_shown_q) begin
      state.issued  <= issued;
      state.done    <= done;
      state.written <= written;
      state.held    <= 16'(held_t'(stored - taken));
    end
  end
  qdma_watch #(
      .QUEUES(QUEUES)
  ) watch_h2c (
      .clk,
      .rst,
      .move     (steps[STEP_DONE].valid & setting.armed),
      .move_qid (id_t'(steps[STEP_DONE].qid)),
      .look,
      .look_qid (look_qid_q),
      .has_work (works_h2c_q),
      .is_fresh (fresh_q != '0),
      .limit    (setting.limit),
      .stuck    (stuck_h2c),
      .stuck_qid(stuck_h2c_qid)
  );
  qdma_watch #(
      .QUEUES(QUEUES)
  ) watch_c2h (
      .clk,
      .rst,
      .move     (answered.valid & ~answered.index[0] & setting.armed),
      .move_qid (id_t'(answered.qid)),
      .look,
      .look_qid (look_qid_q),
      .has_work (works_c2h_q),
      .is_fresh (fresh_q != '0),
      .limit    (setting.limit),
      .stuck    (stuck_c2h),
      .stuck_qid(stuck_c2h_qid)
  );

  // --- The first one
  qdma_freeze freeze (
      .clk,
      .rst,
      .armed    (setting.armed),
      .arm      (setting.arm),
      .stuck    ({stuck_c2h, stuck_h2c}),
      .stuck_qid({11'(stuck_c2h_qid), 11'(stuck_h2c_qid)}),
      .freezes  (state.freezes),
      .frozen   (state.frozen),
      .is_c2h   (state.is_c2h),
      .qid      (state.qid)
  );
  qdma_trace trace (
      .clk,
      .rst,
      .steps     (all_steps),
      .filters   (setting.filters),
      .filter_qid(setting.filter_qid),
      .frozen    (state.frozen | state.freezes | ~setting.armed),
      .restart   (setting.arm),
      .entry     (setting.entry),
      .events    (state.events),
      .shown     (state.trace)
  );

  logic unused;
  assign unused = &{1'b0, steps, buffers, setting};
endmodule
