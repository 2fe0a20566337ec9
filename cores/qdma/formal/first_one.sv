// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_first, for any bits: what it finds is the lowest one, its index, and whether there is another.
module first_one #(
    parameter bit INVARIANTS = 1'b1,
    parameter int WIDTH = 32
) (
    input logic             clk,  // there is an edge in this step
    input logic [WIDTH-1:0] bits
);
  logic [WIDTH-1:0] first, lowest;
  logic [$clog2(WIDTH)-1:0] index, place;
  logic is_single;
  qdma_first #(.WIDTH(WIDTH)) dut (.*);

  assign lowest = bits & (~bits + 1'b1);
  always_comb begin
    place = '0;
    for (int i = WIDTH - 1; i >= 0; i--) if (bits[i]) place = ($clog2(WIDTH))'(i);
    assert (first == lowest && index == place && is_single == (bits == lowest));
  end

  logic unused, unused_q;
  always_ff @(posedge clk) unused_q <= INVARIANTS;
  assign unused = &{1'b0, unused_q};
endmodule
