// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What cdc_handshake_once proves of cdc_handshake, and no more, for proofs of what uses it: each word that is taken shows
// once, whole, at some later edge of m_clk, and m_data holds it until the next one; none is taken before.  How long it
// takes, and when s_ready rises again, is free.  Without resets of the handshake.
module cdc_handshake #(
    parameter int WIDTH  = 1,
    parameter int STAGES = 2
) (
    input  logic             s_clk,
    input  logic             s_rst,
    input  logic [WIDTH-1:0] s_data,
    input  logic             s_valid,
    output logic             s_ready,

    input  logic             m_clk,
    input  logic             m_rst,
    output logic [WIDTH-1:0] m_data,
    output logic             m_valid
);
  logic every_step;
  assign every_step = 1'b1;

  logic now, again;  // undriven: free in each step
  logic full_q;
  logic [WIDTH-1:0] word_q;
  logic take, show;
  assign take = s_clk & s_valid & s_ready;
  assign show = m_clk & full_q & now;

  initial {full_q, s_ready, m_valid} = '0;
  always_ff @(posedge every_step) begin
    full_q <= take | (full_q & ~show);
    if (take) word_q <= s_data;
    if (s_clk) s_ready <= ~take & ~full_q & (s_ready | again);
    if (m_clk) m_valid <= show;
    if (show) m_data <= word_q;
  end
endmodule
