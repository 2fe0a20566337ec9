// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What is a trigger: a frame whose first four bytes are ff.  This is the module to change for other triggers.
// Latency: none; `near` is all ones in the cycle of the word with the fourth byte, once a frame.
//
// The word comes straight from the receiver's descrambler, so each bit of `near` looks at a part of it only, and whoever
// registers `near` puts the parts together in the cycle after.  With 16-bit words there is time for one LUT6 in the first
// of these cycles and for one in the second: six bits of the word are a part, or four and `here`; and three parts leave
// room for three signals beside them.
module trigger_match #(
    parameter  int WIDTH = 16,                  // of a word: 16 or 32
    localparam int PARTS = WIDTH == 16 ? 3 : 4
) (
    input logic clk,
    input logic rst,

    input logic [  WIDTH-1:0] rx_tdata,
    input logic [WIDTH/8-1:0] rx_tkeep,
    input logic               rx_tvalid,
    input logic               rx_tlast,

    output logic [PARTS-1:0] near
);
  logic first_q;  // the next word is a frame's first
  logic here;  // this word is the one with the fourth byte, and all before it fit
  logic whole;  // all bytes of the word belong to the frame
  assign whole = rx_tvalid & rx_tkeep[WIDTH/8-1];

  if (WIDTH == 16) begin : gen_two_words
    // The first word is looked at in a register, the cycle after, and remembered while no other comes.
    logic just_q, held_q, fits;  // fits: the word before was a frame's first, and all ones
    logic [WIDTH-1:0] word_q;
    assign fits = (just_q & (&word_q)) | held_q;
    always_ff @(posedge clk) begin
      word_q <= rx_tdata;
      just_q <= rx_tvalid & first_q & ~rx_tlast;
      held_q <= fits & ~rx_tvalid;
      if (rst) {just_q, held_q} <= '0;
    end
    assign here = whole & fits;
  end else begin : gen_one_word
    assign here = whole & first_q;
  end

  always_ff @(posedge clk) begin
    if (rx_tvalid) first_q <= rx_tlast;
    if (rst) first_q <= 1'b1;
  end

  if (WIDTH == 16) begin : gen_three_parts
    assign near = {here & (&rx_tdata[15:12]), &rx_tdata[11:6], &rx_tdata[5:0]};
  end else begin : gen_four_parts
    for (genvar i = 0; i < PARTS; i++) begin : gen_part
      assign near[i] = here & (&rx_tdata[8*i+:8]);
    end
  end
endmodule
