// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The timestamps of a segment as it passes, and whether it is older than TS.Recent (PAWS, RFC 7323, 5.3).
//
//   word               13       14                15                16
//   NOP, NOP, option   01 01    08 0a TSval 0-1   2-3, TSecr 0-1    2-3, payload
//   option first       08 0a    TSval             TSecr             xx xx, payload
//
// These are the two places that senders use (RFC 7323, appendix A; all stacks that we know).  A segment that has the option
// elsewhere counts as without, a SYN excepted: toe_rx_options.
// Latency: `refuse` is of word 15, combinational: the segment has no timestamp or an old one, and its payload, which begins
// with word 16 at the earliest, must not be taken.  on and old are right after word 15, echo after word 16.
module toe_rx_stamp
  import toe_pkg::*;
(
    input logic clk,
    input logic rst,

    input logic        start,  // word 11: a segment with `words` words of options
    input logic [ 3:0] words,
    input logic        valid,  // a word from 13 on
    input logic [31:0] word,
    input logic        check,  // from word 13 on: TS.Recent counts
    input logic [31:0] recent,

    output logic        refuse,
    output logic        on,
    output logic        old,
    output logic [31:0] stamp,
    output logic [31:0] echo
);
  logic [2:0] at_q;  // words that have passed: 4 and more are the same
  logic enough_q, front_q, nops_q, older;
  logic [31:0] stamp_now;
  logic [31:0] apart;  // its sign is wanted
  assign stamp_now = {stamp[31:16], front_q ? stamp[15:0] : swap16(word[15:0])};
  assign apart     = stamp_now - recent;
  assign older     = check & apart[31];
  assign refuse    = valid & (at_q == 3'd2) & ~(on & ~older);
  always_ff @(posedge clk) begin
    if (valid && !at_q[2]) at_q <= at_q + 1'b1;
    if (valid) begin
      case (at_q)
        3'd0:    {front_q, nops_q} <= {word[31:16] == 16'h0a08, word[31:16] == 16'h0101};
        3'd1: begin
          on    <= enough_q & (front_q | (nops_q & word[15:0] == 16'h0a08));
          stamp <= front_q ? swap32(word) : {swap16(word[31:16]), 16'h0};
        end
        3'd2: begin
          old         <= older;
          stamp[15:0] <= stamp_now[15:0];
          echo        <= front_q ? swap32(word) : {swap16(word[31:16]), 16'h0};
        end
        3'd3:    if (!front_q) echo[15:0] <= swap16(word[15:0]);
        default: ;
      endcase
    end
    if (start) begin
      at_q      <= 3'd0;
      enough_q  <= words >= 4'd3;
      {on, old} <= 2'b00;
    end
    if (rst) {on, old} <= 2'b00;
  end
endmodule
