// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_timer_wheel, for any tick, any arming and any stalls of its receiver.
//   - a timer whose deadline has come is shown within a turn of the wheel, not counting the cycles in which
//     the wheel halts for timers that are shown before it
//   - the wheel halts for at most one cycle a timer that it has found, while its receiver accepts
//   - what is shown was armed, and its deadline had come, when it was found
// Watches a queue of its own choice.  Assumes that a deadline is at most half the numbers ahead of `now`, and that a timer
// that is due is not left until it looks like one in the future.
module timer_in_time #(
    parameter bit INVARIANTS = 1'b1,
    parameter int QUEUES = 4,
    parameter int LANES = 2,
    parameter int TICK_BITS = 3
) (
    input logic                      clk,           // there is an edge in this step
    input logic                      rst,
    input logic [              31:0] tick_cycles,
    input logic                      set_valid,
    input logic [$clog2(QUEUES)-1:0] set_qid,
    input logic                      set_armed,
    input logic [       TICK_BITS:0] set_deadline,
    input logic                      fire_ready,
    input logic [$clog2(QUEUES)-1:0] watched_const
);
  localparam int ROWS = QUEUES / LANES;
  localparam int LIMIT = ROWS;  // cycles; it is shown in the next
  typedef logic [TICK_BITS:0] tick_t;
  typedef logic [$clog2(QUEUES)-1:0] qid_t;
  tick_t now;
  logic  fire_valid;
  logic  some_armed;
  qid_t  fire_qid;
  qdma_timer_wheel #(
      .QUEUES   (QUEUES),
      .LANES    (LANES),
      .TICK_BITS(TICK_BITS)
  ) dut (
      .*
  );

  // --- Reference
  qid_t watched_q;
  logic reset_q, armed_q, is_due, is_shown, due_before_q, found_q;
  tick_t deadline_q, late, ahead;
  logic [3:0] wait_q, halts_q;
  assign late     = now - deadline_q;
  assign is_due   = armed_q && !late[TICK_BITS];
  assign is_shown = dut.hits_q[watched_q[0]] && qid_t'({dut.hit_row_q, watched_q[0]}) == watched_q;
  assign ahead    = set_deadline - now;
  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q      <= 1'b1;
    watched_q    <= watched_q;
    due_before_q <= is_due;
    if (set_valid && set_qid == watched_q && !dut.clearing_q) begin
      armed_q    <= set_armed;
      deadline_q <= set_deadline;
    end
    // Found: armed and due when its row was read
    if (dut.advance) found_q <= is_due && dut.row_q == watched_q[1] && !dut.clearing_q;
    if (!is_due || is_shown || (set_valid && set_qid == watched_q)) wait_q <= '0;
    else if (dut.advance) wait_q <= wait_q + 1'b1;
    if (dut.advance) halts_q <= '0;
    else if (fire_ready) halts_q <= halts_q + 1'b1;
    if (rst) begin
      watched_q <= watched_const;
      armed_q   <= 1'b0;
      wait_q    <= '0;
      halts_q   <= '0;
      found_q   <= 1'b0;
    end
  end

  logic [1:0] turn;  // rows until the watched one is read
  assign turn = dut.row_q == watched_q[1] ? 2'd0 : 2'd1;
  always_comb begin
    if (!reset_q) assume (rst);
    if (set_valid && set_armed) assume (!ahead[TICK_BITS]);
    if (dut.clearing_q) assume (!set_valid);
    if (reset_q && due_before_q && armed_q) assume (is_due || !late[TICK_BITS]);

    if (reset_q) begin
      // --- The claim
      assert (wait_q <= 4'(LIMIT));
      assert (halts_q < 4'(LANES));
      if (is_shown) assert (found_q && fire_valid);
      if (fire_valid && fire_qid == watched_q) assert (is_shown);

      if (INVARIANTS) begin
        if (!dut.clearing_q) begin
          assert (watched_q[0] ? dut.gen_lanes[1].timers[watched_q[1]].is_armed == armed_q
                               : dut.gen_lanes[0].timers[watched_q[1]].is_armed == armed_q);
          if (armed_q) begin
            assert (watched_q[0] ? dut.gen_lanes[1].timers[watched_q[1]].deadline == deadline_q
                                 : dut.gen_lanes[0].timers[watched_q[1]].deadline == deadline_q);
          end
        end else begin
          assert (!armed_q && dut.hits_q == '0);
          for (int r = 0; r < ROWS; r++) begin
            if (1'(r) < dut.row_q) begin
              assert (!dut.gen_lanes[0].timers[r].is_armed && !dut.gen_lanes[1].timers[r].is_armed);
            end
          end
        end
        if (!is_shown) assert (wait_q + 4'(turn) < 4'(ROWS));
        assert (halts_q < 4'(LANES) && (dut.hits_q != '0 || halts_q == '0));
        if (halts_q != '0) assert (dut.hits_q == 2'b10 || dut.hits_q == 2'b01);
        if (found_q && dut.hit_row_q != watched_q[1]) assert (1'b0);
      end
    end
  end
endmodule
