// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Everything of a card but its user logic: ports, paths to and from the host, registers (../README.md).  A card is this
// and a module of user logic beside it.
//
// Clocks: one transmit clock for all ports, a receive clock a port, the host's; the last is unrelated to the others.  With
// 16-bit words the user clocks are half of theirs, edges aligned; with 32 they are the same.
// Resets: synchronous to their clocks, in any order.  Counters and packets' numbers begin anew with host_rst.
module card_chassis #(
    parameter int PORTS = 2,  // 1 to 8
    parameter bit [PORTS-1:0] TCP_ENABLES = '1,  // bit i: port i has a transmit engine
    parameter int PMA_DATA_WIDTH = 32,  // 16 or 32
    parameter int CONNECTIONS = 512,  // of each engine, a power of two; software sees the first 512
    parameter int MAX_PAYLOAD = 1460,  // bytes
    parameter int MIRROR_DEPTH = 1024,  // words of 32 bits, a power of two
    parameter int HOST_DEPTH = 1024,  // words of 32 bits for chunks, a power of two
    parameter int RX_DEPTH = 4096,  // words of 64 bits for received frames, a power of two
    parameter logic [7:0] KIND = 8'd0,  // ../regs/card.rdl
    localparam int W = PMA_DATA_WIDTH
) (
    // Transceivers
    input  logic                    tx_clk,
    input  logic                    tx_rst,
    input  logic                    tx_user_clk,
    input  logic                    tx_user_rst,
    input  logic [PORTS-1:0]        rx_clk,
    input  logic [PORTS-1:0]        rx_rst,
    input  logic [PORTS-1:0]        rx_user_clk,  // for user logic; nothing here runs on them
    input  logic [PORTS-1:0]        rx_user_rst,
    output logic [PORTS-1:0][W-1:0] pma_tx_data,
    input  logic [PORTS-1:0][W-1:0] pma_rx_data,

    // Host
    input  logic        host_clk,
    input  logic        host_rst,
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
    output logic [PORTS-1:0]       m_c2h_tlast,

    // User logic: received frames in rx_clk, as macpcs gives them, with their FCS
    output logic [PORTS-1:0][  W-1:0] user_rx_tdata,
    output logic [PORTS-1:0][W/8-1:0] user_rx_tkeep,
    output logic [PORTS-1:0]          user_rx_tvalid,
    output logic [PORTS-1:0]          user_rx_tlast,
    output logic [PORTS-1:0]          user_rx_sof,
    output logic [PORTS-1:0]          user_rx_status_valid,
    output logic [PORTS-1:0]          user_rx_status_good,

    // User logic: the engines' ports in tx_user_clk, tx_start and tx_armed in tx_clk (cores/ate).  A port without an
    // engine looks at nothing of it and never acknowledges.  tx_frame, in tx_clk (without an engine: tx_user_clk), is not
    // the engine's: a frame, whose ever, is on offer to the MAC.
    input  logic [PORTS-1:0]       tx_start,
    input  logic [PORTS-1:0][31:0] tx_data_net,
    input  logic [PORTS-1:0]       tx_sof_net,
    input  logic [PORTS-1:0]       tx_eof_net,
    input  logic [PORTS-1:0][ 1:0] tx_len_net,
    input  logic [PORTS-1:0]       tx_raw_net,
    input  logic [PORTS-1:0][15:0] payload_conn_id,
    input  logic [PORTS-1:0][15:0] payload_length,
    input  logic [PORTS-1:0][31:0] payload_csum,
    output logic [PORTS-1:0]       tx_ack_net,
    output logic [PORTS-1:0]       tx_drop_net,
    output logic [PORTS-1:0]       window_available,
    output logic [PORTS-1:0][31:0] tx_credit,
    output logic [PORTS-1:0]       tx_armed,
    output logic [PORTS-1:0]       tx_frame,

    // User logic's registers in tx_user_clk, 0x08000 to 0x0ffff of BAR2
    output logic [14:0] m_user_axil_awaddr,
    output logic        m_user_axil_awvalid,
    input  logic        m_user_axil_awready,
    output logic [31:0] m_user_axil_wdata,
    output logic [ 3:0] m_user_axil_wstrb,
    output logic        m_user_axil_wvalid,
    input  logic        m_user_axil_wready,
    input  logic [ 1:0] m_user_axil_bresp,
    input  logic        m_user_axil_bvalid,
    output logic        m_user_axil_bready,
    output logic [14:0] m_user_axil_araddr,
    output logic        m_user_axil_arvalid,
    input  logic        m_user_axil_arready,
    input  logic [31:0] m_user_axil_rdata,
    input  logic [ 1:0] m_user_axil_rresp,
    input  logic        m_user_axil_rvalid,
    output logic        m_user_axil_rready
);
  if (PORTS < 1 || PORTS > 8) begin : gen_bad_ports
    $error("card_chassis: PORTS must be 1 to 8");
  end
  if (W != 16 && W != 32) begin : gen_bad_width
    $error("card_chassis: PMA_DATA_WIDTH must be 16 or 32");
  end

  // --- Address map
  localparam int HOST = 2 * PORTS + 1;  // targets in host_clk
  logic [18:0] host_addr;  // each looks at the bits of its own page
  logic [31:0] host_wdata, tx_wdata;
  logic [3:0] host_wstrb, tx_wstrb;
  logic [HOST-1:0] host_awvalid, host_awready, host_wvalid, host_wready, host_bvalid, host_bready;
  logic [HOST-1:0] host_arvalid, host_arready, host_rvalid, host_rready;
  logic [HOST-1:0][1:0] host_bresp, host_rresp;
  logic [HOST-1:0][31:0] host_rdata;
  logic [$clog2(CONNECTIONS)+6:0] ate_addr;
  logic [PORTS:0] tx_awvalid, tx_awready, tx_wvalid, tx_wready, tx_bvalid, tx_bready;
  logic [PORTS:0] tx_arvalid, tx_arready, tx_rvalid, tx_rready;
  logic [PORTS:0][1:0] tx_bresp, tx_rresp;
  logic [PORTS:0][31:0] tx_rdata;
  card_axil #(
      .PORTS      (PORTS),
      .TCP_ENABLES(TCP_ENABLES),
      .CONNECTIONS(CONNECTIONS),
      .CARD_BYTES (card_regs_pkg::CARD_REGS_SIZE)
  ) u_axil (
      .host_clk,
      .host_rst,
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
      .host_addr,
      .host_awvalid,
      .host_awready,
      .host_wdata,
      .host_wstrb,
      .host_wvalid,
      .host_wready,
      .host_bresp,
      .host_bvalid,
      .host_bready,
      .host_arvalid,
      .host_arready,
      .host_rdata,
      .host_rresp,
      .host_rvalid,
      .host_rready,
      .clk      (tx_user_clk),
      .rst      (tx_user_rst),
      .user_addr(m_user_axil_awaddr),
      .ate_addr,
      .tx_awvalid,
      .tx_awready,
      .tx_wdata,
      .tx_wstrb,
      .tx_wvalid,
      .tx_wready,
      .tx_bresp,
      .tx_bvalid,
      .tx_bready,
      .tx_arvalid,
      .tx_arready,
      .tx_rdata,
      .tx_rresp,
      .tx_rvalid,
      .tx_rready
  );
  assign m_user_axil_araddr  = m_user_axil_awaddr;
  assign m_user_axil_wdata   = tx_wdata;
  assign m_user_axil_wstrb   = tx_wstrb;
  assign m_user_axil_awvalid = tx_awvalid[0];
  assign m_user_axil_wvalid  = tx_wvalid[0];
  assign m_user_axil_bready  = tx_bready[0];
  assign m_user_axil_arvalid = tx_arvalid[0];
  assign m_user_axil_rready  = tx_rready[0];
  assign tx_awready[0]       = m_user_axil_awready;
  assign tx_wready[0]        = m_user_axil_wready;
  assign tx_bresp[0]         = m_user_axil_bresp;
  assign tx_bvalid[0]        = m_user_axil_bvalid;
  assign tx_arready[0]       = m_user_axil_arready;
  assign tx_rdata[0]         = m_user_axil_rdata;
  assign tx_rresp[0]         = m_user_axil_rresp;
  assign tx_rvalid[0]        = m_user_axil_rvalid;

  // --- Ports
  logic [63:0] now_q;
  logic [PORTS-1:0] link_up;
  for (genvar i = 0; i < PORTS; i++) begin : gen_port
    localparam int MACPCS = 1 + i, COUNTERS = 1 + PORTS + i;
    card_port #(
        .PMA_DATA_WIDTH(PMA_DATA_WIDTH),
        .TCP           (TCP_ENABLES[i]),
        .CONNECTIONS   (CONNECTIONS),
        .MAX_PAYLOAD   (MAX_PAYLOAD),
        .MIRROR_DEPTH  (MIRROR_DEPTH),
        .HOST_DEPTH    (HOST_DEPTH),
        .RX_DEPTH      (RX_DEPTH),
        .PORT          (8'(i))
    ) u_port (
        .tx_clk,
        .tx_rst,
        .tx_user_clk,
        .tx_user_rst,
        .pma_tx_data         (pma_tx_data[i]),
        .rx_clk              (rx_clk[i]),
        .rx_rst              (rx_rst[i]),
        .pma_rx_data         (pma_rx_data[i]),
        .user_rx_tdata       (user_rx_tdata[i]),
        .user_rx_tkeep       (user_rx_tkeep[i]),
        .user_rx_tvalid      (user_rx_tvalid[i]),
        .user_rx_tlast       (user_rx_tlast[i]),
        .user_rx_sof         (user_rx_sof[i]),
        .user_rx_status_valid(user_rx_status_valid[i]),
        .user_rx_status_good (user_rx_status_good[i]),
        .tx_start            (tx_start[i]),
        .tx_data_net         (tx_data_net[i]),
        .tx_sof_net          (tx_sof_net[i]),
        .tx_eof_net          (tx_eof_net[i]),
        .tx_len_net          (tx_len_net[i]),
        .tx_raw_net          (tx_raw_net[i]),
        .payload_conn_id     (payload_conn_id[i]),
        .payload_length      (payload_length[i]),
        .payload_csum        (payload_csum[i]),
        .tx_ack_net          (tx_ack_net[i]),
        .tx_drop_net         (tx_drop_net[i]),
        .window_available    (window_available[i]),
        .tx_credit           (tx_credit[i]),
        .tx_armed            (tx_armed[i]),
        .tx_frame            (tx_frame[i]),
        .ate_addr,
        .ate_awvalid         (tx_awvalid[1+i]),
        .ate_awready         (tx_awready[1+i]),
        .ate_wdata           (tx_wdata),
        .ate_wstrb           (tx_wstrb),
        .ate_wvalid          (tx_wvalid[1+i]),
        .ate_wready          (tx_wready[1+i]),
        .ate_bresp           (tx_bresp[1+i]),
        .ate_bvalid          (tx_bvalid[1+i]),
        .ate_bready          (tx_bready[1+i]),
        .ate_arvalid         (tx_arvalid[1+i]),
        .ate_arready         (tx_arready[1+i]),
        .ate_rdata           (tx_rdata[1+i]),
        .ate_rresp           (tx_rresp[1+i]),
        .ate_rvalid          (tx_rvalid[1+i]),
        .ate_rready          (tx_rready[1+i]),
        .host_clk,
        .host_rst,
        .now                 (now_q),
        .link_up             (link_up[i]),
        .s_h2c_tdata         (s_h2c_tdata[i]),
        .s_h2c_tkeep         (s_h2c_tkeep[i]),
        .s_h2c_tvalid        (s_h2c_tvalid[i]),
        .s_h2c_tready        (s_h2c_tready[i]),
        .s_h2c_tlast         (s_h2c_tlast[i]),
        .m_c2h_tdata         (m_c2h_tdata[i]),
        .m_c2h_tkeep         (m_c2h_tkeep[i]),
        .m_c2h_tvalid        (m_c2h_tvalid[i]),
        .m_c2h_tready        (m_c2h_tready[i]),
        .m_c2h_tlast         (m_c2h_tlast[i]),
        .host_addr           (host_addr[11:0]),
        .host_awvalid        ({host_awvalid[COUNTERS], host_awvalid[MACPCS]}),
        .host_awready        ({host_awready[COUNTERS], host_awready[MACPCS]}),
        .host_wdata,
        .host_wstrb,
        .host_wvalid         ({host_wvalid[COUNTERS], host_wvalid[MACPCS]}),
        .host_wready         ({host_wready[COUNTERS], host_wready[MACPCS]}),
        .host_bresp          ({host_bresp[COUNTERS], host_bresp[MACPCS]}),
        .host_bvalid         ({host_bvalid[COUNTERS], host_bvalid[MACPCS]}),
        .host_bready         ({host_bready[COUNTERS], host_bready[MACPCS]}),
        .host_arvalid        ({host_arvalid[COUNTERS], host_arvalid[MACPCS]}),
        .host_arready        ({host_arready[COUNTERS], host_arready[MACPCS]}),
        .host_rdata          ({host_rdata[COUNTERS], host_rdata[MACPCS]}),
        .host_rresp          ({host_rresp[COUNTERS], host_rresp[MACPCS]}),
        .host_rvalid         ({host_rvalid[COUNTERS], host_rvalid[MACPCS]}),
        .host_rready         ({host_rready[COUNTERS], host_rready[MACPCS]})
    );
  end

  // --- The card's own registers
  card_regs_pkg::card_regs__in_t to_regs;
  card_regs_pkg::card_regs__out_t regs;
  logic [31:0] now_high_q;
  assign to_regs.CARD.kind.next = KIND;
  assign to_regs.CARD.ports.next = 4'(PORTS);
  assign to_regs.CARD.pma_data_width.next = 8'(PMA_DATA_WIDTH);
  assign to_regs.TCP_ENABLES.ports.next = 8'(TCP_ENABLES);
  assign to_regs.PORT_STATUS.available.next = 8'({PORTS{1'b1}});
  assign to_regs.PORT_STATUS.link_up.next = 8'(link_up);
  assign to_regs.CONNECTIONS.connections.next = CONNECTIONS;
  assign to_regs.TIME_LO.cycles.next = now_q[31:0];
  assign to_regs.TIME_HI.cycles.next = now_high_q;
  always_ff @(posedge host_clk) begin
    now_q <= now_q + 1'b1;
    if (regs.TIME_LO.cycles.swacc) now_high_q <= now_q[63:32];
    if (host_rst) now_q <= '0;
  end
  card_regs u_regs (
      .clk           (host_clk),
      .rst           (host_rst),
      .s_axil_awready(host_awready[0]),
      .s_axil_awvalid(host_awvalid[0]),
      .s_axil_awaddr (host_addr[card_regs_pkg::CARD_REGS_MIN_ADDR_WIDTH-1:0]),
      .s_axil_awprot (s_axil_awprot),
      .s_axil_wready (host_wready[0]),
      .s_axil_wvalid (host_wvalid[0]),
      .s_axil_wdata  (host_wdata),
      .s_axil_wstrb  (host_wstrb),
      .s_axil_bready (host_bready[0]),
      .s_axil_bvalid (host_bvalid[0]),
      .s_axil_bresp  (host_bresp[0]),
      .s_axil_arready(host_arready[0]),
      .s_axil_arvalid(host_arvalid[0]),
      .s_axil_araddr (host_addr[card_regs_pkg::CARD_REGS_MIN_ADDR_WIDTH-1:0]),
      .s_axil_arprot (s_axil_arprot),
      .s_axil_rready (host_rready[0]),
      .s_axil_rvalid (host_rvalid[0]),
      .s_axil_rdata  (host_rdata[0]),
      .s_axil_rresp  (host_rresp[0]),
      .hwif_in       (to_regs),
      .hwif_out      (regs)
  );
endmodule
