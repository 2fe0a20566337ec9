// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// axis_register as its readers' proofs may see it: a wire. That the register keeps order and content has a proof of its own,
// axis_register_order.
module axis_register #(
    parameter int WIDTH = 32
) (
    input logic clk,
    input logic rst,

    input  logic [WIDTH-1:0] s_data,
    input  logic             s_valid,
    output logic             s_ready,

    output logic [WIDTH-1:0] m_data,
    output logic             m_valid,
    input  logic             m_ready
);
  assign m_data  = s_data;
  assign m_valid = s_valid;
  assign s_ready = m_ready;

  logic unused;
  assign unused = &{1'b0, clk, rst};
endmodule
