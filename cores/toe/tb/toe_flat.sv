// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// toe with one interface and plain ports, for a bench that knows no structs: sim/src/toe_sweep.
module toe_flat
  import toe_pkg::*;
#(
    parameter int SESSION_COUNT = 64,
    parameter int MTU = 2088,  // the longest payload that was published: 2048 bytes
    parameter int USER2TCP_DATA_WIDTH = 128,
    parameter int TCP2USER_DATA_WIDTH = 64,
    parameter bit RX_STORE_FORWARD = 1'b0
) (
    input logic clk,
    input logic rst,
    input logic tick,

    input logic [47:0] mac,
    input logic [31:0] ip,

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

    input  logic [  USER2TCP_DATA_WIDTH-1:0] s_axis_tdata,
    input  logic [USER2TCP_DATA_WIDTH/8-1:0] s_axis_tkeep,
    input  logic                             s_axis_tvalid,
    output logic                             s_axis_tready,
    input  logic                             s_axis_tlast,
    input  logic [                      9:0] s_axis_tdest,
    input  logic                             tx_length_given,
    input  logic [                     15:0] tx_length,
    input  logic                             tx_csum_given,
    input  logic [                     15:0] tx_csum,

    output logic [  TCP2USER_DATA_WIDTH-1:0] m_axis_tdata,
    output logic [TCP2USER_DATA_WIDTH/8-1:0] m_axis_tkeep,
    output logic                             m_axis_tvalid,
    output logic                             m_axis_tlast,
    output logic                             m_axis_tuser,
    output logic [                      9:0] m_axis_tdest,

    output logic       event_valid,
    output logic [3:0] event_code,
    output logic [9:0] event_sid,
    output logic [6:0] stat_drop
);
  settings_t settings;
  always_comb begin
    settings             = '0;
    settings.rto_initial = 16'd1000;
    settings.rto_min     = 16'd200;
    settings.rto_max     = 16'd60000;
    settings.time_wait   = 16'd100;
    settings.delayed_ack = 16'd40;
    settings.syn_retries = 4'd3;
    settings.retries     = 4'd5;
    settings.secret      = 32'h1234_5678;
    settings.ttl         = 8'd64;
  end
  iface_t [0:0] interfaces;
  always_comb begin
    interfaces           = '0;
    interfaces[0].enable = 1'b1;
    interfaces[0].mac    = mac;
    interfaces[0].ip     = ip;
    interfaces[0].mask   = 32'hffff_ff00;
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
  assign event_code = code;

  toe #(
      .SESSION_COUNT      (SESSION_COUNT),
      .MTU                (MTU),
      .USER2TCP_DATA_WIDTH(USER2TCP_DATA_WIDTH),
      .TCP2USER_DATA_WIDTH(TCP2USER_DATA_WIDTH),
      .RX_STORE_FORWARD   (RX_STORE_FORWARD)
  ) u_toe (
      .clk,
      .rst,
      .tick,
      .settings,
      .interfaces,
      .s_mac_tdata,
      .s_mac_tkeep,
      .s_mac_tvalid,
      .s_mac_tlast,
      .rx_status_valid,
      .rx_status_good,
      .m_mac_tdata,
      .m_mac_tkeep,
      .m_mac_tvalid,
      .m_mac_tready,
      .m_mac_tlast,
      .m_mac_tuser,
      .order_valid,
      .order_ready,
      .order,
      .policy_valid      (1'b0),
      .policy_ready      (),
      .policy_sid        ('0),
      .policy            ('0),
      .tx_mem_rd_data    ('0),
      .s_axis_tdata,
      .s_axis_tkeep,
      .s_axis_tvalid,
      .s_axis_tready,
      .s_axis_tlast,
      .s_axis_tdest,
      .tx_length_given,
      .tx_length,
      .tx_csum_given,
      .tx_csum,
      .credit_valid      (),
      .credit_sid        (),
      .credit            (),
      .look_state        (),
      .m_axis_seq        (),
      .m_axis_oos        (),
      .tx_mem_wr_en      (),
      .tx_mem_wr_addr    (),
      .tx_mem_wr_data    (),
      .tx_mem_rd_en      (),
      .tx_mem_rd_addr    (),
      .m_axis_tdata,
      .m_axis_tkeep,
      .m_axis_tvalid,
      .m_axis_tready     (1'b1),
      .m_axis_tlast,
      .m_axis_tuser,
      .m_axis_tdest,
      .event_valid,
      .event_ready       (1'b1),
      .event_code        (code),
      .event_sid,
      .look_sid          (10'd0),
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
      .stat_ip_bad       (stat_drop[0]),
      .stat_ip_options   (stat_drop[1]),
      .stat_fragment     (stat_drop[2]),
      .stat_checksum     (stat_drop[3]),
      .stat_malformed    (stat_drop[4]),
      .stat_no_room      (stat_drop[5]),
      .stat_syn_dropped  (stat_drop[6])
  );
endmodule
