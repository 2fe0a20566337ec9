// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// FCS and length check of received frames.
// Latency: beat_q is beat, 1 cycle later; the verdict comes LATENCY cycles after the last beat.  With LATENCY = 0 it is
// combinational from the transceiver word: about ten levels of logic.
//
// No CRC of partial words: after the last k bytes the register must be CRC32_RESIDUE, so before them (register ^ data)
// must be that value shifted back by k bytes, a constant for each k.  One 32-bit compare.
module macpcs_rx_check
  import crc32_pkg::*, macpcs_pkg::*;
#(
    parameter int LATENCY   = 1,
    parameter int MIN_BYTES = 64,
    parameter int MAX_BYTES = 9622
) (
    input logic clk,
    input logic rst,

    input beat_t beat,
    input logic  code_error, // with beat.last

    output beat_t     beat_q,
    output logic      status_valid,
    output rx_error_t status
);
  // --- Length: words before beat_q, up to one more than an allowed frame can have; the counter too runs one behind
  localparam int WORDS_BITS = $clog2(MAX_BYTES / 4 + 3);
  localparam logic [WORDS_BITS-1:0] WORDS_TOP = WORDS_BITS'(MAX_BYTES / 4 + 1);
  logic [WORDS_BITS-1:0] words_q, words_next;
  always_comb begin
    words_next = words_q;
    if (beat_q.valid) begin
      if (beat_q.last) words_next = '0;
      else if (words_q != WORDS_TOP) words_next = words_q + 1'b1;
    end
  end
  always_ff @(posedge clk) words_q <= rst ? '0 : words_next;

  // --- FCS: the register runs one word behind
  logic [31:0] crc_q, crc_next;
  assign crc_next = beat_q.valid ? crc32_word(crc_q ^ beat_q.data) : crc_q;
  always_ff @(posedge clk) begin
    beat_q <= beat;
    crc_q  <= (beat_q.valid && beat_q.last) ? CRC32_INIT : crc_next;
    if (rst) begin
      crc_q        <= CRC32_INIT;
      beat_q.valid <= 1'b0;
    end
  end

  // --- Verdict
  logic [31:0] crc;
  logic [WORDS_BITS-1:0] words;
  beat_t end_beat;
  logic end_code_error;
  if (LATENCY == 0) begin : gen_same_cycle
    assign crc            = (beat_q.valid & beat_q.last) ? CRC32_INIT : crc_next;
    assign words          = words_next;
    assign end_beat       = beat;
    assign end_code_error = code_error;
  end else begin : gen_one_later
    assign crc      = crc_q;
    assign words    = words_q;
    assign end_beat = beat_q;
    always_ff @(posedge clk) end_code_error <= code_error;
  end

  logic [31:0] wanted, kept, rest;
  logic [2:0] bytes;  // of the last beat, 0..4
  logic [WORDS_BITS+1:0] length;  // bytes
  always_comb begin
    case (end_beat.keep)
      4'hf: wanted = crc32_unshift(CRC32_RESIDUE, 32);
      4'h7: wanted = crc32_unshift(CRC32_RESIDUE, 24);
      4'h3: wanted = crc32_unshift(CRC32_RESIDUE, 16);
      4'h1: wanted = crc32_unshift(CRC32_RESIDUE, 8);
      default: wanted = CRC32_RESIDUE;
    endcase
    for (int i = 0; i < 4; i++) kept[8*i+:8] = {8{end_beat.keep[i]}};
    rest  = crc ^ wanted ^ (end_beat.data & kept);
    bytes = 3'd0;
    for (int i = 0; i < 4; i++) if (end_beat.keep[i]) bytes = 3'(i + 1);
    length          = {words, 2'b00} + (WORDS_BITS + 2)'(bytes);
    status.fcs      = (rest != 0) & ~end_code_error;
    status.code     = end_code_error;
    status.runt     = length < (WORDS_BITS + 2)'(MIN_BYTES);
    status.oversize = length > (WORDS_BITS + 2)'(MAX_BYTES);
  end
  assign status_valid = end_beat.valid & end_beat.last;
endmodule
