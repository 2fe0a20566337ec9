// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// axil_cdc and axil_demux behind it, with three slaves: 16 words of RAM each at 0x000, 0x100 and 0x200, nothing at 0x300.
// Slave i takes address and data in its own time, one behind the other, and answers later; `deaf` slaves never do.  A
// write with other strobes than all answers SLVERR, and so does a read above the RAM.
module axil_bench (
    input logic s_clk,
    input logic s_rst,

    input  logic [ 9:0] s_axil_awaddr,
    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic [31:0] s_axil_wdata,
    input  logic [ 3:0] s_axil_wstrb,
    input  logic        s_axil_wvalid,
    output logic        s_axil_wready,
    output logic [ 1:0] s_axil_bresp,
    output logic        s_axil_bvalid,
    input  logic        s_axil_bready,
    input  logic [ 9:0] s_axil_araddr,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready,

    input  logic             m_clk,
    input  logic             m_rst,
    input  logic [2:0]       deaf,
    output logic [2:0][15:0] accesses  // that a slave has answered
);
  logic [9:0] far_awaddr, far_araddr, m_addr;
  logic [31:0] far_wdata, far_rdata, wdata;
  logic [3:0] far_wstrb, wstrb;
  logic [1:0] far_bresp, far_rresp;
  logic far_awvalid, far_awready, far_wvalid, far_wready, far_bvalid, far_bready;
  logic far_arvalid, far_arready, far_rvalid, far_rready;
  logic [2:0] target, awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
  logic [2:0][1:0] bresp, rresp;
  logic [2:0][31:0] rdata;

  axil_cdc #(
      .ADDR_WIDTH(10),
      .TIMEOUT   (256)
  ) u_cdc (
      .s_clk,
      .s_rst,
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
      .m_clk,
      .m_rst,
      .m_axil_awaddr (far_awaddr),
      .m_axil_awvalid(far_awvalid),
      .m_axil_awready(far_awready),
      .m_axil_wdata  (far_wdata),
      .m_axil_wstrb  (far_wstrb),
      .m_axil_wvalid (far_wvalid),
      .m_axil_wready (far_wready),
      .m_axil_bresp  (far_bresp),
      .m_axil_bvalid (far_bvalid),
      .m_axil_bready (far_bready),
      .m_axil_araddr (far_araddr),
      .m_axil_arvalid(far_arvalid),
      .m_axil_arready(far_arready),
      .m_axil_rdata  (far_rdata),
      .m_axil_rresp  (far_rresp),
      .m_axil_rvalid (far_rvalid),
      .m_axil_rready (far_rready)
  );

  always_comb for (int i = 0; i < 3; i++) target[i] = m_addr[9:8] == 2'(i);
  axil_demux #(
      .ADDR_WIDTH(10),
      .TARGETS   (3)
  ) u_demux (
      .clk           (m_clk),
      .rst           (m_rst),
      .s_axil_awaddr (far_awaddr),
      .s_axil_awvalid(far_awvalid),
      .s_axil_awready(far_awready),
      .s_axil_wdata  (far_wdata),
      .s_axil_wstrb  (far_wstrb),
      .s_axil_wvalid (far_wvalid),
      .s_axil_wready (far_wready),
      .s_axil_bresp  (far_bresp),
      .s_axil_bvalid (far_bvalid),
      .s_axil_bready (far_bready),
      .s_axil_araddr (far_araddr),
      .s_axil_arvalid(far_arvalid),
      .s_axil_arready(far_arready),
      .s_axil_rdata  (far_rdata),
      .s_axil_rresp  (far_rresp),
      .s_axil_rvalid (far_rvalid),
      .s_axil_rready (far_rready),
      .m_addr,
      .target,
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

  for (genvar i = 0; i < 3; i++) begin : gen_slave
    logic [31:0] ram[16], noise;
    logic [31:0] data;
    logic [ 9:0] addr;
    logic [ 3:0] strb;
    logic has_addr, has_data;
    initial begin
      noise = 32'd12345 + i;
      accesses[i] = '0;
      for (int k = 0; k < 16; k++) ram[k] = '0;
    end
    // Slave 1 takes the address behind the data, the others before it; slave 2 is ready before anything comes.
    assign awready[i] = (i == 2 || (awvalid[i] && noise[30])) && !has_addr && !(i == 1 && !has_data);
    assign wready[i]  = (i == 2 || (wvalid[i] && noise[29])) && !has_data && !(i == 0 && !has_addr);
    assign arready[i] = (i == 2 || (arvalid[i] && noise[28])) && !rvalid[i];
    always @(posedge m_clk) begin
      noise <= noise * 32'd1664525 + 32'd1013904223;
      if (awvalid[i] && awready[i]) {has_addr, addr} <= {1'b1, m_addr};
      if (wvalid[i] && wready[i]) {has_data, data, strb} <= {1'b1, wdata, wstrb};
      if (has_addr && has_data && !bvalid[i] && noise[31:30] == 0 && !deaf[i]) begin
        bvalid[i] <= 1'b1;
        bresp[i]  <= (strb == 4'hf && addr[7:6] == 0) ? 2'b00 : 2'b10;
        if (strb == 4'hf && addr[7:6] == 0) ram[addr[5:2]] <= data;
        {has_addr, has_data} <= '0;
        accesses[i] <= accesses[i] + 1;
      end
      if (bvalid[i] && bready[i]) bvalid[i] <= 1'b0;
      if (arvalid[i] && arready[i] && !deaf[i]) begin
        rvalid[i]   <= 1'b1;
        rdata[i]    <= ram[m_addr[5:2]];
        rresp[i]    <= m_addr[7:6] == 0 ? 2'b00 : 2'b10;
        accesses[i] <= accesses[i] + 1;
      end
      if (rvalid[i] && rready[i]) rvalid[i] <= 1'b0;
      if (m_rst) {has_addr, has_data, bvalid[i], rvalid[i]} <= '0;
    end
  end
endmodule
