// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What the user has set for a session by itself, and not for all of them: its R2 (RFC 9293, 3.8.3), keepalives (3.8.4) and the
// Differentiated Services code point of what it sends (3.9.1.9).  It holds from then on, for the connections to come, too.
// Latency: the settings for a session are there two cycles after its number.
//
// For SESSIONS cycles after a reset nothing is taken; then each session has what `settings` says.
module toe_policy
  import toe_pkg::*;
#(
    parameter int SESSIONS = 64
) (
    input logic clk,
    input logic rst,

    input settings_t settings,

    input  logic    valid,
    output logic    ready,
    input  sid_t    sid,
    input  policy_t policy,

    input  sid_t      tcp_sid,
    output settings_t tcp_settings,
    input  sid_t      tx_sid,
    input  logic      tx_no_session,  // the frame is none of the session's, with tx_sid
    output settings_t tx_settings
);
  localparam int BITS = $clog2(SESSIONS);
  localparam logic [23:0] TWO_HOURS = 24'd7_200_000;  // for a session that has keepalives where the others have none
  (* ram_style = "distributed" *) policy_t ram[SESSIONS];
  logic clear_q;
  logic [BITS-1:0] clear_sid_q, index;
  assign ready = ~clear_q;
  assign index = clear_q ? clear_sid_q : sid[BITS-1:0];
  always_ff @(posedge clk) begin
    if (clear_q || (valid && 32'(sid) < SESSIONS)) ram[index] <= clear_q ? '0 : policy;
    clear_sid_q <= clear_sid_q + 1'b1;
    if (clear_sid_q == BITS'(SESSIONS - 1)) clear_q <= 1'b0;
    if (rst) begin
      clear_q     <= 1'b1;
      clear_sid_q <= '0;
    end
  end

  policy_t tcp_q, tx_q;
  always_ff @(posedge clk) begin
    tcp_q        <= ram[tcp_sid[BITS-1:0]];
    tx_q         <= tx_no_session ? '0 : ram[tx_sid[BITS-1:0]];
    tcp_settings <= settings;
    tx_settings  <= settings;
    if (tcp_q.own) begin
      tcp_settings.retries <= tcp_q.retries;
      if (!tcp_q.keepalive) tcp_settings.keepalive <= '0;
      else if (settings.keepalive == 0) tcp_settings.keepalive <= TWO_HOURS;
    end
    if (tx_q.own) tx_settings.dscp <= tx_q.dscp;
  end
endmodule
