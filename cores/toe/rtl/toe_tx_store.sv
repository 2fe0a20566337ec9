// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The user's beats to words of the retransmit memory: byte n of the stream lies at n modulo RING_BYTES of its session.
// Latency: a beat is in the memory two cycles after `valid`, but for what reaches into the next word: that is written
// with the next beat, or with `flush` in the cycle after the last beat or later.
//
//   rotated by seq modulo the width, so that each byte is in its lane; lanes below that belong to the next word:
//     lane   0  1  2  3  4  5  6  7         written with the beat:   lanes 3-7 of it, lanes 0-2 of the beat before
//     byte   5  6  7  0  1  2  3  4         (seq modulo 8 = 3)
module toe_tx_store
  import toe_pkg::*;
#(
    parameter int SESSIONS = 64,
    parameter int RING_BYTES = 8192,
    parameter int WIDTH = 64,
    localparam int BYTES = WIDTH / 8,
    localparam int WORDS = RING_BYTES / BYTES,
    localparam int AW = $clog2(SESSIONS * WORDS)
) (
    input logic clk,

    input logic                   valid,
    input logic                   first,
    input logic [      WIDTH-1:0] data,
    input logic [$clog2(BYTES):0] bytes,  // all but in the last beat
    input logic                   flush,
    input sid_t                   sid,    // of the packet, in all cycles of it
    input logic [           31:0] seq,    // of its first byte

    output logic [BYTES-1:0] wr_en,
    output logic [   AW-1:0] wr_addr,
    output logic [WIDTH-1:0] wr_data
);
  localparam int LB = $clog2(BYTES);
  localparam int WB = $clog2(WORDS);
  logic [LB-1:0] turn;
  logic [WB-1:0] word, word_q;  // of the ring
  logic [LB:0] bytes_q;
  logic [BYTES-1:0][7:0] rotated, rest_q;
  assign turn    = seq[LB-1:0];
  assign word    = first ? seq[LB+WB-1:LB] : word_q;
  assign rotated = WIDTH'({data, data} >> (WIDTH - 8 * turn));

  always_ff @(posedge clk) begin
    for (int i = 0; i < BYTES; i++) begin
      wr_data[8*i+:8] <= i < 32'(turn) ? rest_q[i] : rotated[i];
      if (i < 32'(turn)) wr_en[i] <= (valid & ~first) | (flush & (i + BYTES < 32'(turn) + 32'(bytes_q)));
      else wr_en[i] <= valid & (i < 32'(turn) + 32'(bytes));
    end
    wr_addr <= {sid[$clog2(SESSIONS)-1:0], valid ? word : word_q};
    if (valid) begin
      rest_q  <= rotated;
      bytes_q <= bytes;
      word_q  <= word + 1'b1;
    end
  end
endmodule
