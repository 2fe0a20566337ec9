// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Which bytes of a word are the datagram's (IP total length, not the end of the frame), and the TCP checksum over them with
// the pseudo header (RFC 9293, 3.1).
// Latency: mask and final are registers that speak of the word of this cycle, or the next one that comes; from word 6 on.
// good, combinational from registers, in the cycle after the word with the last byte.
module toe_rx_sum
  import toe_pkg::*;
#(
    parameter bit PSEUDO = 1'b1  // else without the pseudo header: ICMP's checksum
) (
    input logic clk,

    input rx_t rx,

    output logic [16:0] tcp_length,  // header and payload, signed; after word 5
    output logic [ 3:0] mask,
    output logic        final_word,  // it has the datagram's last byte
    output logic        good
);
  // Of word 5: words after it that are full, and bytes after those; then of each word that passes.
  logic [16:0] rest;
  logic [13:0] full_q;
  logic [ 1:0] part_q;
  logic many, one;
  assign rest = {1'b0, swap16(rx.word[15:0])} - 17'd6;
  assign many = full_q[13:1] != 0;
  assign one  = ~many & full_q[0];
  always_ff @(posedge clk) begin
    if (rx.valid) begin
      if (rx.index == 4'd4) begin
        full_q <= rest[16] ? 14'd0 : rest[15:2];
        part_q <= rest[1:0];
      end else if (many | one) full_q <= full_q - 1'b1;
      mask       <= {4{many}} | {1'b0, {3{one}} & {part_q == 2'd3, part_q[1], part_q != 2'd0}};
      final_word <= (many & ~|full_q[13:2] & ~full_q[0] & (part_q == 0)) | (one & (part_q != 0));
      if (rx.index == 4'd5) tcp_length <= {1'b0, rx.total_length} - 17'd20;
    end
  end

  logic [15:0] lo, hi;
  always_comb begin
    case (rx.index)
      4'd5: {hi, lo} = {16'h0, PSEUDO ? 16'h0600 : 16'h0};  // protocol
      4'd6: {hi, lo} = PSEUDO ? {rx.word[31:16], swap16(tcp_length[15:0])} : '0;
      default: {hi, lo} = rx.word & {{8{mask[3]}}, {8{mask[2]}}, {8{mask[1]}}, {8{mask[0]}}};
    endcase
    if (!PSEUDO && rx.index == 4'd7) hi = '0;
    if (!PSEUDO && (rx.index inside {4'd7, 4'd8})) lo = '0;
  end
  toe_rx_ones u_ones (
      .clk,
      .load(rx.valid & (rx.index == 4'd5)),
      .add (rx.valid & (rx.index >= 4'd6)),
      .lo,
      .hi,
      .good
  );
endmodule
