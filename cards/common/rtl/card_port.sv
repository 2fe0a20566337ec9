// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// One port of a card: MAC and PCS with their registers, the transmit engine (TCP = 1) or raw frames of the host alone,
// and the paths to and from the host.
//
//   user_rx  ◄─┬──────────────────────────────────── macpcs_managed ◄── pma_rx_data
//   m_c2h    ◄─┴─ card_to_host ◄──── mirror ────────┐       ▲    └─────► pma_tx_data
//   s_h2c    ──── card_tx ──────────────────────► ate_tx ───┘              (TCP = 0: card_raw_tx)
//   user tx  ─────────────────────────────────────────┘
//
// Latency: what user logic sees is the MAC's and the engine's own ports; nothing is added to them.
//
// Assumes: with 16-bit words tx_user_clk is half of tx_clk, edges aligned; with 32 it is tx_clk.
module card_port #(
    parameter int PMA_DATA_WIDTH = 32,
    parameter bit TCP = 1'b1,
    parameter int CONNECTIONS = 512,
    parameter int MAX_PAYLOAD = 1460,
    parameter int MIRROR_DEPTH = 1024,  // words of 32 bits, a power of two
    parameter int HOST_DEPTH = 1024,
    parameter int RX_DEPTH = 4096,  // words of 64 bits, a power of two
    parameter logic [7:0] PORT = 8'd0,
    localparam int W = PMA_DATA_WIDTH,
    localparam int ATE_ADDR = $clog2(CONNECTIONS) + 7,
    localparam int COUNTERS = 10
) (
    // Transceiver
    input  logic         tx_clk,
    input  logic         tx_rst,
    input  logic         tx_user_clk,
    input  logic         tx_user_rst,
    output logic [W-1:0] pma_tx_data,
    input  logic         rx_clk,
    input  logic         rx_rst,
    input  logic [W-1:0] pma_rx_data,

    // User logic: received frames in rx_clk
    output logic [  W-1:0] user_rx_tdata,
    output logic [W/8-1:0] user_rx_tkeep,
    output logic           user_rx_tvalid,
    output logic           user_rx_tlast,
    output logic           user_rx_sof,
    output logic           user_rx_status_valid,
    output logic           user_rx_status_good,

    // User logic: the engine's port in tx_user_clk; tx_start and tx_armed in tx_clk
    input  logic        tx_start,
    input  logic [31:0] tx_data_net,
    input  logic        tx_sof_net,
    input  logic        tx_eof_net,
    input  logic [ 1:0] tx_len_net,
    input  logic        tx_raw_net,
    input  logic [15:0] payload_conn_id,
    input  logic [15:0] payload_length,
    input  logic [31:0] payload_csum,
    output logic        tx_ack_net,
    output logic        tx_drop_net,
    output logic        window_available,
    output logic [31:0] tx_credit,
    output logic        tx_armed,
    output logic        tx_frame,          // a frame is on offer to the MAC, in the clock of its words

    // The engine's registers in tx_user_clk
    input  logic [ATE_ADDR-1:0] ate_addr,
    input  logic                ate_awvalid,
    output logic                ate_awready,
    input  logic [        31:0] ate_wdata,
    input  logic [         3:0] ate_wstrb,
    input  logic                ate_wvalid,
    output logic                ate_wready,
    output logic [         1:0] ate_bresp,
    output logic                ate_bvalid,
    input  logic                ate_bready,
    input  logic                ate_arvalid,
    output logic                ate_arready,
    output logic [        31:0] ate_rdata,
    output logic [         1:0] ate_rresp,
    output logic                ate_rvalid,
    input  logic                ate_rready,

    // Host
    input  logic        host_clk,
    input  logic        host_rst,
    input  logic [63:0] now,
    output logic        link_up,
    input  logic [63:0] s_h2c_tdata,
    input  logic [ 7:0] s_h2c_tkeep,
    input  logic        s_h2c_tvalid,
    output logic        s_h2c_tready,
    input  logic        s_h2c_tlast,
    output logic [63:0] m_c2h_tdata,
    output logic [ 7:0] m_c2h_tkeep,
    output logic        m_c2h_tvalid,
    input  logic        m_c2h_tready,
    output logic        m_c2h_tlast,

    // Registers in host_clk: macpcs in bit 0, counters in bit 1
    input  logic [11:0]       host_addr,
    input  logic [ 1:0]       host_awvalid,
    output logic [ 1:0]       host_awready,
    input  logic [31:0]       host_wdata,
    input  logic [ 3:0]       host_wstrb,
    input  logic [ 1:0]       host_wvalid,
    output logic [ 1:0]       host_wready,
    output logic [ 1:0][ 1:0] host_bresp,
    output logic [ 1:0]       host_bvalid,
    input  logic [ 1:0]       host_bready,
    input  logic [ 1:0]       host_arvalid,
    output logic [ 1:0]       host_arready,
    output logic [ 1:0][31:0] host_rdata,
    output logic [ 1:0][ 1:0] host_rresp,
    output logic [ 1:0]       host_rvalid,
    input  logic [ 1:0]       host_rready
);
  localparam int VERDICT = W == 16 ? 2 : 1;
  localparam int MAX_FRAME = TCP ? MAX_PAYLOAD + 58 : 9618;  // bytes that a raw frame of the host may have
  // A port without an engine takes 32-bit words on the user's clock whatever W is: macpcs' bridge narrows them.  None of its
  // frames is in a hurry, so there is a register after the bridge, too.
  localparam int MAC_TX_WIDTH = TCP ? W : 32;
  localparam bit BRIDGE = MAC_TX_WIDTH != W;

  // --- MAC and PCS
  logic [  MAC_TX_WIDTH-1:0] mac_tdata;
  logic [MAC_TX_WIDTH/8-1:0] mac_tkeep;
  logic mac_tvalid, mac_tready, mac_tlast, mac_tuser;
  logic rx_tuser, tx_paused, tx_stopped, err_fcs, err_code, err_runt, err_oversize;
  logic rx_link_up, link_q;
  macpcs_managed #(
      .PMA_DATA_WIDTH(W),
      .MAC_TX_DATA_WIDTH(MAC_TX_WIDTH),
      .MAC_RX_DATA_WIDTH(W),
      .SYNC_DUAL_CLOCK_TX_ENABLE(BRIDGE),
      .MAC_TX_LATENCY_MODE(BRIDGE ? 1 : 0),
      .PCS_RX_LATENCY_MODE(W == 16 ? 1 : 0),
      .MAC_RX_CRC32_LATENCY(VERDICT)
  ) u_macpcs (
      .axil_clk       (host_clk),
      .axil_rst       (host_rst),
      .s_axil_awaddr  (host_addr[8:0]),
      .s_axil_awprot  ('0),
      .s_axil_awvalid (host_awvalid[0]),
      .s_axil_awready (host_awready[0]),
      .s_axil_wdata   (host_wdata),
      .s_axil_wstrb   (host_wstrb),
      .s_axil_wvalid  (host_wvalid[0]),
      .s_axil_wready  (host_wready[0]),
      .s_axil_bresp   (host_bresp[0]),
      .s_axil_bvalid  (host_bvalid[0]),
      .s_axil_bready  (host_bready[0]),
      .s_axil_araddr  (host_addr[8:0]),
      .s_axil_arprot  ('0),
      .s_axil_arvalid (host_arvalid[0]),
      .s_axil_arready (host_arready[0]),
      .s_axil_rdata   (host_rdata[0]),
      .s_axil_rresp   (host_rresp[0]),
      .s_axil_rvalid  (host_rvalid[0]),
      .s_axil_rready  (host_rready[0]),
      .tx_clk,
      .tx_rst,
      .s_axis_clk     (tx_user_clk),
      .s_axis_rst     (tx_user_rst),
      .s_axis_tdata   (mac_tdata),
      .s_axis_tkeep   (mac_tkeep),
      .s_axis_tvalid  (mac_tvalid),
      .s_axis_tready  (mac_tready),
      .s_axis_tlast   (mac_tlast),
      .s_axis_tuser   (mac_tuser),
      .pma_tx_data,
      .tx_pause_req   (1'b0),
      .tx_paused,
      .tx_stopped,
      .rx_clk,
      .rx_rst,
      .pma_rx_data,
      .m_axis_clk     (rx_clk),
      .m_axis_rst     (rx_rst),
      .m_axis_tdata   (user_rx_tdata),
      .m_axis_tkeep   (user_rx_tkeep),
      .m_axis_tvalid  (user_rx_tvalid),
      .m_axis_tready  (1'b1),
      .m_axis_tlast   (user_rx_tlast),
      .m_axis_tuser   (rx_tuser),
      .rx_sof         (user_rx_sof),
      .rx_status_valid(user_rx_status_valid),
      .rx_status_good (user_rx_status_good),
      .rx_err_fcs     (err_fcs),
      .rx_err_code    (err_code),
      .rx_err_runt    (err_runt),
      .rx_err_oversize(err_oversize),
      .rx_link_up
  );
  always_ff @(posedge rx_clk) link_q <= rx_link_up & ~rx_rst;
  cdc_bits link_to_host (
      .clk(host_clk),
      .rst(1'b0),
      .d  (link_q),
      .q  (link_up)
  );

  assign tx_frame = mac_tvalid;

  // --- Host to line
  logic [31:0] host_tdata;
  logic host_tvalid, host_tready, host_tlast, chunk, chunk_refused, chunk_cut;
  card_tx #(
      .MAX_FRAME  (MAX_FRAME),
      .MAX_PAYLOAD(MAX_PAYLOAD),
      .TCP        (TCP)
  ) u_tx (
      .host_clk,
      .host_rst,
      .s_h2c_tdata,
      .s_h2c_tkeep,
      .s_h2c_tvalid,
      .s_h2c_tready,
      .s_h2c_tlast,
      .event_chunk  (chunk),
      .event_refused(chunk_refused),
      .event_cut    (chunk_cut),
      .clk          (tx_user_clk),
      .rst          (tx_user_rst),
      .m_host_tdata (host_tdata),
      .m_host_tvalid(host_tvalid),
      .m_host_tready(host_tready),
      .m_host_tlast (host_tlast)
  );

  // --- Engine, or raw frames of the host alone
  logic [31:0] copy_tdata;
  logic [ 3:0] copy_tkeep;
  logic copy_tvalid, copy_tready, copy_tlast, copy_tuser;
  if (TCP) begin : gen_tcp
    ate_tx #(
        .PMA_DATA_WIDTH(W),
        .CONNECTIONS   (CONNECTIONS),
        .MAX_PAYLOAD   (MAX_PAYLOAD),
        .MIRROR_DEPTH  (MIRROR_DEPTH),
        .HOST_DEPTH    (HOST_DEPTH)
    ) u_ate (
        .clk            (tx_user_clk),
        .rst            (tx_user_rst),
        .tx_clk,
        .tx_rst,
        .tx_start,
        .tx_armed,
        .tx_data_net,
        .tx_sof_net,
        .tx_eof_net,
        .tx_len_net,
        .tx_raw_net,
        .tx_ack_net,
        .tx_drop_net,
        .payload_conn_id,
        .payload_length,
        .payload_csum,
        .window_available,
        .tx_credit,
        .s_host_tdata   (host_tdata),
        .s_host_tvalid  (host_tvalid),
        .s_host_tready  (host_tready),
        .s_host_tlast   (host_tlast),
        .m_mirror_tdata (copy_tdata),
        .m_mirror_tkeep (copy_tkeep),
        .m_mirror_tvalid(copy_tvalid),
        .m_mirror_tready(copy_tready),
        .m_mirror_tlast (copy_tlast),
        .m_mirror_tuser (copy_tuser),
        .s_axil_awaddr  (ate_addr),
        .s_axil_awprot  ('0),
        .s_axil_awvalid (ate_awvalid),
        .s_axil_awready (ate_awready),
        .s_axil_wdata   (ate_wdata),
        .s_axil_wstrb   (ate_wstrb),
        .s_axil_wvalid  (ate_wvalid),
        .s_axil_wready  (ate_wready),
        .s_axil_bresp   (ate_bresp),
        .s_axil_bvalid  (ate_bvalid),
        .s_axil_bready  (ate_bready),
        .s_axil_araddr  (ate_addr),
        .s_axil_arprot  ('0),
        .s_axil_arvalid (ate_arvalid),
        .s_axil_arready (ate_arready),
        .s_axil_rdata   (ate_rdata),
        .s_axil_rresp   (ate_rresp),
        .s_axil_rvalid  (ate_rvalid),
        .s_axil_rready  (ate_rready),
        .m_axis_tdata   (mac_tdata),
        .m_axis_tkeep   (mac_tkeep),
        .m_axis_tvalid  (mac_tvalid),
        .m_axis_tready  (mac_tready),
        .m_axis_tlast   (mac_tlast),
        .m_axis_tuser   (mac_tuser)
    );
  end else begin : gen_raw
    // A register between: the MAC's side is on the fast clock with 16 bits, and no frame here is in a hurry.
    logic [31:0] raw_tdata;
    logic [ 3:0] raw_tkeep;
    logic raw_tvalid, raw_tready, raw_tlast;
    card_raw_tx #(
        .MAX_FRAME(MAX_FRAME)
    ) u_raw (
        .clk          (tx_user_clk),
        .rst          (tx_user_rst),
        .s_host_tdata (host_tdata),
        .s_host_tvalid(host_tvalid),
        .s_host_tready(host_tready),
        .s_host_tlast (host_tlast),
        .m_axis_tdata (raw_tdata),
        .m_axis_tkeep (raw_tkeep),
        .m_axis_tvalid(raw_tvalid),
        .m_axis_tready(raw_tready),
        .m_axis_tlast (raw_tlast)
    );
    axis_register #(
        .WIDTH(37)
    ) u_register (
        .clk    (tx_user_clk),
        .rst    (tx_user_rst),
        .s_data ({raw_tlast, raw_tkeep, raw_tdata}),
        .s_valid(raw_tvalid),
        .s_ready(raw_tready),
        .m_data ({mac_tlast, mac_tkeep, mac_tdata}),
        .m_valid(mac_tvalid),
        .m_ready(mac_tready)
    );
    assign mac_tuser = 1'b0;
    assign {tx_ack_net, tx_drop_net, window_available, tx_credit, tx_armed} = '0;
    assign {ate_awready, ate_wready, ate_bresp, ate_bvalid, ate_arready, ate_rdata, ate_rresp, ate_rvalid} = '0;
    assign {copy_tdata, copy_tkeep, copy_tvalid, copy_tlast, copy_tuser} = '0;
  end

  // --- To the host
  logic packet, mirror_stored, mirror_cut, rx_stored, rx_bad, rx_full, rx_cut;
  card_to_host #(
      .WIDTH       (W),
      .VERDICT     (VERDICT),
      .RX_DEPTH    (RX_DEPTH),
      .MIRROR      (TCP),
      .MIRROR_DEPTH(MIRROR_DEPTH),
      .MIRROR_BYTES(MAX_PAYLOAD + 58),
      .PORT        (PORT)
  ) u_to_host (
      .rx_clk,
      .rx_rst,
      .rx_tdata        (user_rx_tdata),
      .rx_tkeep        (user_rx_tkeep),
      .rx_tvalid       (user_rx_tvalid),
      .rx_tlast        (user_rx_tlast),
      .rx_good         (user_rx_status_good),
      .mirror_clk      (tx_user_clk),
      .mirror_rst      (tx_user_rst),
      .mirror_tdata    (copy_tdata),
      .mirror_tkeep    (copy_tkeep),
      .mirror_tvalid   (copy_tvalid),
      .mirror_tready   (copy_tready),
      .mirror_tlast    (copy_tlast),
      .mirror_tuser    (copy_tuser),
      .host_clk,
      .host_rst,
      .now,
      .m_c2h_tdata,
      .m_c2h_tkeep,
      .m_c2h_tvalid,
      .m_c2h_tready,
      .m_c2h_tlast,
      .event_rx        (rx_stored),
      .event_rx_bad    (rx_bad),
      .event_rx_full   (rx_full),
      .event_rx_cut    (rx_cut),
      .event_mirror    (mirror_stored),
      .event_mirror_cut(mirror_cut),
      .event_packet    (packet)
  );

  card_counters #(
      .COUNTERS (COUNTERS),
      .MAX_FRAME(MAX_FRAME)
  ) u_counters (
      .clk(host_clk),
      .rst(host_rst),
      .event_pulse({
        chunk_cut, chunk_refused, chunk, packet, mirror_cut, mirror_stored, rx_cut, rx_full, rx_bad, rx_stored
      }),
      .s_axil_addr(host_addr),
      .s_axil_awvalid(host_awvalid[1]),
      .s_axil_awready(host_awready[1]),
      .s_axil_wvalid(host_wvalid[1]),
      .s_axil_wready(host_wready[1]),
      .s_axil_bresp(host_bresp[1]),
      .s_axil_bvalid(host_bvalid[1]),
      .s_axil_bready(host_bready[1]),
      .s_axil_arvalid(host_arvalid[1]),
      .s_axil_arready(host_arready[1]),
      .s_axil_rdata(host_rdata[1]),
      .s_axil_rresp(host_rresp[1]),
      .s_axil_rvalid(host_rvalid[1]),
      .s_axil_rready(host_rready[1])
  );
endmodule
