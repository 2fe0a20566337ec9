// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The reorder memory: payload that comes after a gap waits there, and is the user's when the gap is filled.
// Latency: none for segments that go to the user at once (toe_rx_accept); what waits is out 8 + LATENCY cycles after `move`,
// when nothing else comes to the user then.
//
//   data ────────────────────────────────────────────────────┬──► to the user
//   aside ──► take ──► store ──► memory ──► toe_tx_read ──► drain
//               │  list of intervals, RCV.NXT                ▲
//               └────────────── session ─────────────────────┘
//
// Each session has a ring of DEPTH bytes, and a list of INTERVALS after gaps.  Of a good segment the first part that is new
// is kept if it ends within DEPTH bytes of what the user has not got, and if it touches an interval or the list has a place;
// else it is refused.  Only bytes that nothing waits in are written, so a bad segment does no harm.
//
// From the first segment that is set aside until the user has got all and there is no gap, everything of that session goes
// through the memory (`held`): so its order is kept.  What RCV.NXT has moved over is delivered even if the connection ends;
// what waits after a gap then is forgotten.
module toe_rx_reorder
  import toe_pkg::*;
#(
    parameter int SESSIONS = 64,
    parameter int INTERVALS = 4,
    parameter int DEPTH = 16384,  // bytes a session, a power of two, 65536 at most; no less than the window
    parameter int CHUNK = 1460,  // bytes of a segment to the user at most
    localparam int W = $clog2(DEPTH) + 1
) (
    input logic clk,
    input logic rst,

    // As from toe_rx_accept, to toe_rx_user
    input  logic        data_valid,
    input  logic [31:0] data_word,
    input  logic [ 3:0] data_keep,
    input  logic        data_first,
    input  logic        data_final,
    input  logic        data_last,
    input  logic        data_bad,
    input  sid_t        data_sid,
    output logic        user_valid,
    output logic [31:0] user_word,
    output logic [ 3:0] user_keep,
    output logic        user_first,
    output logic        user_final,
    output logic        user_last,
    output logic        user_bad,
    output sid_t        user_sid,
    input  logic [15:0] room,

    // With toe_rx_accept; see there
    input  logic        look_done,
    input  sid_t        look_sid,
    output logic        held,
    input  logic        soon,
    input  logic        head,
    input  logic        direct,
    input  logic        frame_over,
    input  logic [31:0] head_seq,
    input  logic [31:0] head_nxt,
    input  logic [15:0] head_length,
    input  logic        aside_valid,
    input  logic        aside_last,
    input  logic        aside_good,
    output logic        aside_done,
    output logic        aside_move,
    output logic [31:0] aside_nxt,
    output logic [15:0] aside_bytes,
    output logic        aside_gap,
    output logic        aside_refused,

    // The TCP machine writes RCV.NXT
    input logic forget,
    input sid_t forget_sid,

    // RCV.NXT has moved over bytes that the user's FIFO has not yet: combinational
    input  sid_t tcp_sid,
    output logic tcp_waits,

    // To toe_sack_blocks, see toe_rx_reorder_take
    output logic                        report_valid,
    output logic [INTERVALS-1:0]        report_on,
    output logic [INTERVALS-1:0][W-1:0] report_start,
    output logic [INTERVALS-1:0][W-1:0] report_stop,
    output logic [         31:0]        report_nxt,
    output logic [        W-1:0]        report_at
);
  localparam int LATENCY = 2;
  localparam int BITS = $clog2(SESSIONS);
  localparam int AW = BITS + W - 4;
  localparam int SPAN = 18;
  if (DEPTH != 1 << (W - 1) || DEPTH < 16 || DEPTH > 65536) begin : gen_bad_depth
    $error("toe_rx_reorder: DEPTH must be a power of two, 16 to 65536");
  end
  if (INTERVALS < 1 || INTERVALS > 16) begin : gen_bad_intervals
    $error("toe_rx_reorder: INTERVALS must be 1 to 16");
  end

  // --- Pointers, each with one writer: after what RCV.NXT has moved over, and of what is next for the user.  A session with
  // something to drain stands in the drain's queue, once: put and got differ
  (* ram_style = "distributed" *) logic [W-1:0] in_ptr[SESSIONS];
  (* ram_style = "distributed" *) logic [W-1:0] out_ptr[SESSIONS];
  (* ram_style = "distributed" *) logic put[SESSIONS];
  (* ram_style = "distributed" *) logic got[SESSIONS];
  logic clear_q, in_wr, out_wr, empty, put_now;
  logic [W-1:0] in_next, out_next;
  logic [BITS-1:0] clear_sid_q, sid, in_sid, out_sid;
  sid_t drain_sid;
  assign sid     = data_sid[BITS-1:0];
  assign in_sid  = clear_q ? clear_sid_q : sid;
  assign out_sid = clear_q ? clear_sid_q : drain_sid[BITS-1:0];
  assign put_now = in_wr & (put[sid] == got[sid]);
  always_ff @(posedge clk) begin
    if (clear_q || in_wr) in_ptr[in_sid] <= clear_q ? '0 : in_next;
    if (clear_q || put_now) put[in_sid] <= ~clear_q & ~put[sid];
    if (clear_q || out_wr) out_ptr[out_sid] <= clear_q ? '0 : out_next;
    if (clear_q || (out_wr && empty)) got[out_sid] <= ~clear_q & ~got[out_sid];
    clear_sid_q <= clear_sid_q + 1'b1;
    if (clear_sid_q == BITS'(SESSIONS - 1)) clear_q <= 1'b0;
    if (rst) begin
      clear_q     <= 1'b1;
      clear_sid_q <= '0;
    end
  end
  assign tcp_waits = put[tcp_sid[BITS-1:0]] != got[tcp_sid[BITS-1:0]];

  logic gap, waits_q;
  assign held = gap | waits_q;
  always_ff @(posedge clk) if (look_done) waits_q <= put[look_sid[BITS-1:0]] != got[look_sid[BITS-1:0]];

  // --- In
  logic load, valid, flush;
  logic [W-2:0] place;
  logic [SPAN-1:0] start, stop;
  logic [31:0] word;
  toe_rx_reorder_take #(
      .SESSIONS(SESSIONS),
      .INTERVALS(INTERVALS),
      .DEPTH(DEPTH)
  ) u_take (
      .clk,
      .rst,
      .look_done,
      .look_sid,
      .sid       (data_sid),
      .gap,
      .head,
      .seq       (head_seq),
      .nxt       (head_nxt),
      .length    (head_length),
      .aside_valid,
      .aside_word(data_word),
      .aside_last,
      .aside_good,
      .in        (in_ptr[sid]),
      .out       (out_ptr[sid]),
      .in_wr,
      .in_next,
      .forget,
      .forget_sid,
      .load,
      .place,
      .start,
      .stop,
      .valid,
      .word,
      .flush,
      .done      (aside_done),
      .move      (aside_move),
      .move_nxt  (aside_nxt),
      .move_bytes(aside_bytes),
      .move_gap  (aside_gap),
      .refused   (aside_refused),
      .report_valid,
      .report_on,
      .report_start,
      .report_stop,
      .report_nxt,
      .report_at
  );
  logic [7:0] wr_en;
  logic [AW-1:0] wr_addr, rd_addr;
  logic [63:0] wr_data, rd_data;
  logic rd_en;
  toe_rx_reorder_store #(
      .PLACE(W - 1),
      .SID  (BITS),
      .SPAN (SPAN)
  ) u_store (
      .clk,
      .load,
      .sid,
      .place,
      .start,
      .stop,
      .valid,
      .word,
      .flush,
      .wr_en,
      .wr_addr,
      .wr_data
  );
  toe_tx_ring #(
      .WIDTH  (64),
      .DEPTH  (SESSIONS * DEPTH / 8),
      .LATENCY(LATENCY)
  ) u_memory (
      .clk,
      .wr_en,
      .wr_addr,
      .wr_data,
      .rd_en,
      .rd_addr,
      .rd_data
  );

  // --- Out
  logic near_q, head_q;
  logic drain_valid, drain_first, drain_final, drain_last;
  logic [31:0] drain_word;
  logic [ 3:0] drain_keep;
  toe_rx_reorder_drain #(
      .SESSIONS(SESSIONS),
      .DEPTH   (DEPTH),
      .CHUNK   (CHUNK),
      .LATENCY (LATENCY)
  ) u_drain (
      .clk,
      .rst,
      .near      (near_q),
      .room,
      .put       (put_now),
      .put_sid   (data_sid),
      .busy      (in_wr),
      .sid       (drain_sid),
      .in        (in_ptr[drain_sid[BITS-1:0]]),
      .out       (out_ptr[drain_sid[BITS-1:0]]),
      .out_wr,
      .out_next,
      .empty,
      .rd_en,
      .rd_addr,
      .rd_data,
      .data_valid(drain_valid),
      .data_word (drain_word),
      .data_keep (drain_keep),
      .data_first(drain_first),
      .data_final(drain_final),
      .data_last (drain_last)
  );

  // --- Whose turn it is.  A segment may come for the user from word 5 on, until it is known that it does not, or until all
  // that it has written is seen in `room`.
  localparam int SETTLE = 5;
  logic [SETTLE-1:0] over_q;
  always_ff @(posedge clk) begin
    head_q <= head;
    over_q <= soon ? '0 : {over_q[SETTLE-2:0], frame_over};
    near_q <= soon | (near_q & ~(head_q & ~direct) & ~over_q[SETTLE-1]);
    if (rst) begin
      over_q <= '0;
      near_q <= 1'b0;
    end
  end

  logic drains;
  assign drains = drain_valid | drain_last;
  always_comb begin
    {user_valid, user_word, user_keep, user_first, user_final, user_last, user_bad, user_sid} = {
      data_valid, data_word, data_keep, data_first, data_final, data_last, data_bad, data_sid
    };
    if (drains) begin
      {user_valid, user_word, user_keep} = {1'b1, drain_word, drain_keep};
      {user_first, user_final, user_last, user_bad, user_sid} = {drain_first, drain_final, drain_last, 1'b0, drain_sid};
    end
  end
endmodule
