// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Model of a retransmit memory outside: a read shows what was written WRITE_LATENCY cycles before it or earlier, and nothing
// that came later; its word is there LATENCY cycles behind it, and noise in all other cycles.
module toe_memory #(
    parameter int WIDTH = 64,
    parameter int DEPTH = 4096,  // words
    parameter int LATENCY = 2,
    parameter int WRITE_LATENCY = 1
) (
    input logic clk,

    input  logic [      WIDTH/8-1:0] wr_en,
    input  logic [$clog2(DEPTH)-1:0] wr_addr,
    input  logic [        WIDTH-1:0] wr_data,
    input  logic                     rd_en,
    input  logic [$clog2(DEPTH)-1:0] rd_addr,
    output logic [        WIDTH-1:0] rd_data
);
  typedef struct packed {
    logic [WIDTH/8-1:0] en;
    logic [$clog2(DEPTH)-1:0] addr;
    logic [WIDTH-1:0] data;
  } write_t;
  logic [WIDTH-1:0] ram[DEPTH];
  write_t late[WRITE_LATENCY];
  logic [WIDTH-1:0] read_q[LATENCY+1];
  logic [31:0] noise_q;
  assign late[0]   = '{en: wr_en, addr: wr_addr, data: wr_data};
  assign read_q[0] = rd_en ? ram[rd_addr] : {WIDTH / 32{noise_q}};
  assign rd_data   = read_q[LATENCY];
  for (genvar i = 1; i < WRITE_LATENCY; i++) begin : gen_write
    always_ff @(posedge clk) late[i] <= late[i-1];
  end
  for (genvar i = 1; i <= LATENCY; i++) begin : gen_read
    always_ff @(posedge clk) read_q[i] <= read_q[i-1];
  end
  always_ff @(posedge clk) begin
    noise_q <= noise_q * 32'd1664525 + 32'd1013904223;
    for (int i = 0; i < WIDTH / 8; i++)
    if (late[WRITE_LATENCY-1].en[i]) ram[late[WRITE_LATENCY-1].addr][8*i+:8] <= late[WRITE_LATENCY-1].data[8*i+:8];
  end
endmodule
