// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Two channels into one, fair: if both have something, they take turns.
//
// Latency: none, combinational.
//
// Interface: valid and ready.  What is shown stays until it is accepted.
module qdma_merge #(
    parameter int WIDTH = 1
) (
    input logic clk,
    input logic rst,

    input  logic [1:0]            s_valid,
    output logic [1:0]            s_ready,
    input  logic [1:0][WIDTH-1:0] s_data,

    output logic             m_valid,
    input  logic             m_ready,
    output logic [WIDTH-1:0] m_data
);
  logic is_second_q, is_second, held_q;  // held: of the cycle before, not accepted
  assign is_second = held_q ? is_second_q : ~s_valid[0] | (s_valid[1] & ~is_second_q);
  assign m_valid   = s_valid[is_second];
  assign m_data    = s_data[is_second];
  assign s_ready   = {is_second, ~is_second} & {2{m_ready}};

  always_ff @(posedge clk) begin
    held_q <= m_valid & ~m_ready;
    if (m_valid) is_second_q <= is_second;
    if (rst) begin
      held_q      <= 1'b0;
      is_second_q <= 1'b0;
    end
  end
endmodule
