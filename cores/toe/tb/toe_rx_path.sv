// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests: the whole receive path of payload, with one session, number 1.
module toe_rx_path
  import toe_pkg::*;
#(
    parameter int TCP2USER_DATA_WIDTH = 64,
    parameter bit STORE_FORWARD = 1'b0,
    parameter int RX_OUTPUT_PIPE_COUNT = 0,
    parameter bit FCS = 1'b1
) (
    input  logic                               clk,
    input  logic                               rst,
    input  iface_t [                      1:0] iface,
    input  tuple_t                             session,
    input  logic   [                     31:0] s_axis_tdata,
    input  logic   [                      3:0] s_axis_tkeep,
    input  logic                               s_axis_tvalid,
    input  logic                               s_axis_tlast,
    input  logic                               rx_status_valid,
    input  logic                               rx_status_good,
    input  logic   [                     31:0] snd_nxt,
    input  logic                               change_valid,     // the session
    output logic                               change_ready,
    input  logic                               rcv_wr,
    output logic                               rcv_wr_ready,
    input  logic   [                     31:0] rcv_wr_nxt,
    output logic   [                     31:0] ack_nxt,
    output logic                               segment_valid,
    output logic                               stat_no_room,
    output logic   [  TCP2USER_DATA_WIDTH-1:0] m_axis_tdata,
    output logic   [TCP2USER_DATA_WIDTH/8-1:0] m_axis_tkeep,
    output logic                               m_axis_tvalid,
    input  logic                               m_axis_tready,
    output logic                               m_axis_tlast,
    output logic                               m_axis_tuser,
    output sid_t                               m_axis_tdest
);
  logic look, found, change_failed;
  tuple_t tuple;
  sid_t   found_sid;
  toe_lookup u_lookup (
      .clk,
      .rst,
      .secret       (32'h5eed5eed),
      .look,
      .tuple,
      .found,
      .sid          (found_sid),
      .change_valid,
      .change_ready,
      .change_insert(1'b1),
      .change_tuple (session),
      .change_sid   (sid_t'(1)),
      .change_failed
  );

  logic data_valid, data_first, data_final, data_last, data_bad;
  logic [31:0] data_word, tcp_nxt;
  logic [ 3:0] data_keep;
  logic [15:0] room;
  sid_t data_sid, snd_sid;
  segment_t segment;
  logic stat_ip_bad, stat_ip_options, stat_fragment, stat_checksum, stat_malformed;
  toe_rx_head #(
      .FCS(FCS)
  ) u_head (
      .*,
      .rcv_wr_sid  (sid_t'(1)),
      .rcv_wr_open (1'b1),
      .ack_sid     (sid_t'(1)),
      .tcp_sid     (sid_t'(1)),
      .segment_room(1'b1)
  );
  toe_rx_user #(
      .TCP2USER_DATA_WIDTH(TCP2USER_DATA_WIDTH),
      .STORE_FORWARD(STORE_FORWARD),
      .RX_OUTPUT_PIPE_COUNT(RX_OUTPUT_PIPE_COUNT)
  ) u_user (
      .*
  );
endmodule
