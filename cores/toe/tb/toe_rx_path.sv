// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests: the whole receive path of payload.
module toe_rx_path
  import toe_pkg::*;
#(
    parameter int TCP2USER_DATA_WIDTH = 64,
    parameter bit STORE_FORWARD = 1'b0,
    parameter int RX_OUTPUT_PIPE_COUNT = 0,
    parameter bit FCS = 1'b1,
    parameter int SESSIONS = 64,
    parameter int DEPTH_BYTES = 16384,
    parameter int RX_FIFO_PACKET_COUNT = 64,
    parameter bit RX_REORDERING_EN = 1'b0,
    parameter bit RX_OOS_SEQNUM_EN = 1'b0,
    parameter int REORDER_BYTES = 4096,
    parameter int REORDER_INTERVALS = 3,
    parameter int CHUNK = 1460
) (
    input  logic                                 clk,
    input  logic                                 rst,
    input  iface_t   [                      1:0] iface,
    input  tuple_t                               session,
    input  sid_t                                 sid,              // of that session, and to write and read
    input  logic     [                     31:0] s_axis_tdata,
    input  logic     [                      3:0] s_axis_tkeep,
    input  logic                                 s_axis_tvalid,
    input  logic                                 s_axis_tlast,
    input  logic                                 rx_status_valid,
    input  logic                                 rx_status_good,
    input  logic     [                     31:0] snd_nxt,
    input  logic                                 change_valid,     // the session
    output logic                                 change_ready,
    input  logic                                 rcv_wr,
    output logic                                 rcv_wr_ready,
    input  logic     [                     31:0] rcv_wr_nxt,
    input  logic                                 rcv_wr_open,
    output logic     [                     31:0] ack_nxt,
    output logic                                 tcp_waits,        // the session has payload in the reorder memory
    output logic                                 segment_valid,
    output segment_t                             segment,
    output logic                                 stat_no_room,
    output logic                                 moved,
    output logic     [                     15:0] moved_bytes,
    output logic     [  TCP2USER_DATA_WIDTH-1:0] m_axis_tdata,
    output logic     [TCP2USER_DATA_WIDTH/8-1:0] m_axis_tkeep,
    output logic                                 m_axis_tvalid,
    input  logic                                 m_axis_tready,
    output logic                                 m_axis_tlast,
    output logic                                 m_axis_tuser,
    output sid_t                                 m_axis_tdest,
    output logic     [                     31:0] m_axis_seq,
    output logic                                 m_axis_oos
);
  logic peer, read, look, found, change_failed;
  logic [31:0] peer_ip;
  logic [15:0] peer_port;
  tuple_t tuple;
  sid_t found_sid;
  toe_lookup #(
      .SESSIONS(SESSIONS)
  ) u_lookup (
      .clk,
      .rst,
      .secret       (32'h5eed5eed),
      .peer,
      .peer_ip,
      .peer_port,
      .read,
      .look,
      .tuple,
      .found,
      .sid          (found_sid),
      .change_valid,
      .change_ready,
      .change_insert(1'b1),
      .change_tuple (session),
      .change_sid   (sid),
      .change_failed
  );

  logic data_valid, data_first, data_final, data_last, data_bad, data_oos;
  logic [31:0] data_word, data_seq, rcv_nxt;
  logic [ 3:0] data_keep;
  logic [15:0] room;
  sid_t data_sid, snd_sid;
  logic snd_none;
  assign snd_none = 1'b0;
  logic stat_ip_bad, stat_ip_options, stat_fragment, stat_checksum, stat_malformed;
  toe_rx_head #(
      .SESSIONS(SESSIONS),
      .RX_REORDERING_EN(RX_REORDERING_EN),
      .RX_OOS_SEQNUM_EN(RX_OOS_SEQNUM_EN),
      .REORDER_BYTES(REORDER_BYTES),
      .REORDER_INTERVALS(REORDER_INTERVALS),
      .CHUNK(CHUNK),
      .FCS(FCS)
  ) u_head (
      .*,
      .rcv_wr_sid  (sid),
      .ack_sid     (sid),
      .tcp_sid     (sid),
      .left        (17'd65535),
      .segment_room(1'b1)
  );
  toe_rx_user #(
      .TCP2USER_DATA_WIDTH(TCP2USER_DATA_WIDTH),
      .STORE_FORWARD(STORE_FORWARD),
      .DEPTH_BYTES(DEPTH_BYTES),
      .RX_FIFO_PACKET_COUNT(RX_FIFO_PACKET_COUNT),
      .RX_OUTPUT_PIPE_COUNT(RX_OUTPUT_PIPE_COUNT),
      .RX_OOS_SEQNUM_EN(RX_OOS_SEQNUM_EN)
  ) u_user (
      .*
  );
endmodule
