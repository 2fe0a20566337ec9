// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Queues that a context command has disabled: has the engines stop each of them, and says that the command is busy until
// nothing of the queue is written any more.
//
// Latency: stop_valid 7 cycles after push; busy falls BUSY_CYCLES after the last stop.
//
// Interface: push has no ready, and is at least 3 cycles after the one before.  stop has valid and ready; stop_done is for
// a cycle.  busy is high from the cycle after push.
//
// Operation: when the engine is done, what it has written may still be in the writer of status, or in the registers of the
// arbiter.  So busy waits until the writer has been idle, and then until the channel has been idle or as many beats as the
// arbiter holds have left it, dropped ones among them: what another function writes in vain does not hold a stop.  No access
// of BAR 0 waits for it: a completion of the host must not wait for a stop that waits for this completion.
//
// Limits: a driver waits for busy before its next command.  One that does not is served: its stops are queued.
module qdma_stop_queue
  import qdma_context_pkg::*;
#(
    parameter int QUEUES = 2048
) (
    input logic clk,
    input logic rst,

    output logic clearing,

    input  logic   push_valid,
    input  logic   push_is_h2c,
    input  index_t push_qid,
    output logic   busy,

    output logic   stop_valid,
    input  logic   stop_ready,
    output logic   stop_is_h2c,
    output index_t stop,
    input  logic   stop_done,

    input logic status_is_idle,  // the writer of status
    input logic posted_is_idle,  // the arbiter and its channel
    input logic posted_moves     // the oldest beat has left the arbiter, in the cycle before
);
  localparam int QID_BITS = $clog2(QUEUES);
  localparam int ID_BITS = QID_BITS + 1;
  // posted_moves comes a cycle late.  STATUS takes a cycle, so in the one before POSTED the last beat is in the arbiter already.
  localparam int ARBITER_BEATS = 3;
  localparam int BUSY_CYCLES = 15;  // more than from one pop of the queue to the next
  typedef enum logic [1:0] {
    REST,
    STOP,    // the engine stops a queue
    STATUS,  // the writer may have a status of it
    POSTED   // the arbiter may have a write of it
  } state_e;
  state_e state_q;
  logic pop_valid, unused_flag;
  logic [ID_BITS-1:0] pop_id;
  logic [1:0] beats_q;
  logic [$clog2(BUSY_CYCLES+1)-1:0] quiet_q;

  qdma_id_queue #(
      .IDS  (2 * QUEUES),
      .FLAGS(1)
  ) disabled (
      .clk,
      .rst,
      .clearing,
      .push_valid,
      .push_id   ({push_is_h2c, QID_BITS'(push_qid)}),
      .push_flags(1'b1),
      .pop_valid,
      .pop_ready (stop_valid & stop_ready),
      .pop_id,
      .pop_flags (unused_flag)
  );
  assign stop_valid  = (state_q == REST) & pop_valid;
  assign stop        = index_t'(pop_id[QID_BITS-1:0]);
  assign stop_is_h2c = pop_id[QID_BITS];

  always_ff @(posedge clk) begin
    if (push_valid || pop_valid || state_q != REST) busy <= 1'b1;
    else if (32'(quiet_q) == BUSY_CYCLES) busy <= 1'b0;
    quiet_q <= push_valid | pop_valid | (state_q != REST) ? '0 : quiet_q + 1'b1;
    case (state_q)
      REST: if (stop_valid && stop_ready) state_q <= STOP;
      STOP: if (stop_done) state_q <= STATUS;
      STATUS: begin
        beats_q <= '0;
        if (status_is_idle) state_q <= POSTED;
      end
      default: begin
        if (posted_moves) beats_q <= beats_q + 1'b1;
        if (posted_is_idle || 32'(beats_q) == ARBITER_BEATS) state_q <= REST;
      end
    endcase
    if (rst) begin
      state_q <= REST;
      busy    <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  says_so :
  assert property (@(posedge clk) disable iff (rst) pop_valid |-> busy)
  else $error("qdma_stop_queue: a queue waits for its stop, and the command is not busy");
`endif

  logic unused;
  assign unused = &{1'b0, push_qid, unused_flag};
endmodule
