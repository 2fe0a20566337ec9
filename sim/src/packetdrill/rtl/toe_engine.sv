// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// toe with plain vectors at its ports, for C++: one interface, settings from outside.  Latency: none of its own.
module toe_engine
  import toe_pkg::*;
#(
    parameter int SESSION_COUNT           = 8,
    parameter int RX_WINDOW_BYTES         = 65535,
    parameter int RX_FIFO_BYTES           = 262144,
    parameter int TX_RETRANSMIT_MEM_DEPTH = 65536,
    parameter bit RX_REORDERING_EN        = 1'b1,
    parameter int RX_REORDERING_MEM_DEPTH = 65536,
    parameter int RX_REORDERING_INTERVALS = 8,
    parameter bit TIMESTAMPS_EN           = 1'b1,
    parameter bit SACK_EN                 = 1'b1
) (
    input logic clk,
    input logic rst,
    input logic tick,

    // Ticks, as toe_pkg's settings_t has them
    input logic [15:0] rto_initial,
    input logic [15:0] rto_min,
    input logic [15:0] rto_max,
    input logic [15:0] time_wait,
    input logic [15:0] delayed_ack,
    input logic [23:0] keepalive,
    input logic [ 3:0] syn_retries,
    input logic [ 3:0] retries,
    input logic [31:0] secret,
    input logic [47:0] mac,
    input logic [31:0] ip,
    input logic [31:0] mask,
    input logic [31:0] gateway,

    input  logic [31:0] s_mac_tdata,
    input  logic [ 3:0] s_mac_tkeep,
    input  logic        s_mac_tvalid,
    input  logic        s_mac_tlast,
    input  logic        rx_status_valid,
    input  logic        rx_status_good,
    output logic [31:0] m_mac_tdata,
    output logic [ 3:0] m_mac_tkeep,
    output logic        m_mac_tvalid,
    input  logic        m_mac_tready,
    output logic        m_mac_tlast,
    output logic        m_mac_tuser,

    input  logic        order_valid,
    output logic        order_ready,
    input  logic [ 1:0] order_command,
    input  logic [ 9:0] order_sid,
    input  logic [31:0] order_peer_ip,
    input  logic [15:0] order_peer_port,
    input  logic [15:0] order_local_port,

    input  logic [63:0] s_axis_tdata,
    input  logic [ 7:0] s_axis_tkeep,
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic        s_axis_tlast,
    input  logic [ 9:0] s_axis_tdest,
    input  logic [15:0] tx_length,
    output logic        credit_valid,
    output logic [ 9:0] credit_sid,
    output logic [31:0] credit,

    output logic [63:0] m_axis_tdata,
    output logic [ 7:0] m_axis_tkeep,
    output logic        m_axis_tvalid,
    input  logic        m_axis_tready,
    output logic        m_axis_tlast,
    output logic        m_axis_tuser,
    output logic [ 9:0] m_axis_tdest,

    output logic       event_valid,
    output logic [3:0] event_code,
    output logic [9:0] event_sid,
    input  logic [9:0] look_sid,
    output logic [3:0] look_state
);
  settings_t settings;
  always_comb begin
    settings             = '0;
    settings.rto_initial = rto_initial;
    settings.rto_min     = rto_min;
    settings.rto_max     = rto_max;
    settings.time_wait   = time_wait;
    settings.delayed_ack = delayed_ack;
    settings.keepalive   = 24'(keepalive);
    settings.syn_retries = syn_retries;
    settings.retries     = retries;
    settings.secret      = secret;
    settings.ttl         = 8'd64;
  end
  iface_t [0:0] interfaces;
  always_comb begin
    interfaces            = '0;
    interfaces[0].enable  = 1'b1;
    interfaces[0].mac     = mac;
    interfaces[0].ip      = ip;
    interfaces[0].mask    = mask;
    interfaces[0].gateway = gateway;
  end
  order_t order;
  always_comb begin
    order                  = '0;
    order.command          = command_e'(order_command);
    order.sid              = order_sid;
    order.tuple.peer_ip    = order_peer_ip;
    order.tuple.peer_port  = order_peer_port;
    order.tuple.local_port = order_local_port;
  end
  event_e code;
  state_e state;
  assign event_code = code;
  assign look_state = state;
  toe #(
      .SESSION_COUNT          (SESSION_COUNT),
      .RX_WINDOW_BYTES        (RX_WINDOW_BYTES),
      .RX_FIFO_BYTES          (RX_FIFO_BYTES),
      .TX_RETRANSMIT_MEM_DEPTH(TX_RETRANSMIT_MEM_DEPTH),
      .RX_REORDERING_EN       (int'(RX_REORDERING_EN)),
      .RX_REORDERING_MEM_DEPTH(RX_REORDERING_MEM_DEPTH),
      .RX_REORDERING_INTERVALS(RX_REORDERING_INTERVALS),
      .TIMESTAMPS_EN          (int'(TIMESTAMPS_EN)),
      .SACK_EN                (int'(SACK_EN))
  ) u_toe (
      .clk               (clk),
      .rst               (rst),
      .tick              (tick),
      .settings          (settings),
      .interfaces        (interfaces),
      .s_mac_tdata       (s_mac_tdata),
      .s_mac_tkeep       (s_mac_tkeep),
      .s_mac_tvalid      (s_mac_tvalid),
      .s_mac_tlast       (s_mac_tlast),
      .rx_status_valid   (rx_status_valid),
      .rx_status_good    (rx_status_good),
      .m_mac_tdata       (m_mac_tdata),
      .m_mac_tkeep       (m_mac_tkeep),
      .m_mac_tvalid      (m_mac_tvalid),
      .m_mac_tready      (m_mac_tready),
      .m_mac_tlast       (m_mac_tlast),
      .m_mac_tuser       (m_mac_tuser),
      .order_valid       (order_valid),
      .order_ready       (order_ready),
      .order             (order),
      .policy_valid      (1'b0),
      .policy_ready      (),
      .policy_sid        ('0),
      .policy            ('0),
      .s_axis_tdata      (s_axis_tdata),
      .s_axis_tkeep      (s_axis_tkeep),
      .s_axis_tvalid     (s_axis_tvalid),
      .s_axis_tready     (s_axis_tready),
      .s_axis_tlast      (s_axis_tlast),
      .s_axis_tdest      (s_axis_tdest),
      .tx_length_given   (1'b1),
      .tx_length         (tx_length),
      .tx_csum_given     (1'b0),
      .tx_csum           (16'd0),
      .credit_valid      (credit_valid),
      .credit_sid        (credit_sid),
      .credit            (credit),
      .m_axis_tdata      (m_axis_tdata),
      .m_axis_tkeep      (m_axis_tkeep),
      .m_axis_tvalid     (m_axis_tvalid),
      .m_axis_tready     (m_axis_tready),
      .m_axis_tlast      (m_axis_tlast),
      .m_axis_tuser      (m_axis_tuser),
      .m_axis_tdest      (m_axis_tdest),
      .m_axis_seq        (),
      .m_axis_oos        (),
      .tx_mem_wr_en      (),
      .tx_mem_wr_addr    (),
      .tx_mem_wr_data    (),
      .tx_mem_rd_en      (),
      .tx_mem_rd_addr    (),
      .tx_mem_rd_data    ('0),
      .event_info        (),
      .look_urgent       (),
      .stat_arp_bad      (),
      .stat_arp_claimed  (),
      .stat_arp_dropped  (),
      .stat_arp_unasked  (),
      .stat_echo_sent    (),
      .stat_echo_full    (),
      .stat_echo_bad     (),
      .stat_table_full   (),
      .m_host_tdata      (),
      .m_host_tkeep      (),
      .m_host_tvalid     (),
      .m_host_tready     (1'b0),
      .m_host_tlast      (),
      .stat_host_passed  (),
      .stat_host_full    (),
      .stat_host_other   (),
      .stat_icmp_reported(),
      .stat_icmp_bad     (),
      .stat_icmp_other   (),
      .stat_icmp_busy    (),
      .event_valid       (event_valid),
      .event_ready       (1'b1),
      .event_code        (code),
      .event_sid         (event_sid),
      .look_sid          (look_sid),
      .look_state        (state),
      .stat_ip_bad       (),
      .stat_ip_options   (),
      .stat_fragment     (),
      .stat_checksum     (),
      .stat_malformed    (),
      .stat_no_room      (),
      .stat_syn_dropped  ()
  );
endmodule
