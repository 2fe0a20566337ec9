// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// FINs that came before their time: after a gap, or while what precedes them waits in the reorder memory.
// Latency: due, two cycles after load.
module toe_tcp_fin
  import toe_pkg::*;
#(
    parameter int SESSIONS = 64
) (
    input logic clk,

    input sid_t sid,

    input  logic        load,     // the session's, in the next cycle with:
    input  logic [31:0] rcv_nxt,
    input  logic        waits,    // not all before RCV.NXT is the user's
    output logic        due,

    input logic        set,     // its FIN is at seg_end
    input logic        clear,
    input logic [31:0] seg_end
);
  localparam int BITS = $clog2(SESSIONS);
  (* ram_style = "distributed" *) logic [32:0] fins[SESSIONS];
  logic on_q;
  logic [31:0] at_q;
  always_ff @(posedge clk) begin
    if (set || clear) fins[sid[BITS-1:0]] <= {~clear, seg_end};
    if (load) {on_q, at_q} <= fins[sid[BITS-1:0]];
    due <= on_q & (at_q == rcv_nxt) & ~waits;
  end
endmodule
