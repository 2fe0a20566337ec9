// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What the scoreboard says of a session (RFC 6675, 4): bytes that have been SACKed, whether its first gap is lost, and the next
// piece that is sent again.
// Latency: from `at` 0, when all inputs stay: sacked and lost are there with `at` 4, the piece with `at` 10.
//
// A gap is lost when three intervals are after it, or more than two segments of bytes in them (IsLost, DupThresh 3); so is one at
// SND.UNA in fast recovery, whatever is known: three duplicate ACKs or a partial one have said so (RFC 6675, 5, step 4.3;
// RFC 6582, 3.2).  The pipe is SND.NXT - SND.UNA, less what has been SACKed and the bytes of lost gaps that have not been
// sent again, those from rtx on.  In fast recovery a piece of a lost gap goes if there is a segment's room between the pipe
// and cwnd, and the first at SND.UNA at once; so each gap goes once (HighRxt is rtx).  After a timeout everything
// goes that has not been SACKed since, as far as the windows allow.
module toe_sack_piece
  import toe_tcp_pkg::*;
#(
    parameter bit TX_CONGESTION_CONTROL_EN = 1'b1,
    localparam int INTERVALS = 4
) (
    input logic clk,

    input logic [3:0] at,  // counts cycles

    input logic    [INTERVALS-1:0] on,
    input window_t [INTERVALS-1:0] start,
    input window_t [INTERVALS-1:0] stop,
    input window_t                 flight,  // SND.NXT - SND.UNA, with a FIN
    input window_t                 offset,  // rtx - SND.UNA
    input window_t                 wnd,
    input window_t                 cwnd,
    input logic                    fin,
    input logic                    fast,
    input logic    [         15:0] mss,

    output window_t        sacked,
    output logic           lost,    // the first gap
    output window_t        place,   // of the piece, from SND.UNA on: rtx, or after what has been SACKed there
    output logic    [15:0] length,  // 0: there is none now
    output logic           at_end   // nothing is left but FIN
);
  localparam int LAST = INTERVALS - 1;
  // --- Cycle 0: lengths; what rtx lies in
  window_t [INTERVALS-1:0] bytes;
  window_t skip, sent, window;
  always_comb begin
    skip = offset;
    for (int i = 0; i < INTERVALS; i++) if (on[i] && start[i] <= offset && offset < stop[i]) skip = stop[i];
  end
  // --- Cycles 1 and 2: sums from the last on; which gaps are in front of rtx
  window_t low_two, high_two;
  window_t [INTERVALS-1:0] above;
  logic [INTERVALS-1:0] ahead, losts;
  window_t [INTERVALS-1:0] open;  // bytes of each gap from the piece's place on
  // --- Cycles 3 to 8
  window_t room, low_open, high_open, pending, pipe, least_left;
  logic any_ahead, lost_here, roomy, first;
  logic [18:0] data_left, window_left, filled;
  always_ff @(posedge clk) begin
    for (int i = 0; i < INTERVALS; i++) bytes[i] <= on[i] ? stop[i] - start[i] : '0;
    if (at == 4'd0) place <= skip;
    sent     <= flight - 18'(fin && flight != 0);
    window   <= TX_CONGESTION_CONTROL_EN && !fast ? least(wnd, cwnd) : wnd;

    low_two  <= bytes[0] + bytes[1];
    high_two <= bytes[2] + bytes[3];
    for (int i = 0; i < INTERVALS; i++) begin
      ahead[i] <= on[i] & (start[i] > place);
      open[i]  <= !on[i] || start[i] <= place ? '0 : i != 0 && stop[i==0?0 : i-1] > place ?
                  start[i] - stop[i==0?0 : i-1] : start[i] - place;
    end

    above[0] <= low_two + high_two;
    above[1] <= bytes[1] + high_two;
    above[2] <= high_two;
    above[3] <= bytes[3];
    for (int i = 0; i < INTERVALS; i++) begin
      losts[i] <= on[i] & (above[i] > {1'b0, mss, 1'b0} | (i + 2 <= LAST && on[i+2<=LAST?i+2 : LAST]));
    end
    any_ahead <= ahead != 0;
    room      <= '1;
    lost_here <= 1'b0;
    for (int i = LAST; i >= 0; i--) begin
      if (ahead[i]) begin
        room      <= start[i] - place;
        lost_here <= losts[i];
      end
    end

    low_open    <= (losts[0] ? open[0] : '0) + (losts[1] ? open[1] : '0);
    high_open   <= (losts[2] ? open[2] : '0) + (losts[3] ? open[3] : '0);
    pending     <= low_open + high_open;
    pipe        <= flight - above[0] - pending;
    filled      <= {1'b0, pipe} + 19'(mss);
    roomy       <= !TX_CONGESTION_CONTROL_EN || filled <= {1'b0, cwnd};

    data_left   <= {1'b0, sent} - {1'b0, place};
    window_left <= {1'b0, window} - {1'b0, place};
    least_left  <= window_left[18] || data_left[18] ? '0 : least(room, least(window_left[17:0], data_left[17:0]));
    first       <= place == 0;
    if (fast && !(first || (any_ahead && lost_here && roomy))) length <= '0;
    else length <= least_left < 18'(mss) ? least_left[15:0] : mss;
    at_end <= fast ? first && sent == 0 : data_left[18] || data_left == 0;
  end
  assign sacked = above[0];
  assign lost   = losts[0];
endmodule
