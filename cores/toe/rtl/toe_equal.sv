// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// a == b, where a comes out of block RAM: three bits in a LUT6, six of these in another.  Combinational.
//
// With ULLNIC_LUT6 defined the cells are named, as in mux4: the open mapper does not know that block RAM is late, and
// takes more levels than there is time for.
module toe_equal #(
    parameter int WIDTH = 32
) (
    input  logic [WIDTH-1:0] a,
    input  logic [WIDTH-1:0] b,
    output logic             y
);
`ifdef ULLNIC_LUT6
  localparam int THREES = (WIDTH + 2) / 3;
  localparam int SIXES = (THREES + 5) / 6;
  logic [3*THREES-1:0] a_all, b_all;
  logic [6*SIXES-1:0] same;
  logic [  SIXES-1:0] all;
  assign a_all = (3 * THREES)'(a);
  assign b_all = (3 * THREES)'(b);
  for (genvar i = 0; i < THREES; i++) begin : gen_three
    LUT6 #(
        .INIT(64'h8040201008040201)
    ) lut (
        .O (same[i]),
        .I0(a_all[3*i]),
        .I1(a_all[3*i+1]),
        .I2(a_all[3*i+2]),
        .I3(b_all[3*i]),
        .I4(b_all[3*i+1]),
        .I5(b_all[3*i+2])
    );
  end
  for (genvar i = THREES; i < 6 * SIXES; i++) begin : gen_none
    assign same[i] = 1'b1;
  end
  for (genvar i = 0; i < SIXES; i++) begin : gen_six
    LUT6 #(
        .INIT(64'h8000000000000000)
    ) lut (
        .O (all[i]),
        .I0(same[6*i]),
        .I1(same[6*i+1]),
        .I2(same[6*i+2]),
        .I3(same[6*i+3]),
        .I4(same[6*i+4]),
        .I5(same[6*i+5])
    );
  end
  assign y = &all;
`else
  assign y = a == b;
`endif
endmodule
