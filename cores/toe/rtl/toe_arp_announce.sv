// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Which interface is to announce its address (RFC 5227, 2.3): twice when it is enabled, at once and INTERVAL to
// 2 * INTERVAL ticks later.
module toe_arp_announce
  import toe_pkg::*;
#(
    parameter int INTERFACES = 1,
    parameter int INTERVAL   = 1000  // ticks
) (
    input logic clk,
    input logic rst,

    input logic                  tick,
    input logic [INTERFACES-1:0] enable,

    output logic      valid,
    input  logic      ready,
    output iface_id_t iface
);
  localparam int BITS = $clog2(INTERVAL + 1);
  logic [INTERFACES-1:0]
      enable_q, due_q, second_q, wait_q;  // second_q: that one is still to come; wait_q: not in this interval
  logic [BITS-1:0] timer_q;
  logic interval;
  assign interval = tick & (timer_q == 0);
  always_comb begin
    iface = '0;
    for (int i = INTERFACES - 1; i >= 0; i--) if (due_q[i]) iface = iface_id_t'(i);
  end
  assign valid = due_q != 0;

  always_ff @(posedge clk) begin
    enable_q <= enable;
    if (tick) timer_q <= interval ? BITS'(INTERVAL - 1) : timer_q - 1'b1;
    for (int i = 0; i < INTERFACES; i++) begin
      if (valid && ready && iface == iface_id_t'(i)) due_q[i] <= 1'b0;
      if (interval) begin
        wait_q[i] <= 1'b0;
        if (second_q[i] && !wait_q[i]) {due_q[i], second_q[i]} <= 2'b10;
      end
      if (enable[i] && !enable_q[i]) {due_q[i], second_q[i], wait_q[i]} <= 3'b111;
      if (!enable[i]) {due_q[i], second_q[i]} <= 2'b00;
    end
    if (rst) begin
      enable_q <= '0;
      due_q    <= '0;
      second_q <= '0;
      timer_q  <= '0;
    end
  end
endmodule
