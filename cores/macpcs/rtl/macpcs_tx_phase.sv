// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Transmit gearbox schedule.  33 transceiver words carry WIDTH/2 blocks of 66 bits; everything is said a cycle ahead.
//
//   shift k = 0 .. WIDTH/2-2: the word with payload word 0 of block k carries 2k bits of the block before, the header,
//                             then payload; each later word starts with the 2k+2 bits that are left over
//   then one stall word:      the last WIDTH-2 old bits and the header of the next block, no payload
//   last block:               its payload words stand unshifted
//
// WIDTH = 32:   k      0      1    ...    14     stall   15
//               words  0,1    2,3  ...   28,29    30    31,32
//
// `room` counts the other way (WIDTH/2-2-k, and WIDTH/2-1 for the unshifted block): it is the gearbox's selector.
module macpcs_tx_phase
  import macpcs_pkg::*;
#(
    parameter int WIDTH = 32
) (
    input logic clk,
    input logic rst,

    output slot_t slot,  // this cycle
    output slot_t slot_next,  // next cycle
    output logic block_next,  // which begins a block
    output logic [$clog2(WIDTH/2)-1:0] room_next,
    output logic step,  // the next cycle starts a payload word: the payload pipeline moves at the end of this one
    output logic step_next  // the same, of the next cycle
);
  localparam logic [1:0] LAST_POS = 2'(64 / WIDTH - 1);

  logic stalls_q;  // a stall follows slot_next
  assign step      = ~slot_next.stall;
  assign step_next = ~stalls_q;

  // room_next - 1, bit by bit: an adder would be mapped to a carry chain.
  logic [$clog2(WIDTH/2)-1:0] room_less;
  always_comb
    for (int i = 0; i < $clog2(WIDTH / 2); i++) room_less[i] = room_next[i] ^ ((room_next & ((1 << i) - 1)) == 0);

  always_ff @(posedge clk) begin
    slot       <= slot_next;
    stalls_q   <= ~slot_next.stall & (slot_next.pos == LAST_POS - 2'd1) & (room_next == 0);
    block_next <= step_next & (slot_next.stall | slot_next.pos == LAST_POS);
    if (!step_next) begin
      slot_next <= '{stall: 1'b1, pos: 2'd0};
      room_next <= '1;
    end else if (slot_next.stall || slot_next.pos == LAST_POS) begin
      slot_next <= '{stall: 1'b0, pos: 2'd0};
      if (!slot_next.stall) room_next <= room_less;
    end else begin
      slot_next <= '{stall: 1'b0, pos: slot_next.pos + 2'd1};
    end
    if (rst) begin
      block_next <= 1'b1;
      stalls_q   <= 1'b0;
      slot       <= '{stall: 1'b0, pos: LAST_POS};
      slot_next  <= '{stall: 1'b0, pos: 2'd0};
      room_next  <= ($clog2(WIDTH / 2))'(WIDTH / 2 - 2);
    end
  end
endmodule
