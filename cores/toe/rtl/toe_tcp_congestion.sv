// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Congestion window: slow start and avoidance (RFC 5681), fast recovery (RFC 6582), limited transmit (RFC 3042).
// Latency: cwnd, ssthresh, counted and usable are right 3 cycles after the decision, if the others are there 2 cycles before it.
//
// Congestion avoidance counts acknowledged bytes (RFC 5681, 3.1, second way): a segment more for each window of them.
// With SACK cwnd stays what it is in fast recovery (RFC 6675, 5): what has been SACKed is added to it elsewhere.
// FlightSize is never more than cwnd here: so it does not count what limited transmit has sent.
module toe_tcp_congestion
  import toe_pkg::*;
  import toe_tcp_pkg::*;
#(
    parameter int RING_BYTES = 8192,
    parameter int MSS        = 1460   // mss at most
) (
    input logic clk,

    input context_t         c,
    input decision_t        d,
    input logic      [15:0] mss,
    input window_t          flight,
    input window_t          left,    // of it after SEG.ACK
    input window_t          bytes,   // that SEG.ACK acknowledges
    input logic             full,    // SEG.ACK >= recover
    input logic             enter,   // the third duplicate ACK, or a loss that SACK shows
    input logic             sack,    // the peer reports what it has after gaps
    input logic             sacked,  // and has something there

    output window_t cwnd,
    output window_t ssthresh,
    output window_t counted,
    output window_t usable  // cwnd, and more for limited transmit
);
  // As many bits as the sums below need
  localparam int BITS = $clog2(2 * RING_BYTES + 4 * MSS);
  typedef logic [BITS-1:0] bytes_t;
  localparam bytes_t MOST = BITS'(2 * RING_BYTES);

  // What may be needed
  bytes_t mss_1, mss_2, half, few, less, rest, first, count, over, old, acked, behind;
  logic slow, round;
  bytes_t in_flight;  // half of it is wanted
  assign mss_1  = bytes_t'(mss);
  assign mss_2  = {mss_1[BITS-2:0], 1'b0};
  assign old    = bytes_t'(c.cwnd);
  assign acked  = bytes_t'(bytes);
  assign behind = bytes_t'(left);
  always_ff @(posedge clk) begin
    in_flight <= bytes_t'(least(flight, c.cwnd));
    half      <= in_flight[BITS-1:1] < mss_2[BITS-2:0] ? mss_2 : {1'b0, in_flight[BITS-1:1]};
    few       <= acked < mss_1 ? acked : mss_1;
    less      <= old > acked ? old - acked : '0;
    rest      <= (behind < mss_1 ? mss_1 : behind) + mss_1;
    count     <= bytes_t'(c.counted) + acked;
    over      <= count - old;
    round     <= count >= old;
    slow      <= c.cwnd < c.ssthresh;
    // The initial window, RFC 5681, 3.1; one segment if the SYN was lost
    first     <= c.retries != 0 ? '0 : mss > 16'd2190 ? mss_1 : mss > 16'd1095 ? mss_2 : mss_2 + mss_1;
  end

  // What is added to what
  bytes_t base, more, sum, count_new, half_new, new_cwnd;
  logic kept;
  always_ff @(posedge clk) begin
    base      <= old;
    more      <= '0;
    count_new <= bytes_t'(c.counted);
    half_new  <= bytes_t'(c.ssthresh);
    kept      <= 1'b0;
    if (d.establish) begin
      base <= mss_1;
      more <= first;
      count_new <= '0;
    end else if (d.expired && !d.probe) begin
      base <= mss_1;
      count_new <= '0;
      // Of a loss the first time; a lost SYN says nothing
      if (c.retries == 0 && c.state != SYN_SENT && c.state != SYN_RCVD) half_new <= half;
    end else if (enter) begin
      base <= half;
      more <= sack ? '0 : mss_2 + mss_1;
      count_new <= '0;
      half_new <= half;
    end else if (c.fast && sack && !(d.acked && full)) begin
      more <= '0;
    end else if (d.dup && c.fast) begin
      more <= mss_1;
    end else if (d.acked && c.fast) begin
      base <= !full ? less : bytes_t'(c.ssthresh) < rest ? bytes_t'(c.ssthresh) : rest;
      more <= !full && acked >= mss_1 ? mss_1 : '0;
    end else if (d.acked && slow) begin
      more <= few;
    end else if (d.acked) begin
      more <= round ? mss_1 : '0;
      count_new <= round ? over : count;
    end else if (!c.fast) begin
      kept <= 1'b1;
      case (d.dup ? c.dup + 2'd1 : c.dup)
        2'd1: more <= mss_1;
        2'd2: more <= mss_2;
        default: more <= '0;
      endcase
      if (sacked) more <= '0;
    end

    sum      <= base + more;
    counted  <= window_t'(count_new);
    ssthresh <= window_t'(half_new);
    new_cwnd <= sum > MOST ? MOST : sum < mss_1 ? mss_1 : sum;
  end
  assign usable = window_t'(new_cwnd);
  assign cwnd   = kept ? window_t'(old) : window_t'(new_cwnd);
endmodule
