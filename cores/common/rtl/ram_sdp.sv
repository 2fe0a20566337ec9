// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Block RAM with one write and one read port on one clock.
// Latency: rd_data has the word one cycle after rd_en with its address, and keeps it while rd_en is low.  A word that is
// read in the cycle in which it is written is the old one.
//
// After configuration all words are zero; there is no reset.
module ram_sdp #(
    parameter int WIDTH = 32,
    parameter int DEPTH = 512
) (
    input logic clk,

    input logic                     wr_en,
    input logic [$clog2(DEPTH)-1:0] wr_addr,
    input logic [        WIDTH-1:0] wr_data,

    input  logic                     rd_en,
    input  logic [$clog2(DEPTH)-1:0] rd_addr,
    output logic [        WIDTH-1:0] rd_data
);
`ifdef VERILATOR
  // Of a pattern Verilator makes lines of C++ for each word, a minute's compilation; synthesis unrolls a loop as slowly.
  logic [WIDTH-1:0] ram[DEPTH];
  initial for (int i = 0; i < DEPTH; i++) ram[i] = '0;
`else
  (* ram_style = "block" *) logic [WIDTH-1:0] ram[DEPTH] = '{default: '0};
`endif

  always_ff @(posedge clk) begin
    if (wr_en) ram[wr_addr] <= wr_data;
    if (rd_en) rd_data <= ram[rd_addr];
  end
endmodule
