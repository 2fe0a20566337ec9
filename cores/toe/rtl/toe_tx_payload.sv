// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What follows header word 12, word by word: the urgent pointer, which is 0, timestamps, and payload or other options.  Counts the words
// of a frame, or of a reading of the memory for its sum.
// Latency: none; `load` with the word that is taken.  `prepare` at any time before the first word, when length is
// known.
module toe_tx_payload
  import toe_pkg::*;
#(
    parameter int MSS = 1460
) (
    input logic clk,

    input logic        prepare,
    input logic [15:0] length,   // of payload or options, and of timestamps: 12
    input logic        load,
    input logic        first,    // the word is the first one
    input logic        options,
    input logic        scale,
    input logic        stamped,  // timestamps go before: 3 words
    input logic [31:0] stamp,
    input logic [31:0] echo,
    input logic [31:0] data,     // of the memory

    output logic [31:0] word,
    output logic [ 3:0] keep,
    output logic        last
);
  localparam logic [15:0] MSS_SENT = {8'(MSS), 8'(MSS >> 8)};
  logic [13:0] left_q;
  logic [ 1:0] rest_q;
  logic [31:0] option;
  logic [ 1:0] stamps_q;  // words of timestamps that are to come, with `stamped`
  logic        behind_q;  // they have just gone
  logic        front;  // the first word of what follows them
  assign last  = left_q == 1;
  assign front = stamped ? behind_q : first;
  always_comb begin
    // MSS (2, 4); no operation, window scale 0 (1, 3, 3, 0): RFC 9293, 3.1, and RFC 7323, 2.2
    if (front) option = {16'h0402, 16'h0};
    else option = scale & last ? 32'h00000003 : {16'h0301, MSS_SENT};
    word = options ? option : data;
    if (front) word[15:0] = stamped ? swap16(echo[15:0]) : 16'h0;
    // No operation twice, for alignment, then the option (RFC 7323, 3.2 and appendix A)
    if (stamped) begin
      case (stamps_q)
        2'd3: word = 32'h01010000;
        2'd2: word = {swap16(stamp[31:16]), 16'h0a08};
        2'd1: word = {swap16(echo[31:16]), swap16(stamp[15:0])};
        default: ;
      endcase
    end
    keep = !last || rest_q == 0 ? 4'hf : rest_q == 1 ? 4'h1 : rest_q == 2 ? 4'h3 : 4'h7;
  end
  always_ff @(posedge clk) begin
    if (prepare) begin
      left_q   <= 14'((17'(length) + 17'd5) >> 2);
      rest_q   <= length[1:0] + 2'd2;
      stamps_q <= 2'd3;
      behind_q <= 1'b0;
    end else if (load) begin
      left_q <= left_q - 1'b1;
      if (stamps_q != 0) stamps_q <= stamps_q - 1'b1;
      behind_q <= stamps_q == 2'd1;
    end
  end
endmodule
