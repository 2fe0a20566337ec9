// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// FCS and length check of received frames.
// Latency: beat_q is beat, 1 cycle later; the verdict comes LATENCY (0 to 2) cycles after the last beat.  With LATENCY = 0 it
// is combinational from the transceiver word: about ten levels of logic.
//
// No CRC of partial words: after the last k bytes the register must be CRC32_RESIDUE, so before them (register ^ data)
// must be that value shifted back by k bytes, a constant for each k.  One 32-bit compare.
module macpcs_rx_check
  import crc32_pkg::*, macpcs_pkg::*;
#(
    parameter int WIDTH     = 32,
    parameter int LATENCY   = 1,
    parameter int MIN_BYTES = 64,
    parameter int MAX_BYTES = 9622
) (
    input logic clk,
    input logic rst,

    input beat_t beat,
    input logic  code_error, // with beat.last

    output beat_t            beat_q,
    output logic             status_valid,
    output rx_error_t        status,
    output logic      [15:0] length         // bytes, one cycle after the verdict; what is above the limit is not exact
);
  localparam int BYTES = WIDTH / 8;

  // --- Length: words before beat_q; the counter too runs one behind, and stops at its upper bit, above any limit
  localparam int WORDS_BITS = $clog2(MAX_BYTES / BYTES + 2) + 1;
  logic [WORDS_BITS-1:0] words_q, words_next;
  always_comb begin
    words_next = words_q;
    if (beat_q.valid) begin
      if (beat_q.last) words_next = '0;
      else if (!words_q[WORDS_BITS-1]) words_next = words_q + 1'b1;
    end
  end
  always_ff @(posedge clk) words_q <= rst ? '0 : words_next;

  // --- FCS: the register runs one word behind
  logic [31:0] crc_q, crc_word, crc_next;
  if (WIDTH == 32) begin : gen_crc32
    assign crc_word = crc32_word(crc_q ^ beat_q.data);
  end else begin : gen_crc16
    assign crc_word = {16'h0, crc_q[31:16]} ^ crc32_halfword(crc_q[15:0] ^ beat_q.data[15:0]);
  end
  assign crc_next = beat_q.valid ? crc_word : crc_q;
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

  // Difference to the register that the last bytes should have found.
  logic [31:0] wanted, kept, rest;
  logic [2:0] bytes;  // of the last beat
  always_comb begin
    wanted = CRC32_RESIDUE;
    bytes  = 3'd0;
    kept   = '0;
    for (int i = 0; i < BYTES; i++) begin
      if (end_beat.keep[i]) begin
        kept[8*i+:8] = 8'hff;
        wanted       = crc32_unshift(CRC32_RESIDUE, 8 * (i + 1));
        bytes        = 3'(i + 1);
      end
    end
    rest = crc ^ wanted ^ (end_beat.data & kept);
  end

  // Length against a limit, without adding the bytes to the words: how the words compare, then the bytes decide.
  typedef struct packed {
    logic runt;        // too few words whatever the bytes
    logic runt_equal;  // the bytes decide
    logic over;
    logic over_equal;
  } length_t;
  localparam int RUNT_WORDS = (MIN_BYTES - 1) / BYTES;
  localparam int MAX_WORDS = MAX_BYTES / BYTES;
  localparam logic [7:0] RUNT_IF_EQUAL = 8'((2 << (MIN_BYTES - 1) % BYTES) - 1);  // [bytes], 0..BYTES
  localparam logic [7:0] OVER_IF_EQUAL = 8'(~((2 << MAX_BYTES % BYTES) - 1));
  length_t words_length;
  assign words_length.runt       = words < WORDS_BITS'(RUNT_WORDS);
  assign words_length.runt_equal = words == WORDS_BITS'(RUNT_WORDS);
  assign words_length.over       = words > WORDS_BITS'(MAX_WORDS);
  assign words_length.over_equal = words == WORDS_BITS'(MAX_WORDS);

  // What is left of the verdict after the long compares
  typedef struct packed {
    logic                  valid;
    logic                  code;
    logic [7:0]            wrong;         // four bits of `rest` each
    length_t               words_length;
    logic [2:0]            bytes;
    logic [WORDS_BITS-1:0] words;
  } partial_t;
  partial_t partial_next, partial;
  always_comb begin
    for (int i = 0; i < 8; i++) partial_next.wrong[i] = rest[4*i+:4] != 0;
    partial_next.valid        = end_beat.valid & end_beat.last;
    partial_next.code         = end_code_error;
    partial_next.words_length = words_length;
    partial_next.bytes        = bytes;
    partial_next.words        = words;
  end
  if (LATENCY == 2) begin : gen_two_steps
    always_ff @(posedge clk) begin
      partial <= partial_next;
      if (rst) partial.valid <= 1'b0;
    end
  end else begin : gen_one_step
    assign partial = partial_next;
  end

  assign status_valid = partial.valid;
  assign status.fcs = (partial.wrong != 0) & ~partial.code;
  assign status.code = partial.code;
  assign status.runt = partial.words_length.runt | (partial.words_length.runt_equal & RUNT_IF_EQUAL[partial.bytes]);
  assign status.oversize = partial.words_length.over | (partial.words_length.over_equal & OVER_IF_EQUAL[partial.bytes]);

  always_ff @(posedge clk) length <= 16'({partial.words, {$clog2(BYTES) {1'b0}}} + partial.bytes);
endmodule
