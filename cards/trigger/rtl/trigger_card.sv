// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The trigger card: a frame on port 0 whose first four bytes are ff makes port 1 send a TCP segment on a connection that
// software has opened.  All ports are ordinary network ports beside that.
//
//   card_chassis   ports with macpcs and ate, host streams, registers
//   trigger_logic  what a frame starts, and with which payload: the part to replace
//
// Latency: the first preamble word of the order is in the transceiver's word of the cycle after that with the deciding
// byte, if the line's block boundary allows.  tx_clk is the clock recovered by port 0: tx_clk and rx_clk[0] are one net, or
// there is TRIGGER_CROSSING.  Ports as in ../common/rtl/card_chassis.sv.
module trigger_card #(
    parameter int             PORTS            = 2,     // 2 to 8
    parameter bit [PORTS-1:0] TCP_ENABLES      = 'b10,  // ports with an ate; port 1 is one of them
    parameter int             PMA_DATA_WIDTH   = 16,    // 16 or 32
    parameter bit             TRIGGER_CROSSING = 1'b0,  // tx_clk is not rx_clk[0]
    parameter int             CONNECTIONS      = 512,
    parameter int             MIRROR_DEPTH     = 1024,
    parameter int             HOST_DEPTH       = 1024
) (
    input logic tx_clk,
    input logic tx_rst,
    input logic tx_user_clk,
    input logic tx_user_rst,

    input logic [PORTS-1:0] rx_clk,
    input logic [PORTS-1:0] rx_rst,
    input logic [PORTS-1:0] rx_user_clk,
    input logic [PORTS-1:0] rx_user_rst,

    output logic [PORTS-1:0][PMA_DATA_WIDTH-1:0] pma_tx_data,
    input  logic [PORTS-1:0][PMA_DATA_WIDTH-1:0] pma_rx_data,

    input logic host_clk,
    input logic host_rst,

    input  logic [18:0] s_axil_awaddr,
    input  logic [ 2:0] s_axil_awprot,
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
    input  logic [ 2:0] s_axil_arprot,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready,

    input  logic [PORTS-1:0][63:0] s_h2c_tdata,
    input  logic [PORTS-1:0][ 7:0] s_h2c_tkeep,
    input  logic [PORTS-1:0]       s_h2c_tvalid,
    output logic [PORTS-1:0]       s_h2c_tready,
    input  logic [PORTS-1:0]       s_h2c_tlast,

    output logic [PORTS-1:0][63:0] m_c2h_tdata,
    output logic [PORTS-1:0][ 7:0] m_c2h_tkeep,
    output logic [PORTS-1:0]       m_c2h_tvalid,
    input  logic [PORTS-1:0]       m_c2h_tready,
    output logic [PORTS-1:0]       m_c2h_tlast
);
  localparam int MARKET_DATA = 0;  // port of the triggers
  localparam int ORDERS = 1;  // port of the orders

  if (PORTS < 2 || PORTS > 8) begin : gen_bad_ports
    $error("trigger_card: PORTS must be 2 to 8");
  end
  if (!TCP_ENABLES[ORDERS]) begin : gen_bad_tcp
    $error("trigger_card: TCP_ENABLES must include port 1, which sends the orders");
  end

  // --- Between chassis and logic.  Ports that are not used here send nothing of ours.
  logic [PORTS-1:0][  PMA_DATA_WIDTH-1:0] user_rx_tdata;
  logic [PORTS-1:0][PMA_DATA_WIDTH/8-1:0] user_rx_tkeep;
  logic [PORTS-1:0] user_rx_tvalid, user_rx_tlast, user_rx_sof, user_rx_status_valid, user_rx_status_good;
  logic [PORTS-1:0] tx_ack_net, tx_drop_net, window_available, tx_armed, tx_frame;
  logic [PORTS-1:0][31:0] tx_credit;
  logic [PORTS-1:0] tx_start, tx_sof_net, tx_eof_net;
  logic [PORTS-1:0][31:0] tx_data_net, payload_csum;
  logic [PORTS-1:0][1:0] tx_len_net;
  logic [PORTS-1:0][15:0] payload_conn_id, payload_length;

  for (genvar i = 0; i < PORTS; i++) begin : gen_no_orders
    if (i != ORDERS) begin : gen_tied
      assign tx_start[i]        = 1'b0;
      assign tx_data_net[i]     = '0;
      assign tx_sof_net[i]      = 1'b0;
      assign tx_eof_net[i]      = 1'b0;
      assign tx_len_net[i]      = '0;
      assign payload_conn_id[i] = '0;
      assign payload_length[i]  = '0;
      assign payload_csum[i]    = '0;
    end
  end

  logic [14:0] user_axil_awaddr, user_axil_araddr;
  logic user_axil_awvalid, user_axil_awready, user_axil_wvalid, user_axil_wready, user_axil_bvalid, user_axil_bready;
  logic user_axil_arvalid, user_axil_arready, user_axil_rvalid, user_axil_rready;
  logic [31:0] user_axil_wdata, user_axil_rdata;
  logic [3:0] user_axil_wstrb;
  logic [1:0] user_axil_bresp, user_axil_rresp;

  trigger_logic #(
      .PMA_DATA_WIDTH  (PMA_DATA_WIDTH),
      .CONNECTIONS     (CONNECTIONS),
      .TRIGGER_CROSSING(TRIGGER_CROSSING)
  ) u_logic (
      .rx_clk          (rx_clk[MARKET_DATA]),
      .rx_rst          (rx_rst[MARKET_DATA]),
      .user_rx_tdata   (user_rx_tdata[MARKET_DATA]),
      .user_rx_tkeep   (user_rx_tkeep[MARKET_DATA]),
      .user_rx_tvalid  (user_rx_tvalid[MARKET_DATA]),
      .user_rx_tlast   (user_rx_tlast[MARKET_DATA]),
      .tx_clk,
      .tx_rst,
      .tx_armed        (tx_armed[ORDERS]),
      .tx_start        (tx_start[ORDERS]),
      .tx_user_clk,
      .tx_user_rst,
      .tx_data_net     (tx_data_net[ORDERS]),
      .tx_sof_net      (tx_sof_net[ORDERS]),
      .tx_eof_net      (tx_eof_net[ORDERS]),
      .tx_len_net      (tx_len_net[ORDERS]),
      .tx_ack_net      (tx_ack_net[ORDERS]),
      .tx_drop_net     (tx_drop_net[ORDERS]),
      .payload_conn_id (payload_conn_id[ORDERS]),
      .payload_length  (payload_length[ORDERS]),
      .payload_csum    (payload_csum[ORDERS]),
      .window_available(window_available[ORDERS]),
      .tx_credit       (tx_credit[ORDERS]),
      .tx_frame        (tx_frame[ORDERS]),
      .s_axil_awaddr   (user_axil_awaddr),
      .s_axil_awvalid  (user_axil_awvalid),
      .s_axil_awready  (user_axil_awready),
      .s_axil_wdata    (user_axil_wdata),
      .s_axil_wstrb    (user_axil_wstrb),
      .s_axil_wvalid   (user_axil_wvalid),
      .s_axil_wready   (user_axil_wready),
      .s_axil_bresp    (user_axil_bresp),
      .s_axil_bvalid   (user_axil_bvalid),
      .s_axil_bready   (user_axil_bready),
      .s_axil_araddr   (user_axil_araddr),
      .s_axil_arvalid  (user_axil_arvalid),
      .s_axil_arready  (user_axil_arready),
      .s_axil_rdata    (user_axil_rdata),
      .s_axil_rresp    (user_axil_rresp),
      .s_axil_rvalid   (user_axil_rvalid),
      .s_axil_rready   (user_axil_rready)
  );

  card_chassis #(
      .PORTS         (PORTS),
      .TCP_ENABLES   (TCP_ENABLES),
      .PMA_DATA_WIDTH(PMA_DATA_WIDTH),
      .CONNECTIONS   (CONNECTIONS),
      .MIRROR_DEPTH  (MIRROR_DEPTH),
      .HOST_DEPTH    (HOST_DEPTH),
      .KIND          (trigger_kind_pkg::KIND)
  ) u_chassis (
      .tx_clk,
      .tx_rst,
      .tx_user_clk,
      .tx_user_rst,
      .rx_clk,
      .rx_rst,
      .rx_user_clk,
      .rx_user_rst,
      .pma_tx_data,
      .pma_rx_data,
      .host_clk,
      .host_rst,
      .s_axil_awaddr,
      .s_axil_awprot,
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
      .s_axil_arprot,
      .s_axil_arvalid,
      .s_axil_arready,
      .s_axil_rdata,
      .s_axil_rresp,
      .s_axil_rvalid,
      .s_axil_rready,
      .s_h2c_tdata,
      .s_h2c_tkeep,
      .s_h2c_tvalid,
      .s_h2c_tready,
      .s_h2c_tlast,
      .m_c2h_tdata,
      .m_c2h_tkeep,
      .m_c2h_tvalid,
      .m_c2h_tready,
      .m_c2h_tlast,
      .user_rx_tdata,
      .user_rx_tkeep,
      .user_rx_tvalid,
      .user_rx_tlast,
      .user_rx_sof,
      .user_rx_status_valid,
      .user_rx_status_good,
      .tx_start,
      .tx_data_net,
      .tx_sof_net,
      .tx_eof_net,
      .tx_len_net,
      .tx_raw_net         ('0),
      .tx_ack_net,
      .tx_drop_net,
      .payload_conn_id,
      .payload_length,
      .payload_csum,
      .window_available,
      .tx_credit,
      .tx_armed,
      .tx_frame,
      .m_user_axil_awaddr (user_axil_awaddr),
      .m_user_axil_awvalid(user_axil_awvalid),
      .m_user_axil_awready(user_axil_awready),
      .m_user_axil_wdata  (user_axil_wdata),
      .m_user_axil_wstrb  (user_axil_wstrb),
      .m_user_axil_wvalid (user_axil_wvalid),
      .m_user_axil_wready (user_axil_wready),
      .m_user_axil_bresp  (user_axil_bresp),
      .m_user_axil_bvalid (user_axil_bvalid),
      .m_user_axil_bready (user_axil_bready),
      .m_user_axil_araddr (user_axil_araddr),
      .m_user_axil_arvalid(user_axil_arvalid),
      .m_user_axil_arready(user_axil_arready),
      .m_user_axil_rdata  (user_axil_rdata),
      .m_user_axil_rresp  (user_axil_rresp),
      .m_user_axil_rvalid (user_axil_rvalid),
      .m_user_axil_rready (user_axil_rready)
  );
endmodule
