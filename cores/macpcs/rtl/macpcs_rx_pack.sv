// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// 16-bit received words to 32 bits: two halves make a word, the first one is the low one.
// Latency: none; a word leaves in the cycle in which its second half, or the frame's end, comes (one LUT).
//
//   low half kept   beat that comes       word that leaves
//   no              a half                none, the half is kept
//   yes             a half                both, keep f
//   no              last, keep k          its half, last, keep k (k = 0: the frame ended with the word before)
//   yes             last, keep k          both, last, keep 4k + 3
//
// Assumes: keep is 3 before the last beat.
module macpcs_rx_pack
  import macpcs_pkg::*;
(
    input logic clk,
    input logic rst,

    input  beat_t in,  // 16 bits
    output beat_t out  // 32 bits
);
  logic [15:0] low_q;
  logic kept_q;

  always_comb begin
    out.valid = in.valid & (kept_q | in.last);
    out.last  = in.last;
    out.keep  = !in.last ? 4'hf : kept_q ? {in.keep[1:0], 2'b11} : {2'b00, in.keep[1:0]};
    out.data  = {in.data[15:0], kept_q ? low_q : in.data[15:0]};
  end

  always_ff @(posedge clk) begin
    if (!kept_q) low_q <= in.data[15:0];
    if (in.valid) kept_q <= ~kept_q & ~in.last;
    if (rst) kept_q <= 1'b0;
  end
endmodule
