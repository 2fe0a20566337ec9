// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Register whose output another clock captures, and which a timing constraint names: a Gray code, a word.
// Latency: 1 cycle.  q keeps its value without `en`; rst clears it, and configuration does.
//
// A synthesiser must not merge it with a register that holds the same (which name is left is anybody's guess, and with
// the wrong one the constraint has no path), copy it (the copies change at different times) or move it through logic
// (which can glitch).  Attributes against this, each for the tools that know it:
//
//   DONT_TOUCH           Vivado (UG901, UG912)
//   preserve             Quartus (Design Compilation user guide, "Preserving Registers During Synthesis")
//   dont_merge           Quartus
//   syn_preserve         Synplify, Lattice LSE
//   keep, on the block   Yosys, where it belongs to the cell; a merged register keeps this name
//
module cdc_source #(
    parameter int WIDTH = 1
) (
    input logic clk,
    input logic rst,

    input  logic             en,
    input  logic [WIDTH-1:0] d,
    output logic [WIDTH-1:0] q
);
  (* DONT_TOUCH = "TRUE", preserve, dont_merge, syn_preserve = 1 *) logic [WIDTH-1:0] source_q = '0;

  (* keep = 1 *) always_ff @(posedge clk) begin
    if (en) source_q <= d;
    if (rst) source_q <= '0;
  end
  assign q = source_q;
endmodule
