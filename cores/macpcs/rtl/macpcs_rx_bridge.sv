// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Synchronous 2:1 receive bridge: joined 16-bit words (macpcs_rx_join) to 32-bit words for a user at half the clock.
// Latency: a word is in the output register one fast cycle after its second half or the frame's end, and the user has
// it at the first slow edge after that: 1 fast cycle later if it came in the first half of a slow cycle, 2 if in the
// second.  A word that finds the register taken waits for one slow cycle.
//
//   fast cycle   first  second | first  second | first  second | first
//   in           a      b      | c      d      | e      last   |            last with keep 0
//   out          -      -      | ab     ab     | cd     cd     | e
//   in           -      a      | b      c      | d      last   |
//   out          -      -      | -      ab     | -      cd     | last (keep 0)
//
// The output register is on the fast clock and can change in mid slow cycle; at slow edges each word and each `out_sof`
// is there exactly once.  The path from it to the user's registers has one fast cycle.
//
// Two words within one slow cycle happen: a pair of halves, then an odd half or an empty end.  One register waits then.
// It is enough because each frame has at least one cycle without a beat between the `last` before and its own (its
// start block gives two or more, and macpcs_rx_join keeps their number): n beats give (n+1)/2 words at most, in
// n+1 cycles at least.
// Two `sof` within two slow cycles do not happen: they are a block, 66 bits, apart: four fast cycles at least.
module macpcs_rx_bridge
  import macpcs_pkg::*;
(
    input logic clk,
    input logic rst,
    input logic second, // from sync_phase: a slow edge ends this cycle

    input beat_t     in,         // 16 bits
    input rx_error_t in_status,  // with in.last
    input logic      sof,

    output beat_t     out,         // 32 bits
    output rx_error_t out_status,  // with out.last
    output logic      out_sof
);
  beat_t word, wait_q;
  rx_error_t wait_status_q;

  macpcs_rx_pack u_pack (
      .clk,
      .rst,
      .in,
      .out(word)
  );

  // A word in the output register stays until a slow edge has shown it to the user.
  logic free;
  assign free = second | ~out.valid;

  always_ff @(posedge clk) begin
    if (free) begin
      out          <= wait_q.valid ? wait_q : word;
      out_status   <= wait_q.valid ? wait_status_q : in_status;
      wait_q.valid <= wait_q.valid & word.valid;
    end else if (word.valid) begin
      wait_q.valid <= 1'b1;
    end
    if (word.valid) begin
      {wait_q.last, wait_q.keep, wait_q.data} <= {word.last, word.keep, word.data};
      wait_status_q                           <= in_status;
    end
    out_sof <= sof | (out_sof & ~second);
    if (rst) begin
      out.valid    <= 1'b0;
      wait_q.valid <= 1'b0;
      out_sof      <= 1'b0;
    end
  end
endmodule
