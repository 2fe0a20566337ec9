// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Initial sequence numbers, RFC 6528: a clock plus a keyed hash of the tuple.
// Latency: `isn` is right 24 cycles behind `start`, while `tuple` stays; with SECOND 33, and `second`, too.
//
// The hash is HalfSipHash-2-4 (32 bits) with half a round a cycle: two additions side by side.  Its key is the secret, twice.
// `second` is a further number of the tuple without the clock, from four rounds more, as HalfSipHash makes its second word.
// The clock counts every 1024 cycles, 3.2 us at 322 MHz (RFC 9293, 3.4.1: about 4 us).
module toe_isn
  import toe_pkg::*;
#(
    parameter bit SECOND = 1'b0  // it is wanted
) (
    input logic clk,
    input logic rst,

    input logic [31:0] secret,

    input  logic          start,
    input  tuple_t        tuple,
    output logic          done,   // from then to the next start
    output logic   [31:0] isn,
    output logic   [31:0] second
);
  localparam int WORDS = 4;  // of the message: interface and length, addresses, ports
  localparam int FIRST = 4 * WORDS + 8;  // half rounds: two rounds a word, four at the end
  localparam int STEPS = SECOND ? FIRST + 8 : FIRST;

  function automatic logic [31:0] rotate(input logic [31:0] x, input int by);
    return (x << by) | (x >> (32 - by));
  endfunction

  logic [41:0] clock;
  logic [ 5:0] step;
  logic [31:0] v0, v1, v2, v3, word, earlier;
  logic [WORDS-1:0][31:0] words;
  assign words = {32'h0c000000, 29'h0, tuple.iface, tuple.peer_ip, tuple.peer_port, tuple.local_port};

  // A word is XORed into v3 before its first half round, and into v0 behind its last
  logic first;
  assign first = step[1:0] == 0;
  assign word = 32'(step) < 4 * WORDS && first ? words[step[3:2]] : 32'h0;
  assign earlier = first && step != 0 && 32'(step) <= 4 * WORDS ? words[step[3:2]-2'd1] : 32'h0;

  logic [31:0] a0, a2, b1, b3, x0, x1, x2, x3;
  assign x0 = v0 ^ earlier;
  assign x1 = v1 ^ (SECOND && step == 6'(FIRST) ? 32'hdd : 32'h0);
  assign x2 = v2 ^ (step == 6'(4 * WORDS) ? 32'hff : 32'h0);
  assign x3 = v3 ^ word;
  always_comb begin
    if (!step[0]) begin
      a0 = x0 + x1;
      a2 = x2 + x3;
      b1 = rotate(x1, 5) ^ a0;
      b3 = rotate(x3, 8) ^ a2;
      a0 = rotate(a0, 16);
    end else begin
      a0 = x0 + x3;
      a2 = x2 + v1;
      b3 = rotate(x3, 7) ^ a0;
      b1 = rotate(v1, 13) ^ a2;
      a2 = rotate(a2, 16);
    end
  end

  // The first word: as it is, or from when it was complete on
  logic [31:0] word_1;
  if (SECOND) begin : gen_second
    always_ff @(posedge clk) if (step == 6'(FIRST)) word_1 <= v1 ^ v3;
    assign second = v1 ^ v3;
  end else begin : gen_first
    assign word_1 = v1 ^ v3;
    assign second = '0;
  end

  always_ff @(posedge clk) begin
    clock <= clock + 1'b1;
    isn   <= word_1 + clock[41:10];
    if (start) begin
      {v0, v1, v2, v3} <= {secret, secret, 32'h6c796765 ^ secret, 32'h74656462 ^ secret};
      step <= '0;
      done <= 1'b0;
    end else if (32'(step) != STEPS) begin
      {v0, v1, v2, v3} <= {a0, b1, a2, b3};
      step <= step + 1'b1;
    end else begin
      done <= 1'b1;
    end
    if (rst) begin
      clock <= '0;
      step  <= 6'(STEPS);
      done  <= 1'b0;
    end
  end
endmodule
