// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The user logic of the mirror card: a mirror_way from each port to the other of its pair, and the registers.
// Latency: that of mirror_way.
module mirror_logic #(
    parameter int PORTS = 2,
    parameter int PMA_DATA_WIDTH = 32,
    parameter int DEPTH = 2048  // of mirror_way
) (
    // Received frames of each port
    input logic [PORTS-1:0]                       rx_clk,
    input logic [PORTS-1:0]                       rx_rst,
    input logic [PORTS-1:0][  PMA_DATA_WIDTH-1:0] user_rx_tdata,
    input logic [PORTS-1:0][PMA_DATA_WIDTH/8-1:0] user_rx_tkeep,
    input logic [PORTS-1:0]                       user_rx_tvalid,
    input logic [PORTS-1:0]                       user_rx_tlast,
    input logic [PORTS-1:0]                       user_rx_status_good,

    // Raw frames to each port's engine
    input  logic                   tx_user_clk,
    input  logic                   tx_user_rst,
    output logic [PORTS-1:0][31:0] tx_data_net,
    output logic [PORTS-1:0]       tx_sof_net,
    output logic [PORTS-1:0]       tx_eof_net,
    output logic [PORTS-1:0][ 1:0] tx_len_net,
    input  logic [PORTS-1:0]       tx_ack_net,
    input  logic [PORTS-1:0]       tx_drop_net,

    // Registers, in tx_user_clk
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
  // --- Ways
  mirror_regs_pkg::mirror_regs__in_t to_regs;
  for (genvar i = 0; i < 8; i++) begin : gen_port
    if (i < PORTS) begin : gen_way
      localparam int OTHER = i ^ 1;
      mirror_way #(
          .PMA_DATA_WIDTH(PMA_DATA_WIDTH),
          .DEPTH         (DEPTH)
      ) u_way (
          .rx_clk             (rx_clk[i]),
          .rx_rst             (rx_rst[i]),
          .user_rx_tdata      (user_rx_tdata[i]),
          .user_rx_tkeep      (user_rx_tkeep[i]),
          .user_rx_tvalid     (user_rx_tvalid[i]),
          .user_rx_tlast      (user_rx_tlast[i]),
          .user_rx_status_good(user_rx_status_good[i]),
          .tx_user_clk,
          .tx_user_rst,
          .tx_data_net        (tx_data_net[OTHER]),
          .tx_sof_net         (tx_sof_net[OTHER]),
          .tx_eof_net         (tx_eof_net[OTHER]),
          .tx_len_net         (tx_len_net[OTHER]),
          .tx_ack_net         (tx_ack_net[OTHER]),
          .tx_drop_net        (tx_drop_net[OTHER]),
          .event_forwarded    (to_regs.FORWARDED[i].count.incr),
          .event_bad          (to_regs.BAD[i].count.incr),
          .event_no_room      (to_regs.NO_ROOM[i].count.incr),
          .event_refused      (to_regs.REFUSED[i].count.incr)
      );
    end else begin : gen_none
      assign to_regs.FORWARDED[i].count.incr = 1'b0;
      assign to_regs.BAD[i].count.incr       = 1'b0;
      assign to_regs.NO_ROOM[i].count.incr   = 1'b0;
      assign to_regs.REFUSED[i].count.incr   = 1'b0;
    end
  end

  // --- Registers: beyond them is SLVERR
  localparam int BITS = mirror_regs_pkg::MIRROR_REGS_MIN_ADDR_WIDTH;

  logic [14:0] addr;
  logic awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
  logic [31:0] wdata, rdata;
  logic [3:0] wstrb;
  logic [1:0] bresp, rresp;
  axil_demux #(
      .ADDR_WIDTH(15),
      .TARGETS   (1)
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
      .target        (addr[14:BITS] == '0),
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
  mirror_regs u_regs (
      .clk           (tx_user_clk),
      .rst           (tx_user_rst),
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
      .hwif_in       (to_regs)
  );
endmodule
