// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests: toe_rx_accept behind toe_rx_parse, with the reorder memory if it is wanted.
module toe_rx_head
  import toe_pkg::*;
#(
    parameter int SESSIONS = 64,
    parameter int RING_BYTES = 8192,
    parameter bit RX_CHECKSUM_VERIFICATION_EN = 1'b1,
    parameter bit RX_REORDERING_EN = 1'b0,
    parameter bit RX_OOS_SEQNUM_EN = 1'b0,
    parameter int REORDER_BYTES = 4096,
    parameter int REORDER_INTERVALS = 3,
    parameter int CHUNK = 1460,
    parameter bit FCS = 1'b1
) (
    input  logic            clk,
    input  logic            rst,
    input  iface_t   [ 1:0] iface,
    input  logic     [31:0] s_axis_tdata,
    input  logic     [ 3:0] s_axis_tkeep,
    input  logic            s_axis_tvalid,
    input  logic            s_axis_tlast,
    input  logic            rx_status_valid,
    input  logic            rx_status_good,
    output logic            peer,
    output logic     [31:0] peer_ip,
    output logic     [15:0] peer_port,
    output logic            read,
    output logic            look,
    output tuple_t          tuple,
    input  logic            found,
    input  sid_t            found_sid,
    output sid_t            snd_sid,
    input  logic     [31:0] snd_nxt,
    input  logic            snd_none,
    input  logic            rcv_wr,
    output logic            rcv_wr_ready,
    input  sid_t            rcv_wr_sid,
    input  logic     [31:0] rcv_wr_nxt,
    input  logic            rcv_wr_open,
    input  sid_t            ack_sid,
    output logic     [31:0] ack_nxt,
    input  sid_t            tcp_sid,
    output logic     [31:0] rcv_nxt,
    input  logic     [16:0] left,
    output logic            data_valid,
    output logic     [31:0] data_word,
    output logic     [ 3:0] data_keep,
    output logic            data_first,
    output logic            data_final,
    output logic            data_last,
    output logic            data_bad,
    output sid_t            data_sid,
    output logic     [31:0] data_seq,
    output logic            data_oos,
    input  logic     [15:0] room,
    output logic            moved,
    output logic     [15:0] moved_bytes,
    output logic            tcp_waits,
    output logic            segment_valid,
    output segment_t        segment,
    input  logic            segment_room,
    output logic            stat_ip_bad,
    output logic            stat_ip_options,
    output logic            stat_fragment,
    output logic            stat_checksum,
    output logic            stat_malformed,
    output logic            stat_no_room
);
  // Timestamps: test_toe_stamps.py, with the whole engine
  stamp_rx_t stamps;
  logic stamp_move;
  sid_t stamp_sid;
  logic [31:0] stamp;
  assign stamps = '0;
  rx_t rx;
  toe_rx_parse #(
      .INTERFACES(2),
      .FCS(FCS)
  ) u_parse (
      .*
  );
  logic now_valid, now_first, now_final, now_last, now_bad;
  logic [31:0] now_word, head_nxt, aside_nxt;
  logic [3:0] now_keep;
  sid_t now_sid;
  logic look_done, held, soon, head, direct, frame_over, aside_valid, aside_last, aside_good;
  logic aside_done, aside_move, aside_gap, aside_refused;
  logic [15:0] head_length, aside_bytes;
  toe_rx_accept #(
      .SESSIONS(SESSIONS),
      .RING_BYTES(RING_BYTES),
      .RX_CHECKSUM_VERIFICATION_EN(RX_CHECKSUM_VERIFICATION_EN),
      .RX_REORDERING_EN(RX_REORDERING_EN),
      .RX_OOS_SEQNUM_EN(RX_OOS_SEQNUM_EN)
  ) u_accept (
      .data_valid(now_valid),
      .data_word (now_word),
      .data_keep (now_keep),
      .data_first(now_first),
      .data_final(now_final),
      .data_last (now_last),
      .data_bad  (now_bad),
      .data_sid  (now_sid),
      .*
  );
  if (RX_REORDERING_EN) begin : gen_reorder
    localparam int W = $clog2(REORDER_BYTES) + 1;
    // What SACK reports: test_toe_sack.py, with the whole engine
    logic report_valid;
    logic [REORDER_INTERVALS-1:0] report_on;
    logic [REORDER_INTERVALS-1:0][W-1:0] report_start, report_stop;
    logic [ 31:0] report_nxt;
    logic [W-1:0] report_at;
    toe_rx_reorder #(
        .SESSIONS (SESSIONS),
        .INTERVALS(REORDER_INTERVALS),
        .DEPTH    (REORDER_BYTES),
        .CHUNK    (CHUNK)
    ) u_reorder (
        .data_valid(now_valid),
        .data_word (now_word),
        .data_keep (now_keep),
        .data_first(now_first),
        .data_final(now_final),
        .data_last (now_last),
        .data_bad  (now_bad),
        .data_sid  (now_sid),
        .user_valid(data_valid),
        .user_word (data_word),
        .user_keep (data_keep),
        .user_first(data_first),
        .user_final(data_final),
        .user_last (data_last),
        .user_bad  (data_bad),
        .user_sid  (data_sid),
        .look_sid  (snd_sid),
        .head_seq  (data_seq),
        .forget    (rcv_wr & rcv_wr_ready),
        .forget_sid(rcv_wr_sid),
        .*
    );
  end else begin : gen_plain
    assign {data_valid, data_word, data_keep, data_first, data_final, data_last, data_bad, data_sid} = {
      now_valid, now_word, now_keep, now_first, now_final, now_last, now_bad, now_sid
    };
    assign {held, aside_done, aside_move, aside_nxt, aside_bytes, aside_gap, aside_refused, tcp_waits} = '0;
  end
endmodule
