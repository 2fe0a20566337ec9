// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The scoreboard when SND.UNA moves: an interval that is passed or touched is forgotten, the others are counted from there.
// Combinational.  One that is touched or cut was reported by a peer who then did not acknowledge it: it does not count.
module toe_sack_advance #(
    parameter int INTERVALS = 4,
    parameter int WIDTH = 18
) (
    input logic [INTERVALS-1:0]            list_on,
    input logic [INTERVALS-1:0][WIDTH-1:0] list_start,
    input logic [INTERVALS-1:0][WIDTH-1:0] list_stop,

    input logic [WIDTH-1:0] bytes,

    output logic [INTERVALS-1:0]            new_on,
    output logic [INTERVALS-1:0][WIDTH-1:0] new_start,
    output logic [INTERVALS-1:0][WIDTH-1:0] new_stop
);
  logic [INTERVALS-1:0] stays, goes;
  logic [INTERVALS:0] gone;  // one-hot: so many go, and they are the first ones
  always_comb begin
    for (int i = 0; i < INTERVALS; i++) begin
      stays[i] = list_on[i] & (list_start[i] > bytes);
      goes[i]  = list_on[i] & ~stays[i];
    end
    gone = {goes, 1'b1} & ~{1'b0, goes};
    {new_on, new_start, new_stop} = '0;
    for (int i = 0; i < INTERVALS; i++) begin
      for (int k = i; k < INTERVALS; k++) begin
        if (gone[k-i]) begin
          new_on[i]    = stays[k];
          new_start[i] = list_start[k] - bytes;
          new_stop[i]  = list_stop[k] - bytes;
        end
      end
    end
  end
endmodule
