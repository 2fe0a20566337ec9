// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Scrambled idle checker: while `test_mode` and `lock`, each block that is not an idle block, header and all, counts one
// error.
// Latency: `error` comes 3 cycles after the slot that completes the block; `test_mode` gates it a cycle before.
//
// A wrong bit of the line is three wrong bits after the descrambler, 39 and 58 bits apart: one to three blocks.  A
// wrong bit of a sync header is one.
module macpcs_idle_check
  import macpcs_pkg::*;
#(
    parameter int WIDTH = 32  // of a payload word
) (
    input logic clk,
    input logic rst,

    input logic              test_mode,
    input logic              lock,
    input slot_t             slot,       // payload word that completes in this cycle
    input logic  [      1:0] header,     // of its block
    input logic  [WIDTH-1:0] word_q,     // payload word of the cycle before

    output logic error
);
  if (!(WIDTH inside {16, 32})) begin : gen_bad_width
    $error("macpcs_idle_check: WIDTH must be 16 or 32");
  end
  localparam logic [1:0] LAST_POS = 2'(64 / WIDTH - 1);

  logic first_q, last_q, bad_header_q, lock_q;  // with word_q
  logic first_2q, last_2q, bad_header_2q, lock_2q, bad_word_q;
  logic bad_q;  // a word of the block so far
  always_ff @(posedge clk) begin
    first_q       <= ~slot.stall & (slot.pos == 0);
    last_q        <= ~slot.stall & (slot.pos == LAST_POS);
    bad_header_q  <= header != HEADER_CONTROL;
    lock_q        <= lock;

    bad_word_q    <= word_q != (first_q ? WIDTH'(TYPE_IDLE) : '0);
    first_2q      <= first_q;
    last_2q       <= last_q;
    bad_header_2q <= bad_header_q;
    lock_2q       <= lock_q;
  end

  // Between blocks, and only there, a cycle may hold no payload word: what it adds is gone with the next first word.
  always_ff @(posedge clk) begin
    bad_q <= bad_word_q | (bad_q & ~first_2q);
    error <= test_mode & lock_2q & last_2q & (bad_word_q | bad_q | bad_header_2q);
    if (rst) error <= 1'b0;
  end
endmodule
