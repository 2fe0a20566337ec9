// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The generated registers in the user BAR: beyond them is SLVERR.
module example_axil (
    input logic clk,
    input logic rst,

    input  logic [31:0] s_axil_awaddr,
    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic [31:0] s_axil_wdata,
    input  logic [ 3:0] s_axil_wstrb,
    input  logic        s_axil_wvalid,
    output logic        s_axil_wready,
    output logic [ 1:0] s_axil_bresp,
    output logic        s_axil_bvalid,
    input  logic        s_axil_bready,
    input  logic [31:0] s_axil_araddr,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready,

    input  qdma_example_regs_pkg::qdma_example_regs__in_t  to_regs,
    output qdma_example_regs_pkg::qdma_example_regs__out_t regs
);
  localparam int BITS = qdma_example_regs_pkg::QDMA_EXAMPLE_REGS_MIN_ADDR_WIDTH;
  logic [31:0] addr, wdata, rdata;
  logic awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
  logic [3:0] wstrb;
  logic [1:0] bresp, rresp;
  axil_demux #(
      .ADDR_WIDTH(32),
      .TARGETS   (1)
  ) demux (
      .clk,
      .rst,
      .s_axil_awaddr,
      .s_axil_awvalid,
      .s_axil_awready,
      .s_axil_wdata,
      .s_axil_wstrb,
      .s_axil_wvalid,
      .s_axil_wready,
      .s_axil_bresp,
      .s_axil_bvalid,
      .s_axil_bready,
      .s_axil_araddr,
      .s_axil_arvalid,
      .s_axil_arready,
      .s_axil_rdata,
      .s_axil_rresp,
      .s_axil_rvalid,
      .s_axil_rready,
      .m_addr        (addr),
      .target        (addr[31:BITS] == '0),
      .m_axil_awvalid(awvalid),
      .m_axil_awready(awready),
      .m_axil_wdata  (wdata),
      .m_axil_wstrb  (wstrb),
      .m_axil_wvalid (wvalid),
      .m_axil_wready (wready),
      .m_axil_bresp  (bresp),
      .m_axil_bvalid (bvalid),
      .m_axil_bready (bready),
      .m_axil_arvalid(arvalid),
      .m_axil_arready(arready),
      .m_axil_rdata  (rdata),
      .m_axil_rresp  (rresp),
      .m_axil_rvalid (rvalid),
      .m_axil_rready (rready)
  );
  qdma_example_regs registers (
      .clk,
      .rst,
      .s_axil_awready(awready),
      .s_axil_awvalid(awvalid),
      .s_axil_awaddr (addr[BITS-1:0]),
      .s_axil_awprot (3'b000),
      .s_axil_wready (wready),
      .s_axil_wvalid (wvalid),
      .s_axil_wdata  (wdata),
      .s_axil_wstrb  (wstrb),
      .s_axil_bready (bready),
      .s_axil_bvalid (bvalid),
      .s_axil_bresp  (bresp),
      .s_axil_arready(arready),
      .s_axil_arvalid(arvalid),
      .s_axil_araddr (addr[BITS-1:0]),
      .s_axil_arprot (3'b000),
      .s_axil_rready (rready),
      .s_axil_rvalid (rvalid),
      .s_axil_rdata  (rdata),
      .s_axil_rresp  (rresp),
      .hwif_in       (to_regs),
      .hwif_out      (regs)
  );
endmodule
