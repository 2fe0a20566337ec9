// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The urgent pointer of what each session receives (RFC 9293, 3.8.5 and 3.10.7.4, sixth).
// Latency: `report` in the cycle of `set`, of inputs that have been stable for five cycles, the first of them without
// `hold`; `left` is combinational.
//
// The pointer is kept as a count of bytes, in the counts of toe_rx_window: of those that the session's user will have taken when
// it is past the urgent data.  So what is left of it does not depend on sequence numbers, and what of the session's last
// connection still waits for the user is counted in.
//
// It advances if it is ahead of the last one, and of RCV.NXT before this segment; else it is old, or none (0).  One that
// has been passed long ago counts no more, so that it cannot come to lie ahead when 2^31 bytes have passed.
module toe_urgent
  import toe_pkg::*;
#(
    parameter int SESSIONS = 64
) (
    input logic clk,
    input logic rst,

    // The segment that the TCP machine is at.  nxt: RCV.NXT, which may have moved past this segment and others, and `bytes`
    // has moved with it: accepted of this session
    input sid_t        sid,
    input logic [31:0] seq,
    input logic [15:0] pointer,
    input logic        ahead,    // of RCV.NXT, as that was before it
    input logic        hold,     // these two are of another session
    input logic [31:0] nxt,
    input logic [31:0] bytes,

    input  logic begins,  // a connection: there is none yet
    input  logic text,    // the segment counts
    input  logic set,     // and has URG
    output logic report,  // notify the user

    // What is left, of two sessions.  taken: bytes that the user has taken
    input  sid_t [1:0]       look_sid,
    input  logic [1:0][31:0] taken,
    output logic [1:0][31:0] left
);
  localparam int BITS = $clog2(SESSIONS);
  typedef logic [BITS-1:0] index_t;
  typedef struct packed {
    logic        on;
    logic [31:0] at;
  } mark_t;
  (* ram_style = "distributed" *) mark_t marks[SESSIONS];

  logic clear_q;
  index_t clear_sid_q;
  mark_t mark_q;
  logic [31:0] point_q, apart_q, bytes_q, here_q, past_q;
  logic [31:0] since;  // its sign and size are wanted
  logic fresh_q, gone_q;
  index_t at;  // the only place that is written
  assign at = clear_q ? clear_sid_q : index_t'(sid);
  assign report = set & fresh_q;
  assign since = bytes_q - mark_q.at;
  always_ff @(posedge clk) begin
    point_q <= seq + 32'(pointer);
    if (!hold) {apart_q, bytes_q} <= {point_q - nxt, bytes};
    mark_q  <= marks[index_t'(sid)];
    here_q  <= bytes_q + apart_q;
    gone_q  <= since[31:30] == 2'b01;
    past_q  <= here_q - mark_q.at;
    fresh_q <= ahead & ~(mark_q.on & (past_q[31] | past_q == 0));
    if (clear_q || begins || report || (text && gone_q)) marks[at] <= '{on: report & ~clear_q, at: here_q};
    clear_sid_q <= clear_sid_q + 1'b1;
    if (clear_sid_q == index_t'(SESSIONS - 1)) clear_q <= 1'b0;
    if (rst) begin
      clear_q     <= 1'b1;
      clear_sid_q <= '0;
    end
  end

  mark_t [1:0] look;
  logic [1:0][31:0] rest;
  always_comb begin
    for (int i = 0; i < 2; i++) begin
      look[i] = marks[index_t'(look_sid[i])];
      rest[i] = look[i].at - taken[i];
      left[i] = look[i].on && !rest[i][31] ? rest[i] : '0;
    end
  end
endmodule
