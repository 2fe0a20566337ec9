// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A card that answers by itself: one port, macpcs, toe, and small applications in RTL.  No host.
//
//   pma_rx_data ──► macpcs ──FIFO──► toe ──► toe_apps
//   pma_tx_data ◄── macpcs ◄──────── toe ◄── toe_apps
//
// Everything behind the receiver runs in tx_clk.
module toe_card
  import toe_pkg::*;
#(
    parameter int SESSIONS = 64,  // a power of two, 4 or more
    parameter int MTU = 1500,
    parameter int RING_BYTES = 8192,
    parameter int TICK_MS = 1,  // from one tick to the next
    parameter int RTO_MIN_MS = 200,  // the least timeout, as Linux has it; RFC 6298 (2.4) advises 1000
    parameter bit TIMESTAMPS_EN = 1'b0,
    parameter bit RX_REORDERING_EN = 1'b0
) (
    input logic tx_clk,
    input logic tx_rst,
    input logic rx_clk,
    input logic rx_rst,

    output logic [31:0] pma_tx_data,
    input  logic [31:0] pma_rx_data,

    input logic        tick,     // of the timers, a cycle of tx_clk each TICK_MS
    input logic [47:0] mac,      // its addresses; must not change while frames pass
    input logic [31:0] ip,
    input logic [31:0] mask,
    input logic [31:0] gateway,
    input logic [31:0] secret,   // random, other than that of any other card

    output logic link_up,  // frames can pass

    // What happens to sessions, for counters
    output logic        stat_event,
    output logic [ 3:0] stat_event_code,
    output logic [ 9:0] stat_event_sid,
    output logic [31:0] stat_event_info,  // event_info of toe
    input  logic [ 9:0] look_sid,         // a session, below SESSIONS
    output logic [ 3:0] look_state,       // its state (`state_e` of `toe_pkg`), combinational
    // Frames dropped: IP checksum, IP options, fragment, TCP checksum, malformed, no room, SYN
    output logic [ 6:0] stat_drop,
    // ICMP errors about what was sent: told, malformed, of no session, while another one was told
    output logic [ 3:0] stat_icmp
);
  localparam int PACKETS = 256;

  logic [31:0] rx_tdata, tx_tdata;
  logic [3:0] rx_tkeep, tx_tkeep;
  logic rx_tvalid, rx_tlast, rx_status_valid, rx_status_good;
  logic tx_tvalid, tx_tready, tx_tlast, tx_tuser;
  // verilator lint_off PINCONNECTEMPTY
  macpcs #(
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
      .m_axis_tdata          (rx_tdata),
      .m_axis_tkeep          (rx_tkeep),
      .m_axis_tvalid         (rx_tvalid),
      .m_axis_tready         (1'b1),
      .m_axis_tlast          (rx_tlast),
      .rx_status_valid,
      .rx_status_good,
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
      .stat_rx_lock_lost     (),
      .stat_rx_filtered      (),
      .stat_rx_overflow      ()
  );
  // verilator lint_on PINCONNECTEMPTY

  state_e look;
  assign look_state = look;
  logic order_valid, order_ready, event_valid, event_ready;
  order_t order;
  event_e event_code;
  sid_t event_sid, in_tdest, out_tdest, credit_sid;
  logic [63:0] in_tdata, out_tdata;
  logic [7:0] in_tkeep, out_tkeep;
  logic in_tvalid, in_tready, in_tlast, out_tvalid, out_tready, out_tlast, length_given, credit_valid;
  logic [15:0] length;
  logic [31:0] credit;
  toe_apps #(
      .SESSIONS(SESSIONS),
      .PACKETS (PACKETS)
  ) u_apps (
      .clk            (tx_clk),
      .rst            (tx_rst),
      .order_valid,
      .order_ready,
      .order,
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

  settings_t settings;
  assign settings = '{
          rto_initial: 16'(1000 / TICK_MS),
          rto_min: 16'(RTO_MIN_MS / TICK_MS),
          rto_max: 16'(60000 / TICK_MS),
          time_wait: 16'(1000 / TICK_MS),
          delayed_ack: 16'(40 / TICK_MS),
          keepalive: 24'd0,
          syn_retries: 4'd5,
          retries: 4'd8,
          secret: secret,
          ttl: 8'd64,
          dscp: 6'd0,
          fin_wait: 16'(60000 / TICK_MS)
      };
  iface_t [0:0] interfaces;
  assign interfaces[0] = '{
          enable: 1'b1,
          vlan_on: 1'b0,
          vlan: 16'd0,
          mac: mac,
          ip: ip,
          mask: mask,
          gateway: gateway
      };
  // verilator lint_off PINCONNECTEMPTY
  toe #(
      .SESSION_COUNT          (SESSIONS),
      .MTU                    (MTU),
      .RX_STORE_FORWARD       (1'b1),
      // Twice what the 16 echo sessions offer: each segment takes whole beats, and its end
      .RX_FIFO_BYTES          (262144),
      .RX_WINDOW_BYTES        (8192),
      .RX_REORDERING_EN       (RX_REORDERING_EN),
      .RX_REORDERING_MEM_DEPTH(8192),
      .RX_FIFO_PACKET_COUNT   (PACKETS),
      .TX_RETRANSMIT_MEM_DEPTH(RING_BYTES),
      .RX_URGENT_EN           (1'b1),
      .SOFT_ERRORS_EN         (1'b1),
      .TIMESTAMPS_EN          (TIMESTAMPS_EN)
  ) u_toe (
      .clk             (tx_clk),
      .rst             (tx_rst),
      .tick,
      .settings,
      .interfaces,
      .s_mac_tdata     (rx_tdata),
      .s_mac_tkeep     (rx_tkeep),
      .s_mac_tvalid    (rx_tvalid),
      .s_mac_tlast     (rx_tlast),
      .rx_status_valid,
      .rx_status_good,
      .m_mac_tdata     (tx_tdata),
      .m_mac_tkeep     (tx_tkeep),
      .m_mac_tvalid    (tx_tvalid),
      .m_mac_tready    (tx_tready),
      .m_mac_tlast     (tx_tlast),
      .m_mac_tuser     (tx_tuser),
      .order_valid,
      .order_ready,
      .order,
      .policy_valid    (1'b0),
      .policy_ready    (),
      .policy_sid      ('0),
      .policy          ('0),
      .s_axis_tdata    (out_tdata),
      .s_axis_tkeep    (out_tkeep),
      .s_axis_tvalid   (out_tvalid),
      .s_axis_tready   (out_tready),
      .s_axis_tlast    (out_tlast),
      .s_axis_tdest    (out_tdest),
      .tx_length_given (length_given),
      .tx_length       (length),
      .tx_csum_given   (1'b0),
      .tx_csum         (16'd0),
      .credit_valid,
      .credit_sid,
      .credit,
      .m_axis_tdata    (in_tdata),
      .m_axis_tkeep    (in_tkeep),
      .m_axis_tvalid   (in_tvalid),
      .m_axis_tready   (in_tready),
      .m_axis_tlast    (in_tlast),
      .m_axis_tuser    (),
      .m_axis_tdest    (in_tdest),
      .m_axis_seq      (),
      .m_axis_oos      (),
      .event_valid,
      .event_ready,
      .event_code,
      .event_sid,
      .event_info      (stat_event_info),
      .look_sid,
      .look_state      (look),
      .look_urgent     (),
      .stat_ip_bad     (stat_drop[0]),
      .stat_ip_options (stat_drop[1]),
      .stat_fragment   (stat_drop[2]),
      .stat_checksum   (stat_drop[3]),
      .stat_malformed  (stat_drop[4]),
      .stat_no_room    (stat_drop[5]),
      .stat_syn_dropped(stat_drop[6]),
      .stat_icmp_told  (stat_icmp[0]),
      .stat_icmp_bad   (stat_icmp[1]),
      .stat_icmp_other (stat_icmp[2]),
      .stat_icmp_busy  (stat_icmp[3])
  );
  // verilator lint_on PINCONNECTEMPTY
endmodule
