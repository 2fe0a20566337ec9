// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The blocks that a session's ACKs report (RFC 2018, 4): the intervals of toe_rx_reorder after gaps.  The block of the
// last segment is first, and then those of the ACKs before.
// Latency: `count` and `blocks` are valid in the cycle after `look`, and stay; a `look` two cycles after list_valid sees
// what that segment has changed.
//
// RCV.NXT moves in the cycle after list_valid or `forget`.  So a reader that reads it first, and looks in the next cycle,
// never gets a block that begins at or before what it acknowledges.
//
// KEPT blocks of a session are remembered: of a longer list the others are reported when they change.  For a duplicate
// segment the interval that contains it is reported first; the segment itself is not (RFC 2883).
module toe_sack_blocks
  import toe_pkg::*;
#(
    parameter int SESSIONS = 64,
    parameter int INTERVALS = 4,
    parameter int WIDTH = 15,  // of an offset from RCV.NXT
    parameter int KEPT = 4,
    parameter int MOST = 4  // of these in an ACK
) (
    input logic clk,
    input logic rst,

    // From toe_rx_reorder
    input sid_t sid,
    input logic head,  // a segment of session sid, 6 cycles or more before
    input logic list_valid,  // it was good: the list is now, and was three cycles before,
    input logic [INTERVALS-1:0] list_on,
    input logic [INTERVALS-1:0][WIDTH-1:0] list_start,
    input logic [INTERVALS-1:0][WIDTH-1:0] list_stop,
    input logic [31:0] nxt,  // from this RCV.NXT on
    input logic [WIDTH-1:0] at,  // and it began here
    input logic forget,  // nothing waits any more
    input sid_t forget_sid,

    // To toe_tx
    input  sid_t         tx_sid,
    output logic         some,    // combinational
    input  logic         look,
    output logic   [2:0] count,
    output block_t [3:0] blocks
);
  localparam int BITS = $clog2(SESSIONS);
  typedef logic [BITS-1:0] index_t;
  typedef logic [2:0] count_t;
  (* ram_style = "distributed" *) count_t counts[SESSIONS];

  // --- What the ACKs before have reported
  block_t [KEPT-1:0] old, sent;
  count_t old_count;
  logic wr_q;
  block_t [KEPT-1:0] new_q;
  count_t new_count_q;
  ram_sdp #(
      .WIDTH(64 * KEPT),
      .DEPTH(SESSIONS)
  ) u_old (
      .clk,
      .wr_en  (wr_q),
      .wr_addr(sid[BITS-1:0]),
      .wr_data(new_q),
      .rd_en  (head),
      .rd_addr(sid[BITS-1:0]),
      .rd_data(old)
  );
  ram_sdp #(
      .WIDTH(64 * KEPT),
      .DEPTH(SESSIONS)
  ) u_sent (
      .clk,
      .wr_en  (wr_q),
      .wr_addr(sid[BITS-1:0]),
      .wr_data(new_q),
      .rd_en  (look),
      .rd_addr(tx_sid[BITS-1:0]),
      .rd_data(sent)
  );
  always_comb begin
    blocks = '0;
    for (int i = 0; i < KEPT; i++) blocks[i] = sent[i];
  end
  count_t kept_now;
  assign kept_now = counts[tx_sid[BITS-1:0]];
  assign some     = kept_now != 0;
  always_ff @(posedge clk) if (look) count <= kept_now > count_t'(MOST) ? count_t'(MOST) : kept_now;

  // --- The interval that the segment lies in
  logic any, any_q;
  logic [WIDTH-1:0] start, stop;
  block_t first_q;
  always_comb begin
    {any, start, stop} = '0;
    for (int i = 0; i < INTERVALS; i++) begin
      if (list_on[i] && list_start[i] <= at && at < list_stop[i]) begin
        {any, start, stop} = {1'b1, list_start[i], list_stop[i]};
      end
    end
  end
  always_ff @(posedge clk) begin
    any_q     <= any;
    first_q   <= '{left: nxt + 32'(start), right: nxt + 32'(stop)};
    old_count <= counts[sid[BITS-1:0]];
  end

  // --- After it those that are neither a part of it nor at or before RCV.NXT: which ones, in a register, and their places
  block_t [KEPT-1:0] kept;
  count_t kept_count;
  logic [KEPT+1:0] place;  // one-hot, of the next one
  logic [KEPT-1:0][31:0] from_nxt, from_left, from_right;  // their signs
  logic [KEPT-1:0] keep, keep_q;
  always_comb begin
    for (int i = 0; i < KEPT; i++) begin
      from_nxt[i] = nxt - old[i].left;
      from_left[i] = old[i].left - first_q.left;
      from_right[i] = old[i].left - first_q.right;
      keep[i] = (count_t'(i) < old_count) & from_nxt[i][31] & ~(any_q & ~from_left[i][31] & from_right[i][31]);
    end
  end
  always_ff @(posedge clk) keep_q <= keep;
  always_comb begin
    kept  = '0;
    place = (KEPT + 2)'(1) << any_q;
    if (any_q) kept[0] = first_q;
    for (int i = 0; i < KEPT; i++) begin
      if (keep_q[i]) begin
        for (int k = 0; k < KEPT; k++) if (place[k]) kept[k] = old[i];
        place = place << 1;
      end
    end
    kept_count = place[KEPT+1] ? count_t'(KEPT) : '0;  // the oldest has no place
    for (int k = 1; k <= KEPT; k++) if (place[k]) kept_count = count_t'(k);
  end

  // --- Written after RCV.NXT
  logic clear_q, forget_q;
  index_t clear_sid_q, forget_sid_q, wr_sid;
  assign wr_sid = clear_q ? clear_sid_q : wr_q ? sid[BITS-1:0] : forget_sid_q;
  always_ff @(posedge clk) begin
    new_q        <= kept;
    new_count_q  <= kept_count;
    wr_q         <= list_valid & ~rst;
    // Never with wr_q: toe_rx_rcv holds it while a segment is set aside
    forget_q     <= forget & ~rst;
    forget_sid_q <= forget_sid[BITS-1:0];
    if (clear_q || wr_q || forget_q) counts[wr_sid] <= clear_q || !wr_q ? '0 : new_count_q;
    clear_sid_q <= clear_sid_q + 1'b1;
    if (clear_sid_q == index_t'(SESSIONS - 1)) clear_q <= 1'b0;
    if (rst) begin
      clear_q     <= 1'b1;
      clear_sid_q <= '0;
    end
  end
endmodule
