// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Which frame is next: the user's, unless three of them have gone in front of another that waits; the others in turn.
// So each waits for three frames of the user's and one of each other source at most, in front of each of theirs: 12 in
// all.
// Latency: 1 cycle; nothing that waits: the packet that the user is giving begins without one.
module toe_tx_choose
  import toe_tx_pkg::*;
(
    input logic clk,
    input logic rst,

    input logic may,            // the frame that is under way has its last word on m_axis, or there is none
    input logic served,         // source has begun, or was nothing; of no interest with LIVE
    input logic user_begun,     // a frame of the user's has begun: of the live packet or of the queue
    input logic queue_waits,
    input logic request_waits,
    input logic ack_waits,
    input logic raw_waits,

    output source_e source,
    output logic    live_may    // the live packet may begin
);
  localparam logic [1:0] IN_FRONT = 2'd3;
  logic [1:0] passed_q, turn_q, turn;  // turn: 0 request, 1 ACK, 2 raw
  logic other, enough_q;
  logic [2:0] waits;
  assign waits = {raw_waits, ack_waits, request_waits};
  assign other = waits != 0;
  always_comb begin
    turn = turn_q;
    case (turn_q)
      2'd0: turn = waits[1] ? 2'd1 : waits[2] ? 2'd2 : 2'd0;
      2'd1: turn = waits[2] ? 2'd2 : waits[0] ? 2'd0 : 2'd1;
      default: turn = waits[0] ? 2'd0 : waits[1] ? 2'd1 : 2'd2;
    endcase
  end
  assign live_may = (source == LIVE) & ~enough_q;

  always_ff @(posedge clk) begin
    if (!other) passed_q <= '0;
    else if (served && source != QUEUE) passed_q <= '0;
    else if (user_begun && passed_q != IN_FRONT) passed_q <= passed_q + 1'b1;
    enough_q <= other & (passed_q == IN_FRONT);
    if (source != LIVE) begin
      if (served) source <= LIVE;
    end else if (may) begin
      if (queue_waits && !(other && passed_q == IN_FRONT)) source <= QUEUE;
      else if (other) begin
        source <= turn == 0 ? REQUEST : turn == 1 ? ACKS : RAW;
        turn_q <= turn;
      end
    end
    if (rst) begin
      source   <= LIVE;
      turn_q   <= '0;
      passed_q <= '0;
      enough_q <= 1'b0;
    end
  end
endmodule
