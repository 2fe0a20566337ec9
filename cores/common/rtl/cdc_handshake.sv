// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Carries a word of WIDTH bits from the clock of s to the clock of m, again and again: each accepted word comes out once,
// whole, and in order.  Any two clocks.
//
// Latency: a word taken at an edge of s_clk is on m_data, with a pulse of m_valid, after the (STAGES + 1)-th edge of m_clk
// that follows (one edge later where the word falls into the setup window).  m_data holds it until the next pulse.
// The next word can be taken after 2 (STAGES + 1) edges of m_clk and as many of s_clk, in turns.  s_ready is a register.
//
// Resets may come on either side at any time, and cannot hang the handshake, which is not reset at all:
//   s_rst  nothing is taken; a word that was taken before still arrives
//   m_rst  a word that arrives now is dropped; m_valid stays low
// A four-phase handshake: req rises with a word, ack follows it up, req falls, ack follows it down.
//
// Constraint: from word_source to m_data a maximum delay of STAGES periods of m_clk; the two bits as in cdc_bits.
module cdc_handshake #(
    parameter int WIDTH  = 1,
    parameter int STAGES = 2
) (
    input  logic             s_clk,
    input  logic             s_rst,
    input  logic [WIDTH-1:0] s_data,
    input  logic             s_valid,
    output logic             s_ready = 1'b0,

    input  logic             m_clk,
    input  logic             m_rst,
    output logic [WIDTH-1:0] m_data,
    output logic             m_valid = 1'b0
);
  logic req_q = 1'b0, ack_q = 1'b0;  // these cross

  // --- s
  logic [WIDTH-1:0] word;
  logic take, ack_seen;

  assign take = s_valid & s_ready & ~s_rst;

  always_ff @(posedge s_clk) begin
    req_q   <= take | (req_q & ~ack_seen);
    s_ready <= ~(take | req_q | ack_seen | s_rst);
  end

  cdc_source #(
      .WIDTH(WIDTH)
  ) word_source (
      .clk(s_clk),
      .rst(1'b0),
      .en (take),
      .d  (s_data),
      .q  (word)
  );

  // --- m
  logic req_seen;

  always_ff @(posedge m_clk) begin
    ack_q <= req_seen;
    if (req_seen && !ack_q) m_data <= word;
    m_valid <= req_seen & ~ack_q & ~m_rst;
  end

  // --- Crossings
  cdc_bits #(
      .STAGES(STAGES)
  ) to_m (
      .clk(m_clk),
      .rst(1'b0),
      .d  (req_q),
      .q  (req_seen)
  );
  cdc_bits #(
      .STAGES(STAGES)
  ) to_s (
      .clk(s_clk),
      .rst(1'b0),
      .d  (ack_q),
      .q  (ack_seen)
  );
endmodule
