// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Pending ACKs.  An ACK is requested with `note`.  A session's first request waits for a second one or for delayed_ack
// ticks (RFC 1122, 4.2.3.2); a request with note_now does not wait.  Then the session enters the queue, once.
// A frame with an ACK that its peer will not drop as old satisfies the request, and the end of the connection cancels it.
// What is left of it in the queue is skipped.
// Latency: a request that is due is on `head` three cycles later, after those that were due before.
//
// Flags are kept as pairs of bits that differ: each has one writer.
//   pending  set: a request, or over        clear: an ACK is on its way
//   queued   put: into the queue            got: out of it
//
// For SESSIONS cycles after a reset the flags are cleared; requests that come then are lost.
module toe_ack
  import toe_pkg::*;
#(
    parameter int SESSIONS = 64
) (
    input logic clk,
    input logic rst,

    input logic [15:0] delayed_ack,  // below 32768
    input logic        tick,

    input logic note,
    input sid_t note_sid,
    input logic note_now,
    input logic over,      // instead of a request: the connection of note_sid has ended

    // The frame of the last `sent` was aborted: its ACK is pending again, with now, if its connection has not ended
    input logic again,
    input sid_t again_sid,

    input logic sent,     // the ACK number of a frame of this session is looked up in this cycle
    input sid_t sent_sid, // of the frame, until it has ended

    output logic head_valid,
    output sid_t head_sid,
    output logic head_pending,  // combinational; if not, pop it
    input  logic head_pop
);
  localparam int BITS = $clog2(SESSIONS);
  typedef logic [BITS-1:0] index_t;
  (* ram_style = "distributed" *) logic set[SESSIONS];
  (* ram_style = "distributed" *) logic clear[SESSIONS];
  (* ram_style = "distributed" *) logic put[SESSIONS];
  (* ram_style = "distributed" *) logic got[SESSIONS];
  (* ram_style = "distributed" *) logic [15:0] deadline[SESSIONS];  // of the first request, in ticks

  logic [15:0] now_q;
  logic ready_q;
  index_t scan_q, head, head_index;
  assign head_sid = sid_t'(head);
  assign head_index = ready_q ? head : scan_q;
  assign head_pending = set[head] ^ clear[head];

  // --- One session a cycle: of a request, else of the scan.  First cycle: which
  logic again_q, use_again, requested, noted_q, over_q, urgent_q, clearing_q;
  index_t again_sid_q, index_q;
  logic [15:0] deadline_q;
  assign requested = note | over;
  assign use_again = ready_q & again_q & ~requested & ~over_q;  // what has ended just now may be it
  always_ff @(posedge clk) begin
    noted_q    <= ready_q & (requested | use_again) & ~rst;
    over_q     <= over;
    urgent_q   <= ~note | note_now;
    index_q    <= !ready_q ? scan_q : requested ? index_t'(note_sid) : again_q ? again_sid_q : scan_q;
    clearing_q <= ~ready_q | rst;
    deadline_q <= now_q + delayed_ack;
  end

  // --- A frame with an ACK: a cycle late, as the requests of its cycle are
  logic sent_q, sent_wr, carried_q;  // carried_q: the last frame has satisfied a request
  index_t sent_sid_q, sent_index;
  assign sent_index = ready_q ? sent_sid_q : scan_q;
  assign sent_wr    = ready_q & sent_q & (set[sent_index] ^ clear[sent_index]);

  // --- Second cycle: what becomes of the session
  logic pending, queued, of_frame, covered, set_wr, push, push_q;
  logic over_frame, over_again;  // what has ended is of the last frame, of the request that is pending again
  logic [15:0] past;  // its sign alone
  index_t pushed_q;
  assign pending    = set[index_q] ^ clear[index_q];
  // Not an entry that is skipped in this cycle: head_pending does not show the request yet
  assign queued     = (put[index_q] ^ got[index_q]) & ~(head_pop & ~head_pending & (head == index_q));
  assign past       = now_q - deadline[index_q];
  assign of_frame   = sent_sid_q == index_q;
  assign covered    = sent_q & of_frame;  // by the frame that looked it up with the request
  assign over_frame = noted_q & over_q & of_frame;
  assign over_again = noted_q & over_q & (again_sid_q == index_q);
  assign set_wr     = noted_q & (pending == over_q) & ~covered;
  assign push       = ~clearing_q & ~queued & ~covered & ~over_q & (noted_q ? pending | urgent_q : pending & ~past[15]);

  always_ff @(posedge clk) begin
    now_q <= now_q + 16'(tick);
    if (!(ready_q && (requested || again_q))) scan_q <= scan_q == index_t'(SESSIONS - 1) ? '0 : scan_q + 1'b1;
    if (scan_q == index_t'(SESSIONS - 1)) ready_q <= 1'b1;
    again_q    <= (again & carried_q & ~over_frame) | (again_q & ~use_again & ~over_again);
    sent_q     <= sent;
    sent_sid_q <= index_t'(sent_sid);
    push_q     <= push & ~rst;
    pushed_q   <= index_q;
    if (again) again_sid_q <= index_t'(again_sid);
    // Also the request in the cycle of the frame's look-up of its ACK number
    carried_q <= (sent_q ? sent_wr | (noted_q & of_frame) : carried_q) & ~over_frame;

    if (set_wr || clearing_q) set[index_q] <= ~clearing_q & ~set[index_q];
    if (set_wr) deadline[index_q] <= deadline_q;
    if (push || clearing_q) put[index_q] <= ~clearing_q & ~put[index_q];
    if (sent_wr || !ready_q) clear[sent_index] <= ready_q & ~clear[sent_index];
    if (head_pop || !ready_q) got[head_index] <= ready_q & ~got[head_index];
    if (rst) begin
      now_q   <= '0;
      scan_q  <= '0;
      ready_q <= 1'b0;
      again_q <= 1'b0;
      sent_q  <= 1'b0;
    end
  end

  // A session is in it once, so it is never full.
  toe_fifo #(
      .WIDTH(BITS),
      .DEPTH(1 << BITS),
      .AHEAD(1'b1)
  ) u_queue (
      .clk,
      .rst,
      .wr_valid(push_q),
      .wr_ready(),
      .wr_data (pushed_q),
      .wr_room (),
      .rd_valid(head_valid),
      .rd_ready(head_pop),
      .rd_data (head)
  );
endmodule
