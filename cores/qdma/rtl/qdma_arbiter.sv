// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Round-robin arbiter: one grant a cycle, no port starves.
//
// Latency: none, grant is combinational.
//
// Interface: grant is one of the bits of request, or none while enable is low.  A request is held until it is granted.
// choice is what enable, which may come late, lets through: for what is selected of the port.
//
// Operation: the port after the one granted last has the highest priority.  So a request waits for at most PORTS - 1
// grants to others.  formal/context_ram_order.sv proves the bound.
module qdma_arbiter #(
    parameter int PORTS = 3
) (
    input logic clk,
    input logic rst,

    input  logic             enable,
    input  logic [PORTS-1:0] request,
    output logic [PORTS-1:0] choice,
    output logic [PORTS-1:0] grant
);
  logic [PORTS-1:0] after_q;  // the ports after the one granted last, up to the highest
  logic [PORTS-1:0] first, low, high, after;
  assign high  = request & after_q;
  assign low   = request & ~after_q;
  assign first = |high ? high : low;
  assign grant = enable ? choice : '0;
  // Bit by bit: of a sum a mapper makes a carry chain.
  always_comb begin
    for (int i = 0; i < PORTS; i++) begin
      choice[i] = first[i];
      after[i]  = 1'b0;
      for (int j = 0; j < i; j++) begin
        if (first[j]) choice[i] = 1'b0;
        if (first[j]) after[i] = 1'b1;
      end
    end
  end

  always_ff @(posedge clk) begin
    if (enable && |request) after_q <= after;
    if (rst) after_q <= '0;
  end
endmodule
