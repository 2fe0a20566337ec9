// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// One counter of 32 bits for each way in which a frame can end, in a distributed RAM; one of all that left with a wrong FCS; and
// one of what ate_hold has forgotten.
// Latency: an event counts a cycle later.  Two events of one cycle: that of software's chunk waits for a cycle without.
// Assumes: event_valid is not high in two cycles in a row while bad_chunk waits, nor bad_chunk in two cycles in a row: so one
// waits at most.
//
// They count modulo 2^32, begin as 0 after configuration, and are not touched by a reset.
module ate_counters
  import ate_pkg::*;
(
    input logic clk,
    input logic rst,

    input logic    event_valid,
    input result_e event_result,
    input logic    bad_chunk,     // not in two cycles in a row
    input logic    aborted,       // a frame has left with a wrong FCS
    input logic    no_frame,      // ate_hold has forgotten one

    input  logic [ 3:0] index,
    output logic [31:0] count
);
  (* ram_style = "distributed" *) logic [31:0] ram[16] = '{default: '0};
  logic [31:0] aborted_q = '0;
  logic [31:0] no_frame_q = '0;
  logic valid_q = 1'b0;
  logic waiting_q;
  result_e result_q;
  logic [31:0] more;
  assign more  = ram[result_q] + 1'b1;
  assign count = index == ABORTED ? aborted_q : index == NO_FRAME ? no_frame_q : ram[index];
  always_ff @(posedge clk) begin
    if (valid_q) ram[result_q] <= more;
    valid_q   <= event_valid | waiting_q;
    result_q  <= event_valid ? event_result : BAD_CHUNK;
    waiting_q <= bad_chunk | (waiting_q & event_valid);
    if (aborted && !rst) aborted_q <= aborted_q + 1'b1;
    if (no_frame && !rst) no_frame_q <= no_frame_q + 1'b1;
    if (rst) begin
      valid_q   <= 1'b0;
      waiting_q <= 1'b0;
    end
  end
endmodule
