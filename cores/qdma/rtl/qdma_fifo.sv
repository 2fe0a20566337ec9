// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// FIFO on one clock in a block RAM.
// Latency: a word is on rd_data 2 cycles after it was written; a word in each cycle.
// Interface: valid and ready on both sides.
module qdma_fifo #(
    parameter int WIDTH = 32,
    parameter int DEPTH = 512  // a power of two
) (
    input logic clk,
    input logic rst,

    input  logic             wr_valid,
    output logic             wr_ready,
    input  logic [WIDTH-1:0] wr_data,

    output logic             rd_valid,
    input  logic             rd_ready,
    output logic [WIDTH-1:0] rd_data
);
  localparam int BITS = $clog2(DEPTH);
  logic [BITS:0] wr_ptr_q, rd_ptr_q, used;
  logic fetch;
  assign used     = wr_ptr_q - rd_ptr_q;
  assign wr_ready = ~used[BITS];
  assign fetch    = (used != '0) & (~rd_valid | rd_ready);

  ram_sdp #(
      .WIDTH(WIDTH),
      .DEPTH(DEPTH)
  ) words (
      .clk,
      .wr_en  (wr_valid & wr_ready),
      .wr_addr(wr_ptr_q[BITS-1:0]),
      .wr_data,
      .rd_en  (fetch),
      .rd_addr(rd_ptr_q[BITS-1:0]),
      .rd_data
  );

  always_ff @(posedge clk) begin
    if (wr_valid && wr_ready) wr_ptr_q <= wr_ptr_q + 1'b1;
    if (fetch) rd_ptr_q <= rd_ptr_q + 1'b1;
    rd_valid <= fetch | (rd_valid & ~rd_ready);
    if (rst) begin
      wr_ptr_q <= '0;
      rd_ptr_q <= '0;
      rd_valid <= 1'b0;
    end
  end
endmodule
