// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The user logic of the stac_t0 card: each odd port's market data make orders on the port below it, if that has an ate.
// Latency: that of stac_t0_pair.
//
// The card is timed by port 1: only that pair's rx_clk is tx_clk (and not with TRIGGER_CROSSING); the others have a
// synchroniser on the way.
//
// Registers: pair n, market data on port 2n + 1, at 0x100 * n; SLVERR where there is no pair.
module stac_t0_logic #(
    parameter int PORTS = 2,
    parameter bit [PORTS-1:0] TCP_ENABLES = PORTS'('h55),
    parameter int PMA_DATA_WIDTH = 16,
    parameter int MAX_LENGTH = 1460,
    parameter bit TRIGGER_CROSSING = 1'b0
) (
    // Of each port, though only half of it is looked at
    input logic [PORTS-1:0]                       rx_clk,
    input logic [PORTS-1:0]                       rx_rst,
    input logic [PORTS-1:0][  PMA_DATA_WIDTH-1:0] user_rx_tdata,
    input logic [PORTS-1:0][PMA_DATA_WIDTH/8-1:0] user_rx_tkeep,
    input logic [PORTS-1:0]                       user_rx_tvalid,
    input logic [PORTS-1:0]                       user_rx_tlast,

    input  logic             tx_clk,
    input  logic             tx_rst,
    output logic [PORTS-1:0] tx_start,

    input  logic                   tx_user_clk,
    input  logic                   tx_user_rst,
    output logic [PORTS-1:0][31:0] tx_data_net,
    output logic [PORTS-1:0]       tx_sof_net,
    output logic [PORTS-1:0]       tx_eof_net,
    output logic [PORTS-1:0][ 1:0] tx_len_net,
    input  logic [PORTS-1:0]       tx_ack_net,
    input  logic [PORTS-1:0]       tx_drop_net,
    output logic [PORTS-1:0][15:0] payload_conn_id,
    output logic [PORTS-1:0][15:0] payload_length,
    output logic [PORTS-1:0][31:0] payload_csum,
    input  logic [PORTS-1:0]       window_available,

    input  logic [14:0] s_axil_awaddr,
    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic [31:0] s_axil_wdata,
    input  logic [ 3:0] s_axil_wstrb,
    input  logic        s_axil_wvalid,
    output logic        s_axil_wready,
    output logic [ 1:0] s_axil_bresp,
    output logic        s_axil_bvalid,
    input  logic        s_axil_bready,
    input  logic [14:0] s_axil_araddr,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready
);
  localparam int PAIRS = PORTS / 2;

  logic [14:0] addr;
  logic [PAIRS-1:0] target, awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
  logic [31:0] wdata;
  logic [PAIRS-1:0][31:0] rdata;
  logic [3:0] wstrb;
  logic [PAIRS-1:0][1:0] bresp, rresp;
  axil_demux #(
      .ADDR_WIDTH(15),
      .TARGETS   (PAIRS)
  ) u_demux (
      .clk           (tx_user_clk),
      .rst           (tx_user_rst),
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

  for (genvar i = 0; i < PORTS; i++) begin : gen_port
    if (i % 2 == 0 && i + 1 < PORTS && TCP_ENABLES[i]) begin : gen_orders
      localparam int PAIR = i / 2;
      assign target[PAIR] = addr[14:7] == 8'(2 * PAIR);  // the registers end before 0x80
      stac_t0_pair #(
          .PMA_DATA_WIDTH  (PMA_DATA_WIDTH),
          .MAX_LENGTH      (MAX_LENGTH),
          .CROSSING        (TRIGGER_CROSSING || i != 0),
          .MARKET_DATA_PORT(i + 1)
      ) u_pair (
          .rx_clk          (rx_clk[i+1]),
          .rx_rst          (rx_rst[i+1]),
          .user_rx_tdata   (user_rx_tdata[i+1]),
          .user_rx_tkeep   (user_rx_tkeep[i+1]),
          .user_rx_tvalid  (user_rx_tvalid[i+1]),
          .user_rx_tlast   (user_rx_tlast[i+1]),
          .tx_clk,
          .tx_rst,
          .tx_start        (tx_start[i]),
          .tx_user_clk,
          .tx_user_rst,
          .tx_data_net     (tx_data_net[i]),
          .tx_sof_net      (tx_sof_net[i]),
          .tx_eof_net      (tx_eof_net[i]),
          .tx_len_net      (tx_len_net[i]),
          .tx_ack_net      (tx_ack_net[i]),
          .tx_drop_net     (tx_drop_net[i]),
          .payload_conn_id (payload_conn_id[i]),
          .payload_length  (payload_length[i]),
          .payload_csum    (payload_csum[i]),
          .window_available(window_available[i]),
          .s_axil_awaddr   (addr[6:0]),
          .s_axil_awvalid  (awvalid[PAIR]),
          .s_axil_awready  (awready[PAIR]),
          .s_axil_wdata    (wdata),
          .s_axil_wstrb    (wstrb),
          .s_axil_wvalid   (wvalid[PAIR]),
          .s_axil_wready   (wready[PAIR]),
          .s_axil_bresp    (bresp[PAIR]),
          .s_axil_bvalid   (bvalid[PAIR]),
          .s_axil_bready   (bready[PAIR]),
          .s_axil_araddr   (addr[6:0]),
          .s_axil_arvalid  (arvalid[PAIR]),
          .s_axil_arready  (arready[PAIR]),
          .s_axil_rdata    (rdata[PAIR]),
          .s_axil_rresp    (rresp[PAIR]),
          .s_axil_rvalid   (rvalid[PAIR]),
          .s_axil_rready   (rready[PAIR])
      );
    end else begin : gen_no_orders
      assign tx_start[i]        = 1'b0;
      assign tx_data_net[i]     = '0;
      assign tx_sof_net[i]      = 1'b0;
      assign tx_eof_net[i]      = 1'b0;
      assign tx_len_net[i]      = '0;
      assign payload_conn_id[i] = '0;
      assign payload_length[i]  = '0;
      assign payload_csum[i]    = '0;
    end
    if (i % 2 == 0 && i + 1 < PORTS && !TCP_ENABLES[i]) begin : gen_no_pair
      assign target[i/2]  = 1'b0;
      assign awready[i/2] = 1'b0;
      assign wready[i/2]  = 1'b0;
      assign bresp[i/2]   = '0;
      assign bvalid[i/2]  = 1'b0;
      assign arready[i/2] = 1'b0;
      assign rdata[i/2]   = '0;
      assign rresp[i/2]   = '0;
      assign rvalid[i/2]  = 1'b0;
    end
  end
endmodule
