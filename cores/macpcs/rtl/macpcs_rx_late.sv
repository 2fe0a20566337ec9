// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The block after a frame.  The receive machine of IEEE 802.3 clause 49 (49.2.13.2.3, R_TYPE_NEXT) takes a terminate
// block for the end of a frame only if a start or a control block follows; otherwise the frame is bad.  A verdict that
// comes before the next block's type cannot know.  `stat_bad_after` counts the frames that such a verdict calls good.
// With LATE the verdict waits for that type, and says it as status.code.
//
// Latency: stat_bad_after 2 cycles after bad_after, with 16-bit words 3.  With LATE the verdict comes late_cycles (4, or 6 with
// 16-bit words) after the last beat; else it passes through.
//
//   cycle            0          1       2           3           4          (32-bit words; with 16 bits two more)
//   terminate block  type byte          type byte of the next block, or, after a stall, in cycle 3
//   last beat        here    or here
//   bad_after                                       here     or here
//   late verdict                                                here, or with the later beat one cycle after
//
// Assumes: bad_after as macpcs_rx_decode gives it, `valid` VERDICT (0 to 2) cycles after the last beat; with 16-bit words
// `counted` a cycle after it, from registers, else with it.
module macpcs_rx_late
  import macpcs_pkg::*;
#(
    parameter int WIDTH = 32,
    parameter int VERDICT = 1,
    parameter bit LATE = 1'b0
) (
    input logic clk,
    input logic rst,

    input logic      bad_after,      // the terminate block of the last frame that had one has no right block after it
    input logic      valid,
    input rx_error_t status,
    input logic      counted_valid,  // the same verdict, for stat_bad_after
    input rx_error_t counted_status,

    output logic      late_valid,
    output rx_error_t late_status,
    output logic      stat_bad_after
);
  localparam int STEPS_COUNTED = WIDTH == 16 ? 2 : 1;  // until good_q is of the frame that bad_after speaks of
  logic good_q;
  logic [STEPS_COUNTED-1:0] bad_after_q;
  always_ff @(posedge clk) begin
    if (counted_valid) good_q <= counted_status == '0;
    bad_after_q    <= STEPS_COUNTED'({bad_after_q, bad_after}) & {STEPS_COUNTED{~rst}};
    stat_bad_after <= bad_after_q[STEPS_COUNTED-1] & good_q & ~rst;
  end

  if (LATE) begin : gen_late
    localparam int STEPS = late_cycles(WIDTH) - VERDICT;
    logic [STEPS-1:0] valid_q;
    rx_error_t [STEPS-1:0] status_q;
    logic bad_q, bad;
    assign bad = bad_q | bad_after;
    always_ff @(posedge clk) begin
      valid_q  <= {valid_q[STEPS-2:0], valid};
      status_q <= {status_q[STEPS-2:0], status};
      bad_q    <= bad & ~late_valid;
      if (rst) begin
        valid_q <= '0;
        bad_q   <= 1'b0;
      end
    end
    assign late_valid = valid_q[STEPS-1];
    always_comb begin
      late_status      = status_q[STEPS-1];
      late_status.code = late_status.code | bad;
      late_status.fcs  = late_status.fcs & ~bad;
    end
  end else begin : gen_early
    assign late_valid  = valid;
    assign late_status = status;
  end
endmodule
