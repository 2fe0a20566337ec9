// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What proofs take for cores/common's ram_sdp: any word may come out, and it stays while rd_en is low.
module ram_sdp #(
    parameter int WIDTH = 32,
    parameter int DEPTH = 512
) (
    input logic clk,
    // verilator lint_off UNUSEDSIGNAL
    input logic wr_en,
    input logic [$clog2(DEPTH)-1:0] wr_addr,
    input logic [WIDTH-1:0] wr_data,
    input logic rd_en,
    input logic [$clog2(DEPTH)-1:0] rd_addr,
    // verilator lint_on UNUSEDSIGNAL
    output logic [WIDTH-1:0] rd_data
);
  // verilator lint_off UNDRIVEN
  logic [WIDTH-1:0] anything;
  // verilator lint_on UNDRIVEN
  always_ff @(posedge clk) if (rd_en) rd_data <= anything;
endmodule
