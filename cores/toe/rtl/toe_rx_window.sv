// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The advertised window of each session: WINDOW_BYTES, less what has been accepted for its user and not read yet, and no
// more than the room of the shared FIFO.  So a session whose user is slow does not fill what the others need.
//
// The right edge of the window is kept.  The peer may send up to the edge that was advertised last; bytes beyond it are
// not accepted.  The edge never goes back (RFC 9293, 3.8.6).  It advances by at least STEP bytes, our MSS or half of the
// window (3.8.6.2.2); until then each frame advertises what is left.  Other sessions, or segments of few bytes (each takes
// whole beats), may fill the shared FIFO meanwhile.  A segment within the advertised window may then find no room: it is
// dropped and counted, and retransmitted.  Each SYN-ACK advertises a new window.
//
// Latency: `window` is valid two cycles after `advertise`.  After a cycle without `advertise`, for the tcp_sid of that
// cycle, `left` and `unread` are valid one cycle later and `low` two; rx_left is combinational.  A segment counts from
// when RCV.NXT moves over it until two cycles after its last beat to the user.
//
// A window update is sent on its own when the window is low.  Its edge is what could be advertised when the TCP machine
// found the window low (`offer`).  The edge advances when the update becomes pending (`grow`), not when it is sent:
// sessions that share the FIFO cannot shrink a pending update.  It does not advance, and the update is not sent, if a frame
// has advertised more since the machine's look or is about to.  So the peer never sees the update as a duplicate ACK.
//
// Two counters a session, each with one writer: bytes accepted, bytes taken.  After a reset both are cleared, in SESSIONS cycles.
module toe_rx_window
  import toe_pkg::*;
