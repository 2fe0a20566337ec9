// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What toe_rx_reorder_trim has found, put into the list.  Combinational.
//
// It joins the intervals that it touches.  From byte 0 on it makes RCV.NXT move, with the first interval if it reaches that; the
// offsets are then still those from the old RCV.NXT.
module toe_rx_reorder_insert #(
    parameter int INTERVALS = 4,
    parameter int WIDTH = 15
) (
    input logic [INTERVALS-1:0]            list_on,
    input logic [INTERVALS-1:0][WIDTH-1:0] list_start,
    input logic [INTERVALS-1:0][WIDTH-1:0] list_stop,

    input logic [    WIDTH-1:0] start,
    input logic [    WIDTH-1:0] stop,
    input logic [INTERVALS-1:0] below,

    output logic                            full,       // no place for it
    output logic                            moves,      // RCV.NXT moves
    output logic [    WIDTH-1:0]            move,       // by so much, if it does
    output logic [INTERVALS-1:0]            new_on,
    output logic [INTERVALS-1:0][WIDTH-1:0] new_start,
    output logic [INTERVALS-1:0][WIDTH-1:0] new_stop
);
  logic [INTERVALS-1:0] left, right, past;  // it touches; past: those from the one that it touches with its end on
  logic add, remove;
  always_comb begin
    past = '0;
    for (int i = 0; i < INTERVALS; i++) begin
      left[i]  = below[i] & (list_stop[i] == start);
      right[i] = list_on[i] & ~below[i] & (list_start[i] == stop);
      past[i]  = right[i] | (i > 0 && past[i-1]);
    end
    moves  = start == 0;
    move   = right[0] ? list_stop[0] : stop;
    add    = ~moves & (left == 0) & (right == 0);
    remove = (moves | (left != 0)) & (right != 0);
    full   = add & list_on[INTERVALS-1];
  end

  // As it would be with the touched ones made longer; then one more or one less
  logic [INTERVALS:0] on;
  logic [INTERVALS:0][WIDTH-1:0] from, behind;
  always_comb begin
    {on, from, behind} = '0;
    for (int i = 0; i < INTERVALS; i++) begin
      on[i]     = list_on[i];
      from[i]   = right[i] & ~remove ? start : list_start[i];
      behind[i] = ~left[i] ? list_stop[i] : !remove ? stop : list_stop[i+1<INTERVALS?i+1 : i];
    end
    for (int i = 0; i < INTERVALS; i++) begin
      if (remove && past[i]) {new_on[i], new_start[i], new_stop[i]} = {on[i+1], from[i+1], behind[i+1]};
      else if (add && !below[i]) begin
        if (i == 0 || below[i==0?0 : i-1]) {new_on[i], new_start[i], new_stop[i]} = {1'b1, start, stop};
        else {new_on[i], new_start[i], new_stop[i]} = {on[i-1], from[i-1], behind[i-1]};
      end else {new_on[i], new_start[i], new_stop[i]} = {on[i], from[i], behind[i]};
    end
  end
endmodule
