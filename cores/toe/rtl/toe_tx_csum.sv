// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Checksums of a frame: two operands with each word that leaves, so that each is there when its word is loaded.
// The payload's sum comes in three parts, behind two carry-save stages, in the cycle in which it is needed.
//
//   step with index   0     1     2               3                4     5       6
//   TCP, adds         SIP   DIP   ports           SEQ              ACK   flags,  length,
//                                                                        window  protocol
//   IP, adds                      SIP, DIP, 5-7   total
//
// Latency: `step` with `index` = word that leaves.  ip is valid from index 4 on, tcp from index 7 on.
module toe_tx_csum
  import toe_pkg::*;
  import toe_tx_pkg::*;
  import ones_pkg::*;
(
    input logic clk,

    input logic          step,
    input logic   [ 3:0] index,
    // verilator lint_off UNUSEDSIGNAL
    input iface_t        iface,
    input tuple_t        tuple,
    // verilator lint_on UNUSEDSIGNAL
    input logic   [15:0] total,   // from index 3 on
    input logic   [31:0] seq,
    input logic   [31:0] ack,
    input logic   [ 3:0] offset,
    input logic   [ 7:0] flags,
    input logic   [15:0] window,

    input logic [15:0] sum_a,  // of the payload or options, as sent
    input logic [15:0] sum_b,
    input logic [15:0] sum_c,

    output logic [15:0] ip,
    output logic [15:0] tcp  // as sent
);
  localparam logic [15:0] IP_FIXED = 16'hc506;  // 0x4500, 0x4000, 0x4006
  logic [15:0] sum_q, ip_q, a, b;
  always_comb begin
    case (index[2:0])
      3'd0: {a, b} = iface.ip;
      3'd1: {a, b} = tuple.peer_ip;
      3'd2: {a, b} = {tuple.local_port, tuple.peer_port};
      3'd3: {a, b} = seq;
      3'd4: {a, b} = ack;
      3'd5: {a, b} = {offset, 4'h0, flags, window};
      default: {a, b} = {total - 16'd20, 16'd6};
    endcase
  end
  always_ff @(posedge clk) begin
    if (step && index < 4'd7) begin
      sum_q <= ones_add3(index == 0 ? 16'h0 : sum_q, a, b);
      if (index == 4'd2) ip_q <= ones_add(sum_q, IP_FIXED);
      if (index == 4'd3) ip_q <= ones_add(ip_q, total);
    end
  end
  assign ip = ~ip_q;

  logic [1:0][15:0] first, second;
  assign first  = ones_csa(swap16(sum_q), sum_a, sum_b);
  assign second = ones_csa(first[0], first[1], sum_c);
  assign tcp    = ~ones_add(second[0], second[1]);
endmodule
