// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Joins the verdict on a frame, which comes LATENCY cycles after its last word, to that word.
// Latency: none for words before the last one (combinational, one LUT), LATENCY cycles for the last one.  Words of a
// following frame that come meanwhile are queued after it; they catch up by a cycle at each cycle without a word.
// `out_status` means something only with out.valid & out.last.
//
// A queue of LATENCY words is enough whatever comes: a word that comes at time a leaves at time a + LATENCY at the
// latest.  It leaves as soon as the one before has left and, if it is a last one, its verdict is there; the one before
// came at a - 1 or sooner, so it left at a - 1 + LATENCY or sooner.  For the same reason a last word leaves exactly
// when its verdict comes, so verdicts need no queue.
module macpcs_rx_join
  import macpcs_pkg::*;
#(
    parameter int LATENCY = 1
) (
    input logic clk,
    input logic rst,

    input beat_t     in,
    input logic      in_status_valid,
    input rx_error_t in_status,

    output beat_t     out,
    output rx_error_t out_status
);
  assign out_status = in_status;

  if (LATENCY < 0 || LATENCY > 6) begin : gen_refused
    $error("macpcs_rx_join: LATENCY must be 0 to 6");
  end

  if (LATENCY == 0) begin : gen_through
    assign out = in;
    logic unused;
    assign unused = &{clk, rst, in_status_valid};
  end else begin : gen_queue
    beat_t [LATENCY-1:0] queue_q;  // [0] leaves first
    beat_t [  LATENCY:0] queue;  // with an empty place after
    assign queue = {beat_t'('0), queue_q};
    logic waiting, leaves;
    assign waiting = queue_q[0].valid;
    assign leaves  = waiting & (~queue_q[0].last | in_status_valid);
    always_comb begin
      out       = waiting ? queue_q[0] : in;
      out.valid = waiting ? leaves : in.valid & ~in.last;
    end

    beat_t [LATENCY-1:0] stays;
    logic  [LATENCY-1:0] place;  // where a new word goes, one-hot
    always_comb begin
      for (int i = 0; i < LATENCY; i++) begin
        stays[i] = leaves ? queue[i+1] : queue[i];
        place[i] = ~stays[i].valid;
        if (i > 0) place[i] = ~stays[i].valid & stays[i-1].valid;
      end
    end
    always_ff @(posedge clk) begin
      for (int i = 0; i < LATENCY; i++) begin
        queue_q[i] <= place[i] ? in : stays[i];
        if (place[i]) queue_q[i].valid <= in.valid & (waiting | in.last);
        if (rst) queue_q[i].valid <= 1'b0;
      end
    end
  end
endmodule
