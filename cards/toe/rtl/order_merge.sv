// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Commands of the applications and of a host program to toe, one at a time, in the order of each side.
// Latency: a cycle.  A command in two cycles at most: m_ready comes late, and so it leads no further than to m_valid.
//
// Where both sides have one, the side that did not go last is next.  So neither waits for more than one of the other's.
// What a command means is ignored: toe reports an impossible one to its sender (EV_BAD_COMMAND).
module order_merge
  import toe_pkg::*;
(
    input logic clk,
    input logic rst,

    input  logic   app_valid,
    output logic   app_ready,
    input  order_t app_order,

    input  logic   host_valid,
    output logic   host_ready,
    input  order_t host_order,

    output logic   m_valid,
    input  logic   m_ready,
    output order_t m_order
);
  logic take, host, host_next_q;
  assign take       = ~m_valid;
  assign host       = host_valid & (~app_valid | host_next_q);
  assign host_ready = take & host;
  assign app_ready  = take & ~host;
  always_ff @(posedge clk) begin
    if (take) begin
      m_valid <= app_valid | host_valid;
      m_order <= host ? host_order : app_order;
      if (app_valid || host_valid) host_next_q <= ~host;
    end else if (m_ready) begin
      m_valid <= 1'b0;
    end
    if (rst) {m_valid, host_next_q} <= 2'b00;
  end
endmodule
