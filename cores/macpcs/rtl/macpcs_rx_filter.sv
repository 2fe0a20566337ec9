// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Destination address filter: a frame whose first six bytes are not own_address, ff:ff:ff:ff:ff:ff or, with pass_group,
// any group address (first bit on the line is 1) is dropped whole: no beat, no sof, no verdict, one pulse of
// stat_filtered.  A frame that ends before its sixth byte matches nothing.  With `on` = 0 every frame passes.
// Latency: DEPTH cycles, for beats and verdicts, whatever is set: 8 with 32-bit words, 9 with 16-bit words.
// stat_filtered comes when the last beat would have left.
//
// sof is generated here: two cycles before the frame's first beat, three if that is its only one.  in.sof is ignored:
// each frame has one end, and ends separate the frames.  So sof comes before the last beat of the frame before by
// one cycle at most, and two of them are as far apart as in.sof are, a block:
//
//   32-bit words: last beats are two cycles apart or more.  So are the first beat of a frame that has several and that
//     of the next; after a frame with a single one (cut by the next start) it may be one: hence the third cycle.
//   16-bit words: last beats are four cycles apart or more, and a first beat comes three or more after a last one.
//
// DEPTH: the word with the sixth byte is the second (32 bits) or the third (16).  It comes in the next cycle or the one
// after that, but for
//   - one stall, which comes once in 33 cycles,
//   - one cycle where it is in a terminate block, whose first slot has no word (frames of up to 11 bytes, start in
//     lane 4).
// Then a register in front, another after the compare, one for sof, and two cycles to the first beat:
//
//   cycle           0      1        3 (4)      5 (6)     6 (7)   8 (9)
//   in              first           sixth byte at the latest
//   line_q[1]              first
//   line_q[2]                                  hit: now
//   out.sof                                              sof
//   out.beat                                                     first
//
// A frame whose sixth byte came later still (no such thing leaves macpcs_rx) would be dropped, too.  `on`, pass_group
// and own_address may change at any time: each frame is judged once, by what they are in the two cycles after each of
// its first words.
//
// Logic levels (LUT6, open mapper): three, after a register; all outputs are registers.
module macpcs_rx_filter
  import macpcs_pkg::*;
