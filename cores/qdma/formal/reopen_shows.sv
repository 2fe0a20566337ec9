// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_c2h_reopen, for any events, and resets at any time.
//   - each event of a ring is shown in its cycle
//   - each command, and each end of a stop, is followed by an event of its queue, within 8 cycles
//   - nothing else is shown
// Assumes the rates of its head: at most three events of a ring one after another; commands, and ends of stops, 8 cycles
// apart; a stop ends after it has begun, and before the next one begins.
module reopen_shows
  import qdma_context_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1
) (
    input logic   clk,            // there is an edge in this step
    input logic   rst,
    input logic   room_valid,
    input index_t room_qid,
    input logic   written_valid,
    input index_t written_qid,
    input logic   stop_valid,
    input index_t stop_qid,
    input logic   stop_done
);
  localparam logic [3:0] APART = 4'd8;
  typedef struct packed {
    logic pending;
    index_t qid;
    logic [3:0] age;  // since it has happened
  } due_t;

  logic event_valid, reset_q, stopping_q;
  index_t event_qid, stop_of_q;
  due_t written_q, stopped_q;
  logic [1:0] rooms_q;  // one after another
  logic shows_written, shows_stopped;
  qdma_c2h_reopen dut (.*);
  // What is due may be shown by an event of another kind, too: then it is shown twice.
  assign shows_written = event_valid & ~room_valid & written_q.pending;
  assign shows_stopped = event_valid & ~room_valid & ~written_q.pending & stopped_q.pending;

  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q <= 1'b1;
    rooms_q <= room_valid ? rooms_q + 1'b1 : '0;
    if (written_q.age != APART) written_q.age <= written_q.age + 1'b1;
    if (stopped_q.age != APART) stopped_q.age <= stopped_q.age + 1'b1;
    if (shows_written) written_q.pending <= 1'b0;
    if (shows_stopped) stopped_q.pending <= 1'b0;
    if (written_valid) written_q <= '{pending: 1'b1, qid: written_qid, age: 4'd1};
    if (stop_valid) begin
      stopping_q <= 1'b1;
      stop_of_q  <= stop_qid;
    end
    if (stop_done) begin
      stopping_q <= 1'b0;
      stopped_q  <= '{pending: 1'b1, qid: stop_of_q, age: 4'd1};
    end
    if (rst) begin
      rooms_q    <= '0;
      written_q  <= '{age: APART, default: '0};
      stopped_q  <= '{age: APART, default: '0};
      stopping_q <= 1'b0;
    end
  end

  always_comb begin
    if (!reset_q) assume (rst);
    if (reset_q) begin
      assume (!(room_valid && rooms_q == 2'd3));
      assume (!(written_valid && written_q.age != APART));
      assume (!(stop_done && (stopped_q.age != APART || !stopping_q)));
      assume (!(stop_valid && stopping_q));

      // --- The claim
      assert (event_valid == (room_valid || written_q.pending || stopped_q.pending));
      if (room_valid) assert (event_qid == room_qid);
      if (shows_written) assert (event_qid == written_q.qid);
      if (shows_stopped) assert (event_qid == stopped_q.qid);
      if (written_q.pending && written_q.age == APART) assert (shows_written);
      if (stopped_q.pending && stopped_q.age == APART) assert (shows_stopped);

      if (INVARIANTS) begin
        assert (dut.written_q == written_q.pending && dut.stopped_q == stopped_q.pending);
        if (written_q.pending) assert (dut.written_qid_q == written_q.qid && written_q.age <= 4'(rooms_q) + 4'd1);
        if (stopped_q.pending) assert (dut.stopped_qid_q == stopped_q.qid);
        if (stopping_q) assert (dut.stop_qid_q == stop_of_q);
        // All cycles since the end of a stop had an event of a ring, but at most one, which had that of a command.
        if (stopped_q.pending && stopped_q.age > 4'(rooms_q) + 4'd1) begin
          assert (!written_q.pending && stopped_q.age <= 4'(rooms_q) + 4'd5 && written_q.age <= 4'(rooms_q) + 4'd5);
        end
      end
    end
  end
endmodule
