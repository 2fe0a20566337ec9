// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The queues for which packets may be made without end, in turns.
//
// Latency: an event's queue is found within QUEUES / 32 + 32 turns.
//
// Interface: a queue is open from an event on until `close`; `forget` closes all, the queue that is shown as well.  `next` may
// be a queue that was closed a few cycles before; it is held until taken.
module example_turns #(
    parameter int QUEUES = 2048  // 2 to 2048
) (
    input logic clk,
    input logic rst,
    input logic forget,

    input logic [ 1:0]       event_valid,
    input logic [ 1:0][10:0] event_qid,
    input logic              close_valid,
    input logic [10:0]       close_qid,

    output logic        next_valid,
    input  logic        next_take,
    output logic [10:0] next_qid
);
  localparam int WORDS = (QUEUES + 31) / 32;
  logic [31:0] open_q[WORDS];
  logic [31:0] bits_q, next_bit;
  logic [5:0] word_q, base_q;
  logic [4:0] bit_index;

  always_comb begin
    next_bit  = bits_q & (~bits_q + 1'b1);
    bit_index = '0;
    for (int i = 0; i < 32; i++) if (next_bit[i]) bit_index |= 5'(i);
  end
  assign next_valid = bits_q != '0;
  assign next_qid   = {base_q, bit_index};

  always_ff @(posedge clk) begin
    if (!next_valid) begin
      bits_q <= open_q[word_q];
      base_q <= word_q;
      word_q <= word_q == 6'(WORDS - 1) ? '0 : word_q + 1'b1;
    end else if (next_take) begin
      bits_q <= bits_q & ~next_bit;
    end
    for (int word = 0; word < WORDS; word++) begin
      for (int i = 0; i < 32; i++) begin
        if (close_valid && close_qid == 11'(32 * word + i)) open_q[word][i] <= 1'b0;
        if (|(event_valid &{event_qid[1] == 11'(32 * word + i), event_qid[0] == 11'(32 * word + i)}))
          open_q[word][i] <= 1'b1;
      end
    end
    if (rst || forget) begin
      bits_q <= '0;
      word_q <= '0;
      for (int word = 0; word < WORDS; word++) open_q[word] <= '0;
    end
  end
endmodule
