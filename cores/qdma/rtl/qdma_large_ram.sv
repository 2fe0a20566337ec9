// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A large RAM with one write and one read port on one clock: UltraRAM, where the device has it.
// Latency: rd_data has the word one cycle after rd_en with its address, and keeps it while rd_en is low.
// Limits: a word is undefined until it is written, and when it is read in the cycle in which it is written.
module qdma_large_ram #(
    parameter int WIDTH = 64,
    parameter int DEPTH = 4096
) (
    input logic clk,

    input logic                     wr_en,
    input logic [$clog2(DEPTH)-1:0] wr_addr,
    input logic [        WIDTH-1:0] wr_data,

    input  logic                     rd_en,
    input  logic [$clog2(DEPTH)-1:0] rd_addr,
    output logic [        WIDTH-1:0] rd_data
);
  (* ram_style = "ultra" *) logic [WIDTH-1:0] ram[DEPTH];

  always_ff @(posedge clk) begin
    if (wr_en) ram[wr_addr] <= wr_data;
    if (rd_en) rd_data <= ram[rd_addr];
  end
endmodule
