// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Payload words to beats of the user's width, each segment from a new beat on.
// Latency: a beat is out in the cycle of the word that completes it, combinational from the word; only what is left when
// the last word completes a beat comes a cycle later, and so does the end of a segment that is ended in just that cycle.
//
// 64 bits: the two bytes of the first word, then four a word: after the first word a beat holds two bytes or six.
// 32 bits: a word is a beat; the first one has its bytes in the upper half.
//
// A beat's code: bytes in it less one; 32 bits: 4 is two bytes in the upper half, 5 is the first of these.
// With MARKS the end of a segment is a beat of its own, its code 1 if the segment is bad; else the last beat with bytes.
module toe_rx_pack #(
    parameter int WIDTH = 64,   // 32 or 64
    parameter bit MARKS = 1'b1
) (
    input logic clk,  // of 64 bits only
    input logic rst,

    input logic        data_valid,  // as from toe_rx_accept
    input logic [31:0] data_word,
    input logic [ 3:0] data_keep,   // not the lowest, which is there whenever it matters
    input logic        data_first,
    input logic        data_final,
    input logic        data_last,
    input logic        data_bad,

    output logic             beat_valid,
    output logic [WIDTH-1:0] beat_data,
    output logic [      2:0] beat_code,
    output logic             beat_end,
    output logic             commit,      // the segment is over, its last beat was out in this cycle or before
    output logic             drop,
    output logic             is_late      // with these: its last beat is out in this cycle
);
  logic mark, mark_bad, word_valid, word_valid_end;
  assign word_valid = data_valid & ~data_last;

  if (WIDTH == 32) begin : gen_32
    assign is_late        = 1'b0;
    assign mark           = data_last;
    assign mark_bad       = data_bad;
    assign word_valid_end = word_valid & data_final;
    assign beat_data      = data_word;
    assign beat_valid     = word_valid | (MARKS & mark);
    always_comb begin
      beat_code = {1'b0, data_keep[2], data_keep[1] & (~data_keep[2] | data_keep[3])};
      if (data_first) beat_code = {2'b10, ~data_keep[3]};
      if (mark) beat_code = {2'b00, mark_bad};
      beat_end = MARKS ? mark : word_valid_end;
    end
  end else begin : gen_64
    logic [47:0] held_q;
    logic
        six_q, left_q, more, mark_q, mark_bad_q;  // six_q: six bytes wait, else two; left_q: the last ones, one or two
    logic two_q;
    assign is_late        = left_q;
    assign more           = data_keep[2];  // more bytes than complete the beat
    assign word_valid_end = word_valid & data_final & ~(six_q & more & ~data_first);
    assign mark           = MARKS ? mark_q | (data_last & ~left_q) : data_last;
    assign mark_bad       = mark_q ? mark_bad_q : data_bad;
    assign beat_valid     = (word_valid & (six_q | data_final)) | left_q | (MARKS & mark);
    always_comb begin
      beat_data[15:0]  = data_first & word_valid ? data_word[31:16] : held_q[15:0];
      beat_data[47:16] = six_q ? held_q[47:16] : data_word;
      beat_data[63:48] = data_word[15:0];
      if (left_q) beat_code = {2'b00, two_q};
      else if (data_first) beat_code = {2'b00, data_keep[3]};
      else if (six_q) beat_code = {2'b11, data_keep[1]};
      else begin
        case (data_keep[3:1])
          3'b000:  beat_code = 3'd2;
          3'b001:  beat_code = 3'd3;
          3'b011:  beat_code = 3'd4;
          default: beat_code = 3'd5;
        endcase
      end
      if (MARKS && mark) beat_code = {2'b00, mark_bad};
      beat_end = MARKS ? mark : left_q | word_valid_end;
    end
    always_ff @(posedge clk) begin
      left_q     <= word_valid & data_final & six_q & more;
      two_q      <= data_keep[3];
      mark_q     <= data_last & left_q;
      mark_bad_q <= data_bad;
      if (word_valid) begin
        if (data_first || six_q) held_q[15:0] <= data_word[31:16];
        if (!six_q) held_q[47:16] <= data_word;
        six_q <= ~data_first & ~six_q & ~data_final;
      end
      if (data_last) six_q <= 1'b0;
      if (rst) begin
        six_q  <= 1'b0;
        left_q <= 1'b0;
        mark_q <= 1'b0;
      end
    end
  end
  assign commit = data_last & ~data_bad;
  assign drop   = data_last & data_bad;
endmodule
