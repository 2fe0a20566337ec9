// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_h2c_room with 2 queues, for any packets, any user, and resets at any time.  Of a queue that is chosen freely:
//   - what is accepted never exceeds the user's capacity, if the user counts each beat that it has got, and has MARGIN more than
//     it says
//   - what is under way is what was accepted and has not been released or abandoned: nothing when all of it has been
//   - a packet that is held blocks its queue; the block ends in the cycle after there is room for the packet, and for half of
//     MOST, and not before, whenever this room comes: an event that has been is not waited for
// Assumes that a check is held until `taken` or `held`, one of them and only after `checked`; that no more is released than was
// accepted; that a packet is abandoned only if it was the last of which a part was accepted, and it was not released; that
// MARGIN beats at most are between release and user.
module room_fits
  import qdma_context_pkg::*;
  import qdma_h2c_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1,
    parameter int MOST = 4,
    parameter int BITS = 4,  // of all numbers of beats
    parameter type small_t = logic [BITS-1:0]
) (
    input logic   clk,                 // there is an edge in this step
    input logic   rst,
    input logic   chosen_const,        // one value for a whole run
    input small_t capacity_const,
    input small_t other_room,
    input logic   check_valid,
    input logic   check_is_chosen,
    input small_t check_beats,
    input logic   check_is_part,
    input logic   takes,
    input logic   holds,
    input logic   abandoned,
    input logic   released,
    input logic   released_is_chosen,
    input small_t released_beats,
    input small_t arrives,             // released beats that the user counts in this cycle
    input small_t early,               // beats that it counts before their packet is released
    input small_t lost,                // released beats that were dropped
    input small_t leaves               // beats that leave the user
);
  typedef logic [BITS+1:0] count_t;
  localparam int LIMITED = 2;
  localparam count_t MARGIN = count_t'(2);
  localparam small_t LEAST = small_t'(MOST / 2);

  logic chosen_q, reset_q, held_q, is_chosen_q, is_part_q, fits, checked, taken, held;
  small_t capacity_q, beats_q, free;
  room_t [LIMITED-1:0] room;
  logic  [LIMITED-1:0] blocked;
  index_t check_qid, released_qid;
  // Of the chosen queue: accepted and not released, and how many of these are counted already; released and not counted by
  // the user; counted
  count_t open_q, early_q, flies_q, kept_q, ends, flies;
  count_t needed_q;
  // A part was accepted last, and not abandoned; of the chosen queue
  logic any_part_q, part_q, blocked_q, blocks_q, had_room_q, gives, frees;
  assign check_qid    = index_t'(check_is_chosen ? chosen_q : !chosen_q);
  assign released_qid = index_t'(released_is_chosen ? chosen_q : !chosen_q);
  assign taken        = check_valid & checked & fits & takes;
  assign held         = check_valid & checked & ~fits & holds;
  assign gives        = taken & check_is_chosen;
  assign frees        = released & released_is_chosen;
  assign free         = count_t'(capacity_q) < kept_q + MARGIN ? '0 : small_t'(count_t'(capacity_q) - kept_q - MARGIN);
  always_comb for (int i = 0; i < LIMITED; i++) room[i] = room_t'(i == 32'(chosen_q) ? free : other_room);
  qdma_h2c_room #(
      .LIMITED(LIMITED),
      .MOST   (MOST)
  ) dut (
      .check_beats   (room_t'(check_beats)),
      .released_beats(room_t'(released_beats)),
      .*
  );

  assign ends  = (frees ? count_t'(released_beats) : '0) + (abandoned && part_q ? count_t'(MOST) : '0);
  assign flies = flies_q + ends - (ends == '0 ? '0 : early_q);
  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q     <= 1'b1;
    held_q      <= check_valid & ~taken & ~held;
    is_chosen_q <= check_is_chosen;
    beats_q     <= check_beats;
    is_part_q   <= check_is_part;
    open_q      <= open_q + (gives ? count_t'(check_beats) : '0) - ends;
    early_q     <= (ends == '0 ? early_q : '0) + count_t'(early);
    flies_q     <= flies - count_t'(arrives) - count_t'(lost);
    kept_q      <= kept_q + count_t'(arrives) + count_t'(early) - count_t'(leaves);
    if (taken && check_is_part) part_q <= check_is_chosen;
    else if (abandoned) part_q <= 1'b0;
    any_part_q <= (taken & check_is_part) | (any_part_q & ~abandoned);
    blocks_q   <= held & check_is_chosen;
    blocked_q  <= blocked[chosen_q];
    had_room_q <= open_q + needed_q <= count_t'(free);
    if (held && check_is_chosen) needed_q <= count_t'(check_beats > LEAST ? check_beats : LEAST);
    if (rst) begin
      chosen_q   <= chosen_const;
      capacity_q <= capacity_const;
      held_q     <= 1'b0;
      open_q     <= '0;
      early_q    <= '0;
      flies_q    <= '0;
      kept_q     <= '0;
      kept_q     <= '0;
      any_part_q <= 1'b0;
      part_q     <= 1'b0;
      blocks_q   <= 1'b0;
      blocked_q  <= 1'b0;
    end
  end

  always_comb begin
    if (!reset_q) assume (rst);
    if (reset_q) begin
      if (held_q) begin
        assume (check_valid && check_is_chosen == is_chosen_q && check_beats == beats_q && check_is_part == is_part_q);
      end
      if (check_valid)
        assume (check_beats != '0 && (check_is_part ? check_beats == small_t'(MOST) : 32'(check_beats) <= MOST));
      if (abandoned) assume (any_part_q);
      assume (ends <= open_q);
      if (ends != '0) assume (early_q <= ends);
      assume ((ends == '0 ? early_q : '0) + count_t'(early) <= open_q - ends);
      assume (count_t'(arrives) + count_t'(lost) <= flies);
      assume (flies - count_t'(arrives) - count_t'(lost) <= MARGIN);
      assume (count_t'(leaves) <= kept_q);

      // --- The claim
      assert (open_q - early_q + flies_q + kept_q <= count_t'(capacity_q));
      if (open_q == '0) assert (dut.under_way_q[chosen_q] == '0);
      if (blocks_q) assert (blocked[chosen_q]);
      if (!blocks_q) assert (blocked[chosen_q] == (blocked_q && !had_room_q));

      if (INVARIANTS) begin
        assert (open_q <= count_t'(capacity_q) && kept_q <= count_t'(capacity_q));
        assert (early_q <= open_q && flies_q <= MARGIN);
        assert (dut.under_way_q[chosen_q] == room_t'(open_q));
        if (blocked[chosen_q]) assert (dut.needed_q[chosen_q] == room_t'(needed_q) && needed_q <= count_t'(MOST));
        if (any_part_q) assert (dut.part_q[chosen_q] == part_q);
        if (!any_part_q) assert (!part_q);
        if (checked) assert (held_q);
        if (checked && fits && is_chosen_q) begin
          assert (open_q + count_t'(beats_q) <= count_t'(capacity_q));
          assert (open_q - early_q + flies_q + kept_q + count_t'(beats_q) <= count_t'(capacity_q));
        end
      end
    end
  end

  logic unused;
  assign unused = &{1'b0, is_part_q};
endmodule
