// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The payload of an order: a template in distributed RAM, with the order's number in its first word, and its checksum.
// Latency: `word` answers `index` in the same cycle.  `ready` rises `length` / 4 + 3 cycles after `sum`; `csum` follows
// `number` by 2 cycles.
//
// `sum` is a pulse: take the template's sum anew, up to `length`, without the first word.  It must not change until the
// next one; `index` is not looked at before `ready`.  The sum is that of 16-bit words as they lie in tx_data_net, an odd
// last byte alone.
module trigger_template
  import ones_pkg::*;
#(
    parameter int WORDS = 64
) (
    input logic clk,
    input logic rst,

    // Software's side; a word that is read comes a cycle later
    input  logic                     wr_en,
    input  logic [$clog2(WORDS)-1:0] addr,
    input  logic [             31:0] wr_data,
    output logic [             31:0] rd_data,

    input  logic        sum,
    input  logic [15:0] length,  // bytes, 4 to 4 * WORDS
    output logic        ready,

    input logic [31:0] number,

    input  logic [13:0] index,
    output logic [31:0] word,
    output logic [31:0] csum
);
  localparam int BITS = $clog2(WORDS);

  (* ram_style = "distributed" *) logic [31:0] ram[WORDS];
  logic [BITS-1:0] at;
  logic [31:0] stored;
  assign stored = ram[at];
  always_ff @(posedge clk) begin
    if (wr_en) ram[addr] <= wr_data;
    rd_data <= ram[addr];
  end

  // --- The number goes out with its first byte first
  logic [31:0] first_q;
  always_ff @(posedge clk) first_q <= {number[7:0], number[15:8], number[23:16], number[31:24]};
  assign word = index == 0 ? first_q : stored;

  // --- The template's sum: a word a cycle, then its half words
  logic walk_q, last_q, take_q;
  logic [BITS-1:0] walk_at_q;
  logic [15:0] sum_q;
  logic [31:0] part_q;
  logic [31:0] mask;  // of the last word
  logic last;
  assign at   = ready ? index[BITS-1:0] : walk_at_q;
  assign last = (16'(walk_at_q) << 2) + 16'd4 >= length;
  always_comb begin
    case (length[1:0])
      2'd0: mask = 32'hffffffff;
      2'd1: mask = 32'h000000ff;
      2'd2: mask = 32'h0000ffff;
      default: mask = 32'h00ffffff;
    endcase
  end
  always_ff @(posedge clk) begin
    part_q <= last ? stored & mask : stored;
    take_q <= walk_q;
    last_q <= walk_q & last;
    if (walk_q) begin
      walk_at_q <= walk_at_q + 1'b1;
      walk_q    <= ~last;
    end
    if (take_q) sum_q <= ones_add3(sum_q, part_q[15:0], part_q[31:16]);
    if (last_q) ready <= 1'b1;
    if (sum) begin
      walk_q    <= length > 16'd4;
      last_q    <= length <= 16'd4;
      walk_at_q <= BITS'(1);
      sum_q     <= '0;
      take_q    <= 1'b0;
      ready     <= 1'b0;
    end
    if (rst) begin
      walk_q <= 1'b0;
      take_q <= 1'b0;
      last_q <= 1'b0;
      ready  <= 1'b0;
    end
    csum <= {ones_add(sum_q, first_q[15:0]), first_q[31:16]};
  end
endmodule
