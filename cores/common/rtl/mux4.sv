// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// 4:1 multiplexer, one LUT6 a bit, combinational.
//
// With ULLNIC_LUT6 defined (synthesis for a Xilinx part) the cell is named: left to itself the open mapper spreads a
// wide pick over more levels.  Name it only where the inputs come straight from registers or pins (NAMED = 1): the
// mapper cannot see arrival times through a named cell, so after deep logic it makes things worse.
module mux4 #(
    parameter int WIDTH = 1,
    parameter bit NAMED = 1'b0
) (
    input  logic [WIDTH-1:0] d0,
    input  logic [WIDTH-1:0] d1,
    input  logic [WIDTH-1:0] d2,
    input  logic [WIDTH-1:0] d3,
    input  logic [      1:0] sel,
    output logic [WIDTH-1:0] y
);
  logic [WIDTH-1:0] picked;
  assign picked = sel[1] ? (sel[0] ? d3 : d2) : (sel[0] ? d1 : d0);

`ifdef ULLNIC_LUT6
  if (NAMED) begin : gen_named
    for (genvar i = 0; i < WIDTH; i++) begin : gen_bit
      LUT6 #(
          .INIT(64'hFF00F0F0CCCCAAAA)
      ) lut (
          .O (y[i]),
          .I0(d0[i]),
          .I1(d1[i]),
          .I2(d2[i]),
          .I3(d3[i]),
          .I4(sel[0]),
          .I5(sel[1])
      );
    end
  end else begin : gen_plain
    assign y = picked;
  end
`else
  assign y = picked;
`endif
endmodule
