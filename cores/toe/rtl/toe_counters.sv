// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Counters of events that may come in any cycle, all at once too, in a distributed RAM: what has come since its turn waits in
// a few bits for each.
// Latency: an event counts up to COUNTERS + 2 cycles later.
//
// They count modulo 2^32, begin as 0 after configuration, and are not touched by a reset.
module toe_counters #(
    parameter int COUNTERS = 16  // a power of two
) (
    input logic clk,

    input logic [COUNTERS-1:0] events,

    input  logic [$clog2(COUNTERS)-1:0] index,
    output logic [                31:0] count
);
  localparam int BITS = $clog2(COUNTERS);
  typedef logic [BITS:0] some_t;  // of one round
  if (COUNTERS != 1 << BITS) begin : gen_bad_counters
    $error("toe_counters: COUNTERS must be a power of two");
  end
  (* ram_style = "distributed" *) logic [31:0] ram[COUNTERS] = '{default: '0};
  some_t [COUNTERS-1:0] some_q = '0;
  some_t more_q = '0;
  logic [BITS-1:0] turn_q = '0, more_turn_q = '0;
  assign count = ram[index];

  always_ff @(posedge clk) begin
    turn_q      <= turn_q + 1'b1;
    more_q      <= some_q[turn_q];
    more_turn_q <= turn_q;
    for (int i = 0; i < COUNTERS; i++) begin
      some_q[i] <= (turn_q == BITS'(i) ? '0 : some_q[i]) + some_t'(events[i]);
    end
    ram[more_turn_q] <= ram[more_turn_q] + 32'(more_q);
  end
endmodule
