// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// FCS and length check of received frames.
// Latency: beat_q is beat, 1 cycle later; the verdict comes LATENCY (0 to 2) cycles after the last beat.  With LATENCY = 0 it
// is combinational from the transceiver word: about ten levels of logic.
//
// No CRC of partial words: after the last k bytes the register must be CRC32_RESIDUE, so before them (register ^ data)
// must be that value shifted back by k bytes, a constant for each k.  One 32-bit compare.
//
// With words of 16 bits, which have half the time, what can be known before the last beat is judged is in registers (not with
// LATENCY = 0): whether the number of words is a limit, that number plus one; with LATENCY = 1, whose verdict has one step,
// also the lower half of what the compare wants.
//
// With CRC32_DISABLE there is none of that, and status.fcs is 0.
//
// Assumes: keep is full before the last beat, and there its lowest ones or nothing; max_length stands still while
// frames come.
module macpcs_rx_check
  import crc32_pkg::*, macpcs_pkg::*;
#(
    parameter int WIDTH         = 32,
    parameter int LATENCY       = 1,
    parameter int MIN_BYTES     = 64,
    parameter bit CRC32_DISABLE = 1'b0
) (
    input logic clk,
    input logic rst,

    input logic [15:0] max_length,  // bytes; any value

    input beat_t beat,
    input logic  code_error, // with beat.last

    output beat_t            beat_q,
    output logic             status_valid,
    output rx_error_t        status,
    output logic      [15:0] length         // bytes, one cycle after the verdict; 65535 stands for all above, too
);
  if (LATENCY < 0 || LATENCY > 2) begin : gen_bad_latency
    $error("macpcs_rx_check: LATENCY must be 0 to 2");
  end
  if (MIN_BYTES < 1 || MIN_BYTES > 65535) begin : gen_bad_length
    $error("macpcs_rx_check: MIN_BYTES must be 1 to 65535");
  end

  localparam int BYTES = WIDTH / 8;
  localparam int REST_BITS = $clog2(BYTES);
  localparam bit AHEAD = WIDTH == 16 && LATENCY != 0;

  // --- Length: words before beat_q; the counter too runs one behind, and stops at its upper bit, above any limit
  localparam int WORDS_BITS = 16 - REST_BITS;
  logic [WORDS_BITS:0] words_q, words_after, words_next;  // words_after: one more
  always_comb begin
    words_next = words_q;
    if (beat_q.valid) begin
      if (beat_q.last) words_next = '0;
      else if (!words_q[WORDS_BITS]) words_next = words_after;
    end
  end

  // A frame is longer than a limit of w words and r bytes if there are more than w words before its last beat, or just
  // w and more than r bytes in it.  The counter passes each limit once, so a compare for equality is enough.
  localparam int MIN = 0;
  localparam int MAX = 1;
  logic [1:0][15:0] limit;
  logic [1:0] at_limit;  // words_q is it
  logic [1:0] past_q, past_next;  // more words than that
  assign limit = {max_length, 16'(MIN_BYTES - 1)};
  function automatic logic [1:0] at(input logic [WORDS_BITS-1:0] count, input logic [1:0][15:0] limits);
    for (int i = 0; i < 2; i++) at[i] = count == limits[i][15:REST_BITS];
  endfunction
  if (AHEAD) begin : gen_ahead
    logic [WORDS_BITS:0] after_q;
    logic some_q;  // words_q is not 0: max_length may change until then
    assign words_after = after_q;
    always_ff @(posedge clk) begin
      if (beat_q.valid) some_q <= ~beat_q.last;
      if (rst) some_q <= 1'b0;
      if (rst || (beat_q.valid ? beat_q.last : ~some_q)) begin
        after_q  <= (WORDS_BITS + 1)'(1);
        at_limit <= at('0, limit);
      end else if (beat_q.valid && !words_q[WORDS_BITS]) begin
        after_q  <= after_q + 1'b1;
        at_limit <= at(after_q[WORDS_BITS-1:0], limit);
      end
    end
  end else begin : gen_here
    assign words_after = words_q + 1'b1;
    assign at_limit    = at(words_q[WORDS_BITS-1:0], limit);
  end
  always_comb begin
    past_next = past_q;
    if (beat_q.valid) begin
      for (int i = 0; i < 2; i++) past_next[i] = ~beat_q.last & (past_q[i] | (at_limit[i]));
    end
  end
  always_ff @(posedge clk) begin
    words_q <= rst ? '0 : words_next;
    past_q  <= rst ? '0 : past_next;
  end

  always_ff @(posedge clk) begin
    beat_q <= beat;
    if (rst) beat_q.valid <= 1'b0;
  end

  // --- The last beat, when it is judged
  logic [WORDS_BITS:0] words, words_full;  // before it, and with it if it is full
  logic [1:0] past, equal;
  beat_t end_beat;  // the data only for the FCS
  logic [BYTES-1:0] end_keep;
  logic end_code_error;
  assign end_keep = end_beat.keep[BYTES-1:0];
  if (LATENCY == 0) begin : gen_same_cycle
    assign words          = words_next;
    assign words_full     = words_next + 1'b1;
    assign past           = past_next;
    assign equal          = at(words_next[WORDS_BITS-1:0], limit);
    assign end_beat       = beat;
    assign end_code_error = code_error;
  end else begin : gen_one_later
    assign words      = words_q;
    assign words_full = words_after;
    assign past       = past_q;
    assign equal      = at_limit;
    assign end_beat   = beat_q;
    always_ff @(posedge clk) end_code_error <= code_error;
  end

  // --- FCS: the register runs one word behind
  logic [7:0] wrong;  // four bits of the register each
  if (CRC32_DISABLE) begin : gen_no_fcs
    assign wrong = '0;
  end else begin : gen_fcs
    logic [31:0] crc_q, crc_word, crc_next, crc;
    if (WIDTH == 32) begin : gen_crc32
      assign crc_word = crc32_word(crc_q ^ beat_q.data);
    end else begin : gen_crc16
      assign crc_word = {16'h0, crc_q[31:16]} ^ crc32_halfword(crc_q[15:0] ^ beat_q.data[15:0]);
    end
    assign crc_next = beat_q.valid ? crc_word : crc_q;
    always_ff @(posedge clk) crc_q <= (rst || (beat_q.valid && beat_q.last)) ? CRC32_INIT : crc_next;
    assign crc = LATENCY != 0 ? crc_q : (beat_q.valid & beat_q.last) ? CRC32_INIT : crc_next;

    // What the register should be before the last bytes, and these.
    function automatic logic [31:0] due_of(input logic [BYTES-1:0] used, input logic [WIDTH-1:0] bits);
      due_of = CRC32_RESIDUE;
      for (int i = 0; i < BYTES; i++) if (used[i]) due_of = crc32_unshift(CRC32_RESIDUE, 8 * (i + 1));
      for (int i = 0; i < BYTES; i++) if (used[i]) due_of[8*i+:8] = due_of[8*i+:8] ^ bits[8*i+:8];
    endfunction
    logic [31:0] due, rest;
    if (AHEAD && LATENCY == 1) begin : gen_due_ahead
      logic [15:0] low_q;
      always_ff @(posedge clk) low_q <= 16'(due_of(beat.keep[BYTES-1:0], beat.data[WIDTH-1:0]));
      assign due = {16'(due_of(end_keep, '0) >> 16), low_q};
    end else begin : gen_due_here
      assign due = due_of(end_keep, end_beat.data[WIDTH-1:0]);
    end
    always_comb begin
      rest = crc ^ due;
      for (int i = 0; i < 8; i++) wrong[i] = rest[4*i+:4] != 0;
    end
  end

  // --- Verdict: what is left of it after the long compares
  typedef struct packed {
    logic                 valid;
    logic                 code;
    logic [7:0]           wrong;
    logic [1:0]           past;
    logic [1:0]           equal;   // the last beat decides
    logic [1:0]           beyond;  // and is beyond the limit
    logic [WORDS_BITS:0]  words;   // with the last beat, if it is full
    logic [REST_BITS-1:0] bytes;   // of the last beat, if it is not
  } partial_t;
  partial_t partial_next, partial;
  always_comb begin
    partial_next.valid = end_beat.valid & end_beat.last;
    partial_next.code  = end_code_error;
    partial_next.wrong = wrong;
    partial_next.past  = past;
    for (int i = 0; i < 2; i++) begin
      partial_next.equal[i]  = equal[i];
      partial_next.beyond[i] = end_keep[limit[i][REST_BITS-1:0]];
    end
    partial_next.words = end_keep[BYTES-1] ? words_full : words;
    partial_next.bytes = '0;
    for (int i = 0; i < BYTES; i++) if (end_keep[i]) partial_next.bytes = REST_BITS'(i + 1);
  end
  if (LATENCY == 2) begin : gen_two_steps
    always_ff @(posedge clk) begin
      partial <= partial_next;
      if (rst) partial.valid <= 1'b0;
    end
  end else begin : gen_one_step
    assign partial = partial_next;
  end

  logic [1:0] longer;
  assign longer = partial.past | (partial.equal & partial.beyond);
  assign status_valid = partial.valid;
  assign status.fcs = (partial.wrong != 0) & ~partial.code;
  assign status.code = partial.code;
  assign status.runt = ~longer[MIN];
  assign status.oversize = longer[MAX];

  always_ff @(posedge clk) length <= partial.words[WORDS_BITS] ? '1 : {partial.words[WORDS_BITS-1:0], partial.bytes};
endmodule
