// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The last 64 events, until it is frozen.
//
// Latency: an event is in the trace 2 cycles after it, alone; shown follows entry by 2 cycles.
//
// Interface: steps never wait.  Entry 0 is the oldest one.  A restart forgets all.
//
// Operation: one event is written in each cycle, that of the lowest kind first; one of each kind may wait.  What comes while it
// waits is lost, and the next entry has `lost`.
module qdma_trace
  import qdma_watch_pkg::*;
#(
    parameter int ENTRIES = 64
) (
    input logic clk,
    input logic rst,

    input step_t [STEPS-1:0] steps,
    input logic              filters,     // events of filter_qid alone
    input logic  [     10:0] filter_qid,
    input logic              frozen,
    input logic              restart,

    input  logic   [$clog2(ENTRIES)-1:0] entry,
    output logic   [  $clog2(ENTRIES):0] events,
    output trace_t                       shown
);
  localparam int BITS = $clog2(ENTRIES);
  step_t [STEPS-1:0] wait_q;
  logic [STEPS-1:0] pending, chosen, passes;
  logic [31:0] cycle_q;
  logic [BITS-1:0] wr_q;
  logic write, lost_q, loses;
  trace_t next;
  for (genvar i = 0; i < STEPS; i++) begin : gen_pending
    assign pending[i] = wait_q[i].valid;
  end
  assign loses = |(passes & pending & ~chosen);
  assign write = (pending != '0) & ~frozen & ~restart;
  always_comb begin
    chosen = '0;
    passes = '0;
    next   = '{lost: lost_q, kind: step_e'(0), qid: '0, index: '0, cycle: cycle_q};
    if (!frozen) begin  // else a simulation need not look at the steps
      chosen = pending & (~pending + 1'b1);
      for (int i = 0; i < STEPS; i++) begin
        passes[i] = steps[i].valid & (~filters | (steps[i].qid == filter_qid));
        if (chosen[i]) begin
          next.kind  = step_e'(i);
          next.qid   = wait_q[i].qid;
          next.index = wait_q[i].index;
        end
      end
    end
  end

  ram_sdp #(
      .WIDTH($bits(trace_t)),
      .DEPTH(ENTRIES)
  ) trace (
      .clk,
      .wr_en  (write),
      .wr_addr(wr_q),
      .wr_data(next),
      .rd_en  (1'b1),
      .rd_addr(events[BITS] ? wr_q + entry : entry),
      .rd_data(shown)
  );

  always_ff @(posedge clk) begin
    cycle_q <= cycle_q + 1'b1;
    if (!frozen) begin
      for (int i = 0; i < STEPS; i++) begin
        if (passes[i]) wait_q[i] <= steps[i];
        else if (chosen[i]) wait_q[i].valid <= 1'b0;
      end
      if (loses) lost_q <= 1'b1;
      else if (write) lost_q <= 1'b0;
    end
    if (write) begin
      wr_q <= wr_q + 1'b1;
      if (!events[BITS]) events <= events + 1'b1;
    end
    if (restart || rst) begin
      wr_q   <= '0;
      events <= '0;
      lost_q <= 1'b0;
      for (int i = 0; i < STEPS; i++) wait_q[i].valid <= 1'b0;
    end
    if (rst) cycle_q <= '0;
  end
endmodule
