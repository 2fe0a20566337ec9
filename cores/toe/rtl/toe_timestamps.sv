// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What the sessions need for timestamps (RFC 7323): the clock, the offset that each adds to it (7.1), TS.Recent, and
// Last.ACK.sent (4.3).
// Latency: reads are combinational; what is written is read in the next cycle, TS.Recent from a segment two cycles later.
//
// The clock counts ticks, nominally 1 ms (5.4).  TS.Recent does not count any more when it has not been written for
// 124 * 2^AGE_SHIFT ticks (5.5: 24 days are 123.6 * 2^24 ms): a walk over the sessions, one a cycle, finds it before its age
// could come round.
//
// Sessions of which nothing has been written are not asked for.
module toe_timestamps
  import toe_pkg::*;
#(
    parameter int SESSIONS  = 64,
    parameter int AGE_SHIFT = 24   // 1 to 24
) (
    input logic clk,
    input logic rst,

    input logic tick,

    // A connection begins, or the peer's SYN is there: from the TCP machine
    input  logic             wr,
    input  sid_t             wr_sid,
    input  stamp_wr_t        wr_stamp,
    input  sid_t             tcp_sid,
    output logic      [31:0] tcp_stamp, // what it would send now

    // A segment's, from toe_rx_accept
    input  sid_t             rx_sid,
    output stamp_rx_t        rx_stamps,
    input  logic             move,
    input  sid_t             move_sid,
    input  logic      [31:0] move_stamp,

    // A frame's, from toe_tx
    input  sid_t             tx_sid,
    output stamp_tx_t        tx_stamps,
    input  logic             acked,      // a frame of session tx_sid with this ACK number has been sent
    input  logic      [31:0] acked_nxt
);
  localparam int BITS = $clog2(SESSIONS);
  typedef logic [BITS-1:0] index_t;
  (* ram_style = "distributed" *) logic ons[SESSIONS];
  (* ram_style = "distributed" *) logic [31:0] offsets[SESSIONS];
  (* ram_style = "distributed" *) logic [31:0] recents[SESSIONS];
  (* ram_style = "distributed" *) logic [8:0] ages[SESSIONS];  // valid, and the clock's bits at that time
  (* ram_style = "distributed" *) logic [31:0] ackeds[SESSIONS];

  logic [31:0] clock;
  logic [7:0] era;
  assign era = clock[AGE_SHIFT+:8];
  always_ff @(posedge clk) begin
    if (tick) clock <= clock + 1'b1;
    if (rst) clock <= '0;
  end

  // --- TS.Recent: a connection's beginning goes before a segment, that before the walk
  logic move_q, writes, aged;
  index_t move_sid_q, walk_q, at;
  logic [31:0] move_stamp_q;
  logic [ 8:0] walk_age;
  logic [ 7:0] age;
  assign walk_age = ages[walk_q];
  assign age      = era - walk_age[7:0];
  assign aged     = walk_age[8] & (age >= 8'd124);
  assign writes   = wr | move_q;
  assign at       = wr ? index_t'(wr_sid) : move_q ? move_sid_q : walk_q;
  always_ff @(posedge clk) begin
    move_q <= (move | (move_q & wr & (index_t'(wr_sid) != move_sid_q))) & ~rst;
    if (move) {move_sid_q, move_stamp_q} <= {index_t'(move_sid), move_stamp};
    if (writes) recents[at] <= !wr ? move_stamp_q : wr_stamp.syn ? wr_stamp.recent : '0;
    if (writes || aged) ages[at] <= {wr ? wr_stamp.syn : move_q, era};
    if (!writes) walk_q <= walk_q == index_t'(SESSIONS - 1) ? '0 : walk_q + 1'b1;
    if (rst) walk_q <= '0;
  end

  always_ff @(posedge clk) begin
    if (wr) ons[index_t'(wr_sid)] <= wr_stamp.on;
    if (wr && wr_stamp.begins) offsets[index_t'(wr_sid)] <= wr_stamp.offset;
    if (acked) ackeds[index_t'(tx_sid)] <= acked_nxt;
  end
  assign tcp_stamp        = clock + offsets[index_t'(tcp_sid)];
  assign tx_stamps.on     = ons[index_t'(tx_sid)];
  assign tx_stamps.stamp  = clock + offsets[index_t'(tx_sid)];
  assign tx_stamps.echo   = recents[index_t'(tx_sid)];
  assign rx_stamps.on     = ons[index_t'(rx_sid)];
  assign rx_stamps.valid  = ages[index_t'(rx_sid)][8];
  assign rx_stamps.recent = recents[index_t'(rx_sid)];
  assign rx_stamps.acked  = ackeds[index_t'(rx_sid)];
endmodule
