// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What is new of a segment: its first part that lies in no interval of the list.  Combinational.
//
// The list: INTERVALS at most of bytes that wait after a gap, the first ones on, in order, none empty, none touching
// another or the byte 0.  All are offsets from RCV.NXT; `stop` is after the last byte.
module toe_rx_reorder_trim #(
    parameter int INTERVALS = 4,
    parameter int WIDTH = 15
) (
    input logic [INTERVALS-1:0]            list_on,
    input logic [INTERVALS-1:0][WIDTH-1:0] list_start,
    input logic [INTERVALS-1:0][WIDTH-1:0] list_stop,

    input logic [WIDTH-1:0] start,
    input logic [WIDTH-1:0] stop,

    output logic                 any,        // there is such a part
    output logic [    WIDTH-1:0] new_start,
    output logic [    WIDTH-1:0] new_stop,
    output logic [INTERVALS-1:0] below       // intervals in front of it
);
  logic [INTERVALS-1:0] covers, cut, holds;  // holds: all from start on
  always_comb begin
    for (int i = 0; i < INTERVALS; i++) begin
      below[i]  = list_on[i] & (list_start[i] <= start);
      covers[i] = below[i] & (start < list_stop[i]);
      holds[i]  = covers[i] & (list_stop[i] >= stop);
      cut[i]    = list_on[i] & ~below[i] & (list_start[i] < stop);
    end
    new_start = start;
    new_stop  = stop;
    for (int i = INTERVALS - 1; i >= 0; i--) begin
      if (covers[i]) new_start = list_stop[i];
      if (cut[i]) new_stop = list_start[i];
    end
    // Between intervals there is a gap, so what one does not hold whole is new in part
    any = (start < stop) & (holds == 0);
  end
endmodule
