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
    parameter int LATENCY = 1,
    parameter int MIN_BYTES = 64,
    parameter int MAX_BYTES = 9622
) (
    input logic clk,
    input logic rst,

    input beat_t beat,
    input logic  code_error,  // with beat.last

    output beat_t     beat_q,
    output logic      status_valid,
    output rx_error_t status
);
  // --- Length: whole words before this beat, up to one more than an allowed frame can have
  localparam int WORDS_BITS = $clog2(MAX_BYTES / 4 + 3);
  localparam logic [WORDS_BITS-1:0] WORDS_TOP = WORDS_BITS'(MAX_BYTES / 4 + 1);
  logic [WORDS_BITS-1:0] words_q;
  logic [2:0] bytes;  // of this beat, 0..4
  logic [WORDS_BITS+1:0] length;  // up to this beat, bytes
  logic runt, oversize;
  assign bytes = beat.keep[3] ? 3'd4 : beat.keep[2] ? 3'd3 : beat.keep[1] ? 3'd2 : {2'd0, beat.keep[0]};
  assign length   = {words_q, 2'b00} + (WORDS_BITS + 2)'(bytes);
  assign runt     = length < (WORDS_BITS + 2)'(MIN_BYTES);
  assign oversize = length > (WORDS_BITS + 2)'(MAX_BYTES);
  always_ff @(posedge clk) begin
    if (beat.valid) begin
      if (beat.last) words_q <= '0;
      else if (words_q != WORDS_TOP) words_q <= words_q + 1'b1;
    end
    if (rst) words_q <= '0;
  end

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
  beat_t       end_beat;
  rx_error_t   end_status;
  if (LATENCY == 0) begin : gen_same_cycle
    assign crc        = (beat_q.valid & beat_q.last) ? CRC32_INIT : crc_next;
    assign end_beat   = beat;
    assign end_status = '{fcs: 1'b0, code: code_error, runt: runt, oversize: oversize};
  end else begin : gen_one_later
    assign crc      = crc_q;
    assign end_beat = beat_q;
    always_ff @(posedge clk) end_status <= '{fcs: 1'b0, code: code_error, runt: runt, oversize: oversize};
  end

  logic [31:0] wanted, rest;
  always_comb begin
    case (end_beat.keep)
      4'hf: wanted = crc32_unshift(CRC32_RESIDUE, 32);
      4'h7: wanted = crc32_unshift(CRC32_RESIDUE, 24);
      4'h3: wanted = crc32_unshift(CRC32_RESIDUE, 16);
      4'h1: wanted = crc32_unshift(CRC32_RESIDUE, 8);
      default: wanted = CRC32_RESIDUE;
    endcase
    for (int i = 0; i < 32; i++) rest[i] = crc[i] ^ wanted[i] ^ (end_beat.keep[i/8] & end_beat.data[i]);
    status     = end_status;
    status.fcs = (rest != 0) & ~end_status.code;
  end
  assign status_valid = end_beat.valid & end_beat.last;
endmodule
