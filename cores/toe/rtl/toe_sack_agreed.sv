// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Which sessions use SACK (RFC 2018, 2): offered with a SYN of ours, then as the peer's SYN says.
// Latency: tx_on is combinational, tcp_on a cycle after tcp_sid; what is written is read in the next cycle.
//
// Sessions of which nothing has been written are not asked for.
module toe_sack_agreed
  import toe_pkg::*;
#(
    parameter int SESSIONS = 64
) (
    input logic clk,

    input  logic wr,
    input  sid_t wr_sid,
    input  logic wr_on,
    input  sid_t tx_sid,
    output logic tx_on,
    input  sid_t tcp_sid,
    output logic tcp_on
);
  localparam int BITS = $clog2(SESSIONS);
  (* ram_style = "distributed" *) logic ons[SESSIONS];
  assign tx_on = ons[tx_sid[BITS-1:0]];
  always_ff @(posedge clk) begin
    if (wr) ons[wr_sid[BITS-1:0]] <= wr_on;
    tcp_on <= ons[tcp_sid[BITS-1:0]];
  end
endmodule
