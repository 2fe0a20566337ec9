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
  // The latest is bit 31.  It begins with 31 zeros and the one that follows from them.
  function automatic logic [31:0] advance(input logic [31:0] past);
    logic [31+WIDTH:0] line;
    line = {WIDTH'(0), past};
    for (int i = 32; i < 32 + WIDTH; i++) line[i] = ~(line[i-28] ^ line[i-31]);
    return line[31+WIDTH:WIDTH];
  endfunction
  logic [31:0] line_q;
  always_ff @(posedge clk) line_q <= rst ? 32'h8000_0000 : advance(line_q);
  assign data = line_q[31:32-WIDTH];
endmodule
