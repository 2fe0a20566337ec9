// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A block into the scoreboard, in one with those that it touches (toe_sack_touch).  Combinational.
//
// The scoreboard: INTERVALS at most, the first ones on, in order, none empty, none touching another or byte 0.  All are offsets
// from SND.UNA; `stop` is after the last byte.  With one too many the last one is forgotten: the next
// retransmission is before the others, and the peer reports the highest one again.
module toe_sack_insert #(
    parameter int INTERVALS = 4,
    parameter int WIDTH = 18
) (
    input logic [INTERVALS-1:0]            list_on,
    input logic [INTERVALS-1:0][WIDTH-1:0] list_start,
    input logic [INTERVALS-1:0][WIDTH-1:0] list_stop,

    input logic [    WIDTH-1:0] start,
    input logic [    WIDTH-1:0] stop,
    input logic [INTERVALS-1:0] below,
    input logic [INTERVALS-1:0] touched,
    input logic [INTERVALS-1:0] lower,
    input logic [INTERVALS-1:0] higher,

    output logic [INTERVALS-1:0]            new_on,
    output logic [INTERVALS-1:0][WIDTH-1:0] new_start,
    output logic [INTERVALS-1:0][WIDTH-1:0] new_stop
);
  logic [WIDTH-1:0] from, behind;
  logic [$clog2(INTERVALS+1)-1:0] joined;
  always_comb begin
    from   = start;
    behind = stop;
    joined = '0;
    for (int i = 0; i < INTERVALS; i++) begin
      if (lower[i]) from = list_start[i];
      if (higher[i]) behind = list_stop[i];
      joined = joined + ($clog2(INTERVALS + 1))'(touched[i]);
    end
    {new_on, new_start, new_stop} = '0;
    for (int i = 0; i < INTERVALS; i++) begin
      if (below[i]) {new_on[i], new_start[i], new_stop[i]} = {1'b1, list_start[i], list_stop[i]};
      else if (i == 0 || below[i==0?0 : i-1]) {new_on[i], new_start[i], new_stop[i]} = {1'b1, from, behind};
      else begin
        for (int k = 0; k < INTERVALS; k++) begin
          if (k + 1 == i + int'(joined)) begin
            {new_on[i], new_start[i], new_stop[i]} = {list_on[k], list_start[k], list_stop[k]};
          end
        end
      end
    end
  end
endmodule
