// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The window of each session: WINDOW_BYTES, less what has been accepted for its user and waits for him, and no more than the
// FIFO of all has room for.  So a session whose user is slow does not fill what the others need, and a window's right edge moves
// only forward (RFC 9293, 3.8.6) while the FIFO has WINDOW_BYTES for each that is filled.
// Latency: ack_window, combinational, is of the ack_sid of the cycle before, tcp_window of the tcp_sid two cycles before.  A
// segment counts from when RCV.NXT moves over it, and not any more two cycles behind its last beat to the user.
//
// Two counters a session, each with one writer: bytes accepted, bytes taken.  After a reset both are cleared, in SESSIONS cycles.
module toe_rx_window
  import toe_pkg::*;
#(
    parameter int SESSIONS     = 64,
    parameter int WINDOW_BYTES = 16384,
    parameter int FIFO_BYTES   = 16384,
    parameter int BEAT_BYTES   = 8
) (
    input logic clk,
    input logic rst,

    // RCV.NXT moves over payload, see toe_rx_accept
    input logic        moved,
    input logic [15:0] moved_bytes,
    // verilator lint_off UNUSEDSIGNAL
    input sid_t        moved_sid,

    // What the user takes
    input logic                  beat_taken,
    input logic [BEAT_BYTES-1:0] beat_keep,
    input logic                  beat_last,
    input logic                  beat_bad,    // with the last one: they were none that RCV.NXT has moved over
    input sid_t                  beat_sid,

    input  logic [15:0] room,
    input  sid_t        ack_sid,
    output logic [15:0] ack_window,
    input  sid_t        tcp_sid,
    // verilator lint_on UNUSEDSIGNAL
    output logic [15:0] tcp_window
);
  localparam int BITS = $clog2(SESSIONS);
  localparam int COUNT = $clog2(FIFO_BYTES) + 2;
  typedef logic [COUNT-1:0] count_t;
  (* ram_style = "distributed" *) count_t accepted[SESSIONS];
  (* ram_style = "distributed" *) count_t taken[SESSIONS];

  logic clear_q;
  logic [BITS-1:0] clear_sid_q, moved_index, beat_index;
  count_t beats_q, beats;
  logic taken_q, last_q, bad_q;  // the beat, a cycle later
  logic [BEAT_BYTES-1:0] keep_q;
  logic [BITS-1:0] sid_q;
  assign moved_index = clear_q ? clear_sid_q : moved_sid[BITS-1:0];
  assign beat_index  = clear_q ? clear_sid_q : sid_q;
  assign beats       = beats_q + count_t'($countones(keep_q));
  always_ff @(posedge clk) begin
    {taken_q, last_q, bad_q} <= {beat_taken & ~rst, beat_last, beat_bad};
    keep_q                   <= beat_keep;
    sid_q                    <= beat_sid[BITS-1:0];
    if (taken_q) beats_q <= last_q ? '0 : beats;
    if (clear_q || moved) accepted[moved_index] <= clear_q ? '0 : accepted[moved_index] + count_t'(moved_bytes);
    if (clear_q || (taken_q && last_q && !bad_q)) taken[beat_index] <= clear_q ? '0 : taken[beat_index] + beats;
    clear_sid_q <= clear_sid_q + 1'b1;
    if (clear_sid_q == BITS'(SESSIONS - 1)) clear_q <= 1'b0;
    if (rst) begin
      clear_q     <= 1'b1;
      clear_sid_q <= '0;
      beats_q     <= '0;
    end
  end

  function automatic logic [15:0] window(input count_t waiting, input logic [15:0] free);
    logic [16:0] left;
    left = waiting >= count_t'(WINDOW_BYTES) ? 17'd0 : 17'(WINDOW_BYTES) - 17'(waiting);
    return left > 17'(free) ? free : left[15:0];
  endfunction
  count_t ack_waiting_q, tcp_waiting_q;
  always_ff @(posedge clk) begin
    ack_waiting_q <= accepted[ack_sid[BITS-1:0]] - taken[ack_sid[BITS-1:0]];
    tcp_waiting_q <= accepted[tcp_sid[BITS-1:0]] - taken[tcp_sid[BITS-1:0]];
    tcp_window    <= window(tcp_waiting_q, room);
  end
  assign ack_window = window(ack_waiting_q, room);
endmodule
