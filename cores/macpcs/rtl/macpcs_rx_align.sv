// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// 66:WIDTH gearbox and descrambler: transceiver words in, payload words out.
// Latency: none; `user_data` is combinational from `pma_data`: a pick among WIDTH positions (4:1, 4:1, and 2:1 with 32
// bits), then the XOR with the scrambler terms; three levels with 16 bits as with 32, where pick and XOR share the last.
//
//   payload word   bits end_bit-WIDTH+1 .. end_bit   of the stream, bit 0 of pma_data being bit 0
//   header         bits end_bit_next-1, end_bit_next, in the cycle before the first payload word completes
//
// The scrambler terms of the next payload word are XORed beforehand (terms_q), so descrambling costs one LUT input.
//
// With AHEAD pma_data comes from a register, and the first 4:1 pick of the payload word is made on the way into it: one level
// fewer to user_data.
module macpcs_rx_align
  import macpcs_pkg::*;
#(
    parameter int WIDTH = 32,
    parameter bit AHEAD = 1'b0
) (
    input logic clk,

    input logic [WIDTH-1:0] pma_data,
    input logic [WIDTH-1:0] pma_ahead = '0,  // with AHEAD: pma_data of the next cycle
    input logic stall,  // no payload word completes in this cycle
    input logic [$clog2(WIDTH)-1:0] end_bit,
    input logic [$clog2(WIDTH)-1:0] end_bit_ahead = '0,  // with AHEAD: end_bit of the next cycle
    input logic [$clog2(WIDTH)-1:0] end_bit_next,
    input logic user_late,  // user data lie one byte later: after the type byte of a terminate block

    output logic [WIDTH-1:0] word_q,  // payload word of the cycle before
    output logic [WIDTH-1:0] user_data,
    output logic [WIDTH:0] aligned,  // payload word as it was sent, and the bit that follows it
    output logic [1:0] header_next
);
  logic top_q;  // the last bit of the transceiver word before
  if (AHEAD) begin : gen_ahead
    localparam int REST = WIDTH / 4;  // positions that the first pick leaves
    localparam int PICKED = WIDTH + REST;
    logic [2*WIDTH-1:0] window;
    logic [PICKED-1:0] picked, picked_q;
    assign window = {1'b0, pma_ahead, pma_data[WIDTH-1:1]};
    mux4 #(
        .WIDTH(PICKED),
        .NAMED(1'b1)
    ) u_first (
        .d0 (window[0+:PICKED]),
        .d1 (window[REST+:PICKED]),
        .d2 (window[2*REST+:PICKED]),
        .d3 (window[3*REST+:PICKED]),
        .sel(end_bit_ahead[$clog2(WIDTH)-1-:2]),
        .y  (picked)
    );
    radix4_select #(
        .WIDTH    (WIDTH + 1),
        .POSITIONS(REST),
        .NAMED    (1'b1)
    ) u_rest (
        .window(picked_q),
        .sel   (end_bit[$clog2(REST)-1:0]),
        .y     (aligned)
    );
    always_ff @(posedge clk) begin
      picked_q <= picked;
      top_q    <= pma_data[WIDTH-1];
    end
    logic unused;
    assign unused = &{end_bit, end_bit_ahead};
  end else begin : gen_here
    logic [WIDTH-1:1] pma_q;
    radix4_select #(
        .WIDTH    (WIDTH + 1),
        .POSITIONS(WIDTH),
        .NAMED    (1'b1)
    ) u_word (
        .window({1'b0, pma_data, pma_q}),
        .sel   (end_bit),
        .y     (aligned)
    );
    always_ff @(posedge clk) pma_q <= pma_data[WIDTH-1:1];
    assign top_q = pma_q[WIDTH-1];
    logic unused;
    assign unused = &{pma_ahead, end_bit_ahead};
  end
  radix4_select #(
      .WIDTH    (2),
      .POSITIONS(WIDTH),
      .NAMED    (1'b1)
  ) u_header (
      .window({pma_data, top_q}),
      .sel   (end_bit_next),
      .y     (header_next)
  );

  logic [WIDTH-1:0] word, terms_q;
  logic [63:WIDTH] before_q;  // the payload words before, the latest on top
  logic [63:0] history;
  assign history = {aligned[WIDTH-1:0], before_q};
  assign word    = aligned[WIDTH-1:0] ^ terms_q;
  xor_mux2 #(
      .WIDTH(WIDTH)
  ) u_user (
      .a0 (aligned[WIDTH-1:0]),
      .b0 (terms_q),
      .a1 ({aligned[7:0], word_q[WIDTH-1:8]}),
      .b1 ({terms_q[7:0], {WIDTH - 8{1'b0}}}),
      .sel(user_late),
      .y  (user_data)
  );

  always_ff @(posedge clk) begin
    word_q <= word;
    if (!stall) begin
      terms_q  <= WIDTH'(scramble_terms(history));
      before_q <= history[63:WIDTH];
    end
  end
endmodule
