// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Two channels of posted writes into one, by TLP: if both have one, they take turns.
//
// Latency: none, combinational.
//
// Interface: valid and ready by beat.  What is shown stays until it is accepted; the beats of a TLP follow each other.
module qdma_merge_tlps
  import qdma_write_pkg::*;
(
    input logic clk,
    input logic rst,

    input  logic        [1:0] s_valid,
    output logic        [1:0] s_ready,
    input  write_beat_t [1:0] s_data,

    output logic        m_valid,
    input  logic        m_ready,
    output write_beat_t m_data
);
  logic is_second_q, is_second, held_q;  // held: a TLP is shown, or has begun
  assign is_second = held_q ? is_second_q : ~s_valid[0] | (s_valid[1] & ~is_second_q);
  assign m_valid   = s_valid[is_second];
  assign m_data    = s_data[is_second];
  assign s_ready   = {is_second, ~is_second} & {2{m_ready}};

  always_ff @(posedge clk) begin
    if (m_valid) begin
      held_q      <= ~(m_ready & m_data.last);
      is_second_q <= is_second;
    end
    if (rst) begin
      held_q      <= 1'b0;
      is_second_q <= 1'b0;
    end
  end
endmodule
