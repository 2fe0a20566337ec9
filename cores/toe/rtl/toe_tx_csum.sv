// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Checksums of a frame: two operands with each word that leaves, added with the next, so that each is there when its word is
// loaded.
// The payload's sum comes in three parts, after two carry-save stages, in the cycle in which it is needed.
//
//   step with index   0     1     2               3                4     5       6
//   TCP, takes        SIP   DIP   ports           SEQ              ACK   flags,  length,
//                                                                        window  protocol
//   IP, adds                                      SIP, DIP, 5-7    total
//
//   timestamps   7      8
//   TCP, takes   TSval  TSecr
//
// Latency: `step` with `index` = word that leaves.  ip is valid from index 5 on, tcp from index 8 on, with timestamps from
// index 10 on.
module toe_tx_csum
  import toe_pkg::*;
  import toe_tx_pkg::*;
  import ones_pkg::*;
(
    input logic clk,

    input logic             step,
    input logic      [ 3:0] index,
    input iface_t           iface,
    input tuple_t           tuple,
    input settings_t        settings,  // TTL and DSCP
    input logic      [15:0] total,     // from index 3 on
    input logic      [31:0] seq,
    input logic      [31:0] ack,
    input logic      [ 3:0] offset,
    input logic      [ 7:0] flags,
    input logic      [15:0] window,
    input logic             stamped,
    input logic      [31:0] stamp,
    input logic      [31:0] echo,

    input logic [15:0] sum_a,  // of the payload or options, as sent
    input logic [15:0] sum_b,
    input logic [15:0] sum_c,

    output logic [15:0] ip,
    output logic [15:0] tcp  // as sent
);
  localparam logic [15:0] STAMPS = 16'h0101 + 16'h080a;  // what goes before TSval
  // What is the same in each frame: 0x4500 with DSCP, 0x4000, 0x0006 with TTL
  logic [15:0] fixed_q;
  always_ff @(posedge clk) fixed_q <= ones_add({8'h85, settings.dscp, 2'b00}, {settings.ttl, 8'h06});
  logic [15:0] sum_q, ip_q, a, b, a_q, b_q;
  always_comb begin
    case (index)
      4'd0: {a, b} = iface.ip;
      4'd1: {a, b} = tuple.peer_ip;
      4'd2: {a, b} = {tuple.local_port, tuple.peer_port};
      4'd3: {a, b} = seq;
      4'd4: {a, b} = ack;
      4'd5: {a, b} = {offset, 4'h0, flags, window};
      4'd7: {a, b} = stamp;
      4'd8: {a, b} = echo;
      default: {a, b} = {total - 16'd20, 16'd6 + (stamped ? STAMPS : 16'h0)};
    endcase
  end
  always_ff @(posedge clk) begin
    if (step && index < (stamped ? 4'd10 : 4'd8)) begin  // not with a tag's word
      {a_q, b_q} <= {a, b};
      sum_q      <= ones_add3(index == 4'd1 ? 16'h0 : sum_q, a_q, b_q);
      if (index == 4'd3) ip_q <= ones_add(sum_q, fixed_q);
      if (index == 4'd4) ip_q <= ones_add(ip_q, total);
    end
  end
  assign ip = ~ip_q;

  logic [1:0][15:0] first, second;
  assign first  = ones_csa(swap16(sum_q), sum_a, sum_b);
  assign second = ones_csa(first[0], first[1], sum_c);
  assign tcp    = ~ones_add(second[0], second[1]);
endmodule
