// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Register slice for a valid/ready stream: no combinational path between its two sides, full rate.
// Latency: 1 cycle.  Two registers deep, so that `ready` too comes from a register.
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
  // The spare register takes the word that arrives in the cycle in which the output stalls.
  logic [WIDTH-1:0] spare_q;
  logic spare_valid_q;

  assign s_ready = ~spare_valid_q;

  always_ff @(posedge clk) begin
    if (m_ready || !m_valid) begin
      m_data        <= spare_valid_q ? spare_q : s_data;
      m_valid       <= spare_valid_q | s_valid;
      spare_valid_q <= 1'b0;
    end else if (s_valid && s_ready) begin
      spare_valid_q <= 1'b1;
    end
    if (s_ready) spare_q <= s_data;
    if (rst) begin
      m_valid       <= 1'b0;
      spare_valid_q <= 1'b0;
    end
  end
endmodule
