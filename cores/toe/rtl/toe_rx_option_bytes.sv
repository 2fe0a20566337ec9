// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A segment's options, two bytes a cycle, in their order: they wait here, because four come in a cycle.
// Latency: the first two are on `octets` two cycles after word 13, the last at the latest 12 after the frame's last word.
module toe_rx_option_bytes (
    input logic clk,
    input logic rst,

    input logic        start,  // a segment with `words` words of options: before word 13
    input logic [ 3:0] words,
    input logic        valid,  // a word from 13 on: options from its upper half on
    input logic [31:0] word,

    output logic        octets_valid,
    output logic [15:0] octets,        // the earlier one is the lower
    output logic        done           // none is to come
);
  (* ram_style = "distributed" *)logic [31:0] ram  [16];
  logic [ 3:0] wr_q;
  logic [4:0] rd_q, end_q;  // halves
  logic take;
  assign take = (rd_q[4:1] != wr_q) & (rd_q != end_q);
  assign done = (rd_q == end_q) & ~octets_valid;
  always_ff @(posedge clk) begin
    if (valid && wr_q != 4'd15) begin
      ram[wr_q] <= word;
      wr_q      <= wr_q + 1'b1;
    end
    octets_valid <= take;
    octets       <= rd_q[0] ? ram[rd_q[4:1]][31:16] : ram[rd_q[4:1]][15:0];
    if (take) rd_q <= rd_q + 1'b1;
    if (start || rst) begin
      wr_q         <= 4'd0;
      rd_q         <= 5'd1;
      end_q        <= rst ? 5'd1 : {words, 1'b1};
      octets_valid <= 1'b0;
    end
  end
endmodule
