// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of toe_rx_ones, with lanes of WIDTH bits (few, because more take the solver too long): good if
// and only if the sum of all operands since the last load is 0 modulo all ones, and not all of them were 0; for operands in
// any number and with pauses.
module rx_ones_sum #(
    parameter int WIDTH = 3,
    parameter bit INVARIANTS = 1'b1
) (
    input logic clk,
    input logic load,
    input logic add,
    input logic [WIDTH-1:0] lo,
    input logic [WIDTH-1:0] hi
);
  logic good;
  toe_rx_ones #(.WIDTH(WIDTH)) dut (.*);

  localparam int ONES = (1 << WIDTH) - 1;
  function automatic logic [WIDTH-1:0] modulo(input logic [WIDTH+1:0] sum);
    // At most three times all ones
    logic [WIDTH+1:0] rest;
    rest = sum;
    for (int i = 0; i < 3; i++) if (rest >= (WIDTH + 2)'(ONES)) rest -= (WIDTH + 2)'(ONES);
    return rest[WIDTH-1:0];
  endfunction

  logic began_q = 1'b0, loaded_q = 1'b0, some_q;
  logic [WIDTH-1:0] sum_q;
  always_ff @(posedge clk) begin
    began_q <= 1'b1;
    if (load) begin
      loaded_q <= 1'b1;
      some_q   <= |{hi, lo};
      sum_q    <= modulo((WIDTH + 2)'(lo) + (WIDTH + 2)'(hi));
    end else if (add) begin
      some_q <= some_q | (|{hi, lo});
      sum_q  <= modulo((WIDTH + 2)'(sum_q) + (WIDTH + 2)'(lo) + (WIDTH + 2)'(hi));
    end
  end

  logic [WIDTH+1:0] lanes;
  assign lanes = (WIDTH + 2)'(dut.lo_q) - (WIDTH + 2)'(dut.lo_q[WIDTH] ? ONES : 0) +
                 (WIDTH + 2)'(dut.hi_q) - (WIDTH + 2)'(dut.hi_q[WIDTH] ? ONES : 0);
  always_comb begin
    if (began_q && loaded_q) begin
      assert (good == (sum_q == 0 && some_q));
      if (INVARIANTS) begin
        assert (sum_q == modulo(lanes));
        assert (some_q == (lanes != 0));
      end
    end
  end
endmodule
