// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The retransmit memory: one write port with an enable a byte, one read port.
// Latency: rd_data has the word LATENCY cycles with rd_en behind its address.
module toe_tx_ring #(
    parameter int WIDTH = 64,
    parameter int DEPTH = 65536,  // words
    parameter int LATENCY = 2     // 1 at least: the memory, and registers behind it
) (
    input logic clk,

    input logic [      WIDTH/8-1:0] wr_en,
    input logic [$clog2(DEPTH)-1:0] wr_addr,
    input logic [        WIDTH-1:0] wr_data,

    input  logic                     rd_en,
    input  logic [$clog2(DEPTH)-1:0] rd_addr,
    output logic [        WIDTH-1:0] rd_data
);
  (* ram_style = "ultra" *) logic [WIDTH-1:0] ram[DEPTH];
  logic [LATENCY-1:0][WIDTH-1:0] read_q;
  always_ff @(posedge clk) begin
    for (int i = 0; i < WIDTH / 8; i++) if (wr_en[i]) ram[wr_addr][8*i+:8] <= wr_data[8*i+:8];
  end
  always_ff @(posedge clk) begin
    if (rd_en) begin
      read_q[0] <= ram[rd_addr];
      for (int i = 1; i < LATENCY; i++) read_q[i] <= read_q[i-1];
    end
  end
  assign rd_data = read_q[LATENCY-1];
endmodule
