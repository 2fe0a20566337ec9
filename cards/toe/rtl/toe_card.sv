// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A card that answers by itself: one port, macpcs, toe, and small applications in RTL; a host may look on, and order.
//
//   pma_rx_data ──► macpcs ──FIFO──► toe ──► toe_apps
//   pma_tx_data ◄── macpcs ◄──────── toe ◄── toe_apps
//                                     ▲
//                        s_axil ──► toe_axil
//
// Everything after the receiver runs in tx_clk.
module toe_card
  import toe_pkg::*;
#(
    parameter int SESSIONS = 64,  // a power of two, 4 or more
    parameter int MTU = 1500,
    parameter int RING_BYTES = 8192,
    parameter int RX_FIFO_BYTES = 262144,  // received payload that waits for the applications
    parameter int TICK_MS = 1,  // from one tick to the next
    parameter int RTO_MIN_MS = 200,  // the least timeout, as Linux has it; RFC 6298 (2.4) advises 1000
    parameter bit TIMESTAMPS_EN = 1'b0,
    parameter bit RX_REORDERING_EN = 1'b0,
    parameter bit SACK_EN = 1'b0,
    parameter bit HOST_EN = 1'b0  // m_host_* is there: what is for the card and not for toe
) (
    input logic tx_clk,
    input logic tx_rst,
    input logic rx_clk,
    input logic rx_rst,

    output logic [31:0] pma_tx_data,
    input  logic [31:0] pma_rx_data,

    input logic        tick,     // of the timers, a cycle of tx_clk each TICK_MS
    input logic [47:0] mac,      // its addresses, as they are after a reset until the host writes others
    input logic [31:0] ip,
    input logic [31:0] mask,
    input logic [31:0] gateway,
    input logic [31:0] secret,   // random, other than that of any other card

    output logic link_up,  // frames can pass

    // The registers of toe, in tx_clk
    input  logic [13:0] s_axil_awaddr,
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
    input  logic [13:0] s_axil_araddr,
    input  logic [ 2:0] s_axil_arprot,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready,

    // Frames for a host, as toe gives them
    output logic [31:0] m_host_tdata,
    output logic [ 3:0] m_host_tkeep,
    output logic        m_host_tvalid,
    input  logic        m_host_tready,
    output logic        m_host_tlast,

    // What happens to sessions, for counters
    output logic        stat_event,
    output logic [ 3:0] stat_event_code,
    output logic [ 9:0] stat_event_sid,
    output logic [31:0] stat_event_info   // event_info of toe
);
  localparam int PACKETS = 256;
  localparam int RX_PIPE = 1;  // registers before the applications; each can hold two segments more

  // Received words: of the MAC's FIFO, and a cycle later, so that its comparison of pointers does not go on through toe
  typedef struct packed {
    logic [31:0] tdata;
    logic [3:0]  tkeep;
    logic        tvalid;
    logic        tlast;
    logic        status_valid;
    logic        status_good;
  } rx_t;
  rx_t rx, rx_q;
  always_ff @(posedge tx_clk) begin
    rx_q <= rx;
    if (tx_rst) {rx_q.tvalid, rx_q.status_valid} <= '0;
  end
  logic [31:0] tx_tdata;
  logic [ 3:0] tx_tkeep;
  logic tx_tvalid, tx_tready, tx_tlast, tx_tuser;
  macpcs #(
      .PCS_RX_LATENCY_MODE      (1),    // for rx_clk: from the transceiver to the FIFO's write pointer is too long
      .DUAL_CLOCK_FIFO_RX_ENABLE(1'b1)
  ) u_macpcs (
      .tx_clk,
      .tx_rst,
      .s_axis_clk            (tx_clk),
      .s_axis_rst            (tx_rst),
      .s_axis_tdata          (tx_tdata),
      .s_axis_tkeep          (tx_tkeep),
      .s_axis_tvalid         (tx_tvalid),
      .s_axis_tready         (tx_tready),
      .s_axis_tlast          (tx_tlast),
      .s_axis_tuser          (tx_tuser),
      .pma_tx_data,
      .tx_ignore_fault       (1'b0),
      .tx_prbs31             (1'b0),
      .tx_test_idle          (1'b0),
      .own_address           (48'd0),
      .tx_pause_req          (1'b0),
      .pma_loopback          (1'b0),
      .user_loopback         (1'b0),
      .rx_clk,
      .rx_rst,
      .pma_rx_data,
      .m_axis_clk            (tx_clk),
      .m_axis_rst            (tx_rst),
      .m_axis_tdata          (rx.tdata),
      .m_axis_tkeep          (rx.tkeep),
      .m_axis_tvalid         (rx.tvalid),
      .m_axis_tready         (1'b1),
      .m_axis_tlast          (rx.tlast),
      .rx_status_valid       (rx.status_valid),
      .rx_status_good        (rx.status_good),
      .rx_max_length         (16'(MTU + 22)),
      .rx_filter_on          (1'b0),
      .rx_filter_pass_group  (1'b0),
      .rx_test_prbs31        (1'b0),
      .rx_test_idle          (1'b0),
      .rx_link_up            (link_up),
      .tx_stopped            (),
      .tx_paused             (),
      .stat_tx_pause         (),
      .stat_tx_frame         (),
      .stat_tx_bytes         (),
      .stat_tx_error         (),
      .stat_tx_underrun      (),
      .m_axis_tuser          (),
      .rx_sof                (),
      .rx_err_fcs            (),
      .rx_err_code           (),
      .rx_err_runt           (),
      .rx_err_oversize       (),
      .rx_block_lock         (),
      .rx_hi_ber             (),
      .rx_watchdog           (),
      .rx_local_fault        (),
      .rx_remote_fault       (),
      .stat_rx_pattern_errors(),
      .stat_rx_frame         (),
      .stat_rx_bytes         (),
      .stat_rx_fcs           (),
      .stat_rx_code          (),
      .stat_rx_runt          (),
      .stat_rx_oversize      (),
      .stat_rx_pause         (),
      .stat_rx_bad_header    (),
      .stat_rx_bad_block     (),
      .stat_rx_bad_after     (),
      .stat_rx_lock_lost     (),
      .stat_rx_filtered      (),
      .stat_rx_overflow      ()
  );

  logic app_valid, app_ready, event_valid, event_ready, set_up;
  order_t app_order;
  event_e event_code;
  sid_t event_sid, in_tdest, out_tdest, credit_sid;
  logic [63:0] in_tdata, out_tdata;
  logic [7:0] in_tkeep, out_tkeep;
  logic in_tvalid, in_tready, in_tlast, out_tvalid, out_tready, out_tlast, length_given, credit_valid;
  logic [15:0] length;
  logic [31:0] credit;
  toe_apps #(
      .SESSIONS(SESSIONS),
      .PACKETS (PACKETS + 2 * RX_PIPE)
  ) u_apps (
      .clk            (tx_clk),
      .rst            (tx_rst | ~set_up),
      .order_valid    (app_valid),
      .order_ready    (app_ready),
      .order          (app_order),
      .event_valid,
      .event_ready,
      .event_code,
      .event_sid,
      .rx_tdata       (in_tdata),
      .rx_tkeep       (in_tkeep),
      .rx_tvalid      (in_tvalid),
      .rx_tready      (in_tready),
      .rx_tlast       (in_tlast),
      .rx_tdest       (in_tdest),
      .tx_tdata       (out_tdata),
      .tx_tkeep       (out_tkeep),
      .tx_tvalid      (out_tvalid),
      .tx_tready      (out_tready),
      .tx_tlast       (out_tlast),
      .tx_tdest       (out_tdest),
      .tx_length_given(length_given),
      .tx_length      (length),
      .credit_valid,
      .credit_sid,
      .credit
  );
  assign stat_event      = event_valid & event_ready;
  assign stat_event_code = event_code;
  assign stat_event_sid  = event_sid;

  // --- Registers: what the applications need is written first
  logic [13:0] axil_awaddr;
  logic axil_awvalid, axil_awready, axil_wvalid, axil_wready, axil_bvalid, axil_bready, axil_arvalid, axil_arready;
  logic [31:0] axil_wdata;
  logic [ 3:0] axil_wstrb;
  toe_setup #(
      .TICK_MS   (TICK_MS),
      .RTO_MIN_MS(RTO_MIN_MS)
  ) u_setup (
      .clk           (tx_clk),
      .rst           (tx_rst),
      .mac,
      .ip,
      .mask,
      .gateway,
      .secret,
      .done          (set_up),
      .s_axil_awaddr,
      .s_axil_awvalid,
      .s_axil_awready,
      .s_axil_wdata,
      .s_axil_wstrb,
      .s_axil_wvalid,
      .s_axil_wready,
      .s_axil_bvalid,
      .s_axil_bready,
      .s_axil_arvalid,
      .s_axil_arready,
      .m_axil_awaddr (axil_awaddr),
      .m_axil_awvalid(axil_awvalid),
      .m_axil_awready(axil_awready),
      .m_axil_wdata  (axil_wdata),
      .m_axil_wstrb  (axil_wstrb),
      .m_axil_wvalid (axil_wvalid),
      .m_axil_wready (axil_wready),
      .m_axil_bvalid (axil_bvalid),
      .m_axil_bready (axil_bready),
      .m_axil_arvalid(axil_arvalid),
      .m_axil_arready(axil_arready)
  );

  settings_t settings;
  iface_t [0:0] interfaces;
  logic host_valid, host_ready, order_valid, order_ready, policy_valid, policy_ready;
  order_t host_order, order;
  sid_t policy_sid, look_sid;
  policy_t policy;
  state_e look_state;
  logic [31:0] look_urgent;
  logic stat_ip_bad, stat_ip_options, stat_fragment, stat_checksum, stat_malformed, stat_no_room, stat_syn_dropped;
  logic stat_arp_bad, stat_arp_claimed, stat_arp_dropped, stat_arp_unasked, stat_table_full;
  logic stat_echo_sent, stat_echo_full, stat_echo_bad, stat_host_passed, stat_host_full, stat_host_other;
  logic stat_icmp_reported, stat_icmp_bad, stat_icmp_other, stat_icmp_busy;
  toe_axil #(
      .SESSION_COUNT          (SESSIONS),
      .MTU                    (MTU),
      .RX_STORE_FORWARD       (1),
      .RX_FIFO_BYTES          (RX_FIFO_BYTES),
      .TX_RETRANSMIT_MEM_DEPTH(RING_BYTES),
      .RX_REORDERING_EN       (int'(RX_REORDERING_EN)),
      .TIMESTAMPS_EN          (int'(TIMESTAMPS_EN)),
      .SACK_EN                (int'(SACK_EN)),
      .RX_URGENT_EN           (1),
      .SOFT_ERRORS_EN         (1),
      .SESSION_POLICY_EN      (1),
      .HOST_EN                (int'(HOST_EN))
  ) u_axil (
      .clk           (tx_clk),
      .rst           (tx_rst),
      .s_axil_awaddr (axil_awaddr),
      .s_axil_awprot,
      .s_axil_awvalid(axil_awvalid),
      .s_axil_awready(axil_awready),
      .s_axil_wdata  (axil_wdata),
      .s_axil_wstrb  (axil_wstrb),
      .s_axil_wvalid (axil_wvalid),
      .s_axil_wready (axil_wready),
      .s_axil_bresp,
      .s_axil_bvalid (axil_bvalid),
      .s_axil_bready (axil_bready),
      .s_axil_araddr,
      .s_axil_arprot,
      .s_axil_arvalid(axil_arvalid),
      .s_axil_arready(axil_arready),
      .s_axil_rdata,
      .s_axil_rresp,
      .s_axil_rvalid,
      .s_axil_rready,
      .settings,
      .interfaces,
      .order_valid   (host_valid),
      .order_ready   (host_ready),
      .order         (host_order),
      .policy_valid,
      .policy_ready,
      .policy_sid,
      .policy,
      .event_valid   (stat_event),
      .event_code,
      .event_sid,
      .event_info    (stat_event_info),
      .look_sid,
      .look_state,
      .look_urgent,
      .stat_ip_bad,
      .stat_ip_options,
      .stat_fragment,
      .stat_checksum,
      .stat_malformed,
      .stat_no_room,
      .stat_syn_dropped,
      .stat_table_full,
      .stat_arp_bad,
      .stat_arp_claimed,
      .stat_arp_dropped,
      .stat_arp_unasked,
      .stat_echo_sent,
      .stat_echo_full,
      .stat_echo_bad,
      .stat_icmp_reported,
      .stat_icmp_bad,
      .stat_icmp_other,
      .stat_icmp_busy,
      .stat_host_passed,
      .stat_host_full,
      .stat_host_other
  );
  order_merge u_merge (
      .clk      (tx_clk),
      .rst      (tx_rst),
      .app_valid(app_valid & set_up),  // in reset it gives its first one
      .app_ready,
      .app_order,
      .host_valid,
      .host_ready,
      .host_order,
      .m_valid  (order_valid),
      .m_ready  (order_ready),
      .m_order  (order)
  );

  toe #(
      .SESSION_COUNT          (SESSIONS),
      .MTU                    (MTU),
      .RX_STORE_FORWARD       (1),
      // Twice what the 16 echo sessions offer: each segment takes whole beats, and its end
      .RX_FIFO_BYTES          (RX_FIFO_BYTES),
      .RX_WINDOW_BYTES        (8192),
      .RX_REORDERING_EN       (int'(RX_REORDERING_EN)),
      .SACK_EN                (int'(SACK_EN)),
      .RX_REORDERING_MEM_DEPTH(8192),
      .RX_FIFO_PACKET_COUNT   (PACKETS),
      .TX_RETRANSMIT_MEM_DEPTH(RING_BYTES),
      .RX_URGENT_EN           (1),
      .SOFT_ERRORS_EN         (1),
      .TIMESTAMPS_EN          (int'(TIMESTAMPS_EN)),
      .SESSION_POLICY_EN      (1),
      .HOST_EN                (int'(HOST_EN)),
      // From the received payload through the applications to the windows of what is sent: too long for one cycle
      .RX_OUTPUT_PIPE_COUNT   (RX_PIPE)
  ) u_toe (
      .clk            (tx_clk),
      .rst            (tx_rst),
      .tick,
      .settings,
      .interfaces,
      .s_mac_tdata    (rx_q.tdata),
      .s_mac_tkeep    (rx_q.tkeep),
      .s_mac_tvalid   (rx_q.tvalid),
      .s_mac_tlast    (rx_q.tlast),
      .rx_status_valid(rx_q.status_valid),
      .rx_status_good (rx_q.status_good),
      .m_mac_tdata    (tx_tdata),
      .m_mac_tkeep    (tx_tkeep),
      .m_mac_tvalid   (tx_tvalid),
      .m_mac_tready   (tx_tready),
      .m_mac_tlast    (tx_tlast),
      .m_mac_tuser    (tx_tuser),
      .order_valid,
      .order_ready,
      .order,
      .policy_valid,
      .policy_ready,
      .policy_sid,
      .policy,
      .s_axis_tdata   (out_tdata),
      .s_axis_tkeep   (out_tkeep),
      .s_axis_tvalid  (out_tvalid),
      .s_axis_tready  (out_tready),
      .s_axis_tlast   (out_tlast),
      .s_axis_tdest   (out_tdest),
      .tx_length_given(length_given),
      .tx_length      (length),
      .tx_csum_given  (1'b0),
      .tx_csum        (16'd0),
      .credit_valid,
      .credit_sid,
      .credit,
      .m_axis_tdata   (in_tdata),
      .m_axis_tkeep   (in_tkeep),
      .m_axis_tvalid  (in_tvalid),
      .m_axis_tready  (in_tready),
      .m_axis_tlast   (in_tlast),
      .m_axis_tuser   (),
      .m_axis_tdest   (in_tdest),
      .m_axis_seq     (),
      .m_axis_oos     (),
      .tx_mem_wr_en   (),
      .tx_mem_wr_addr (),
      .tx_mem_wr_data (),
      .tx_mem_rd_en   (),
      .tx_mem_rd_addr (),
      .tx_mem_rd_data ('0),
      .event_valid,
      .event_ready,
      .event_code,
      .event_sid,
      .event_info     (stat_event_info),
      .look_sid,
      .look_state,
      .look_urgent,
      .m_host_tdata,
      .m_host_tkeep,
      .m_host_tvalid,
      .m_host_tready,
      .m_host_tlast,
      .stat_arp_bad,
      .stat_arp_claimed,
      .stat_arp_dropped,
      .stat_arp_unasked,
      .stat_echo_sent,
      .stat_echo_full,
      .stat_echo_bad,
      .stat_table_full,
      .stat_icmp_reported,
      .stat_icmp_bad,
      .stat_icmp_other,
      .stat_icmp_busy,
      .stat_host_passed,
      .stat_host_full,
      .stat_host_other,
      .stat_ip_bad,
      .stat_ip_options,
      .stat_fragment,
      .stat_checksum,
      .stat_malformed,
      .stat_no_room,
      .stat_syn_dropped
  );
endmodule
