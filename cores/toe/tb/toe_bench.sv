// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// toe with one interface and a MAC's readiness: for each frame that leaves, `gap` cycles without (FCS, gap, preamble), and one
// cycle in 33, as the gearbox has it.  With 64 bits one cycle in two, but in one of 33 such pairs.
module toe_bench
  import toe_pkg::*;
#(
    parameter int SESSION_COUNT = 4,
    parameter bit RX_STORE_FORWARD = 1'b0,
    parameter bit INSTANT_ACK_EN = 1'b1,
    parameter bit TIMESTAMPS_EN = 1'b0,
    parameter bit SACK_EN = 1'b0,
    parameter int RX_WINDOW_BYTES = 8192,
    parameter bit RX_REORDERING_EN = 1'b0,
    parameter bit RX_OOS_SEQNUM_EN = 1'b0,
    parameter bit SESSION_POLICY_EN = 1'b0,
    parameter bit ARP_DOUBT_EN = 1'b0,
    parameter int KEEPALIVE = 0,
    parameter bit RX_URGENT_EN = 1'b0,
    parameter bit SOFT_ERRORS_EN = 1'b0,
    parameter bit HOST_EN = 1'b0,
    parameter int HOST_FIFO_BYTES = 4096,
    parameter bit ICMP_SERVER_EN = 1'b1,
    parameter bit RX_FCS = 1'b1,
    parameter bit TX_DROP_IF_NOT_ESTABLISHED_EN = 1'b1,
    parameter int TX_RETRANSMIT_MEM_DEPTH = 4096,
    parameter bit TX_RETRANSMIT_MEM_EXTERNAL = 1'b0,
    parameter int TX_RETRANSMIT_MEM_LATENCY = 2,
    parameter int TX_RETRANSMIT_MEM_WRITE_LAG = 1,
    parameter int MAC2TCP_DATA_WIDTH = 32,
    parameter int TCP2MAC_DATA_WIDTH = 32,
    parameter int TX_OUTPUT_PIPE_COUNT = 0,
    parameter int RX_OUTPUT_PIPE_COUNT = 0
) (
    input logic clk,
    input logic rst,
    input logic tick,

    input logic [47:0] mac,
    input logic [31:0] ip,
    input logic [31:0] gateway,
    input logic [15:0] time_wait,  // ticks, as the others
    input logic [15:0] rto,

    input logic [ 7:0] host,  // bits of host_t
    input logic [15:0] vlan,  // 0: none

    output logic [31:0] m_host_tdata,
    output logic [ 3:0] m_host_tkeep,
    output logic        m_host_tvalid,
    input  logic        m_host_tready,
    output logic        m_host_tlast,
    output logic [ 2:0] stat_host,      // passed, full, refused

    input  logic [  MAC2TCP_DATA_WIDTH-1:0] s_mac_tdata,
    input  logic [MAC2TCP_DATA_WIDTH/8-1:0] s_mac_tkeep,
    input  logic                            s_mac_tvalid,
    input  logic                            s_mac_tlast,
    input  logic                            rx_status_valid,
    input  logic                            rx_status_good,
    output logic [  TCP2MAC_DATA_WIDTH-1:0] m_mac_tdata,
    output logic [TCP2MAC_DATA_WIDTH/8-1:0] m_mac_tkeep,
    output logic                            m_mac_tvalid,
    output logic                            m_mac_tready,
    output logic                            m_mac_tlast,
    output logic                            m_mac_tuser,

    input  logic        order_valid,
    output logic        order_ready,
    input  logic [ 1:0] order_command,
    input  logic [ 9:0] order_sid,
    input  logic [31:0] order_peer_ip,
    input  logic [15:0] order_peer_port,
    input  logic [15:0] order_local_port,

    input  logic        policy_valid,
    output logic        policy_ready,
    input  logic [ 9:0] policy_sid,
    input  logic [11:0] policy_number,

    input  logic [63:0] s_axis_tdata,
    input  logic [ 7:0] s_axis_tkeep,
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic        s_axis_tlast,
    input  logic [ 9:0] s_axis_tdest,
    input  logic        tx_length_given,
    input  logic [15:0] tx_length,
    input  logic        tx_csum_given,
    input  logic [15:0] tx_csum,
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
    output logic [31:0] m_axis_seq,
    output logic        m_axis_oos,

    output logic        event_valid,
    input  logic        event_ready,
    output logic [ 3:0] event_code,
    output logic [ 9:0] event_sid,
    output logic [31:0] event_info,
    output logic [ 6:0] stat_drop,
    output logic [ 3:0] stat_icmp,    // reported, bad, unmatched, busy
    input  logic [ 9:0] look_sid,
    output logic [ 3:0] look_state,
    output logic [31:0] look_urgent
);
  localparam int GAP = 6;
  logic [2:0] pause_q;
  logic [5:0] phase_q;
  logic odd_q;  // of a pair of cycles
  assign m_mac_tready = (pause_q == 0) & (phase_q != 6'd32) & ~(odd_q & (TCP2MAC_DATA_WIDTH == 64));
  always_ff @(posedge clk) begin
    odd_q <= ~odd_q;
    if (odd_q || TCP2MAC_DATA_WIDTH == 32) phase_q <= phase_q == 6'd32 ? '0 : phase_q + 1'b1;
    if (m_mac_tvalid && m_mac_tready && m_mac_tlast) pause_q <= 3'(GAP);
    else if (pause_q != 0) pause_q <= pause_q - 1'b1;
    if (rst) {pause_q, phase_q, odd_q} <= '0;
  end

  settings_t settings;
  assign settings = '{
          host: host,
          rto_initial: rto,
          rto_min: rto,
          rto_max: 16'd4000,
          time_wait: time_wait,
          delayed_ack: 16'd4,
          keepalive: 24'(KEEPALIVE),
          syn_retries: 4'd3,
          retries: 4'd4,
          secret: 32'h1234_5678,
          ttl: 8'd64,
          dscp: 6'd0,
          fin_wait: 16'd0
      };
  iface_t [0:0] interfaces;
  assign interfaces[0] = '{
          enable: 1'b1,
          vlan_on: vlan != 0,
          vlan: vlan,
          mac: mac,
          ip: ip,
          mask: 32'hffff_ff00,
          gateway: gateway
      };
  order_t order;
  always_comb begin
    order                  = '0;
    order.command          = command_e'(order_command);
    order.sid              = order_sid;
    order.tuple.peer_ip    = order_peer_ip;
    order.tuple.peer_port  = order_peer_port;
    order.tuple.local_port = order_local_port;
  end
  policy_t policy;
  assign policy = policy_number;
  event_e code;
  assign event_code = code;
  state_e state;
  assign look_state = state;
  localparam int MEMORY_WORDS = SESSION_COUNT * TX_RETRANSMIT_MEM_DEPTH / 8;
  logic [7:0] tx_mem_wr_en;
  logic [63:0] tx_mem_wr_data, tx_mem_rd_data;
  logic [$clog2(MEMORY_WORDS)-1:0] tx_mem_wr_addr, tx_mem_rd_addr;
  logic tx_mem_rd_en;
  toe_memory #(
      .WIDTH(64),
      .DEPTH(MEMORY_WORDS),
      .LATENCY(TX_RETRANSMIT_MEM_LATENCY),
      .WRITE_LATENCY(TX_RETRANSMIT_MEM_WRITE_LAG)
  ) u_memory (
      .clk,
      .wr_en  (tx_mem_wr_en),
      .wr_addr(tx_mem_wr_addr),
      .wr_data(tx_mem_wr_data),
      .rd_en  (tx_mem_rd_en),
      .rd_addr(tx_mem_rd_addr),
      .rd_data(tx_mem_rd_data)
  );
  toe #(
      .SESSION_COUNT(SESSION_COUNT),
      .RX_STORE_FORWARD(RX_STORE_FORWARD),
      .INSTANT_ACK_EN(INSTANT_ACK_EN),
      .TIMESTAMPS_EN(TIMESTAMPS_EN),
      .SACK_EN(SACK_EN),
      .RX_WINDOW_BYTES(RX_WINDOW_BYTES),
      .RX_REORDERING_EN(RX_REORDERING_EN),
      .RX_REORDERING_MEM_DEPTH(8192),
      .RX_OOS_SEQNUM_EN(RX_OOS_SEQNUM_EN),
      .SESSION_POLICY_EN(SESSION_POLICY_EN),
      .ARP_DOUBT_EN(ARP_DOUBT_EN),
      .RX_URGENT_EN(RX_URGENT_EN),
      .SOFT_ERRORS_EN(SOFT_ERRORS_EN),
      .HOST_EN(HOST_EN),
      .HOST_FIFO_BYTES(HOST_FIFO_BYTES),
      .ICMP_SERVER_EN(ICMP_SERVER_EN),
      .RX_FCS(RX_FCS),
      .TX_DROP_IF_NOT_ESTABLISHED_EN(TX_DROP_IF_NOT_ESTABLISHED_EN),
      .TX_RETRANSMIT_MEM_DEPTH(TX_RETRANSMIT_MEM_DEPTH),
      .TX_RETRANSMIT_MEM_EXTERNAL(TX_RETRANSMIT_MEM_EXTERNAL),
      .TX_RETRANSMIT_MEM_LATENCY(TX_RETRANSMIT_MEM_LATENCY),
      .TX_RETRANSMIT_MEM_WRITE_LAG(TX_RETRANSMIT_MEM_WRITE_LAG),
      .MAC2TCP_DATA_WIDTH(MAC2TCP_DATA_WIDTH),
      .TCP2MAC_DATA_WIDTH(TCP2MAC_DATA_WIDTH),
      .TX_OUTPUT_PIPE_COUNT(TX_OUTPUT_PIPE_COUNT),
      .RX_OUTPUT_PIPE_COUNT(RX_OUTPUT_PIPE_COUNT)
  ) u_toe (
      .event_code        (code),
      .look_state        (state),
      .stat_ip_bad       (stat_drop[0]),
      .stat_ip_options   (stat_drop[1]),
      .stat_fragment     (stat_drop[2]),
      .stat_checksum     (stat_drop[3]),
      .stat_malformed    (stat_drop[4]),
      .stat_no_room      (stat_drop[5]),
      .stat_syn_dropped  (stat_drop[6]),
      .stat_arp_bad      (),
      .stat_arp_claimed  (),
      .stat_arp_dropped  (),
      .stat_arp_unasked  (),
      .stat_echo_sent    (),
      .stat_echo_full    (),
      .stat_echo_bad     (),
      .stat_table_full   (),
      .stat_icmp_reported(stat_icmp[0]),
      .stat_icmp_bad     (stat_icmp[1]),
      .stat_icmp_other   (stat_icmp[2]),
      .stat_icmp_busy    (stat_icmp[3]),
      .stat_host_passed  (stat_host[0]),
      .stat_host_full    (stat_host[1]),
      .stat_host_other   (stat_host[2]),
      .*
  );
endmodule