#(
    parameter int WIDTH = 32,
    parameter int VERDICT_LATENCY = 1  // cycles from the last beat of a frame to its verdict, 0 to 6
) (
    input logic clk,
    input logic rst,

    input logic        on,          // frames that are for others are dropped
    input logic        pass_group,  // but those to any group address
    input logic [47:0] own_address, // first byte in bits 47:40

    input  rx_t  in,
    output rx_t  out,
    output logic stat_filtered  // a frame has been dropped
);
  if (!(WIDTH inside {16, 32})) begin : gen_bad_width
    $error("macpcs_rx_filter: WIDTH must be 16 or 32");
  end
  if (VERDICT_LATENCY < 0 || VERDICT_LATENCY > 6) begin : gen_bad_latency
    $error("macpcs_rx_filter: VERDICT_LATENCY must be 0 to 6");
  end

  localparam int LANES = WIDTH / 16;
  localparam int LAST_WORD = 2 / LANES;  // has the sixth byte
  localparam int DEPTH = LAST_WORD + 7;

  // --- The line: a beat is in line_q[i] i cycles after it came, then in out
  rx_t [DEPTH-1:1] line_q;
  always_ff @(posedge clk) begin
    line_q <= {line_q[DEPTH-2:1], in};
    if (rst) begin
      for (int i = 1; i < DEPTH; i++) begin
        line_q[i].beat.valid   <= 1'b0;
        line_q[i].status_valid <= 1'b0;
      end
    end
  end

  // --- Compare, word by word
  // Of what is in line_q[2] now: a word with two bytes or more; its halves match, if they are these of the address
  logic whole_q;
  logic [2:0] own_half_q, ones_half_q;
  always_ff @(posedge clk) begin
    whole_q <= line_q[1].beat.valid & line_q[1].beat.keep[1] & ~rst;
    for (int h = 0; h < 3; h++) begin
      own_half_q[h]  <= line_q[1].beat.data[16*(h%LANES)+:16] == {own_address[32-16*h+:8], own_address[40-16*h+:8]};
      ones_half_q[h] <= line_q[1].beat.data[16*(h%LANES)+:16] == 16'hffff;
    end
  end

  beat_t word;
  logic [LAST_WORD:0] own_is, ones_is;  // it matches, if it is this word of its frame
  assign word = line_q[2].beat;
  always_comb begin
    own_is  = '1;
    ones_is = '1;
    for (int h = 0; h < 3; h++) begin
      own_is[h/LANES] &= own_half_q[h];
      ones_is[h/LANES] &= ones_half_q[h];
    end
  end

  logic starts_q;  // the next word is the first of a frame
  logic [LAST_WORD:1] own_q, ones_q, group_q;  // [i]: the next word is word i, and those before it match
  logic ends, starts, hit;
  assign ends = word.valid & word.last;
  assign starts = word.valid & starts_q;
  assign hit = whole_q & ((own_q[LAST_WORD] & own_is[LAST_WORD])
                                            | (ones_q[LAST_WORD] & ones_is[LAST_WORD]) | group_q[LAST_WORD]);
  always_ff @(posedge clk) begin
    if (word.valid) begin
      starts_q <= word.last;
      own_q    <= LAST_WORD'({own_q, starts_q} & own_is) & {LAST_WORD{~word.last}};
      ones_q   <= LAST_WORD'({ones_q, starts_q} & ones_is) & {LAST_WORD{~word.last}};
      group_q  <= LAST_WORD'({group_q, starts_q & pass_group & word.data[0]}) & {LAST_WORD{~word.last}};
    end
    if (rst) begin
      starts_q <= 1'b1;
      own_q    <= '0;
      ones_q   <= '0;
      group_q  <= '0;
    end
  end

  // --- Each frame's decision goes along the line with its first beat.  A hit is for the only one that is open: when
  // the sixth byte of a frame is in word, the first beat of the one before, if that has several, is after DEPTH - 3.
  logic [DEPTH-2:3] first_q;
  logic [DEPTH-2:3] pass_q, single_q;  // its frame passes, and has several beats, or has this one
  logic [DEPTH-3:3] open_q;  // this first beat's frame has several, and may yet get its hit
  always_ff @(posedge clk) begin
    first_q  <= {first_q[DEPTH-3:3], starts};
    single_q <= {single_q[DEPTH-3:3], starts & ends & ~on};
    pass_q   <= {pass_q[DEPTH-3:3] | (open_q & {DEPTH - 5{hit}}), starts & ~ends & ~on};
    open_q   <= {open_q[DEPTH-4:3], starts & ~ends};
    out.sof  <= pass_q[DEPTH-3] | (open_q[DEPTH-3] & hit) | single_q[DEPTH-4];
    if (rst) begin
      first_q  <= '0;
      single_q <= '0;
      pass_q   <= '0;
      open_q   <= '0;
      out.sof  <= 1'b0;
    end
  end

  // --- What leaves
  rx_t  leaving;
  logic passes_q;  // the frame of the beat in leaving
  localparam int AGO = VERDICT_LATENCY < 2 ? 2 : VERDICT_LATENCY;
  logic [AGO:0] passes;  // so many cycles ago
  assign leaving   = line_q[DEPTH-1];
  assign passes[0] = passes_q;
  always_ff @(posedge clk) begin
    if (first_q[DEPTH-2]) passes_q <= pass_q[DEPTH-2] | single_q[DEPTH-2];
    passes[AGO:1]    <= passes[AGO-1:0];
    out.beat         <= leaving.beat;
    out.beat.valid   <= leaving.beat.valid & passes_q;
    out.status       <= leaving.status;
    out.status_valid <= leaving.status_valid & passes[VERDICT_LATENCY];
    stat_filtered    <= leaving.beat.valid & leaving.beat.last & ~passes_q;
    if (rst) begin
      out.beat.valid   <= 1'b0;
      out.status_valid <= 1'b0;
      stat_filtered    <= 1'b0;
    end
  end
endmodule
