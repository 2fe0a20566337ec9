// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Keeps the completions that are under way within what the PCIe block can hold of them: an endpoint must advertise
// infinite completion credits, so it must not ask for more than it has place for.
//
// Latency: ok follows a take or a give in the next cycle.
//
// Interface: a credit is a line: a header and 64 bytes, the most that a completion cut at an RCB of 64 takes.  `limit` is
// the lesser of the block's headers and its bytes / 64.  ok says that a chunk of any size fits.
//
// Limits: a limit below MAX_CHUNK_LINES lets nothing pass.
//
// formal/credit_limit.sv proves: never more than `limit`, and all come back.
module qdma_read_credit
  import qdma_read_pkg::*;
#(
    parameter int BITS = 10
) (
    input logic clk,
    input logic rst,

    input logic [BITS-1:0] limit,  // may change only while nothing is under way

    output logic         ok,
    input  logic         take,
    input  chunk_lines_t take_lines,
    input  logic         give,
    input  chunk_lines_t give_lines
);
  logic [BITS-1:0] used_q, used;
  assign used = used_q + (take ? BITS'(take_lines) : '0) - (give ? BITS'(give_lines) : '0);

  always_ff @(posedge clk) begin
    used_q <= used;
    ok     <= {1'b0, used} + (BITS + 1)'(MAX_CHUNK_LINES) <= {1'b0, limit};
    if (rst) begin
      used_q <= '0;
      ok     <= 1'b0;
    end
  end
endmodule
