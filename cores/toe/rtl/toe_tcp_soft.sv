// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Which session an ICMP error is about: the scan compares its tuple with each session's, for a whole round.
// Latency: `match` in step 8 of the scan slot; `over` with it, or when a round has passed without one.
//
// Its sequence number must be of something that is under way, SND.UNA to SND.NXT - 1: others are late, or forged by someone who
// does not see the connection (RFC 5927, 4.1).  A session that the peer is opening has no user yet, and is not reported.
module toe_tcp_soft
  import toe_pkg::*;
  import toe_tcp_pkg::*;
(
    input logic clk,
    input logic rst,

    input  logic          valid,  // held until over
    input  tuple_t        tuple,
    input  logic   [31:0] seq,
    output logic          match,
    output logic          over,

    input context_t c,       // from step 2 on
    input window_t  flight,  // from step 3 on
    input logic     choose,  // step 0
    input logic     last,    // with it: the last session's turn
    input logic     visit,   // step 8 of a visit
    input logic     finish   // which ends the connection
);
  logic [31:0] d_seq_q;
  logic peer_q, local_q, same_q, inside_q, round_over;
  logic [1:0] rounds_q;  // last session's turns
  assign match      = valid & visit & same_q & inside_q & ~finish & ~(c.state == SYN_RCVD & c.listen);
  assign round_over = choose & (rounds_q == 2'd2);
  assign over       = match | (valid & round_over);
  always_ff @(posedge clk) begin
    d_seq_q  <= seq - c.una;
    peer_q   <= {c.tuple.peer_ip, c.tuple.peer_port} == {tuple.peer_ip, tuple.peer_port};
    local_q  <= {c.tuple.iface, c.tuple.local_port} == {tuple.iface, tuple.local_port};
    same_q   <= peer_q & local_q;
    inside_q <= d_seq_q < 32'(flight);
    if (choose && last && rounds_q != 2'd2) rounds_q <= rounds_q + 1'b1;
    if (!valid || over || rst) rounds_q <= '0;
  end
endmodule
