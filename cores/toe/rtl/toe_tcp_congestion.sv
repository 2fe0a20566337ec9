// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Congestion window: slow start and avoidance (RFC 5681), fast recovery (RFC 6582), limited transmit (RFC 3042).
// Latency: cwnd, ssthresh, counted and usable are right 3 cycles behind the decision, if the others are there 2 cycles before it.
//
// Congestion avoidance counts acknowledged bytes (RFC 5681, 3.1, second way): a segment more for each window of them.
// FlightSize is never more than cwnd here: so it does not count what limited transmit has sent.
module toe_tcp_congestion
  import toe_pkg::*;
  import toe_tcp_pkg::*;
#(
    parameter int RING_BYTES = 8192
) (
    input logic clk,

    // verilator lint_off UNUSEDSIGNAL
    input context_t         c,
    input decision_t        d,
    // verilator lint_on UNUSEDSIGNAL
    input logic      [15:0] mss,
    input window_t          flight,
    input window_t          left,    // of it behind SEG.ACK
    input window_t          bytes,   // that SEG.ACK acknowledges
    input logic             full,    // SEG.ACK >= recover
    input logic             enter,   // the third duplicate ACK

    output window_t cwnd,
    output window_t ssthresh,
    output window_t counted,
    output window_t usable  // cwnd, and more for limited transmit
);
  localparam window_t MOST = 18'(2 * RING_BYTES);

  // What may be needed
  window_t mss_1, mss_2, half, few, less, rest, first, count, over;
  logic slow, round;
  // verilator lint_off UNUSEDSIGNAL
  window_t in_flight;  // half of it is wanted
  // verilator lint_on UNUSEDSIGNAL
  assign mss_1 = 18'(mss);
  assign mss_2 = {mss_1[16:0], 1'b0};
  always_ff @(posedge clk) begin
    in_flight <= least(flight, c.cwnd);
    half      <= in_flight[17:1] < mss_2[16:0] ? mss_2 : {1'b0, in_flight[17:1]};
    few       <= least(bytes, mss_1);
    less      <= c.cwnd > bytes ? c.cwnd - bytes : '0;
    rest      <= (left < mss_1 ? mss_1 : left) + mss_1;
    count     <= c.counted + bytes;
    over      <= count - c.cwnd;
    round     <= count >= c.cwnd;
    slow      <= c.cwnd < c.ssthresh;
    // The initial window, RFC 5681, 3.1; one segment if the SYN was lost
    first     <= c.retries != 0 ? '0 : mss > 16'd2190 ? mss_1 : mss > 16'd1095 ? mss_2 : mss_2 + mss_1;
  end

  // What is added to what
  window_t base, more, sum, count_new, half_new;
  logic kept;
  always_ff @(posedge clk) begin
    base      <= c.cwnd;
    more      <= '0;
    count_new <= c.counted;
    half_new  <= c.ssthresh;
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
      more <= mss_2 + mss_1;
      count_new <= '0;
      half_new <= half;
    end else if (d.dup && c.fast) begin
      more <= mss_1;
    end else if (d.acked && c.fast) begin
      base <= full ? least(c.ssthresh, rest) : less;
      more <= !full && bytes >= mss_1 ? mss_1 : '0;
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
    end

    sum      <= base + more;
    counted  <= count_new;
    ssthresh <= half_new;
    usable   <= sum > MOST ? MOST : sum < mss_1 ? mss_1 : sum;
  end
  assign cwnd = kept ? c.cwnd : usable;
endmodule
