// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of cdc_reset, for any two clocks and resets on either side at any time.  Steps, edges and metastability are those
// of async_fifo_order.
//   - a side that was reset is in reset until both sides have been at once
//   - a_both is reported only where both are in reset, and they are past the next edge of a
//   - once it has been reported, both stay in reset as long as the reset of either side lasts
//   - b leaves first: as long as b has not left, a is in reset wherever b is on account of a round
//   - nothing hangs: the two bits of the handshake move on by a stage with each edge of the clock whose turn it is, unless
//     that side's reset holds them; no round begins but for a reset since the last one began; at its end both sides run
module cdc_reset_both #(
    parameter bit INVARIANTS = 1'b1,
    parameter int STAGES = 2
) (
    input logic a_clk,  // there is an edge in this step
    input logic a_rst,
    input logic b_clk,
    input logic b_rst
);
  logic a_reset, a_reset_next, a_both, b_reset, b_reset_next;
  cdc_reset #(.STAGES(STAGES)) dut (.*);

  logic every_step;
  assign every_step = 1'b1;

  // The handshake is a ring: each bit follows the one before it, the first one inverts the last one.
  localparam int RING = 2 * (STAGES + 1);
  logic [RING-1:0] ring, steps;
  logic [STAGES-1:0] asked;
  always_comb begin
    ring[0] = dut.order_q;
    ring[1] = dut.to_b.first_q;
    ring[STAGES+1] = dut.done_q;
    ring[STAGES+2] = dut.to_a.first_q[0];
    asked[0] = dut.to_a.first_q[1];
    for (int i = 1; i < STAGES; i++) begin
      ring[i+1] = dut.to_b.stage_q[i];
      ring[i+STAGES+2] = dut.to_a.stage_q[i][0];
      asked[i] = dut.to_a.stage_q[i][1];
    end
    steps = {1'b0, ring[RING-1:1] ^ ring[RING-2:0]};
  end

  // --- What has been
  logic a_pending_q, b_pending_q;  // both sides have yet to be in reset
  logic a_pulse_q, b_pulse_q;  // the last edge had a reset
  logic a_holds_q, b_holds_q;  // and so had all since both were reported to be in reset
  logic pulsed_q;  // a reset since the last round began
  logic a_both_q, a_next_q, b_next_q, a_edge_q, b_edge_q;
  logic [RING-1:0] ring_q;
  logic a_waited_q, b_waited_q;  // an edge without a reset since the ring last moved
  logic [2:0] asking_q;  // edges of a since b asked, with no round
  initial begin
    {a_pending_q, b_pending_q, pulsed_q} = 3'b110;
    {a_pulse_q, b_pulse_q, a_holds_q, b_holds_q} = '0;
    {a_both_q, a_edge_q, b_edge_q, a_waited_q, b_waited_q} = '0;
    {a_next_q, b_next_q} = 2'b11;
    ring_q = RING'(1);
    asking_q = '0;
  end
  always_ff @(posedge every_step) begin
    a_pending_q <= (a_clk & a_rst) | (a_pending_q & ~(a_reset & b_reset));
    b_pending_q <= (b_clk & b_rst) | (b_pending_q & ~(a_reset & b_reset));
    if (a_clk) a_pulse_q <= a_rst;
    if (b_clk) b_pulse_q <= b_rst;
    a_holds_q <= (a_clk ? a_rst : a_pulse_q) & (a_both | a_holds_q);
    b_holds_q <= (b_clk ? b_rst : b_pulse_q) & (a_both | b_holds_q);
    if (ring[0] && !ring_q[0]) pulsed_q <= 1'b0;
    if ((a_clk && a_rst) || (b_clk && b_rst)) pulsed_q <= 1'b1;
    a_both_q   <= a_both;
    a_edge_q   <= a_clk;
    b_edge_q   <= b_clk;
    a_next_q   <= a_reset_next;
    b_next_q   <= b_reset_next;
    ring_q     <= ring;
    a_waited_q <= (a_clk & ~a_rst) | (a_waited_q & (ring == ring_q));
    b_waited_q <= (b_clk & ~b_rst) | (b_waited_q & (ring == ring_q));
    if (ring != '0 || !dut.asked_q) asking_q <= '0;
    else if (a_clk && asking_q != '1) asking_q <= asking_q + 3'd1;
  end

  always_comb begin
    // --- The claim
    if (a_pending_q) assert (a_reset);
    if (b_pending_q) assert (b_reset);
    if (a_both || a_both_q) assert (a_reset && b_reset);
    if (a_holds_q || b_holds_q) assert (a_reset && b_reset);
    if (b_reset && !dut.asked_q) assert (a_reset);
    if (a_edge_q) assert (a_reset == a_next_q);
    if (b_edge_q) assert (b_reset == b_next_q);
    if (ring == ring_q && ring[0] != ring[STAGES+1]) assert (!b_waited_q);
    if (ring == ring_q && ring[0] == ring[STAGES+1] && ring != '0) assert (!a_waited_q);
    assert (asking_q <= 3'(STAGES) || ring[0]);
    if (ring[0] && !ring_q[0]) assert (pulsed_q);
    if (ring == '0 && ring_q == '0 && a_waited_q && !dut.asked_q && asked == '0 && !a_pending_q && !b_pending_q)
      assert (!a_reset && !b_reset);

    if (INVARIANTS) begin
      assert ((steps & (steps - RING'(1))) == '0);
      assert (b_reset == (dut.asked_q | dut.done_q));
      assert (!(dut.asked_q & dut.done_q));
      if (!a_reset) assert (ring == '0 && !dut.again_q);
      if (a_pending_q) assert (dut.order_q || dut.again_q);
      for (int i = 0; i < STAGES; i++) if (asking_q > 3'(i)) assert (asked[i] && dut.asked_q);
      if (a_holds_q) assert (a_pulse_q && dut.order_q);
      if (b_holds_q) assert (b_pulse_q && dut.done_q);
      if (dut.again_q) assert (pulsed_q && !dut.order_q);
      if (dut.asked_q && !pulsed_q) assert (dut.order_q && !dut.done_q);
      for (int i = 0; i < STAGES; i++)
      if (asked[i] && !pulsed_q) assert (dut.order_q && (i == STAGES - 1 || !ring[STAGES+3+i]));
    end
  end
endmodule
