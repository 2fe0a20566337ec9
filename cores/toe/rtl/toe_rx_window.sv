// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The window of each session: WINDOW_BYTES, less what has been accepted for its user and waits for him, and no more than the
// FIFO of all has room for.  So a session whose user is slow does not fill what the others need, and a window's right edge moves
// only forward (RFC 9293, 3.8.6) while the FIFO has WINDOW_BYTES for each that is filled.
// Latency: combinational from sid; a segment counts in the cycle behind its verdict, and not any more in the cycle behind its
// last beat to the user.
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

    // Accepted payload, see toe_rx_accept
    input logic       data_valid,
    input logic [3:0] data_keep,
    input logic       data_last,
    input logic       data_bad,
    // verilator lint_off UNUSEDSIGNAL
    input sid_t       data_sid,

    // What the user takes
    input logic                  beat_taken,
    input logic [BEAT_BYTES-1:0] beat_keep,
    input logic                  beat_last,
    input logic                  beat_bad,
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
  logic [BITS-1:0] clear_sid_q, data_index, beat_index;
  count_t segment_q, beats_q, segment, beats;
  assign data_index = clear_q ? clear_sid_q : data_sid[BITS-1:0];
  assign beat_index = clear_q ? clear_sid_q : beat_sid[BITS-1:0];
  assign segment    = segment_q + count_t'($countones(data_keep));
  assign beats      = beats_q + count_t'($countones(beat_keep));
  always_ff @(posedge clk) begin
    if (data_valid) segment_q <= data_last ? '0 : segment;
    if (beat_taken) beats_q <= beat_last ? '0 : beats;
    if (clear_q || (data_valid && data_last && !data_bad))
      accepted[data_index] <= clear_q ? '0 : accepted[data_index] + segment;
    if (clear_q || (beat_taken && beat_last && !beat_bad))
      taken[beat_index] <= clear_q ? '0 : taken[beat_index] + beats;
    clear_sid_q <= clear_sid_q + 1'b1;
    if (clear_sid_q == BITS'(SESSIONS - 1)) clear_q <= 1'b0;
    if (rst) begin
      clear_q     <= 1'b1;
      clear_sid_q <= '0;
      segment_q   <= '0;
      beats_q     <= '0;
    end
  end

  function automatic logic [15:0] window(input count_t waiting, input logic [15:0] free);
    logic [16:0] left;
    left = waiting >= count_t'(WINDOW_BYTES) ? 17'd0 : 17'(WINDOW_BYTES) - 17'(waiting);
    return left > 17'(free) ? free : left[15:0];
  endfunction
  assign ack_window = window(accepted[ack_sid[BITS-1:0]] - taken[ack_sid[BITS-1:0]], room);
  assign tcp_window = window(accepted[tcp_sid[BITS-1:0]] - taken[tcp_sid[BITS-1:0]], room);
endmodule
