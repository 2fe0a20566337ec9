// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Orders to toe: at first each session listens on its app's port; then those that an app or the peer wants to end are closed.
//
// A session that the peer has closed (EV_PEER_CLOSED) is closed when all that was received before has been given to the apps: as soon as
// nothing waits there, or as many segments have passed as can wait.
module app_orders
  import toe_pkg::*;
  import app_pkg::*;
#(
    parameter int SESSIONS = 64,  // a power of two, 4 or more
    parameter int PACKETS  = 64   // segments that wait for the apps at most
) (
    input logic clk,
    input logic rst,

    input  logic   event_valid,
    output logic   event_ready,
    input  event_e event_code,
    input  sid_t   event_sid,

    input logic rx_waiting,  // something is on offer to the apps
    input logic rx_last,     // a segment has passed

    input  logic close_valid,  // an app has said all that it will say
    output logic close_ready,
    input  sid_t close_sid,

    output logic   order_valid,
    input  logic   order_ready,
    output order_t order
);
  localparam int BITS = $clog2(SESSIONS);
  if (SESSIONS < 4 || SESSIONS != 1 << BITS) begin : gen_bad_sessions
    $error("app_orders: SESSIONS must be a power of two, 4 or more");
  end

  logic listening_q;  // all sessions have had the command
  logic [BITS-1:0] next_q;

  // Sessions that the peer has closed, in order
  logic closing_valid, closing_take;
  sid_t closing_sid;
  toe_fifo #(
      .WIDTH($bits(sid_t)),
      .DEPTH(SESSIONS)
  ) u_closing (
      .clk,
      .rst,
      .wr_valid(event_valid & (event_code == EV_PEER_CLOSED)),
      .wr_ready(event_ready),
      .wr_data (event_sid),
      .wr_room (),
      .rd_valid(closing_valid),
      .rd_ready(closing_take),
      .rd_data (closing_sid)
  );
  logic [$clog2(PACKETS+1)-1:0] passed_q;  // segments since the first of these sessions is the first
  logic drained_q;
  assign closing_take = drained_q & listening_q & order_ready & ~close_valid;

  assign close_ready  = listening_q & order_ready;
  assign order_valid  = ~listening_q | close_valid | (closing_valid & drained_q);
  always_comb begin
    order = '0;
    if (!listening_q) begin
      order.command          = DO_LISTEN;
      order.sid              = sid_t'(next_q);
      order.tuple.local_port = PORT[app_of(sid_t'(next_q), BITS)];
    end else begin
      order.command = DO_CLOSE;
      order.sid     = close_valid ? close_sid : closing_sid;
    end
  end

  always_ff @(posedge clk) begin
    if (!listening_q && order_ready) {listening_q, next_q} <= {next_q == '1, next_q + 1'b1};
    if (!closing_valid || closing_take) {drained_q, passed_q} <= '0;
    else begin
      if (rx_last) passed_q <= passed_q + 1'b1;
      drained_q <= drained_q | ~rx_waiting | (passed_q == ($bits(passed_q))'(PACKETS));
    end
    if (rst) {listening_q, next_q} <= '0;
  end
endmodule
