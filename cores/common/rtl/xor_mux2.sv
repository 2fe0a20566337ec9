// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// y = sel ? a1 ^ b1 : a0 ^ b0, one LUT5 a bit, combinational.
//
// With ULLNIC_LUT6 defined the cell is named, as in mux4 and for the same reason: it ends a path whose first cells are
// named, and the open mapper, which does not see them, would spread it over several levels.
module xor_mux2 #(
    parameter int WIDTH = 1
) (
    input  logic [WIDTH-1:0] a0,
    input  logic [WIDTH-1:0] b0,
    input  logic [WIDTH-1:0] a1,
    input  logic [WIDTH-1:0] b1,
    input  logic             sel,
    output logic [WIDTH-1:0] y
);
`ifdef ULLNIC_LUT6
  for (genvar i = 0; i < WIDTH; i++) begin : gen_bit
    LUT6 #(
        .INIT(64'h0FF066660FF06666)
    ) lut (
        .O (y[i]),
        .I0(a0[i]),
        .I1(b0[i]),
        .I2(a1[i]),
        .I3(b1[i]),
        .I4(sel),
        .I5(1'b0)
    );
  end
`else
  assign y = sel ? a1 ^ b1 : a0 ^ b0;
`endif
endmodule
