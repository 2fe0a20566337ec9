// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A trigger that found the port taken waits here until its order can go, after software's frame that is under way.
// All in tx_user_clk.  Latency: none from the cycle in which ate is ready to `go`; then order_send raises tx_sof_net, and
// ate begins the order before any other frame of software's.
//
//   late      a trigger is to wait; `waiting` from the edge that takes it on
//   go        pulse: send it now
//   gave_up   pulse: what it waits for is no frame, or takes too long: the window is closed, the mirror has no room, the
//             connection is not enabled, or the MAC does not send
//   withdrawn pulse: it was disarmed
//
// ate is ready when it shows a window for the order.  It does so in the last cycle of a frame's settling, before it looks
// for software's next one, so an order that begins to be shown then is the next to leave.  An order that comes when the
// window shows already (settling, or software's frame is only about to begin) goes when ate could begin it at once, in two
// cycles in turn.  tx_credit is looked at beside window_available, which may be that of software's length for a cycle.
//
// A chunk of software's that arrives in the very cycle in which the window opens without a frame before it (software has
// moved MAX_SEQ, or the mirror has room again), or in the last of those two cycles, still goes first, and what it takes of
// the same connection's window the order does not know of.  ate's strict mode refuses such an order.
module order_wait #(
    parameter int QUIET = 16,   // cycles without a frame after which there is none to wait for: more than ate pauses
    parameter int LIMIT = 1024  // cycles that an order waits at most; a power of two
) (
    input logic clk,
    input logic rst,

    input logic        late,
    input logic        armed,             // false: forget it
    input logic        window_available,
    input logic [31:0] tx_credit,
    input logic [15:0] length,            // bytes of the order
    input logic        tx_armed,
    input logic        tx_frame,          // a frame is on its way to the MAC

    output logic waiting,
    output logic go,
    output logic gave_up,
    output logic withdrawn
);
  localparam int QUIET_BITS = $clog2(QUIET + 1), LIMIT_BITS = $clog2(LIMIT);
  logic open, open_q, armed_q, over;
  logic [QUIET_BITS-1:0] quiet_q;
  logic [LIMIT_BITS-1:0] count_q;

  assign open      = window_available & ((tx_credit[31:16] != 0) | (tx_credit[15:0] >= length));
  assign over      = (quiet_q == QUIET_BITS'(QUIET)) | (&count_q);
  assign withdrawn = waiting & ~armed;
  assign go        = waiting & armed & open & (~open_q | (armed_q & tx_armed));
  assign gave_up   = waiting & armed & ~go & over;

  always_ff @(posedge clk) begin
    open_q  <= open;
    armed_q <= tx_armed;
    waiting <= late | (waiting & ~(go | gave_up | withdrawn));
    quiet_q <= !waiting || tx_frame ? '0 : quiet_q + 1'b1;
    count_q <= waiting ? count_q + 1'b1 : '0;
    if (rst) waiting <= 1'b0;
  end
endmodule
