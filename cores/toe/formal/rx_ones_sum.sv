// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of toe_rx_ones: good if and only if the one's complement sum of all operands since the last load is 16'hffff, for
// operands in any number and with pauses.  The sum beside it is made by ones_pkg, which has a proof of its own.
module rx_ones_sum
  import ones_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1
) (
    input logic clk,
    input logic load,
    input logic add,
    input logic [15:0] lo,
    input logic [15:0] hi
);
  logic good;
  toe_rx_ones dut (.*);

  logic began_q = 1'b0, loaded_q = 1'b0;
  logic [15:0] sum_q;
  always_ff @(posedge clk) begin
    began_q <= 1'b1;
    if (load) begin
      loaded_q <= 1'b1;
      sum_q    <= ones_add(lo, hi);
    end else if (add) sum_q <= ones_add3(sum_q, lo, hi);
  end

  logic [1:0] carries;
  assign carries = 2'(dut.lo_q[16]) + 2'(dut.hi_q[16]);
  always_comb begin
    if (began_q && loaded_q) begin
      assert (good == (sum_q == 16'hffff));
      if (INVARIANTS) begin
        assert (sum_q == ones_add3(dut.lo_q[15:0], dut.hi_q[15:0], 16'(carries)));
      end
    end
  end
endmodule