#(
    parameter int SESSIONS     = 64,
    parameter int WINDOW_BYTES = 16384,
    parameter int FIFO_BYTES   = 16384,
    parameter int BEAT_BYTES   = 8,
    parameter int MSS          = 1460,                   // ours
    // Of the counters.  32: wide enough to compare what a session's user has taken with what it will have, see toe_urgent
    parameter int COUNT        = $clog2(FIFO_BYTES) + 2
) (
    input logic clk,
    input logic rst,

    // RCV.NXT moves over payload, see toe_rx_accept
    input logic        moved,
    input logic [15:0] moved_bytes,
    input sid_t        moved_sid,

    // What the user takes
    input logic                  beat_taken,
    input logic [BEAT_BYTES-1:0] beat_keep,
    input logic                  beat_last,
    input logic                  beat_bad,    // with the last one: they were none that RCV.NXT has moved over
    input sid_t                  beat_sid,

    input logic [15:0] room,

    // One session a cycle: of the frame whose ACK number is looked up in this cycle, else the TCP machine's
    input  logic        advertise,
    input  sid_t        advertise_sid,  // and for two cycles more
    input  logic        advertise_syn,  // the window is a new one
    input  logic        advertise_ack,  // else it counts from the peer's SYN on, which is not known yet
    input  sid_t        tcp_sid,
    output sid_t        look_sid,
    input  logic [31:0] look_nxt,       // its RCV.NXT
    output logic [15:0] window,         // to be advertised
    output logic [16:0] left,           // of the advertised window; nothing, if bit 16 is set
    output logic        low,            // the edge can advance so far that a window update is sent
    output logic        unread,         // something has been accepted that its user has not taken
    input  logic        looks,          // up to the TCP machine's look at tcp_sid, the next cycle without `advertise`
    input  logic        offer,          // in the cycle of `low`: the edge that tcp_sid could advertise is kept
    input  logic        grow,           // held until ready, as tcp_sid is: the edge advances to that
    output logic        grow_ready,
    output logic        grow_kept,      // it does; else a frame has advertised more since the look

    // And of the session that receives
    input  sid_t        rx_sid,
    input  logic [31:0] rx_nxt,
    output logic [16:0] rx_left,

    // Combinational: bytes accepted of look_sid, and taken by two users
    output logic [COUNT-1:0] look_accepted,
    input sid_t [1:0] taken_sid,
    output logic [1:0][COUNT-1:0] taken_bytes
);
  localparam int BITS = $clog2(SESSIONS);
  localparam int STEP = 2 * MSS > WINDOW_BYTES ? (WINDOW_BYTES + 1) / 2 : MSS;
  localparam int FEW = 2048;  // less than that left: STEP is worth a segment, else twice as much
  typedef logic [COUNT-1:0] count_t;
  typedef logic [$clog2(FIFO_BYTES)+1:0] waiting_t;
  (* ram_style = "distributed" *) count_t accepted[SESSIONS];
  (* ram_style = "distributed" *) count_t taken[SESSIONS];
  (* ram_style = "distributed" *) logic [17:0] edges[SESSIONS];  // none yet, number

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

  // --- First cycle: the tables.  Second: what could be advertised, and what is left
  logic advertise_a_q, advertise_b_q, syn_a_q, syn_b_q, ack_a_q, ack_b_q, none_a_q, none_b_q;
  waiting_t waiting_q;
  logic [16:0] edge_q, nxt_a_q, nxt_b_q, ahead, left_q, space;
  logic [15:0] total_q;
  assign look_sid = advertise ? advertise_sid : tcp_sid;
  assign ahead    = edge_q - nxt_a_q;
  assign left     = {ahead[16] | none_a_q, ahead[15:0]};
  assign unread   = waiting_q != 0;
  assign space    = waiting_q >= waiting_t'(WINDOW_BYTES) ? 17'd0 : 17'(WINDOW_BYTES) - 17'(waiting_q);
  always_ff @(posedge clk) begin
    advertise_a_q      <= advertise & ~rst;
    {syn_a_q, ack_a_q} <= {advertise_syn, advertise_ack};
    waiting_q          <= waiting_t'(accepted[look_sid[BITS-1:0]] - taken[look_sid[BITS-1:0]]);
    {none_a_q, edge_q} <= edges[look_sid[BITS-1:0]];
    nxt_a_q            <= look_nxt[16:0];
    advertise_b_q      <= advertise_a_q & ~rst;
    {syn_b_q, ack_b_q} <= {syn_a_q, ack_a_q};
    none_b_q           <= none_a_q;
    nxt_b_q            <= nxt_a_q;
    left_q             <= ahead;
    total_q            <= space > 17'(room) ? room : space[15:0];
  end

  // --- Third: what is advertised
  logic [17:0] more;  // signed
  logic step, grows, few;
  assign more   = 18'(total_q) - {left_q[16], left_q};
  assign step   = ~more[17] & (more[16:0] >= 17'(STEP));
  assign grows  = syn_b_q | none_b_q | step;
  assign window = grows ? total_q : left_q[16] ? 16'd0 : left_q[15:0];
  assign few    = left_q[16] | (left_q[15:0] < 16'(FEW));
  assign low    = ~none_b_q & ~more[17] & ((more[16:0] >= 17'(2 * STEP)) | (step & few));

  logic kept_q, edge_wr;
  logic [BITS-1:0] edge_sid;
  logic [16:0] edge_then, offer_q;
  assign edge_then  = nxt_b_q + 17'(total_q);
  // Not between a frame's read of the edge and its advance: that frame would advertise as much
  assign grow_ready = ~(advertise | advertise_a_q | advertise_b_q);
  assign grow_kept  = kept_q;
  assign edge_sid   = advertise_b_q ? advertise_sid[BITS-1:0] : tcp_sid[BITS-1:0];
  assign edge_wr    = advertise_b_q ? grows : grow & grow_ready & kept_q;
  always_ff @(posedge clk) begin
    if (edge_wr) edges[edge_sid] <= advertise_b_q ? {~ack_b_q, edge_then} : {1'b0, offer_q};
    if (offer) offer_q <= edge_then;
    kept_q <= (looks | kept_q) & ~(advertise_b_q & grows & (advertise_sid[BITS-1:0] == tcp_sid[BITS-1:0]));
  end

  // --- What arrives
  logic rx_none;
  logic [16:0] rx_edge, rx_ahead;
  assign {rx_none, rx_edge} = edges[rx_sid[BITS-1:0]];
  assign rx_ahead           = rx_edge - rx_nxt[16:0];
  assign rx_left            = {rx_ahead[16] | rx_none, rx_ahead[15:0]};

  assign look_accepted      = accepted[tcp_sid[BITS-1:0]];
  for (genvar i = 0; i < 2; i++) begin : gen_taken
    assign taken_bytes[i] = taken[taken_sid[i][BITS-1:0]];
  end
endmodule
