// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_stop_queue, for any engine, writer of status, arbiter and commands: once a command that disables a queue is
// busy no more,
//   - the engine has stopped the queue
//   - no status of it is in the writer
//   - no write of it, payload or status, is in the arbiter
// Queue 0 is the one that is looked at; queue 1 stands for all others.
//
// Assumes what the neighbours keep.  The queue of ids (id_queue_keeps): an id that was pushed is shown, at most
// SILENT_CYCLES after its push, or after the pop before it, and until it is accepted.  The engine: after stop_done of a queue
// it hands over nothing of it.  The writer is not idle while it has a request.  The arbiter (moves_count): a beat has left with
// the third count after the cycle in which it was accepted, and nothing is in it while it says that it is idle.  The driver: the
// queue is enabled again once the command is busy no more.
module stopped_is_quiet
  import qdma_context_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1
) (
    input logic clk,  // there is an edge in this step
    input logic rst,
    input logic push_valid,
    input logic push_other,
    input logic stop_ready,
    input logic stop_done,
    input logic enables,
    // The writer takes a request, hands its beat over, is done
    input logic request_valid,
    input logic request_is_ours,
    input logic write_valid,
    input logic request_done,
    // The arbiter takes a beat of the engine, counts one that has left, has nothing
    input logic beat_valid,
    input logic beat_is_ours,
    input logic posted_moves,
    input logic posted_is_idle
);
  localparam int SILENT_CYCLES = 12;
  localparam int BEATS = 3;  // counts until a beat has left
  localparam logic [1:0] REST = 2'd0, STOP = 2'd1, STATUS = 2'd2, POSTED = 2'd3;  // of the module
  logic clearing, busy, stop_valid, status_is_idle;
  index_t stop;
  logic   stop_is_h2c;
  qdma_stop_queue #(
      .QUEUES(2)
  ) dut (
      .push_is_h2c(1'b0),
      .push_qid(index_t'(push_other)),
      .*
  );

  // --- The neighbours
  logic reset_q, pending_q, current_q;  // of queue 0: pushed and not popped; its stop goes on
  logic disabled_q, engine_q;  // it was pushed since it was enabled; the engine may have something of it
  logic writer_busy_q, writer_ours_q;
  // A beat of queue 0 may be in the arbiter: since this cycle, and by the counts since
  logic fresh_q;
  logic [BEATS-1:0] ours_q, ours;
  logic [3:0] silent_q;
  logic push_ours, pops, pops_ours, enters, writes;
  assign push_ours      = push_valid & ~push_other;
  assign pops           = stop_valid & stop_ready;
  assign pops_ours      = pops & (stop == '0) & ~stop_is_h2c;
  assign status_is_idle = ~writer_busy_q;
  assign writes         = write_valid & writer_busy_q;  // of the writer, else of the engine
  assign enters         = writes | beat_valid;
  always_comb begin
    ours = posted_moves ? ours_q << 1 : ours_q;
    if (posted_is_idle) ours = '0;
    if (fresh_q) ours[0] = 1'b1;
  end

  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q <= 1'b1;
    if (push_ours) {pending_q, disabled_q} <= 2'b11;
    else if (pops_ours) pending_q <= 1'b0;
    silent_q <= push_ours || dut.pop_valid || !pending_q ? '0 : silent_q + 1'b1;
    if (pops) current_q <= pops_ours;
    if (stop_done && current_q) engine_q <= 1'b0;
    if (enables) {engine_q, disabled_q} <= 2'b10;
    if (request_valid) {writer_busy_q, writer_ours_q} <= {1'b1, request_is_ours};
    if (writes) writer_ours_q <= 1'b0;
    if (request_done) writer_busy_q <= 1'b0;
    fresh_q <= enters & (writes ? writer_ours_q : beat_is_ours);
    ours_q  <= ours;
    if (rst) begin
      pending_q     <= 1'b0;
      current_q     <= 1'b0;
      disabled_q    <= 1'b0;
      engine_q      <= 1'b0;
      writer_busy_q <= 1'b0;
      writer_ours_q <= 1'b0;
      silent_q      <= '0;
      fresh_q       <= 1'b0;
      ours_q        <= '0;
    end
  end

  logic is_quiet;
  assign is_quiet = ~engine_q & ~writer_ours_q & ~fresh_q & (ours_q == '0);
  always_comb begin
    if (!reset_q) assume (rst);
    // --- What the neighbours keep
    if (dut.pop_valid && dut.pop_id == 1'b0) assume (pending_q);
    if (pending_q && !dut.pop_valid) assume (silent_q < 4'(SILENT_CYCLES));
    if (stop_done) assume (dut.state_q == STOP);
    if (enables) assume (!busy && !push_valid && !pending_q);
    if (request_valid) assume (!writer_busy_q);
    if (request_done) assume (writer_busy_q && (!writer_ours_q || writes));
    if (request_valid && request_is_ours) assume (engine_q);
    if (beat_valid && beat_is_ours) assume (engine_q);
    if (beat_valid) assume (!writes);
    if (posted_is_idle) assume (!fresh_q && !enters);

    if (reset_q) begin
      // --- The claim
      if (disabled_q && !busy) assert (is_quiet);

      if (INVARIANTS) begin
        assert (!writer_ours_q || writer_busy_q);
        assert (32'(dut.quiet_q) <= 32'd15);
        if (pending_q) assert (busy && disabled_q && 32'(dut.quiet_q) <= 32'(silent_q));
        assert (silent_q <= 4'(SILENT_CYCLES));
        if (disabled_q && !pending_q && !(current_q && dut.state_q != REST)) assert (is_quiet);
        if (current_q && dut.state_q != REST) begin
          assert (busy && disabled_q);
          if (dut.state_q != STOP) assert (!engine_q);
          if (dut.state_q == POSTED) begin
            assert (!writer_ours_q && !fresh_q);
            for (int i = 0; i < BEATS; i++) if (ours_q[i]) assert (i >= 32'(dut.beats_q));
          end
        end
      end
    end
  end

  // A queue that is pushed again while its stop goes on is stopped once more.
  logic unused;
  assign unused = &{1'b0, clearing};
endmodule
