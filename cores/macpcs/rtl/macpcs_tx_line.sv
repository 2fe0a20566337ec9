// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Scrambler, 66:32 gearbox and the late start: payload words in, transceiver words out.
// Latency: a payload word given in the cycle before `slot_next` is on `pma_data` in that slot.  The start has none:
// `start` reaches `pma_data` through one LUT.
//
// How a frame can start in the very word that is leaving: idle and start blocks have the same header, and scrambler and
// gearbox are linear, so "start instead of idle" is an XOR with a constant that depends only on the gearbox phase.
// `mask_q`, worked out a cycle ahead, holds it:  pma = word_q ^ (start ? mask_q : 0).  The cycle after, the scrambler
// state is put right with constants.
//
// The gearbox, for a word with payload word 0 at shift k (bit 0 is sent first):
//
//   window  {new payload word, header, old payload word}   66 bits: the header gap is folded in
//   window  {new payload word, old payload word, 2'b00}    later words of a block
//   window  {header, old payload word[31:2], 34 unused}    stall word: the old word is the last of block 14
//   pma     window[4 + 2*room +: 32]                       two levels of 4:1 multiplexers; window[3:0] is never picked
//
// Assumes: payload_next and header_control_next are those of an idle block where a start is on offer.
module macpcs_tx_line
  import macpcs_pkg::*;
(
    input logic clk,
    input logic rst,

    input slot_t        slot_next,
    input logic  [ 3:0] room_next,
    input logic         step,
    // Payload word of the next slot, and whether its block is a control block; as if no start is taken in this cycle.
    input logic  [31:0] payload_next,
    input logic         control_next,
    // A start block in lane 0 or lane 4 may be started in the next cycle (not both).
    input logic         offer0_next,
    input logic         offer4_next,
    // A start that was on offer is taken now; start = start0 | start4, early.
    input logic         start,
    input logic         start0,
    input logic         start4,

    output logic [31:0] pma_data
);
  // First payload word: idle -> start.
  localparam logic [31:0] START0 = {24'h0, TYPE_IDLE} ^ {{3{PREAMBLE}}, TYPE_START0};
  localparam logic [31:0] START4 = {24'h0, TYPE_IDLE} ^ {24'h0, TYPE_START4};
  // Second one: the same, and what the scrambler carries over from the change of the first.
  localparam logic [31:0] CARRY0 = {SFD, {3{PREAMBLE}}} ^ scramble_terms(START0, 32'h0);
  localparam logic [31:0] CARRY4 = {{3{PREAMBLE}}, 8'h0} ^ scramble_terms(START4, 32'h0);

  // Scrambled payload words: the one that is leaving as if no start is taken (base), the same as it really is, the one
  // before it, the next one.
  logic [31:0] base_q, sent, before_q, scrambled_next;
  assign sent = base_q ^ (start0 ? START0 : 32'h0) ^ (start4 ? START4 : 32'h0);
  assign scrambled_next = payload_next ^ scramble_terms(
      base_q, before_q
  ) ^ (start0 ? CARRY0 : 32'h0) ^ (start4 ? CARRY4 : 32'h0);

  logic [ 1:0] header;
  logic [65:4] window;
  assign header = control_next ? HEADER_CONTROL : HEADER_DATA;
  assign window = {
    slot_next.stall ? {header, base_q[31:2]} : scrambled_next, slot_next.pos == 0 ? {header, sent[31:4]} : {sent[31:2]}
  };

  logic [37:0] coarse;
  logic [31:0] word, mask;
  mux4 #(
      .WIDTH(38)
  ) u_coarse (
      .d0 (window[41:4]),
      .d1 (window[49:12]),
      .d2 (window[57:20]),
      .d3 (window[65:28]),
      .sel(room_next[3:2]),
      .y  (coarse)
  );
  mux4 #(
      .WIDTH(32)
  ) u_fine (
      .d0 (coarse[31:0]),
      .d1 (coarse[33:2]),
      .d2 (coarse[35:4]),
      .d3 (coarse[37:6]),
      .sel(room_next[1:0]),
      .y  (word)
  );

  // The part of the start's first payload word that lies in the next transceiver word: one LUT6 a bit.
  always_comb begin
    mask = '0;
    for (int k = 0; k < 16; k++)
    mask |= {32{room_next == 4'(14 - k)}} & (({32{offer0_next}} & (START0 << ((2 * k + 2) % 32)))
                                               | ({32{offer4_next}} & (START4 << ((2 * k + 2) % 32))));
  end

  logic [31:0] word_q, mask_q;
  always_ff @(posedge clk) begin
    word_q <= word;
    mask_q <= mask;
    if (step) begin
      base_q   <= scrambled_next;
      before_q <= sent;
    end
    if (rst) begin
      mask_q   <= '0;
      base_q   <= '1;
      before_q <= '1;
    end
  end

  assign pma_data = word_q ^ (start ? mask_q : 32'h0);
endmodule
