// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Resets two clock domains together: a pulse on a_rst or b_rst, of one cycle or more and at any time, puts both sides
// into reset, and for some time both are in it before either leaves.  Any two clocks.  While a pulse lasts, both stay.
// b always leaves first, and a only when it has seen that b has left.  After configuration both sides begin in reset.
//
// Latency: x_reset rises after the edge that samples x_rst; at rest the other side's rises STAGES + 1 of its edges later.
// After the end of the pulse both run again when each has had 2 (STAGES + 1) edges more, in turns; after a pulse in the
// midst of a reset, twice that.
// A side whose clock stands still keeps both in reset.
//
// A four-phase handshake, always begun by a: `order` and `done` go round 00, 10, 11, 01, and each side changes its own
// bit only when it has seen the other's last change.  So no pulse of the one is too short for the other.
//
//   order done
//     0    0    both run
//     1    0    a is in reset, b is asked to be
//     1    1    both are in reset; this is where a_both is seen
//     0    1    a asks b to leave
//     0    0    b has left, so a leaves
module cdc_reset #(
    parameter int STAGES = 2
) (
    input logic a_clk,
    input logic a_rst,
    output logic a_reset = 1'b1,
    output logic a_reset_next,  // combinational: what a_reset is after the next edge
    output logic a_both,  // for a cycle or more of each reset: both sides are in it, and stay past the next edge

    input logic b_clk,
    input logic b_rst,
    output logic b_reset = 1'b1,
    output logic b_reset_next  // combinational: what b_reset is after the next edge
);
  logic
      order_q = 1'b1,
      done_q = 1'b0,
      asked_q = 1'b1;  // these cross; asked: b_rst came outside a round, so a must begin one

  // --- a
  logic again_q = 1'b0;  // a_rst came too late for this round
  logic order_d, wanted, done_seen, asked_seen;

  assign wanted       = a_rst | again_q | asked_seen;
  assign order_d      = order_q ? (a_rst | ~done_seen) : (wanted & ~done_seen);
  assign a_reset_next = order_q | wanted | (a_reset & done_seen);
  assign a_both       = order_q & done_seen;

  always_ff @(posedge a_clk) begin
    order_q <= order_d;
    again_q <= (a_rst | again_q) & ~order_d;
    a_reset <= a_reset_next;
  end

  // --- b
  logic done_d, order_seen;

  assign done_d       = order_seen | (done_q & b_rst);
  assign b_reset_next = order_seen | b_rst | asked_q;

  always_ff @(posedge b_clk) begin
    done_q  <= done_d;
    asked_q <= (b_rst | asked_q) & ~done_d;
    b_reset <= b_reset_next;
  end

  // --- Crossings
  cdc_bits #(
      .WIDTH (2),
      .STAGES(STAGES)
  ) to_a (
      .clk(a_clk),
      .rst(1'b0),
      .d  ({asked_q, done_q}),
      .q  ({asked_seen, done_seen})
  );
  cdc_bits #(
      .STAGES(STAGES)
  ) to_b (
      .clk(b_clk),
      .rst(1'b0),
      .d  (order_q),
      .q  (order_seen)
  );
endmodule
