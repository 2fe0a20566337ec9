// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What is a trigger: a frame whose first four bytes are ff.  This is the module to change for other triggers.
// Latency: none; `near` is all ones in the cycle of the word with the fourth byte, once a frame.
//
// The word comes straight from the receiver's descrambler, so each bit of `near` looks at a part of it only (one LUT with
// 16-bit words), and whoever registers `near` puts the parts together in the cycle after.
module trigger_match #(
    parameter int WIDTH = 16,  // of a word: 16 or 32
    parameter int PARTS = 4
) (
    input logic clk,
    input logic rst,

    input logic [  WIDTH-1:0] rx_tdata,
    input logic [WIDTH/8-1:0] rx_tkeep,
    input logic               rx_tvalid,
    input logic               rx_tlast,

    output logic [PARTS-1:0] near
);
  localparam int BITS = WIDTH / PARTS;

  logic first_q;  // the next word is a frame's first
  logic here;  // this word is the one with the fourth byte, and all before it fit
  logic whole;  // all bytes of the word belong to the frame
  assign whole = rx_tvalid & rx_tkeep[WIDTH/8-1];

  if (WIDTH == 16) begin : gen_two_words
    logic fits_q;  // the word before was a frame's first, and all ones
    always_ff @(posedge clk) begin
      if (rx_tvalid) fits_q <= first_q & (&rx_tdata) & ~rx_tlast;
      if (rst) fits_q <= 1'b0;
    end
    assign here = whole & fits_q;
  end else begin : gen_one_word
    assign here = whole & first_q;
  end

  always_ff @(posedge clk) begin
    if (rx_tvalid) first_q <= rx_tlast;
    if (rst) first_q <= 1'b1;
  end

  for (genvar i = 0; i < PARTS; i++) begin : gen_part
    assign near[i] = here & (&rx_tdata[i*BITS+:BITS]);
  end
endmodule
