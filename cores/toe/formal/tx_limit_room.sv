// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of toe_tx_limit, for any session, any limits and any packets at any time: what the user may send never reaches beyond
// the highest sequence number that the session's limit has ever allowed (`top`: SND.UNA and the size of its ring, at most).  So
// with toe_tx_store, which writes the bytes of a packet and no others (tx_store_lanes), a byte is kept until it is acknowledged.
//
// What is given: a limit is not beyond top, and top does not go back while the session is open; a packet is no longer than
// look_cap said in some cycle before it; SND.NXT is set only when the session has been closed for some cycles and no
// packet of it is under way (toe_tcp: tcp_snd_busy).
module tx_limit_room
  import toe_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1,
    parameter bit CALM       = 1'b0   // small numbers, one segment size, no reset but the first
) (
    input logic        rst,
    input logic        limit_wr,
    input logic        limit_which,
    input logic        limit_open,
    input logic [31:0] limit,
    input logic [15:0] limit_mss,
    input logic [31:0] top,          // from now on, with limit_wr
    input logic        snd_wr,
    input logic        snd_which,
    input logic [31:0] snd_wr_nxt,
    input logic        begins,       // the user looks, and begins a packet
    input logic        gives_up,     // it is dropped
    input logic        end_wr,
    input logic        end_which,
    input logic [31:0] end_nxt,
    input logic        any           // the session, free; it never changes
);
  localparam int RING_BYTES = 64;  // nothing depends on it
  localparam int PATH = 4;  // cycles from a rule to look_cap
  logic clk;  // each step is a cycle
  assign clk = 1'b1;

  logic ready, end_done, look_open, alive, credit_valid, first_some, first_full;
  logic [31:0] look_nxt, frame_nxt, credit;
  logic [15:0] look_cap, first_cap, look_mss;
  logic [$clog2(RING_BYTES)+1:0] tcp_allocated;
  sid_t credit_sid;
  toe_tx_limit #(
      .SESSIONS  (2),
      .RING_BYTES(RING_BYTES)
  ) dut (
      .limit_sid  (sid_t'(limit_which)),
      .limit_alive(1'b1),
      .snd_wr_sid (sid_t'(snd_which)),
      .end_sid    (sid_t'(end_which)),
      .first_sid  (sid_t'(any)),
      .look_sid   (sid_t'(any)),
      .frame_sid  (sid_t'(any)),
      .alive_sid  (sid_t'(any)),
      .tcp_sid    (sid_t'(any)),
      .*
  );

  // --- What is given
  logic began_q = 1'b0;
  logic any_q, end_held_q, end_which_q;
  logic [31:0] end_nxt_q, top_q;
  logic        open_q;  // the rule that was written last
  logic        opened_q;  // there has been one
  logic [ 2:0] closed_q;  // cycles since it was closed, or since all were
  logic        under_way_q;  // a packet of the session's
  logic [15:0] may_q;  // its bytes, at most
  logic        written_q;  // its end is written; look_cap may be from before
  logic limit_here, snd_here, end_here, written_here;
  assign limit_here   = limit_wr & (limit_which == any);
  assign snd_here     = snd_wr & (snd_which == any);
  assign end_here     = end_wr & (end_which == any);
  assign written_here = end_here & ~snd_wr & ~written_q;
  always_ff @(posedge clk) begin
    began_q     <= 1'b1;
    any_q       <= any;
    end_held_q  <= end_wr & ~end_done & ~rst;
    end_which_q <= end_which;
    end_nxt_q   <= end_nxt;
    if (limit_here) {open_q, top_q} <= {limit_open, top};
    if (limit_here && limit_open) opened_q <= 1'b1;
    if (snd_here) top_q <= snd_wr_nxt;
    if (open_q || limit_here || !ready) closed_q <= '0;
    else if (closed_q != 3'd7) closed_q <= closed_q + 1'b1;
    if (begins) {under_way_q, may_q} <= {1'b1, look_cap};
    else if (gives_up || (end_here && end_done)) under_way_q <= 1'b0;
    written_q <= (written_here | written_q) & ~end_done;
    if (rst) begin
      {open_q, opened_q, under_way_q, written_q} <= '0;
      closed_q <= '0;
    end
  end
  logic [31:0] room, new_room;  // bytes up to top
  assign room     = top_q - look_nxt;
  assign new_room = top - look_nxt;
  always_comb begin
    if (!began_q) assume (rst);
    if (began_q) assume (any == any_q);
    if (CALM) begin
      assume ({limit[31:8], top[31:8], look_nxt[31:8], snd_wr_nxt[31:8]} == '0);
      assume (limit_mss == 16'(RING_BYTES) && !any && (!began_q || !rst));
    end
    if (!ready) assume (!limit_wr && !snd_wr && !end_wr && !begins);
    if (limit_here) begin
      if (!limit_open) assume (top == top_q);
      if (limit_open && opened_q) assume (top - top_q <= 32'(RING_BYTES));
      if (limit_open) assume (new_room <= 32'(RING_BYTES) && top - limit < 32'h10000000);
    end
    if (snd_here) assume (!open_q && closed_q >= 3'(PATH) && !under_way_q && !limit_here);
    if (begins) assume (!under_way_q && !end_here && !gives_up && look_open && look_cap != 0);
    if (gives_up) assume (!end_here);
    if (end_here) assume (under_way_q && (written_q || end_nxt - look_nxt <= 32'(may_q)));
    if (end_held_q) assume (end_wr && end_which == end_which_q && end_nxt == end_nxt_q);
  end

  // --- Which entries of the path are from behind the last change of the allocation
  logic fresh_b_q, fresh_c_q, fresh_q, moved;
  logic here_b, here_c;
  assign moved  = written_here | snd_here;
  assign here_b = dut.valid_b_q & (dut.sid_b_q == any);
  assign here_c = dut.valid_c_q & (dut.sid_c_q == any);
  always_ff @(posedge clk) begin
    fresh_b_q <= ~moved;
    fresh_c_q <= fresh_b_q & ~moved;
    fresh_q   <= (here_c ? fresh_c_q : fresh_q) & ~moved;
  end

  // --- The session is closed: the entries that say so are so far
  logic shut_c, shut_b, shut_a;
  assign shut_c = !(here_c & dut.open_c_q) & (here_c | ~look_open);
  assign shut_b = !(here_b & dut.open_b_q) & (here_b | shut_c);
  assign shut_a = (dut.limit_q & (dut.limit_sid_q == any)) | shut_b;

  always_comb begin
    if (began_q) begin
      // The claim
      if (begins) assert (32'(look_cap) <= room && room <= 32'(RING_BYTES));
      if (end_here && end_done) assert (look_nxt == end_nxt);
      assert (first_cap == look_cap && frame_nxt == look_nxt);
      // Invariants
      if (INVARIANTS) begin
        if (!ready) begin
          assert (!dut.limit_q && !dut.ended_q && !dut.end_b_q && !dut.end_c_q && !dut.end_seen_q);
          assert (!(dut.valid_b_q & dut.open_b_q) && !(dut.valid_c_q & dut.open_c_q) && !end_held_q);
          assert (!open_q && !opened_q && !under_way_q && closed_q == 0);
          if (dut.cleared_q || dut.walk_q > any) assert (!dut.rules[any][16] && shut_b);
          if (dut.soon_q) assert (shut_c);
          assert (dut.cleared_q || !dut.soon_q);
        end else begin
          assert (dut.cleared_q && dut.soon_q && dut.rules[any][16] == open_q);
          if (!open_q) begin
            assert (shut_a);
            if (closed_q >= 1) assert (shut_b);
            if (closed_q >= 2) assert (shut_c && !(here_b & dut.open_b_q));
            if (closed_q >= 3) assert (!look_open && !(here_b & dut.open_b_q) && !(here_c & dut.open_c_q));
          end
        end
        // What has been opened keeps to its ring
        if (!opened_q) assert (!open_q && !under_way_q && (!ready || !look_open));
        if (ready && !opened_q) assert (!(here_b & dut.open_b_q) && !(here_c & dut.open_c_q));
        if (opened_q) assert (room <= 32'(RING_BYTES));
        if (open_q) assert (closed_q == 0 && top_q - dut.limits[any] < 32'h20000000);
        // The end of a packet: to be picked, on its way, or there
        assert (written_q == (dut.end_seen_q & end_held_q & (end_which_q == any)));
        assert (dut.end_seen_q == (dut.ended_q | dut.end_b_q | dut.end_c_q) && (!dut.end_seen_q || end_held_q));
        assert (2'(dut.ended_q) + 2'(dut.end_b_q) + 2'(dut.end_c_q) <= 2'd1);
        if (written_q) assert (under_way_q && look_nxt == end_nxt_q);
        if (written_q && dut.end_b_q) assert (here_b && fresh_b_q);
        if (written_q && dut.end_c_q) assert (here_c && fresh_c_q && (!here_b || fresh_b_q));
        if (!written_q) begin
          if (here_b && dut.open_b_q) assert (fresh_b_q);
          if (here_c && dut.open_c_q) assert (fresh_c_q);
          if (look_open) assert (fresh_q || !opened_q);
          if (under_way_q) assert (32'(may_q) <= room);
        end
        // What is fresh is right
        if (here_b && dut.open_b_q && fresh_b_q) assert (dut.left_b_q[31] || dut.left_b_q <= room);
        if (here_c && dut.open_c_q && fresh_c_q) assert (32'(dut.cap_c_q) <= room);
        if (look_open && fresh_q && opened_q) assert (32'(look_cap) <= room);
      end
    end
  end
endmodule
