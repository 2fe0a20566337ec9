// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_active, for any activations, any takes, and resets at any time.
//   - an activation is not lost: its queue is provided after it
//   - a queue that was not activated since it was provided is not provided
//   - from its activation on, each other queue is provided at most once before it
//   - while a queue waits and none is provided, one is within 3 cycles, events aside
//   - the queue of an event that comes alone, while none waits or is provided, is provided in the next cycle; it
//     overtakes none
// Assumes what the head of qdma_active says: events at most every other cycle, none while it clears; again is held.
module active_fair #(
    parameter bit INVARIANTS = 1'b1,
    parameter int QUEUES = 4
) (
    input logic                      clk,          // there is an edge in this step
    input logic                      rst,
    input logic                      event_valid,
    input logic [$clog2(QUEUES)-1:0] event_qid,
    input logic                      again_valid,
    input logic [$clog2(QUEUES)-1:0] again_qid,
    input logic                      take
);
  localparam int BITS = $clog2(QUEUES);
  typedef logic [BITS-1:0] qid_t;

  logic clearing, again_ready, valid, more;
  qid_t qid;
  qdma_active #(.QUEUES(QUEUES)) dut (.*);

  // --- Reference: the queues that were activated and not provided since, and for how many others each has waited
  logic [QUEUES-1:0] work_q;
  logic [QUEUES-1:0][BITS:0] wait_q;
  logic [2:0] idle_q;  // cycles in which a queue waits and none is provided
  logic reset_q, event_q, held_q, valid_q, quiet_q, pass_q, first, at_once;
  assign first = valid & ~valid_q;  // of the cycles in which a queue is provided
  qid_t event_qid_q, held_qid_q;
  // The queue of the last cycle's event, which no activation before had left to be provided
  assign at_once = first & event_q & (qid == event_qid_q) & ~work_q[qid];
  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q     <= 1'b1;
    valid_q     <= valid;
    event_q     <= event_valid;
    quiet_q     <= work_q == '0 && !valid && !again_valid;
    pass_q      <= dut.pass;
    event_qid_q <= event_qid;
    held_q      <= again_valid & ~again_ready;
    held_qid_q  <= again_qid;
    idle_q      <= valid || work_q == '0 ? '0 : idle_q + 3'(!event_q);
    for (int i = 0; i < QUEUES; i++) begin
      if (first) wait_q[i] <= work_q[i] && qid != qid_t'(i) ? wait_q[i] + 1'b1 : '0;
      if (first && qid == qid_t'(i)) work_q[i] <= 1'b0;
      if (event_q && event_qid_q == qid_t'(i)) work_q[i] <= !at_once;
      if (again_valid && again_ready && again_qid == qid_t'(i)) work_q[i] <= 1'b1;
    end
    if (rst) begin
      valid_q <= 1'b0;
      event_q <= 1'b0;
      quiet_q <= 1'b0;
      pass_q  <= 1'b0;
      held_q  <= 1'b0;
      work_q  <= '0;
      wait_q  <= '0;
      idle_q  <= '0;
    end
  end

  // Where a queue is in the FIFO: the number of those before it, or QUEUES
  logic [BITS:0] queued;
  assign queued = dut.wr_ptr_q - dut.rd_ptr_q;
  function automatic logic [BITS:0] before_it(input qid_t q);
    logic [BITS:0] place;
    place = (BITS + 1)'(QUEUES);
    for (int i = QUEUES - 1; i >= 0; i--) begin
      if ((BITS + 1)'(i) < queued && dut.fifo.ram[qid_t'(dut.rd_ptr_q[BITS-1:0]+qid_t'(i))] == q)
        place = (BITS + 1)'(i);
    end
    return place;
  endfunction
  function automatic logic [BITS:0] times(input qid_t q);
    logic [BITS:0] count;
    count = '0;
    for (int i = 0; i < QUEUES; i++) begin
      if ((BITS + 1)'(i) < queued && dut.fifo.ram[qid_t'(dut.rd_ptr_q[BITS-1:0]+qid_t'(i))] == q) count = count + 1'b1;
    end
    return count;
  endfunction

  always_comb begin
    if (!reset_q) assume (rst);
    if (event_q || clearing) assume (!event_valid);
    if (held_q) assume (again_valid && again_qid == held_qid_q);

    if (reset_q) begin
      // --- The claim
      if (first) assert (work_q[qid] || at_once);
      for (int i = 0; i < QUEUES; i++) assert (wait_q[i] < (BITS + 1)'(QUEUES));
      assert (idle_q < 3'd3);
      if (event_q && quiet_q) assert (at_once);
      if (at_once) assert (work_q == '0);

      if (INVARIANTS) begin
        assert (queued <= (BITS + 1)'(QUEUES));
        assert (dut.event_q == (event_q && !pass_q) && (!event_q || event_qid_q == dut.event_qid_q));
        assert (pass_q == at_once);
        assert (!(valid && dut.fetched_q));
        if (first) assert (!dut.listed[qid]);
        if (clearing) assert (work_q == '0 && queued == '0 && !valid && !dut.fetched_q && !event_q);
        for (int i = 0; i < QUEUES; i++) begin
          if (!clearing) begin
            assert (times(
                qid_t'(i)
            ) + (BITS + 1)'(dut.fetched_q && dut.fetched_qid == qid_t'(i)) == (BITS + 1)'(dut.listed[i]));
            assert (work_q[i] == (dut.listed[i] || (first && !pass_q && qid == qid_t'(i))));
          end else if (qid_t'(i) < dut.clear_qid_q) assert (!dut.listed[i]);
          if (work_q[i] && before_it(qid_t'(i)) != (BITS + 1)'(QUEUES))
            assert (wait_q[i] + before_it(qid_t'(i)) + (BITS + 1)'(dut.fetched_q || first) < (BITS + 1)'(QUEUES));
          if (!work_q[i]) assert (wait_q[i] == '0);
        end
        if (idle_q == 3'd1) assert (dut.fetched_q || valid);
        if (idle_q == 3'd2) assert (valid);
      end
    end
  end
endmodule
