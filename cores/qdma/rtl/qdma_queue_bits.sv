// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A bit for each queue, in distributed RAM.
//
// Latency: none, value is combinational from qid; a bit that is written is read in the next cycle.
//
// Operation: the write is a register later, and forwarded: so the RAM has a port that writes and one that reads, where
// one address for both would be a single-port RAM, which not every mapper has in this depth.
//
// Limits: there is no reset.  Who reads a bit must have written it.
module qdma_queue_bits #(
    parameter int QUEUES = 2048
) (
    input logic clk,

    input  logic [$clog2(QUEUES)-1:0] qid,
    output logic                      value,
    input  logic                      write,
    input  logic [$clog2(QUEUES)-1:0] write_qid,
    input  logic                      next
);
  logic bits[QUEUES];
  logic write_q, next_q;
  logic [$clog2(QUEUES)-1:0] qid_q;
  assign value = write_q && qid_q == qid ? next_q : bits[qid];

  always_ff @(posedge clk) begin
    write_q <= write;
    next_q  <= next;
    qid_q   <= write_qid;
    if (write_q) bits[qid_q] <= next_q;
  end
endmodule
