// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of the scoreboard, toe_sack_check, _touch, _insert and _advance: for any list and any block, good or not, and for any
// move of SND.UNA; `p` is any byte from SND.UNA on.  If the old list is one, of bytes up to SND.NXT, so is the new one: in order,
// none empty, none touching another or SND.UNA.  A byte that is in it was in the old one, or the peer has just reported it; and if one of
// those is not, there were too many, and it is behind all that are kept.  A block that is known changes nothing.
module sack_board #(
    parameter bit INVARIANTS = 1'b1,  // there is none beside the claim
    parameter int INTERVALS = 3,
    parameter int WIDTH = 4
) (
    input logic clk,
    input logic [INTERVALS-1:0] list_on,
    input logic [INTERVALS-1:0][WIDTH-1:0] list_start,
    input logic [INTERVALS-1:0][WIDTH-1:0] list_stop,
    input logic [WIDTH-1:0] flight,
    input logic [31:0] left,  // of the block, from SND.UNA on, as all numbers here: they wrap
    input logic [31:0] right,
    input logic [WIDTH-1:0] bytes,
    input logic [WIDTH-1:0] p
);
  typedef logic [INTERVALS-1:0][WIDTH-1:0] offsets_t;
  typedef logic [INTERVALS-1:0] flags_t;
  logic good, known;
  flags_t below, touched, lower, higher, put_on, moved_on;
  offsets_t put_start, put_stop, moved_start, moved_stop;
  toe_sack_check #(.WIDTH(WIDTH)) check (.*);
  toe_sack_touch #(
      .INTERVALS(INTERVALS),
      .WIDTH(WIDTH)
  ) touch (
      .start(left[WIDTH-1:0]),
      .stop (right[WIDTH-1:0]),
      .*
  );
  toe_sack_insert #(
      .INTERVALS(INTERVALS),
      .WIDTH(WIDTH)
  ) insert (
      .start    (left[WIDTH-1:0]),
      .stop     (right[WIDTH-1:0]),
      .new_on   (put_on),
      .new_start(put_start),
      .new_stop (put_stop),
      .*
  );
  toe_sack_advance #(
      .INTERVALS(INTERVALS),
      .WIDTH(WIDTH)
  ) advance (
      .new_on   (moved_on),
      .new_start(moved_start),
      .new_stop (moved_stop),
      .*
  );

  function automatic logic holds(input flags_t on, input offsets_t first, input offsets_t behind,
                                 input logic [WIDTH-1:0] here);
    holds = 1'b0;
    for (int i = 0; i < INTERVALS; i++) holds |= on[i] & (first[i] <= here) & (here < behind[i]);
  endfunction
  function automatic logic is_list(input flags_t on, input offsets_t first, input offsets_t behind,
                                   input logic [WIDTH-1:0] most);
    is_list = 1'b1;
    for (int i = 0; i < INTERVALS; i++) begin
      if (on[i]) begin
        is_list &= first[i] < behind[i] && behind[i] <= most;
        is_list &= i == 0 ? first[i] != 0 : on[i-1] & (first[i] > behind[i-1]);
      end
    end
  endfunction

  logic was, reported, is_now, stays, cut;
  assign was      = holds(list_on, list_start, list_stop, p);
  assign reported = 32'(p) - left < right - left;  // p is in the block, wherever the numbers wrap
  assign is_now   = holds(put_on, put_start, put_stop, p);
  assign stays    = holds(moved_on, moved_start, moved_stop, p - bytes);
  always_comb begin
    cut = 1'b0;  // p lies in what SND.UNA has reached
    for (int i = 0; i < INTERVALS; i++) cut |= list_on[i] && list_start[i] <= bytes && p < list_stop[i];
  end
  always_comb begin
    assume (is_list(list_on, list_start, list_stop, flight));
    assume (bytes <= flight);
    if (good) begin
      assert (right - left <= 32'(flight));
      assert (is_list(put_on, put_start, put_stop, flight));
      if (is_now) assert (was || reported);
      if ((was || (reported && 32'(p) < right)) && !is_now) assert (put_on == '1 && p > put_stop[INTERVALS-1]);
      if (known) assert (put_on == list_on && is_now == was && (!reported || was));
    end
    assert (is_list(moved_on, moved_start, moved_stop, flight - bytes));
    if (p >= bytes) begin
      assert (!stays || was);
      if (was && !stays) assert (cut);
    end
  end
endmodule
