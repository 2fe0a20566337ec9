// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of toe_rx_reorder_trim and _insert, for any list and any segment: `p` is any byte.  What is taken of a segment is
// new, and all before it has come; a byte is in the new list, or RCV.NXT has moved over it, if and only if it was in the
// old one or has been taken; the new list is again one.  So no byte counts twice, none that has not come is passed over,
// and none is lost that was kept.
module rx_reorder_list #(
    parameter bit INVARIANTS = 1'b1,  // there is none beside the claim
    parameter int INTERVALS = 3,
    parameter int WIDTH = 5
) (
    input logic clk,
    input logic [INTERVALS-1:0] list_on,
    input logic [INTERVALS-1:0][WIDTH-1:0] list_start,
    input logic [INTERVALS-1:0][WIDTH-1:0] list_stop,
    input logic [WIDTH-1:0] start,
    input logic [WIDTH-1:0] stop,
    input logic [WIDTH-1:0] p
);
  typedef logic [INTERVALS-1:0][WIDTH-1:0] offsets_t;
  typedef logic [INTERVALS-1:0] flags_t;
  logic any, full, moves;
  logic [WIDTH-1:0] from, to, move;
  flags_t below, new_on;
  offsets_t new_start, new_stop;
  toe_rx_reorder_trim #(
      .INTERVALS(INTERVALS),
      .WIDTH(WIDTH)
  ) trim (
      .new_start(from),
      .new_stop (to),
      .*
  );
  toe_rx_reorder_insert #(
      .INTERVALS(INTERVALS),
      .WIDTH(WIDTH)
  ) insert (
      .start(from),
      .stop (to),
      .*
  );

  function automatic logic holds(input flags_t on, input offsets_t first, input offsets_t behind);
    holds = 1'b0;
    for (int i = 0; i < INTERVALS; i++) holds |= on[i] & (first[i] <= p) & (p < behind[i]);
  endfunction
  // In order, none empty, none touching another or what is before `nxt`
  function automatic logic right(input flags_t on, input offsets_t first, input offsets_t behind,
                                 input logic [WIDTH-1:0] nxt);
    right = 1'b1;
    for (int i = 0; i < INTERVALS; i++) begin
      if (on[i]) begin
        right &= first[i] < behind[i];
        right &= i == 0 ? first[i] > nxt : on[i-1] & (first[i] > behind[i-1]);
      end
    end
  endfunction

  logic was, is_now, taken;
  assign was    = holds(list_on, list_start, list_stop);
  assign is_now = holds(new_on, new_start, new_stop);
  assign taken  = any & (from <= p) & (p < to);
  always_comb begin
    assume (right(list_on, list_start, list_stop, '0));
    assume (start < stop);
    if (any) assert (from < to);
    if (taken) assert (!was && start <= p && p < stop);
    if (start <= p && p < (any ? from : stop)) assert (was);
    if (any && !full) begin
      assert ((is_now | (moves & (p < move))) == (was | taken));
      assert (right(new_on, new_start, new_stop, moves ? move : '0));
      assert (moves == (from == 0));
    end
    if (any && full) assert (list_on == '1 && from != 0);
  end
endmodule
