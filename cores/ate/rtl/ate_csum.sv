// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Checksums of a frame.
//
// TCP: the partial sum of software, then one more operand in each word slot, so that one 16-bit adder is enough; the
// payload's sum comes last, through a carry-save stage, and is needed only when the word with the checksum is loaded.
// The sum is kept as its bytes are sent (RFC 1071: the order of bytes does not matter to the sum), which is how the
// payload's sum and all fields come.
//
// Latency: `step` with `index` = word that is loaded in this cycle.  tcp is valid from index FIRST + 8 on, with `csum` of the
// same cycle; ip with `total` of the same cycle.
module ate_csum
  import ate_pkg::*;
  import ones_pkg::*;
#(
    parameter bit [3:0] FIRST = 4'd1  // index with which the sum begins, 1 to 4
) (
    input logic clk,

    input logic       step,
    input logic [3:0] index,

    input logic [15:0] tcp_part,  // numbers
    input logic [15:0] ip_part,
    input logic [31:0] seq,       // as sent
    input logic [31:0] ack,
    input logic [15:0] window,
    input logic [15:0] length,    // numbers; from index FIRST + 6 on
    input logic [15:0] total,
    input logic [ 7:0] flags,
    input logic [31:0] csum,      // of the payload

    output logic [15:0] tcp,  // as sent
    output logic [15:0] ip
);
  logic [15:0] sum_q, operand;
  always_comb begin
    case (index[2:0])
      3'(FIRST + 1): operand = seq[15:0];
      3'(FIRST + 2): operand = seq[31:16];
      3'(FIRST + 3): operand = ack[15:0];
      3'(FIRST + 4): operand = ack[31:16];
      3'(FIRST + 5): operand = window;
      3'(FIRST + 6): operand = swap16(length);
      default: operand = {flags, 8'h0};
    endcase
  end
  always_ff @(posedge clk) begin
    if (step) begin
      if (index == FIRST) sum_q <= swap16(tcp_part);
      else if (index inside {[FIRST + 4'd1 : FIRST + 4'd7]}) sum_q <= ones_add(sum_q, operand);
    end
  end
  assign tcp = ~ones_add3(sum_q, csum[15:0], csum[31:16]);
  // Straight from a block RAM it would be the longest path of all; it has stood there for cycles.
  logic [15:0] ip_part_q;
  always_ff @(posedge clk) ip_part_q <= ip_part;
  assign ip = ~swap16(ones_add(ip_part_q, total));
endmodule
