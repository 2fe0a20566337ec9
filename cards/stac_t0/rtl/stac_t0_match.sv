// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What is a trigger: a frame whose index, a big-endian number, has none of the bits of the mask.
// Latency: none; `near` is all ones in the cycle of the word with the index's last byte, once a frame at most (twice if
// both types are the same).  `conn` follows its word by a cycle, `index` is there two cycles after `near`; both stay until
// the next frame comes to these places.
//
//   byte        42        44-45         47 .. 54   (type_short)      275 .. 282   (type_long)
//               type      connection    index                        index
//               one byte  little-endian big-endian
//
// Nothing else of the frame is looked at.  Both indices begin at byte 3 of a 32-bit word, so a field of 12 bytes, from 44
// and from 272 on, holds either: 6 words of 16 bits or 3 of 32.
//
// Only the last word of the index comes straight from the receiver's descrambler; each bit of near[2:0] looks at a part of
// it, and the last bit of `near` at what is in registers.  Whoever registers `near` puts them together.  With 16-bit words
// there is time for one LUT6 on either side: a part is three bits with their masks, or two and what is in registers.
module stac_t0_match #(
    parameter  int WIDTH = 16,                  // of a word: 16 or 32
    localparam int PARTS = WIDTH == 16 ? 3 : 4
) (
    input logic clk,
    input logic rst,

    // These change only while no match is wanted.
    input logic [ 7:0] type_long,
    input logic [ 7:0] type_short,
    input logic [63:0] mask,

    input logic [  WIDTH-1:0] rx_tdata,
    input logic [WIDTH/8-1:0] rx_tkeep,
    input logic               rx_tvalid,
    input logic               rx_tlast,

    output logic             conn_new,  // pulse: `conn` is of a new frame
    output logic [     15:0] conn,
    output logic [PARTS-1:0] near,
    output logic [     63:0] index      // byte by byte as on the line, the first in bits 7:0
);
  localparam int BYTES = WIDTH / 8;
  localparam int WORDS = 12 / BYTES;  // of the field
  localparam logic [7:0] TYPE = 8'(42 / BYTES);
  localparam logic [7:0] SHORT = 8'(44 / BYTES);
  localparam logic [7:0] LONG = 8'(272 / BYTES);
  localparam logic [7:0] LAST = 8'(WORDS - 1);
  localparam int TYPE_BIT = 42 % BYTES * 8;
  localparam int LAST_BYTES = 11 - LAST * BYTES;  // bytes of the index in its last word

  // --- The place in the frame: `count` is the number of the next word, and *_here says what that word holds.
  logic [7:0] count_q, step_q;  // step_q: in the field
  logic conn_here_q, field_here_q, short_last_q, long_last_q, type_now_q;
  logic short_q, long_q;  // the frame's type is one of these
  logic [WIDTH-1:0] word_q;  // the word before
  function automatic logic ahead_of(input logic [7:0] count, input logic [7:0] place);
    return count == place - 8'd1;
  endfunction
  logic field_next;  // the word that comes is the last one before the field
  assign field_next = ahead_of(count_q, SHORT) | ahead_of(count_q, LONG);
  always_ff @(posedge clk) begin
    if (rx_tvalid) begin
      word_q       <= rx_tdata;
      // All ones stay: in the data, not in the enable, which rx_tvalid has to itself.
      count_q      <= rx_tlast ? 8'd0 : (count_q + 1'b1) | {8{&count_q}};
      type_now_q   <= count_q == TYPE;
      conn_here_q  <= ~rx_tlast & ahead_of(count_q, SHORT);
      short_last_q <= ~rx_tlast & ahead_of(count_q, SHORT + LAST);
      long_last_q  <= ~rx_tlast & ahead_of(count_q, LONG + LAST);
      // Zero in the data, not by a reset of the register: rx_tvalid would have one LUT more before that pin.
      step_q       <= (step_q + 1'b1) & {8{~field_next}};
      if (field_next) field_here_q <= ~rx_tlast;
      else if (step_q == LAST || rx_tlast) field_here_q <= 1'b0;
    end
    if (type_now_q) begin
      short_q <= word_q[TYPE_BIT+:8] == type_short;
      long_q  <= word_q[TYPE_BIT+:8] == type_long;
    end
    if (rst) begin
      count_q      <= '0;
      type_now_q   <= 1'b0;
      conn_here_q  <= 1'b0;
      short_last_q <= 1'b0;
      long_last_q  <= 1'b0;
      field_here_q <= 1'b0;
    end
  end

  // --- Connection and index
  logic [95:0] field_q;
  assign index = field_q[24+:64];
  // From word_q, so that what enables so many bits is a register: rx_tvalid comes late in its cycle.
  logic shift_q, take_conn;
  assign take_conn = rx_tvalid & conn_here_q & rx_tkeep[1];
  always_ff @(posedge clk) begin
    shift_q <= rx_tvalid & field_here_q;
    if (shift_q) field_q <= {word_q, field_q[95:WIDTH]};
    conn_new <= take_conn & ~rst;
    // No enable of a register: that would come later than its data.
    conn <= ({16{take_conn}} & rx_tdata[15:0]) | ({16{~take_conn}} & conn);
  end

  // --- The mask over the field: words before the last one are judged in word_q
  logic [95:0] masks;
  logic [WORDS-1:0][WIDTH-1:0] mask_words;
  logic [WIDTH-1:0] mask_q;  // of word_q
  logic fits_q, fits;  // the words of the field before word_q; and with it
  always_comb begin
    masks = '0;
    for (int i = 0; i < 8; i++) masks[24+8*i+:8] = mask[8*(7-i)+:8];
  end
  assign mask_words = masks;
  assign fits = fits_q & ~|(word_q & mask_q);
  always_ff @(posedge clk) begin
    // In any word, which costs nothing: the enable then is rx_tvalid itself, and the field's first word restarts it.
    if (rx_tvalid) begin
      mask_q <= mask_words[step_q[$clog2(WORDS)-1:0]];
      fits_q <= step_q == 0 || fits;
    end
  end

  logic here;
  assign here = rx_tvalid & rx_tkeep[LAST_BYTES-1] & ((short_last_q & short_q) | (long_last_q & long_q));
  localparam int BITS = 8 * LAST_BYTES;
  localparam int PART = (BITS + 2) / 3;
  logic [PARTS-1:0] parts;
  always_comb begin
    parts = '1;
    for (int i = 0; i < BITS; i++) if (rx_tdata[i] && mask_words[LAST][i]) parts[i/PART] = 1'b0;
    near          = parts;
    near[PARTS-1] = parts[PARTS-1] & here & fits;
  end
endmodule
