// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of cdc_handshake, for any two clocks, any words, and resets on either side at any time.  Steps, edges and
// metastability are those of async_fifo_order.
//   - each word that was taken shows once, whole: for one period of m_clk, STAGES + 1 edges of m_clk after it was taken if
//     its bit was captured as it became; it is missed only if m_rst was high at an edge since
//   - m_data changes with m_valid only, or in m_rst
//   - nothing else shows, and no word is taken while one is on its way, or during s_rst
//   - nothing hangs: while a word or its answer is on its way, each edge of the clock whose turn it is moves it by a stage
module cdc_handshake_once #(
    parameter bit INVARIANTS = 1'b1,
    parameter int WIDTH = 2,
    parameter int STAGES = 2
) (
    input logic             s_clk,    // there is an edge in this step
    input logic             s_rst,
    input logic [WIDTH-1:0] s_data,
    input logic             s_valid,
    input logic             m_clk,
    input logic             m_rst
);
  logic s_ready, m_valid;
  logic [WIDTH-1:0] m_data;
  cdc_handshake #(
      .WIDTH (WIDTH),
      .STAGES(STAGES)
  ) dut (
      .*
  );

  logic every_step;
  assign every_step = 1'b1;

  // --- Reference: the word on its way
  logic waiting_q, excused_q;
  logic [WIDTH-1:0] word_q;
  logic [3:0] edges_q;  // of m_clk since
  logic put, take;
  assign put  = s_clk & s_valid & s_ready & ~s_rst;
  assign take = m_clk & m_valid;
  initial {waiting_q, excused_q, edges_q} = '0;
  always_ff @(posedge every_step) begin
    if (take) waiting_q <= 1'b0;
    if (m_clk && m_rst) excused_q <= 1'b1;
    if (m_clk && edges_q != '1) edges_q <= edges_q + 4'd1;
    if (put) begin
      waiting_q <= 1'b1;
      excused_q <= 1'b0;
      word_q    <= s_data;
      edges_q   <= '0;
    end
  end

  // --- The handshake is a ring: each bit follows the one before it, the first one inverts the last one
  localparam int RING = 2 * (STAGES + 1);
  logic [RING-1:0] ring, steps, ring_q;
  logic s_waited_q, m_waited_q;  // an edge since the ring last moved
  logic m_rst_q;  // m_data may have changed in a reset
  logic [WIDTH-1:0] m_data_q;
  always_comb begin
    ring[0] = dut.req_q;
    ring[1] = dut.to_m.first_q;
    ring[STAGES+1] = dut.ack_q;
    ring[STAGES+2] = dut.to_s.first_q;
    for (int i = 1; i < STAGES; i++) begin
      ring[i+1] = dut.to_m.stage_q[i];
      ring[i+STAGES+2] = dut.to_s.stage_q[i];
    end
    steps = {1'b0, ring[RING-1:1] ^ ring[RING-2:0]};
  end
  logic first_q;
  initial {ring_q, s_waited_q, m_waited_q} = '0;
  initial {first_q, m_rst_q} = '1;
  always_ff @(posedge every_step) begin
    ring_q     <= ring;
    s_waited_q <= s_clk | (s_waited_q & (ring == ring_q));
    m_waited_q <= m_clk | (m_waited_q & (ring == ring_q));
    m_data_q   <= m_data;
    m_rst_q    <= (m_clk & m_rst) | first_q;
    first_q    <= 1'b0;
  end

  always_comb begin
    // --- The claim
    if (m_valid) assert (waiting_q && m_data == word_q);
    if (!m_valid && !m_rst_q) assert (m_data == m_data_q);
    if (put) assert (!waiting_q || excused_q);
    if (edges_q > 4'(STAGES)) assert (!waiting_q || m_valid || excused_q);
    if (ring == ring_q && ring[0] != ring[STAGES+1]) assert (!m_waited_q);
    if (ring == ring_q && ring[0] == ring[STAGES+1] && ring != '0) assert (!s_waited_q);

    if (INVARIANTS) begin
      assert ((steps & (steps - RING'(1))) == '0);
      if (s_ready) assert (ring == '0);
      if (dut.req_q && !dut.ack_q) assert (waiting_q && dut.word == word_q);
      if (waiting_q && !excused_q) assert (m_valid || (dut.req_q && !dut.ack_q));
      if (m_valid) assert (ring[STAGES+1:1] == '1);
      if (m_valid && dut.to_m.captured_q) assert (!ring[STAGES+2]);
      for (int i = 1; i <= STAGES; i++) if (waiting_q && !excused_q && edges_q >= 4'(i)) assert (ring[i] || m_valid);
    end
  end
endmodule
