// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Receive side of toe: from the words of a frame to the user's payload, and a record of each good segment for the TCP machine.
// The session is found, its numbers are compared, what waits after gaps is kept, and the window is what is left.
//
// Latency: README.md; the record comes with the verdict or after it.
module toe_rx
  import toe_pkg::*;
#(
    parameter int SESSIONS                    = 64,
    parameter int MSS                         = 1460,
    parameter int RING_BYTES                  = 8192,
    parameter int TCP2USER_DATA_WIDTH         = 64,
    parameter bit STORE_FORWARD               = 1'b0,
    parameter int FIFO_BYTES                  = 16384,
    parameter int RX_FIFO_PACKET_COUNT        = 64,
    parameter int WINDOW_BYTES                = 16384,
    parameter bit RX_REORDERING_EN            = 1'b0,
    parameter int REORDER_BYTES               = 16384,
    parameter int REORDER_INTERVALS           = 4,
    parameter bit RX_OOS_SEQNUM_EN            = 1'b0,
    parameter bit RX_CHECKSUM_VERIFICATION_EN = 1'b1,
    parameter bit TIMESTAMPS_EN               = 1'b0,
    parameter bit SACK_EN                     = 1'b0,
    parameter bit RX_URGENT_EN                = 1'b0,
    parameter int RX_OUTPUT_PIPE_COUNT        = 0
) (
    input logic clk,
    input logic rst,
    input rx_t  rx,

    // Which session a tuple is; secret of the hash
    input  logic   [31:0] secret,
    input  logic          change_valid,
    output logic          change_ready,
    input  logic          change_insert,
    input  tuple_t        change_tuple,
    input  sid_t          change_sid,
    output logic          change_failed,

    // The session of the frame that arrives: what has been sent of it, what its timestamps are
    output sid_t             snd_sid,
    input  logic      [31:0] snd_nxt,
    input  logic             snd_none,
    input  stamp_rx_t        stamps,
    output logic             stamp_move,
    output sid_t             stamp_sid,
    output logic      [31:0] stamp,

    // RCV.NXT, by the TCP machine
    input  logic        rcv_wr,
    output logic        rcv_wr_ready,
    input  sid_t        rcv_wr_sid,
    input  logic [31:0] rcv_wr_nxt,
    input  logic        rcv_wr_open,

    // What a frame advertises of its session; else what the TCP machine reads of its own: see toe_rx_window
    input  logic        advertise,
    input  sid_t        advertise_sid,
    input  logic        advertise_syn,
    input  logic        advertise_ack,
    input  sid_t        tcp_sid,
    output logic [31:0] nxt,
    output logic [15:0] window,
    output logic [16:0] left,
    output logic        low,
    output logic        unread,
    input  logic        looks,
    input  logic        offer,
    input  logic        grow,
    output logic        grow_ready,
    output logic        grow_kept,
    output logic        waits,          // the session has payload after gaps, or that has not been delivered

    // The blocks of session advertise_sid, see toe_sack_blocks
    output logic         sack_some,
    input  logic         sack_look,
    output logic   [2:0] sack_count,
    output block_t [3:0] sacks,

    // For toe_urgent: what has been accepted of that session, and taken of two others; 0 without RX_URGENT_EN
    output logic [31:0]       accepted,
    input  sid_t [ 1:0]       taken_sid,
    output logic [ 1:0][31:0] taken,

    // A record of each good segment; room, whether more are taken
    output logic     segment_valid,
    output segment_t segment,
    input  logic     segment_room,

    output logic [  TCP2USER_DATA_WIDTH-1:0] m_axis_tdata,
    output logic [TCP2USER_DATA_WIDTH/8-1:0] m_axis_tkeep,
    output logic                             m_axis_tvalid,
    input  logic                             m_axis_tready,
    output logic                             m_axis_tlast,
    output logic                             m_axis_tuser,
    output sid_t                             m_axis_tdest,
    output logic [                     31:0] m_axis_seq,
    output logic                             m_axis_oos,

    output logic stat_ip_bad,
    output logic stat_ip_options,
    output logic stat_fragment,
    output logic stat_checksum,
    output logic stat_malformed,
    output logic stat_no_room
);
  localparam int HELD_BYTES = FIFO_BYTES + (RX_REORDERING_EN ? REORDER_BYTES : 0);
  // Of the counters of bytes: enough for what is held, or as long as a sequence number
  localparam int COUNT = RX_URGENT_EN ? 32 : $clog2(HELD_BYTES) + 2;

  logic peer, read, look, found;
  logic [31:0] peer_ip;
  logic [15:0] peer_port;
  tuple_t tuple;
  sid_t found_sid, window_sid;
  logic [31:0] found_nxt;
  logic [16:0] found_left;
  logic data_valid, data_first, data_last, data_bad, data_final, data_oos;
  logic [31:0] data_word, data_seq;
  logic [3:0] data_keep;
  logic [15:0] room;
  sid_t data_sid;
  logic look_done, held, soon, head, direct, frame_over, aside_valid, aside_last, aside_good;
  logic aside_done, aside_move, aside_gap, aside_refused, moved;
  logic [31:0] head_nxt, aside_nxt;
  logic [15:0] head_length, aside_bytes, moved_bytes;
  logic [COUNT-1:0] look_accepted;
  logic [1:0][COUNT-1:0] taken_bytes;
  toe_rx_accept #(
      .SESSIONS(SESSIONS),
      .RING_BYTES(RING_BYTES),
      .RX_CHECKSUM_VERIFICATION_EN(RX_CHECKSUM_VERIFICATION_EN),
      .TIMESTAMPS_EN(TIMESTAMPS_EN),
      .SACK_EN(SACK_EN),
      .RX_REORDERING_EN(RX_REORDERING_EN),
      .RX_OOS_SEQNUM_EN(RX_OOS_SEQNUM_EN),
      .RX_URGENT_EN(RX_URGENT_EN)
  ) u_accept (
      .clk,
      .rst,
      .rx,
      .peer,
      .peer_ip,
      .peer_port,
      .read,
      .look,
      .tuple,
      .found,
      .found_sid,
      .snd_sid,
      .snd_nxt,
      .snd_none,
      .rcv_wr,
      .rcv_wr_ready,
      .rcv_wr_sid,
      .rcv_wr_nxt,
      .rcv_wr_open,
      .ack_sid(window_sid),
      .ack_nxt(nxt),
      .rcv_nxt(found_nxt),
      .left   (found_left),
      .data_valid,
      .data_word,
      .data_keep,
      .data_first,
      .data_final,
      .data_last,
      .data_bad,
      .data_sid,
      .data_seq,
      .data_oos,
      .room,
      .stamps (stamps),
      .stamp_move,
      .stamp_sid,
      .stamp,
      .look_done,
      .held,
      .soon,
      .head,
      .direct,
      .frame_over,
      .head_nxt,
      .head_length,
      .aside_valid,
      .aside_last,
      .aside_good,
      .aside_done,
      .aside_move,
      .aside_nxt,
      .aside_bytes,
      .aside_gap,
      .aside_refused,
      .moved,
      .moved_bytes,
      .segment_valid,
      .segment,
      .segment_room,
      .stat_ip_bad,
      .stat_ip_options,
      .stat_fragment,
      .stat_checksum,
      .stat_malformed,
      .stat_no_room
  );

  toe_lookup #(
      .SESSIONS(SESSIONS)
  ) u_lookup (
      .clk,
      .rst,
      .secret,
      .peer,
      .peer_ip,
      .peer_port,
      .read,
      .look,
      .tuple,
      .found,
      .sid(found_sid),
      .change_valid,
      .change_ready,
      .change_insert,
      .change_tuple,
      .change_sid,
      .change_failed
  );

  // After a gap
  logic user_valid, user_first, user_final, user_last, user_bad;
  logic [31:0] user_word;
  logic [3:0] user_keep;
  sid_t user_sid;
  if (RX_REORDERING_EN) begin : gen_reorder
    localparam int W = $clog2(REORDER_BYTES) + 1;
    logic report_valid;
    logic [REORDER_INTERVALS-1:0] report_on;
    logic [REORDER_INTERVALS-1:0][W-1:0] report_start, report_stop;
    logic [ 31:0] report_nxt;
    logic [W-1:0] report_at;
    toe_rx_reorder #(
        .SESSIONS (SESSIONS),
        .INTERVALS(REORDER_INTERVALS),
        .DEPTH    (REORDER_BYTES),
        .CHUNK    (MSS)
    ) u_reorder (
        .clk,
        .rst,
        .data_valid,
        .data_word,
        .data_keep,
        .data_first,
        .data_final,
        .data_last,
        .data_bad,
        .data_sid,
        .user_valid,
        .user_word,
        .user_keep,
        .user_first,
        .user_final,
        .user_last,
        .user_bad,
        .user_sid,
        .room,
        .look_done,
        .look_sid  (snd_sid),
        .held,
        .soon,
        .head,
        .direct,
        .frame_over,
        .head_seq  (data_seq),
        .head_nxt,
        .head_length,
        .aside_valid,
        .aside_last,
        .aside_good,
        .aside_done,
        .aside_move,
        .aside_nxt,
        .aside_bytes,
        .aside_gap,
        .aside_refused,
        .forget    (rcv_wr & rcv_wr_ready),
        .forget_sid(rcv_wr_sid),
        .tcp_sid,
        .tcp_waits (waits),
        .report_valid,
        .report_on,
        .report_start,
        .report_stop,
        .report_nxt,
        .report_at
    );
    if (SACK_EN) begin : gen_sack
      toe_sack_blocks #(
          .SESSIONS (SESSIONS),
          .INTERVALS(REORDER_INTERVALS),
          .WIDTH    (W),
          .KEPT     (REORDER_INTERVALS < 4 ? REORDER_INTERVALS : 4),
          .MOST     (TIMESTAMPS_EN ? 3 : 4)                           // as many as options have room for
      ) u_blocks (
          .clk,
          .rst,
          .sid       (data_sid),
          .head,
          .list_valid(report_valid),
          .list_on   (report_on),
          .list_start(report_start),
          .list_stop (report_stop),
          .nxt       (report_nxt),
          .at        (report_at),
          .forget    (rcv_wr & rcv_wr_ready),
          .forget_sid(rcv_wr_sid),
          .tx_sid    (advertise_sid),
          .some      (sack_some),
          .look      (sack_look),
          .count     (sack_count),
          .blocks    (sacks)
      );
    end else begin : gen_no_sack
      logic unused_sack;
      assign unused_sack = ^{sack_look, report_valid, report_on, report_start, report_stop, report_nxt, report_at};
      assign {sack_some, sack_count, sacks} = '0;
    end
  end else begin : gen_no_reorder
    assign {user_valid, user_word, user_keep, user_first, user_final, user_last, user_bad, user_sid} = {
      data_valid, data_word, data_keep, data_first, data_final, data_last, data_bad, data_sid
    };
    assign {held, aside_done, aside_move, aside_nxt, aside_bytes, aside_gap, aside_refused, waits} = '0;
    assign {sack_some, sack_count, sacks} = '0;
    logic unused;
    assign unused = ^{
            sack_look, look_done, soon, head, direct, frame_over, head_nxt, head_length,
            aside_valid, aside_last, aside_good
        };
  end

  toe_rx_user #(
      .TCP2USER_DATA_WIDTH(TCP2USER_DATA_WIDTH),
      .STORE_FORWARD(STORE_FORWARD),
      .DEPTH_BYTES(FIFO_BYTES),
      .RX_FIFO_PACKET_COUNT(RX_FIFO_PACKET_COUNT),
      .RX_OUTPUT_PIPE_COUNT(RX_OUTPUT_PIPE_COUNT),
      .RX_OOS_SEQNUM_EN(RX_OOS_SEQNUM_EN)
  ) u_rx_user (
      .clk,
      .rst,
      .data_valid(user_valid),
      .data_word (user_word),
      .data_keep (user_keep),
      .data_first(user_first),
      .data_final(user_final),
      .data_last (user_last),
      .data_bad  (user_bad),
      .data_sid  (user_sid),
      .data_seq,
      .data_oos,
      .room,
      .m_axis_tdata,
      .m_axis_tkeep,
      .m_axis_tvalid,
      .m_axis_tready,
      .m_axis_tlast,
      .m_axis_tuser,
      .m_axis_tdest,
      .m_axis_seq,
      .m_axis_oos
  );

  toe_rx_window #(
      .SESSIONS    (SESSIONS),
      .WINDOW_BYTES(WINDOW_BYTES),
      .FIFO_BYTES  (HELD_BYTES),
      .BEAT_BYTES  (TCP2USER_DATA_WIDTH / 8),
      .MSS         (MSS),
      .COUNT       (COUNT)
  ) u_window (
      .clk,
      .rst,
      .moved,
      .moved_bytes,
      .moved_sid (data_sid),
      .beat_taken(m_axis_tvalid & m_axis_tready),
      .beat_keep (m_axis_tkeep),
      .beat_last (m_axis_tlast),
      .beat_bad  (m_axis_tuser | m_axis_oos),
      .beat_sid  (m_axis_tdest),
      .room,
      .advertise,
      .advertise_sid,
      .advertise_syn,
      .advertise_ack,
      .tcp_sid,
      .look_sid  (window_sid),
      .look_nxt  (nxt),
      .window,
      .left,
      .low,
      .unread,
      .looks,
      .offer,
      .grow,
      .grow_ready,
      .grow_kept,
      .rx_sid    (snd_sid),
      .rx_nxt    (found_nxt),
      .rx_left   (found_left),
      .look_accepted,
      .taken_sid,
      .taken_bytes
  );
  assign accepted = RX_URGENT_EN ? 32'(look_accepted) : '0;
  assign taken    = RX_URGENT_EN ? {32'(taken_bytes[1]), 32'(taken_bytes[0])} : '0;
endmodule
