// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The queue whose descriptors leave to the user now: up to the PIDX with which its turn began, without those of another queue
// between.
//
// Latency: is_other, is_own and own_pidx are of qid, combinational from registers.
//
// Interface: looks, sets and ends are for a cycle each, and are of qid.  sets: a batch up to pidx is read; ends, with it or
// alone: nothing is left up to there, or the queue cannot continue.
//
// Operation: the queue is active until its turn ends, so it looks again and again.  If it does not for PAUSE cycles, since a
// command has cleared its context meanwhile, the others need not wait for it.
module qdma_bypass_lock
  import qdma_context_pkg::*;
#(
    parameter int PAUSE_BITS = 16  // 1 << n cycles, longer than a read of the host
) (
    input logic clk,
    input logic rst,

    input index_t        qid,
    input logic          looks,
    input logic          sets,
    input logic   [15:0] pidx,
    input logic          ends,

    output logic          is_other,
    output logic          is_own,
    output index_t        own_qid,
    output logic   [15:0] own_pidx
);
  logic locked_q;
  logic [PAUSE_BITS-1:0] pause_q;
  assign is_own   = locked_q & (qid == own_qid);
  assign is_other = locked_q & (qid != own_qid);

  always_ff @(posedge clk) begin
    pause_q <= sets || (looks && is_own) ? '0 : pause_q + 1'b1;
    if (sets) begin
      locked_q <= ~ends;
      own_qid  <= qid;
      own_pidx <= pidx;
    end else if ((ends && is_own) || &pause_q) begin
      locked_q <= 1'b0;
    end
    if (rst) locked_q <= 1'b0;
  end
endmodule
