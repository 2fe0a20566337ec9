// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The address map of BAR2 (../README.md): whose an access is, and the crossing to the transmit clock for those who live
// there.  Latency: 3 cycles of host_clk and what the target takes; after the crossing axil_cdc's, and 3 of clk.
//
//   s_axil ─► axil_demux ─┬─► card, macpcs and counters of each port      host_clk
//                         └─► axil_cdc ─► axil_demux ─┬─► user logic      clk
//                                                     └─► ate of each port
//
// SLVERR where nothing is: holes of the map, ports that are not there or have no engine.
module card_axil #(
    parameter int PORTS = 2,
    parameter bit [PORTS-1:0] TCP_ENABLES = '1,
    parameter int CONNECTIONS = 512,
    parameter int CARD_BYTES = 64  // that the card's own registers take
) (
    input logic host_clk,
    input logic host_rst,

    input  logic [18:0] s_axil_awaddr,
    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic [31:0] s_axil_wdata,
    input  logic [ 3:0] s_axil_wstrb,
    input  logic        s_axil_wvalid,
    output logic        s_axil_wready,
    output logic [ 1:0] s_axil_bresp,
    output logic        s_axil_bvalid,
    input  logic        s_axil_bready,
    input  logic [18:0] s_axil_araddr,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready,

    // In host_clk: card, then macpcs of each port, then its counters
    output logic [       18:0]       host_addr,
    output logic [2*PORTS : 0]       host_awvalid,
    input  logic [2*PORTS : 0]       host_awready,
    output logic [       31:0]       host_wdata,
    output logic [        3:0]       host_wstrb,
    output logic [2*PORTS : 0]       host_wvalid,
    input  logic [2*PORTS : 0]       host_wready,
    input  logic [2*PORTS : 0][ 1:0] host_bresp,
    input  logic [2*PORTS : 0]       host_bvalid,
    output logic [2*PORTS : 0]       host_bready,
    output logic [2*PORTS : 0]       host_arvalid,
    input  logic [2*PORTS : 0]       host_arready,
    input  logic [2*PORTS : 0][31:0] host_rdata,
    input  logic [2*PORTS : 0][ 1:0] host_rresp,
    input  logic [2*PORTS : 0]       host_rvalid,
    output logic [2*PORTS : 0]       host_rready,

    // In clk: user logic, then the engine of each port
    input logic clk,
    input logic rst,

    output logic [                   14:0]       user_addr,
    output logic [$clog2(CONNECTIONS)+6:0]       ate_addr,
    output logic [                PORTS:0]       tx_awvalid,
    input  logic [                PORTS:0]       tx_awready,
    output logic [                   31:0]       tx_wdata,
    output logic [                    3:0]       tx_wstrb,
    output logic [                PORTS:0]       tx_wvalid,
    input  logic [                PORTS:0]       tx_wready,
    input  logic [                PORTS:0][ 1:0] tx_bresp,
    input  logic [                PORTS:0]       tx_bvalid,
    output logic [                PORTS:0]       tx_bready,
    output logic [                PORTS:0]       tx_arvalid,
    input  logic [                PORTS:0]       tx_arready,
    input  logic [                PORTS:0][31:0] tx_rdata,
    input  logic [                PORTS:0][ 1:0] tx_rresp,
    input  logic [                PORTS:0]       tx_rvalid,
    output logic [                PORTS:0]       tx_rready
);
  // Blocks of 32 KiB below the connections, bits 17:15
  localparam logic [2:0] CARD = 3'd0;
  localparam logic [2:0] USER = 3'd1;
  localparam logic [2:0] MACPCS = 3'd2;
  localparam logic [2:0] ATE = 3'd4;
  localparam logic [2:0] COUNTERS = 3'd5;
  localparam int MACPCS_BYTES = 512;

  // --- host_clk
  localparam int HOST_TARGETS = 2 * PORTS + 2;  // the last one is the crossing
  logic [18:0] a;
  logic [2:0] port;  // of the pages of 4 KiB
  logic [HOST_TARGETS-1:0] target;
  logic cross_awvalid, cross_awready, cross_wvalid, cross_wready, cross_bvalid, cross_bready;
  logic cross_arvalid, cross_arready, cross_rvalid, cross_rready;
  logic [1:0] cross_bresp, cross_rresp;
  logic [31:0] cross_rdata;
  assign a    = host_addr;
  assign port = a[14:12];

  always_comb begin
    target = '0;
    if (a[18]) begin
      for (int i = 0; i < PORTS; i++)
      if (a[17:15] == 3'(i) && TCP_ENABLES[i] && 32'(a[14:6]) < CONNECTIONS) target[HOST_TARGETS-1] = 1'b1;
    end else begin
      case (a[17:15])
        CARD:    target[0] = 32'(a[14:0]) < CARD_BYTES;
        USER:    target[HOST_TARGETS-1] = 1'b1;
        MACPCS:  for (int i = 0; i < PORTS; i++) target[1+i] = port == 3'(i) && 32'(a[11:0]) < MACPCS_BYTES;
        ATE: begin
          for (int i = 0; i < PORTS; i++)
            if (port == 3'(i) && TCP_ENABLES[i] && 32'(a[11:0]) < 64 * CONNECTIONS) target[HOST_TARGETS-1] = 1'b1;
        end
        COUNTERS: for (int i = 0; i < PORTS; i++) target[1+PORTS+i] = port == 3'(i);
        default: ;
      endcase
    end
  end

  axil_demux #(
      .ADDR_WIDTH(19),
      .TARGETS   (HOST_TARGETS)
  ) u_host (
      .clk           (host_clk),
      .rst           (host_rst),
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
      .m_addr        (host_addr),
      .target,
      .m_axil_awvalid({cross_awvalid, host_awvalid}),
      .m_axil_awready({cross_awready, host_awready}),
      .m_axil_wdata  (host_wdata),
      .m_axil_wstrb  (host_wstrb),
      .m_axil_wvalid ({cross_wvalid, host_wvalid}),
      .m_axil_wready ({cross_wready, host_wready}),
      .m_axil_bresp  ({cross_bresp, host_bresp}),
      .m_axil_bvalid ({cross_bvalid, host_bvalid}),
      .m_axil_bready ({cross_bready, host_bready}),
      .m_axil_arvalid({cross_arvalid, host_arvalid}),
      .m_axil_arready({cross_arready, host_arready}),
      .m_axil_rdata  ({cross_rdata, host_rdata}),
      .m_axil_rresp  ({cross_rresp, host_rresp}),
      .m_axil_rvalid ({cross_rvalid, host_rvalid}),
      .m_axil_rready ({cross_rready, host_rready})
  );

  // --- To clk
  logic [18:0] far_awaddr, far_araddr, b;
  logic [31:0] far_wdata, far_rdata;
  logic [3:0] far_wstrb;
  logic [1:0] far_bresp, far_rresp;
  logic far_awvalid, far_awready, far_wvalid, far_wready, far_bvalid, far_bready;
  logic far_arvalid, far_arready, far_rvalid, far_rready;
  axil_cdc #(
      .ADDR_WIDTH(19)
  ) u_cdc (
      .s_clk         (host_clk),
      .s_rst         (host_rst),
      .s_axil_awaddr (host_addr),
      .s_axil_awvalid(cross_awvalid),
      .s_axil_awready(cross_awready),
      .s_axil_wdata  (host_wdata),
      .s_axil_wstrb  (host_wstrb),
      .s_axil_wvalid (cross_wvalid),
      .s_axil_wready (cross_wready),
      .s_axil_bresp  (cross_bresp),
      .s_axil_bvalid (cross_bvalid),
      .s_axil_bready (cross_bready),
      .s_axil_araddr (host_addr),
      .s_axil_arvalid(cross_arvalid),
      .s_axil_arready(cross_arready),
      .s_axil_rdata  (cross_rdata),
      .s_axil_rresp  (cross_rresp),
      .s_axil_rvalid (cross_rvalid),
      .s_axil_rready (cross_rready),
      .m_clk         (clk),
      .m_rst         (rst),
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

  logic [PORTS:0] tx_target;
  assign user_addr = b[14:0];
  if (CONNECTIONS * 64 > 32768) begin : gen_many
    assign ate_addr = b[18] ? ($clog2(CONNECTIONS) + 7)'(b[14:0]) : {1'b1, ($clog2(CONNECTIONS) + 6)'(b[11:0])};
  end else begin : gen_few
    localparam int HALF = $clog2(CONNECTIONS) + 6;  // bits of an address in half of the engine's space
    assign ate_addr = b[18] ? {1'b0, b[HALF-1:0]} : {1'b1, HALF'(b[11:0])};
  end
  always_comb begin
    tx_target    = '0;
    tx_target[0] = ~b[18] & (b[17:15] == USER);
    for (int i = 0; i < PORTS; i++) tx_target[1+i] = b[18] ? b[17:15] == 3'(i) : (b[17:15] == ATE && b[14:12] == 3'(i));
  end

  axil_demux #(
      .ADDR_WIDTH(19),
      .TARGETS   (PORTS + 1)
  ) u_tx (
      .clk,
      .rst,
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
      .m_addr        (b),
      .target        (tx_target),
      .m_axil_awvalid(tx_awvalid),
      .m_axil_awready(tx_awready),
      .m_axil_wdata  (tx_wdata),
      .m_axil_wstrb  (tx_wstrb),
      .m_axil_wvalid (tx_wvalid),
      .m_axil_wready (tx_wready),
      .m_axil_bresp  (tx_bresp),
      .m_axil_bvalid (tx_bvalid),
      .m_axil_bready (tx_bready),
      .m_axil_arvalid(tx_arvalid),
      .m_axil_arready(tx_arready),
      .m_axil_rdata  (tx_rdata),
      .m_axil_rresp  (tx_rresp),
      .m_axil_rvalid (tx_rvalid),
      .m_axil_rready (tx_rready)
  );
endmodule
