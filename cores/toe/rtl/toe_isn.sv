// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Initial sequence numbers, RFC 6528: a clock plus a keyed hash of the tuple.
// Latency: `isn` is right 26 cycles after `start`, while `tuple` stays; with SECOND 34, and `second`, too.
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
  localparam logic [5:0] BEFORE = '1;  // the step in front of step 0

  function automatic logic [31:0] rotate(input logic [31:0] x, input int by);
    return (x << by) | (x >> (32 - by));
  endfunction

  logic [41:0] clock;
  logic [ 5:0] step;
  logic [31:0] v0, v1, v2, v3, word_0, word_1;
  logic running;
  assign running = step != 6'(STEPS);

  // What is XORed into each after a half round: a word into v3 in front of its two rounds, and into v0 after them.  It is
  // chosen a step before that.  The key comes like that, too, so that there is no choice in front of v0 to v3: after BEFORE.
  logic [31:0] in_0, in_1, in_2, in_3;
  always_ff @(posedge clk) begin
    {in_0, in_1, in_2, in_3} <= '0;
    case (step)
      6'd2: in_3 <= tuple.peer_ip;
      6'd6: in_3 <= 32'(tuple.iface);
      6'd10: in_3 <= 32'h0c000000;
      6'(FIRST - 2): if (SECOND) in_1 <= 32'hdd;
      default: ;
    endcase
    case (step)
      6'd2: in_0 <= {tuple.peer_port, tuple.local_port};
      6'd6: in_0 <= tuple.peer_ip;
      6'd10: in_0 <= 32'(tuple.iface);
      6'd14: {in_0, in_2} <= {32'h0c000000, 32'hff};
      default: ;
    endcase
    if (start) begin
      {in_0, in_1, in_2} <= {3{secret}};
      in_3               <= secret ^ {tuple.peer_port, tuple.local_port};
    end
  end

  logic [31:0] a0, a2;
  assign a0 = v0 + (step[0] ? v3 : v1);
  assign a2 = v2 + (step[0] ? v1 : v3);
  always_ff @(posedge clk) begin
    clock <= clock + 1'b1;
    done  <= ~start & (step == 6'(STEPS - 1) | ~running);
    if (start) begin
      // A half round makes of these what v0 to v3 are without a key: 0, 0, 6c796765, 74656462
      {v0, v1, v2, v3} <= {32'h3b173538, 32'h63cb3b2b, 32'h039a314e, 32'hc4e8cac8};
      step <= BEFORE;
    end else if (running) begin
      v0   <= (step[0] ? a0 : rotate(a0, 16)) ^ in_0;
      v1   <= (step[0] ? rotate(v1, 13) ^ a2 : rotate(v1, 5) ^ a0) ^ in_1;
      v2   <= (step[0] ? rotate(a2, 16) : a2) ^ in_2;
      v3   <= (step[0] ? rotate(v3, 7) ^ a0 : rotate(v3, 8) ^ a2) ^ in_3;
      step <= step + 1'b1;
    end
    if (rst) begin
      clock <= '0;
      step  <= 6'(STEPS);
      done  <= 1'b0;
    end
  end

  // The first word: as it is, or from when it was complete on
  assign word_1 = v1 ^ v3;
  if (SECOND) begin : gen_second
    always_ff @(posedge clk) if (step == 6'(FIRST)) word_0 <= word_1;
    assign second = word_1;
  end else begin : gen_first
    assign word_0 = word_1;
    assign second = '0;
  end
  assign isn = word_0 + clock[41:10];
endmodule
