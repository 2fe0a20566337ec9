// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The timers of all queues.
//
// Latency: a timer whose deadline has come is shown at `fire` after at most QUEUES / LANES + 1 cycles, and one for each
// timer that fires before it and each cycle that `fire` is not accepted.  With 128 lanes, 2048 queues take 16 cycles: less
// than the default tick of 25, so a timer fires within its time and one tick.
//
// Interface: set_* arms a queue's timer with a deadline in ticks, or takes it away; one a cycle.  A timer fires until it
// is taken away: its receiver looks at its own deadline.  `now` counts ticks; a deadline is less than 2^16 ticks ahead.
//
// Operation: deadlines are in LANES RAMs of QUEUES / LANES words.  A wheel of that many steps reads a word of each in a
// cycle and compares them with `now`; it halts while what it has found is shown.  formal/timer_in_time.sv proves the
// bound.
module qdma_timer_wheel #(
    parameter int QUEUES = 2048,
    parameter int LANES = 128,
    parameter int TICK_BITS = 16  // of the longest time
) (
    input logic clk,
    input logic rst,

    input logic [31:0] tick_cycles,  // clocks a tick; 0 is 1

    output logic [TICK_BITS:0] now,
    output logic               some_armed, // a timer is armed, or was within the last turn of the wheel

    input logic                      set_valid,
    input logic [$clog2(QUEUES)-1:0] set_qid,
    input logic                      set_armed,
    input logic [       TICK_BITS:0] set_deadline,

    output logic                      fire_valid,
    input  logic                      fire_ready,
    output logic [$clog2(QUEUES)-1:0] fire_qid
);
  localparam int ROWS = QUEUES / LANES;
  localparam int LANE_BITS = $clog2(LANES);
  localparam int ROW_BITS = ROWS > 1 ? $clog2(ROWS) : 1;
  typedef struct packed {
    logic is_armed;
    logic [TICK_BITS:0] deadline;
  } timer_t;
  typedef logic [ROW_BITS-1:0] row_t;

  // --- Time
  logic [31:0] cycles_q;
  logic is_tick_end;
  assign is_tick_end = cycles_q + 1'b1 >= tick_cycles;
  always_ff @(posedge clk) begin
    cycles_q <= is_tick_end ? '0 : cycles_q + 1'b1;
    if (is_tick_end) now <= now + 1'b1;
    if (rst) begin
      cycles_q <= '0;
      now      <= '0;
    end
  end

  // --- Wheel
  logic clearing_q;
  row_t row_q, hit_row_q, set_row;
  logic [LANES-1:0] hits, hits_q, first, armed;
  logic [LANE_BITS-1:0] lane;
  logic advance, is_single;
  assign set_row = row_t'(set_qid >> LANE_BITS);

  for (genvar i = 0; i < LANES; i++) begin : gen_lanes
    // Read without a clock, and without a value after configuration that is used: LUTRAM
    timer_t timers[ROWS];
    timer_t timer;
    logic [TICK_BITS:0] late;
    logic is_set;
    assign timer   = timers[row_q];
    assign late    = now - timer.deadline;
    assign armed[i] = timer.is_armed;
    assign hits[i] = timer.is_armed & ~late[TICK_BITS];
    assign is_set  = set_valid & (LANE_BITS'(set_qid) == LANE_BITS'(i));
    always_ff @(posedge clk) begin
      if (clearing_q) timers[row_q] <= '0;
      else if (is_set) timers[set_row] <= '{is_armed: set_armed, deadline: set_deadline};
    end
  end

  // --- What has been found
  qdma_first #(
      .WIDTH(LANES)
  ) found (
      .bits (hits_q),
      .first,
      .index(lane),
      .is_single
  );
  assign fire_valid = |hits_q;
  assign advance    = is_single & (fire_ready | ~fire_valid);
  always_comb begin
    fire_qid = ($clog2(QUEUES))'(lane);
    if (ROWS > 1) fire_qid |= ($clog2(QUEUES))'(hit_row_q) << LANE_BITS;
  end

  // --- Whether any is armed
  logic turn_armed_q, is_turn_end;
  assign is_turn_end = advance & (row_q == row_t'(ROWS - 1));
  always_ff @(posedge clk) begin
    turn_armed_q <= (turn_armed_q & ~is_turn_end) | (|armed & ~clearing_q) | (set_valid & set_armed);
    if (is_turn_end) some_armed <= turn_armed_q | (|armed & ~clearing_q);
    if (set_valid && set_armed) some_armed <= 1'b1;
    if (rst) {turn_armed_q, some_armed} <= '0;
  end

  always_ff @(posedge clk) begin
    if (advance) begin
      row_q     <= row_q == row_t'(ROWS - 1) ? '0 : row_q + 1'b1;
      hit_row_q <= row_q;
      hits_q    <= clearing_q ? '0 : hits;
    end else if (fire_ready) begin
      hits_q <= hits_q & ~first;
    end
    if (row_q == row_t'(ROWS - 1)) clearing_q <= 1'b0;
    if (rst) begin
      row_q      <= '0;
      hits_q     <= '0;
      clearing_q <= 1'b1;
    end
  end
endmodule
