// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// High bit error ratio (IEEE 802.3 clause 49.2.13.3, figure 49-13 of the 2008 edition): 16 bad sync headers within a
// window of 125 us set `hi_ber`; it stays until a window has ended with fewer, or block lock is lost.
// Latency: hi_ber rises 3 cycles after the 16th bad header was given; it falls 3 cycles after the end of a window, and 2
// cycles after `lock` or `test_mode` says so.
//
// The windows follow each other without a gap; the first one begins with block lock.  A window is WINDOW_CYCLES long,
// rounded down to a multiple of 16: the standard allows -25 % to +1 %.
module macpcs_rx_ber #(
    parameter int WIDTH = 32,  // of a transceiver word
    parameter int WINDOW_CYCLES = 1289062 / WIDTH  // of clk in 125 us: that is 1289062.5 bits of the line
) (
    input logic clk,
    input logic rst,

    input logic lock,
    input logic stat_bad_header,  // one cycle for each bad header while locked
    input logic test_mode,        // a test pattern is received: r_test_mode

    output logic hi_ber,
    output logic window_end  // a pulse for each
);
  if (!(WIDTH inside {16, 32})) begin : gen_bad_width
    $error("macpcs_rx_ber: WIDTH must be 16 or 32");
  end
  if (WINDOW_CYCLES < 32 || WINDOW_CYCLES >= 2 ** 20) begin : gen_bad_window
    $error("macpcs_rx_ber: 32 <= WINDOW_CYCLES < 2**20 must hold");
  end

  // A cycle later, so that what clears the counters comes from one register.
  logic off, bad_header;
  always_ff @(posedge clk) begin
    off        <= rst | ~lock | test_mode;
    bad_header <= stat_bad_header;
  end

  // --- The window: sixteenths are counted, so that the long counter has 16 cycles' notice of its last count
  localparam logic [15:0] TICKS = 16'(WINDOW_CYCLES / 16);
  logic [ 3:0] prescaler_q;
  logic [15:0] ticks_q;  // that are left, this one included
  logic tick_q, last_tick_q, end_q;
  always_ff @(posedge clk) begin
    prescaler_q <= prescaler_q + 4'd1;
    tick_q      <= prescaler_q == 4'd14;  // in the last cycle of 16
    last_tick_q <= ticks_q == 16'd1;
    end_q       <= (prescaler_q == 4'd14) & last_tick_q;
    if (tick_q) ticks_q <= end_q ? TICKS : ticks_q - 16'd1;
    if (off) begin
      prescaler_q <= '0;
      ticks_q     <= TICKS;
      tick_q      <= 1'b0;
      last_tick_q <= 1'b0;
      end_q       <= 1'b0;
    end
  end

  // --- Bad headers in it.  One that comes in its last cycle belongs to it.
  logic [4:0] bad_q;  // stays at 16
  always_ff @(posedge clk) begin
    window_end <= end_q;
    if (window_end) bad_q <= {4'd0, bad_header};
    else if (bad_header && !bad_q[4]) bad_q <= bad_q + 5'd1;
    if (bad_q[4]) hi_ber <= 1'b1;
    else if (window_end) hi_ber <= 1'b0;
    if (off) begin
      bad_q      <= '0;
      window_end <= 1'b0;
      hi_ber     <= 1'b0;
    end
  end
endmodule
