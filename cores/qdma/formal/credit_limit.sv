// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_read_credit, for any limit, chunks of any size, and resets at any time.
//   - lines under way are never more than `limit`
//   - ok is high if and only if a chunk of any size fits: all credits come back
// Assumes: a take only with ok, a give only of what is under way, and a limit that changes only while nothing is.
module credit_limit
  import qdma_read_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1,
    parameter int BITS = 6
) (
    input logic                    clk,         // there is an edge in this step
    input logic                    rst,
    input logic         [BITS-1:0] limit,
    input logic                    take,
    input chunk_lines_t            take_lines,
    input logic                    give,
    input chunk_lines_t            give_lines
);
  logic ok;
  qdma_read_credit #(.BITS(BITS)) dut (.*);

  logic [BITS+3:0] under_way_q;  // cannot wrap
  logic [BITS-1:0] limit_q;
  logic reset_q, first_q;
  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q     <= 1'b1;
    first_q     <= 1'b0;
    limit_q     <= limit;
    under_way_q <= under_way_q + (take ? (BITS + 4)'(take_lines) : '0) - (give ? (BITS + 4)'(give_lines) : '0);
    if (rst) begin
      under_way_q <= '0;
      first_q     <= 1'b1;
    end
  end

  always_comb begin
    if (!reset_q) assume (rst);
    if (reset_q) begin
      assume (limit == limit_q);
      assume (!take || (ok && take_lines != '0 && take_lines <= chunk_lines_t'(MAX_CHUNK_LINES)));
      assume (!give || (BITS + 4)'(give_lines) <= under_way_q);

      // --- The claim
      assert (under_way_q <= (BITS + 4)'(limit));
      if (!first_q) assert (ok == (under_way_q + (BITS + 4)'(MAX_CHUNK_LINES) <= (BITS + 4)'(limit)));

      if (INVARIANTS) begin
        assert ((BITS + 4)'(dut.used_q) == under_way_q);
        if (first_q) assert (!ok && under_way_q == '0);
      end
    end
  end
endmodule
