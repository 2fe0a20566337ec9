// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The trigger card of two ports with its clocks as they are on a board, a port each, for the synthesis, where its
// transmit clock is its own (TRIGGER_CROSSING): three line clocks, unrelated.  For nothing else.
module trigger_card_crossing_clocks #(
    parameter int PMA_DATA_WIDTH = 16
) (
    input logic tx_clk,
    input logic tx_rst,
    input logic tx_user_clk,  // half of tx_clk, edges aligned; with 32 bits it is tx_clk, and this is not looked at
    input logic tx_user_rst,
    input logic rx_clk,       // of the receiver of port 1
    input logic rx_rst,
    input logic market_clk,   // of the receiver of port 0
    input logic market_rst,
    input logic host_clk,
    input logic host_rst,

    input logic [PMA_DATA_WIDTH-1:0] pma_rx_data_0,
    input logic [PMA_DATA_WIDTH-1:0] pma_rx_data_1,
    output logic [1:0][PMA_DATA_WIDTH-1:0] pma_tx_data,

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

    input  logic [1:0][63:0] s_h2c_tdata,
    input  logic [1:0][ 7:0] s_h2c_tkeep,
    input  logic [1:0]       s_h2c_tvalid,
    output logic [1:0]       s_h2c_tready,
    input  logic [1:0]       s_h2c_tlast,

    output logic [1:0][63:0] m_c2h_tdata,
    output logic [1:0][ 7:0] m_c2h_tkeep,
    output logic [1:0]       m_c2h_tvalid,
    input  logic [1:0]       m_c2h_tready,
    output logic [1:0]       m_c2h_tlast
);
  logic user_clk;
  assign user_clk = PMA_DATA_WIDTH == 16 ? tx_user_clk : tx_clk;

  trigger_card #(
      .PMA_DATA_WIDTH  (PMA_DATA_WIDTH),
      .TRIGGER_CROSSING(1'b1)
  ) u_card (
      .tx_user_clk(user_clk),
      .rx_clk     ({rx_clk, market_clk}),
      .rx_rst     ({rx_rst, market_rst}),
      .rx_user_clk('0),
      .rx_user_rst('0),
      .pma_rx_data({pma_rx_data_1, pma_rx_data_0}),
      .*
  );
endmodule
