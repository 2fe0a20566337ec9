// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What proofs take for cores/common's ram_sdp: any word may come out, and it stays while rd_en is low.
module ram_sdp #(
    parameter int WIDTH = 32,
    parameter int DEPTH = 512
) (
    input logic clk,
    input logic wr_en,
    input logic [$clog2(DEPTH)-1:0] wr_addr,
    input logic [WIDTH-1:0] wr_data,
    input logic rd_en,
    input logic [$clog2(DEPTH)-1:0] rd_addr,
    output logic [WIDTH-1:0] rd_data
);
  logic [WIDTH-1:0] anything;
  always_ff @(posedge clk) if (rd_en) rd_data <= anything;
endmodule
