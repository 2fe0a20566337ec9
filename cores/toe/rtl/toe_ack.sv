// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// ACKs that are owed.  A session's first note waits for a second one or for delayed_ack ticks (RFC 1122, 4.2.3.2), one that says
// `now` does not; then the session stands in the queue, once.  A frame of the session with an ACK takes the note back, and
// what is left of it in the queue is passed over.
// Latency: a note that is due is on `head` two cycles later, behind those that were due before.
//
// Flags are kept as pairs of bits that differ: each has one writer.
//   owed     set: a note has come           clear: an ACK is on its way
//   queued   put: into the queue            got: out of it
//
// For SESSIONS cycles behind a reset the flags are cleared; notes that come then are lost.
module toe_ack
  import toe_pkg::*;
#(
    parameter int SESSIONS = 64
) (
    input logic clk,
    input logic rst,

    input logic [15:0] delayed_ack,
    input logic        tick,

    // verilator lint_off UNUSEDSIGNAL
    input logic note,
    input sid_t note_sid,
    input logic note_now,

    input logic again,  // the frame of the last `sent` was lost on its way: its note is back, with now
    input sid_t again_sid,

    input logic sent,     // the ACK number of a frame of this session is looked up in this cycle
    input sid_t sent_sid,
    // verilator lint_on UNUSEDSIGNAL

    output logic head_valid,
    output sid_t head_sid,
    output logic head_owed,   // combinational; if not, pop it
    input  logic head_pop
);
  localparam int BITS = $clog2(SESSIONS);
  typedef logic [BITS-1:0] index_t;
  (* ram_style = "distributed" *) logic set[SESSIONS];
  (* ram_style = "distributed" *) logic clear[SESSIONS];
  (* ram_style = "distributed" *) logic put[SESSIONS];
  (* ram_style = "distributed" *) logic got[SESSIONS];
  (* ram_style = "distributed" *) logic [15:0] since[SESSIONS];

  logic [15:0] now_q;
  logic ready_q, again_q, carried_q;  // carried_q: the last frame has taken a note back
  index_t walk_q, again_sid_q, index, sent_index, head_index;
  index_t head;
  assign head_sid   = sid_t'(head);
  assign head_index = ready_q ? head : walk_q;
  assign sent_index = ready_q ? index_t'(sent_sid) : walk_q;

  // One session a cycle: of a note, else of the walk
  logic use_again, owed, queued, old, noted, covered, push, set_wr, sent_wr;
  assign use_again = again_q & ~note & ready_q;
  assign noted     = (note | again_q) & ready_q;
  assign index     = !ready_q ? walk_q : note ? index_t'(note_sid) : again_q ? again_sid_q : walk_q;
  assign owed      = set[index] ^ clear[index];
  assign queued    = put[index] ^ got[index];
  assign old       = (now_q - since[index]) >= delayed_ack;
  assign covered   = sent & (index_t'(sent_sid) == index);  // by the frame that looks it up just now
  assign set_wr    = noted & ~owed & ~covered;
  assign push      = ready_q & ~queued & ~covered & (noted ? owed | ~note | note_now : owed & old);
  assign sent_wr   = ready_q & sent & (set[sent_index] ^ clear[sent_index]);
  assign head_owed = set[head] ^ clear[head];

  logic   push_q;
  index_t pushed_q;
  always_ff @(posedge clk) begin
    push_q <= push & ~rst;
    pushed_q <= index;
    now_q <= now_q + 16'(tick);
    if (!noted) walk_q <= walk_q == index_t'(SESSIONS - 1) ? '0 : walk_q + 1'b1;
    if (walk_q == index_t'(SESSIONS - 1)) ready_q <= 1'b1;
    again_q <= (again & carried_q) | (again_q & ~use_again);
    if (sent) carried_q <= sent_wr;
    if (again) again_sid_q <= index_t'(again_sid);

    if (set_wr || !ready_q) set[index] <= ready_q & ~set[index];
    if (set_wr) since[index] <= now_q;
    if (push || !ready_q) put[index] <= ready_q & ~put[index];
    if (sent_wr || !ready_q) clear[sent_index] <= ready_q & ~clear[sent_index];
    if (head_pop || !ready_q) got[head_index] <= ready_q & ~got[head_index];
    if (rst) begin
      now_q   <= '0;
      walk_q  <= '0;
      ready_q <= 1'b0;
      again_q <= 1'b0;
    end
  end

  // A session is in it once, so it is never full.
  // verilator lint_off PINCONNECTEMPTY
  toe_fifo #(
      .WIDTH(BITS),
      .DEPTH(1 << BITS)
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
  // verilator lint_on PINCONNECTEMPTY
endmodule
