// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What software wrote last to each word, so that it can be read back: an UltraRAM, two words side by side.
// Latency: rdata one cycle after addr; not in the cycle after a write, for which its one port is needed.
//
// An UltraRAM has no initial value: software writes a connection's words before it reads them.  (They begin as zero, too,
// on a device whose UltraRAM is cleared by configuration, as UltraScale+ does.)
module ate_shadow #(
    parameter int DEPTH = 8192
) (
    input  logic                     clk,
    input  logic                     wr_en,
    input  logic [$clog2(DEPTH)-1:0] addr,
    input  logic [             31:0] wdata,
    output logic [             31:0] rdata
);
  (* ram_style = "ultra" *) logic [63:0] ram[DEPTH/2];
  logic [$clog2(DEPTH)-2:0] row;
  logic [63:0] pair_q;
  logic odd_q;
  assign row = addr[$clog2(DEPTH)-1:1];
  always_ff @(posedge clk) begin
    if (wr_en && !addr[0]) ram[row][31:0] <= wdata;
    if (wr_en && addr[0]) ram[row][63:32] <= wdata;
    if (!wr_en) pair_q <= ram[row];
    odd_q <= addr[0];
  end
  assign rdata = odd_q ? pair_q[63:32] : pair_q[31:0];
endmodule
