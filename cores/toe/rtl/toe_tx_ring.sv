// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The retransmit memory: one write port with an enable a byte, one read port.
// Latency: rd_data has the word LATENCY cycles with rd_en after its address.
//
// An UltraRAM is 4096 rows of 64 bits.  Those that a word is not read from have 0 at their output, so their words are ORed:
// that is half of what a choice by number takes.
module toe_tx_ring #(
    parameter int WIDTH = 64,
    parameter int DEPTH = 65536,  // words
    parameter int LATENCY = 2     // 1 at least: the memory, and registers after it
) (
    input logic clk,

    input logic [      WIDTH/8-1:0] wr_en,
    input logic [$clog2(DEPTH)-1:0] wr_addr,
    input logic [        WIDTH-1:0] wr_data,

    input  logic                     rd_en,
    input  logic [$clog2(DEPTH)-1:0] rd_addr,
    output logic [        WIDTH-1:0] rd_data
);
  localparam int WORDS = WIDTH < 64 && DEPTH > 4096 ? 64 / WIDTH : 1;  // in a row
  localparam int LW = $clog2(WORDS);
  localparam int ROWS = DEPTH / WORDS < 4096 ? DEPTH / WORDS : 4096;
  localparam int LR = $clog2(ROWS);
  localparam int BANKS = (DEPTH + ROWS * WORDS - 1) / (ROWS * WORDS);
  typedef logic [WORDS-1:0][WIDTH-1:0] row_t;

  logic [LR-1:0] wr_row, rd_row;
  int wr_bank, rd_bank, wr_word;
  assign wr_row  = wr_addr[LW+:LR];
  assign rd_row  = rd_addr[LW+:LR];
  assign wr_bank = 32'(wr_addr >> (LW + LR));
  assign rd_bank = 32'(rd_addr >> (LW + LR));
  assign wr_word = 32'(wr_addr) % WORDS;

  row_t [BANKS-1:0] read;
  for (genvar bank = 0; bank < BANKS; bank++) begin : gen_bank
    (* ram_style = "ultra" *) logic [WORDS*WIDTH-1:0] ram[ROWS];
    logic [WORDS*WIDTH-1:0] row_q;
    always_ff @(posedge clk) begin
      for (int i = 0; i < WORDS * WIDTH / 8; i++) begin
        if (wr_en[i%(WIDTH/8)] && wr_word == i / (WIDTH / 8) && wr_bank == bank) begin
          ram[wr_row][8*i+:8] <= wr_data[8*(i%(WIDTH/8))+:8];
        end
      end
      if (rd_en) row_q <= rd_bank == bank ? ram[rd_row] : '0;
    end
    assign read[bank] = row_q;
  end

  int word_q;
  row_t row;
  logic [LATENCY:1][WIDTH-1:0] read_q;
  always_comb begin
    row = '0;
    for (int bank = 0; bank < BANKS; bank++) row |= read[bank];
    read_q[1] = row[word_q];
  end
  always_ff @(posedge clk) begin
    if (rd_en) begin
      word_q <= 32'(rd_addr) % WORDS;
      for (int i = 2; i <= LATENCY; i++) read_q[i] <= read_q[i-1];
    end
  end
  assign rd_data = read_q[LATENCY];
endmodule
