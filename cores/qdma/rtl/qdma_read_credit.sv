// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Keeps the completions that are under way within what the PCIe block can hold of them: an endpoint must advertise
// infinite completion credits, so it must not ask for more than it has place for.
//
// Latency: ok follows a take or a give in the next cycle.
//
// Interface: a credit is a line: a header and 64 bytes, the most that a completion cut at an RCB of 64 takes.  `limit` is
// the lesser of the block's headers and its bytes / 64.  ok says that a chunk of any size fits.  One taker takes in a cycle.
//
// Operation: what each taker would leave is worked out beside the choice of the taker, which comes late.
//
// Limits: a limit below MAX_CHUNK_LINES lets nothing pass.
//
// formal/credit_limit.sv proves: never more than `limit`, and all come back.
module qdma_read_credit
  import qdma_read_pkg::*;
#(
    parameter int BITS   = 10,
    parameter int TAKERS = 1
) (
    input logic clk,
    input logic rst,

    input logic [BITS-1:0] limit,  // may change only while nothing is under way

    output logic                      ok,
    input  logic         [TAKERS-1:0] take,        // one at most
    input  chunk_lines_t [TAKERS-1:0] take_lines,
    input  logic                      give,
    input  chunk_lines_t              give_lines
);
  typedef logic [BITS-1:0] lines_t;
  lines_t used_q, left;  // left: if nothing is taken
  lines_t [TAKERS-1:0] taken;
  assign left = used_q - (give ? BITS'(give_lines) : '0);

  function automatic logic fits(input lines_t taken_lines);
    return {1'b0, taken_lines} + (BITS + 1)'(MAX_CHUNK_LINES) <= {1'b0, limit};
  endfunction

  lines_t used;
  logic   has_room;
  always_comb begin
    used     = left;
    has_room = fits(left);
    for (int i = 0; i < TAKERS; i++) begin
      taken[i] = left + BITS'(take_lines[i]);
      if (take[i]) used = taken[i];
      if (take[i]) has_room = fits(taken[i]);
    end
  end

  always_ff @(posedge clk) begin
    used_q <= used;
    ok     <= has_room;
    if (rst) begin
      used_q <= '0;
      ok     <= 1'b0;
    end
  end
endmodule
