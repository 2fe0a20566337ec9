// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_freeze with qdma_trace, for any steps, any finds, any filter, and resets at any time.
//   - the first find while it is armed freezes the trace, and is kept: queue and direction
//   - what is frozen stays as it is until it is armed again: queue, direction, number of events, each entry that is shown
//   - nothing else freezes it; after it was armed it is empty
// Assumes that the arm is taken away by a freeze, and set by a write alone.
module frozen_stays
  import qdma_watch_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1
) (
    input logic                    clk,           // there is an edge in this step
    input logic                    rst,
    input step_t [STEPS-1:0]       steps,
    input logic                    filters,
    input logic  [     10:0]       filter_qid,
    input logic                    arm,
    input logic                    armed,
    input logic  [      1:0]       stuck,
    input logic  [      1:0][10:0] stuck_qid,
    input logic  [      1:0]       watched_const
);
  localparam int ENTRIES = 4;
  logic freezes, frozen, is_c2h;
  logic [10:0] qid;
  logic [2:0] events;
  trace_t shown;
  logic [1:0] watched_q;
  qdma_freeze freeze (.*);
  qdma_trace #(
      .ENTRIES(ENTRIES)
  ) trace (
      .frozen (frozen | freezes | ~armed),
      .restart(arm),
      .entry  (watched_q),
      .*
  );

  // --- Reference
  logic reset_q, kept_q, is_c2h_q, finds, armed_before_q;
  logic [ 1:0] steady_q;  // cycles for which it has been frozen, up to 2: the entry is shown then
  logic [10:0] qid_q;
  logic [ 2:0] events_q;
  trace_t shown_q, entry_q;
  assign finds = armed && !kept_q && !arm && stuck != '0;
  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q        <= 1'b1;
    watched_q      <= watched_q;
    armed_before_q <= arm;
    if (finds) begin
      kept_q   <= 1'b1;
      is_c2h_q <= !stuck[0];
      qid_q    <= stuck[0] ? stuck_qid[0] : stuck_qid[1];
      events_q <= events;
      entry_q  <= trace.trace.ram[events[2] ? trace.wr_q + watched_q : watched_q];
    end
    steady_q <= !kept_q || arm ? '0 : steady_q == 2'd2 ? 2'd2 : steady_q + 1'b1;
    shown_q  <= shown;
    if (arm) kept_q <= 1'b0;
    if (rst) begin
      watched_q      <= watched_const;
      kept_q         <= 1'b0;
      steady_q       <= '0;
      armed_before_q <= 1'b0;
    end
  end

  always_comb begin
    if (!reset_q) assume (rst);
    if (reset_q) begin
      // --- The claim
      assert (freezes == finds && frozen == kept_q);
      if (kept_q) assert (is_c2h == is_c2h_q && qid == qid_q && events == events_q);
      if (kept_q && steady_q != '0) assert (shown == entry_q);
      if (armed_before_q) assert (events == '0);

      if (INVARIANTS) begin
        assert (events <= 3'(ENTRIES));
        if (kept_q) assert (entry_q == trace.trace.ram[events[2]?trace.wr_q+watched_q : watched_q]);
        if (kept_q) assert (trace.frozen);
      end
    end
  end
endmodule
