// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// PRBS31 test pattern (IEEE 802.3 clause 49.2.8): 1 + x^28 + x^31, sent inverted, in place of the whole line: no sync
// headers.  Bit 0 of `data` is sent first.
// Latency: `data` is a register, a new word in every cycle from the end of reset on.
module macpcs_prbs31_gen #(
    parameter int WIDTH = 32
) (
    input logic clk,
    input logic rst,

    output logic [WIDTH-1:0] data
);
  if (!(WIDTH inside {16, 32})) begin : gen_bad_width
    $error("macpcs_prbs31_gen: WIDTH must be 16 or 32");
  end

  // As bits of the line: inverted, bit[n] = ~(bit[n-28] ^ bit[n-31]).  All ones would stay so for ever.
  // The latest is bit 31 of line_q.  It begins with 31 zeros and the one that follows from them.
  // In whole words, which a simulator likes: the first 28 bits hang on the past alone, the last four on them too.
  logic [31:0] line_q;
  logic [WIDTH-1:0] next;
  if (WIDTH == 16) begin : gen_next_16
    assign next = ~(line_q[19:4] ^ line_q[16:1]);
  end else begin : gen_next_32
    assign next[27:0]  = ~(line_q[31:4] ^ line_q[28:1]);
    assign next[30:28] = ~(next[2:0] ^ line_q[31:29]);
    assign next[31]    = ~(next[3] ^ next[0]);
  end
  always_ff @(posedge clk) line_q <= rst ? 32'h8000_0000 : 32'({next, line_q} >> WIDTH);
  assign data = line_q[31:32-WIDTH];
endmodule
