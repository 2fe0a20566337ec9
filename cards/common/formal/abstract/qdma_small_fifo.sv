// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// cores/qdma/rtl/qdma_small_fifo.sv for proofs: registers in the place of the RAM, for which there is no SAT model.
// Latency: a word is on rd_data 1 cycle after it was written; a word in each cycle.
// Interface: valid and ready on both sides.  `used` is how many words are in it.
module qdma_small_fifo #(
    parameter int WIDTH = 32,
    parameter int DEPTH = 32   // a power of two
) (
    input logic clk,
    input logic rst,

    input  logic             wr_valid,
    output logic             wr_ready,
    input  logic [WIDTH-1:0] wr_data,

    output logic             rd_valid,
    input  logic             rd_ready,
    output logic [WIDTH-1:0] rd_data,

    output logic [$clog2(DEPTH):0] used
);
  localparam int BITS = $clog2(DEPTH);
  logic [DEPTH-1:0][WIDTH-1:0] words;
  logic [BITS:0] wr_ptr_q, rd_ptr_q;
  assign used     = wr_ptr_q - rd_ptr_q;
  assign wr_ready = wr_ptr_q != (rd_ptr_q ^ {1'b1, BITS'(0)});
  assign rd_valid = wr_ptr_q != rd_ptr_q;
  assign rd_data  = words[rd_ptr_q[BITS-1:0]];

  always_ff @(posedge clk) begin
    if (wr_valid && wr_ready) begin
      words[wr_ptr_q[BITS-1:0]] <= wr_data;
      wr_ptr_q                  <= wr_ptr_q + 1'b1;
    end
    if (rd_valid && rd_ready) rd_ptr_q <= rd_ptr_q + 1'b1;
    if (rst) begin
      wr_ptr_q <= '0;
      rd_ptr_q <= '0;
    end
  end
endmodule
