// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Counters of a port's host path on AXI4-Lite, in host_clk, and after them MAX_FRAME: ../regs/card_port.rdl lists them.
// Latency: a read answers 1 cycle after its address is taken.  An event counts from the next cycle on.
//
// All can only be read: a write, and a read where there is none, answer SLVERR.
module card_counters #(
    parameter int COUNTERS  = 10,
    parameter int MAX_FRAME = 1518  // a constant for software
) (
    input logic clk,
    input logic rst,

    input logic [COUNTERS-1:0] event_pulse,

    input  logic [11:0] s_axil_addr,     // of both kinds of access
    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic        s_axil_wvalid,
    output logic        s_axil_wready,
    output logic [ 1:0] s_axil_bresp,
    output logic        s_axil_bvalid,
    input  logic        s_axil_bready,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready
);
  localparam logic [1:0] SLVERR = 2'b10;
  logic [COUNTERS-1:0][31:0] count_q;
  logic take_write, take_read, there;
  logic constant;
  assign there          = (s_axil_addr[11:2] < 10'(COUNTERS)) & (s_axil_addr[1:0] == 0);
  assign constant       = s_axil_addr == 12'(4 * COUNTERS);
  assign take_write     = s_axil_awvalid & s_axil_wvalid & ~s_axil_bvalid;
  assign take_read      = s_axil_arvalid & ~s_axil_rvalid;
  assign s_axil_awready = take_write;
  assign s_axil_wready  = take_write;
  assign s_axil_arready = take_read;
  assign s_axil_bresp   = SLVERR;

  always_ff @(posedge clk) begin
    for (int i = 0; i < COUNTERS; i++) if (event_pulse[i]) count_q[i] <= count_q[i] + 1'b1;
    s_axil_bvalid <= take_write | (s_axil_bvalid & ~s_axil_bready);
    s_axil_rvalid <= take_read | (s_axil_rvalid & ~s_axil_rready);
    if (take_read) begin
      s_axil_rdata <= there ? count_q[s_axil_addr[$clog2(COUNTERS)+1:2]] : constant ? MAX_FRAME : '0;
      s_axil_rresp <= there || constant ? 2'b00 : SLVERR;
    end
    if (rst) begin
      count_q       <= '0;
      s_axil_bvalid <= 1'b0;
      s_axil_rvalid <= 1'b0;
    end
  end
endmodule
