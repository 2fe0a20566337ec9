// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Scrambler, gearbox and the late start: payload words in, transceiver words out.
// Latency: a payload word given with WIDTH = 32 in the cycle before `slot_next` is on `pma_data` in that slot; with
// WIDTH = 16, whose shorter cycle has room for one of the two steps only, one slot later.  The start has none:
// `valid` reaches `pma_data` through one LUT.
//
// How a frame can start in the very word that is leaving: idle and start blocks have the same header, and scrambler and
// gearbox are linear, so "start instead of idle" is an XOR with a constant that depends only on the gearbox phase.
// `mask_q`, worked out a cycle ahead, holds it, and is zero where no start is on offer:
// pma = word_q ^ (valid ? mask_q : 0).  In the same cycle the scrambler state, and with WIDTH = 16 the word that follows,
// are put right with constants.
//
// The gearbox, for a word with payload word 0 at shift k (bit 0 is sent first), W = WIDTH:
//
//   window  {new payload word, header, old payload word}   2W + 2 bits: the header gap is folded in
//   window  {new payload word, old payload word, 2'b00}    later words of a block
//   window  {header, old payload word[W-1:2], unused}      stall word: the old word is the last of its block
//   pma     window[4 + 2*room +: W]                        window[3:0] is never picked
//
// Assumes: the payload and header of the slot in which a start is on offer are those of an idle block.
module macpcs_tx_line
  import macpcs_pkg::*;
#(
    parameter int WIDTH = 32
) (
    input logic clk,
    input logic rst,

    input slot_t                       slot_next,
    input logic  [$clog2(WIDTH/2)-1:0] room_next,
    input logic                        step,
    // Payload word, and whether its block is a control block; as if no start is taken in this cycle.
    input logic  [          WIDTH-1:0] payload_next,
    input logic                        control_next,
    // A start block in lane 0 or lane 4 may be started in the next cycle (not both).
    input logic                        offer0_next,
    input logic                        offer4_next,
    // The user has a word in this cycle: if a start was on offer, it is taken; start0 and start4 say which.
    input logic                        valid,
    input logic                        start0,
    input logic                        start4,

    // A test pattern in place of the blocks; no start may be on offer then.
    input logic             pattern_on,
    input logic [WIDTH-1:0] pattern,

    output logic [WIDTH-1:0] pma_data
);
  // Payload words between the scrambler and the wire: the one that leaves in the next cycle, and with WIDTH = 16 another.
  localparam bit AHEAD = WIDTH == 16;

  // What a start changes in the scrambled payload of an idle block: its own bytes, and what they carry over.
  function automatic logic [63:0] scramble_block(input logic [63:0] block);
    logic [63:0] line;
    line = {scramble_terms({block[31:0], 32'h0}), 32'h0} ^ block;
    return line;
  endfunction
  localparam logic [63:0] IDLE_BLOCK = {56'h0, TYPE_IDLE};
  localparam logic [63:0] START0 = scramble_block(IDLE_BLOCK ^ {SFD, {6{PREAMBLE}}, TYPE_START0});
  localparam logic [63:0] START4 = scramble_block(IDLE_BLOCK ^ {{3{PREAMBLE}}, 32'h0, TYPE_START4});

  // --- Scrambler: the last 64 bits, the latest on top; with AHEAD a word of them is still to be sent
  logic [63:0] history_q, history_next, unchanged, change;
  logic change0, change4;  // with AHEAD a start that is on offer: `valid`, which comes late, is in the last LUT alone
  assign change    = ({64{change0}} & START0) | ({64{change4}} & START4);
  assign unchanged = {payload_next ^ WIDTH'(scramble_terms(history_q)), history_q[63:WIDTH]};
  if (AHEAD) begin : gen_late_change
    logic offer0_q, offer4_q;
    always_ff @(posedge clk) {offer0_q, offer4_q} <= {offer0_next & ~rst, offer4_next & ~rst};
    assign {change0, change4} = {offer0_q, offer4_q};
    for (genvar i = 0; i < 64; i++) begin : gen_bit
      if (i >= WIDTH && ((START0 | START4) >> (i - WIDTH)) % 2 == 1) begin : gen_changed
        xor_mux2 u_bit (
            .a0 (unchanged[i]),
            .b0 (1'b0),
            .a1 (unchanged[i]),
            .b1 (change[i-WIDTH]),
            .sel(valid),
            .y  (history_next[i])
        );
      end else begin : gen_unchanged
        assign history_next[i] = unchanged[i];
      end
    end
    logic unused;
    assign unused = &{start0, start4, change};
  end else begin : gen_change
    assign {change0, change4} = {start0, start4};
    assign history_next       = unchanged ^ change;
  end

  // --- Gearbox
  localparam int ROOM_BITS = $clog2(WIDTH / 2);
  logic [WIDTH-1:0] new_word, picked, word_q;
  logic [WIDTH-1:2] old_word;
  logic [1:0] header;
  logic [2*WIDTH+1:4] window;
  assign window = {
    slot_next.stall ? {header, old_word} : new_word, slot_next.pos == 0 ? {header, old_word[WIDTH-1:4]} : old_word
  };
  radix4_select #(
      .WIDTH    (WIDTH),
      .POSITIONS(WIDTH / 2),
      .STEP     (2)
  ) u_select (
      .window,
      .sel(room_next),
      .y  (picked)
  );

  // --- The bits of a start block that differ, as they lie in the next transceiver word and in the one after it
  localparam int MASK = AHEAD ? 2 * WIDTH : WIDTH;
  logic [MASK-1:0] mask;  // one LUT6 a bit
  always_comb begin
    mask = '0;
    for (int r = 0; r < WIDTH / 2; r++) begin
      if (room_next == ROOM_BITS'(r)) begin
        mask = ({MASK{offer0_next}} & MASK'(START0 << (WIDTH - 2 - 2 * r)))
               | ({MASK{offer4_next}} & MASK'(START4 << (WIDTH - 2 - 2 * r)));
      end
    end
  end

  logic [WIDTH-1:0] mask_q;  // the pattern takes this way too: no longer path for the word
  logic pattern_on_q;
  if (AHEAD) begin : gen_ahead
    logic control_q;
    logic [WIDTH-1:0] mask_after_q;
    assign {new_word, old_word} = history_q[63-:2*WIDTH-2];
    assign header = control_q ? HEADER_CONTROL : HEADER_DATA;
    always_ff @(posedge clk) begin
      if (step) control_q <= control_next;
      mask_after_q <= mask[MASK-1-:WIDTH];
      word_q       <= picked ^ (valid ? mask_after_q : '0);
      if (rst) begin
        control_q    <= 1'b1;
        mask_after_q <= '0;
      end
      if (pattern_on) word_q <= '0;
    end
  end else begin : gen_direct
    assign {new_word, old_word} = history_next[63-:2*WIDTH-2];
    assign header = control_next ? HEADER_CONTROL : HEADER_DATA;
    always_ff @(posedge clk) word_q <= pattern_on ? '0 : picked;
  end

  always_ff @(posedge clk) begin
    mask_q       <= pattern_on ? pattern : mask[WIDTH-1:0];
    pattern_on_q <= pattern_on;
    if (step) history_q <= history_next;
    if (rst) begin
      mask_q    <= '0;
      history_q <= '1;
    end
  end

  assign pma_data = word_q ^ ((valid | pattern_on_q) ? mask_q : '0);
endmodule
