// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Block lock on something that is no link partner.  A line with inverted polarity, or a constant one that alternates bit by
// bit (a transceiver without signal), has right sync headers, so clause 49 keeps its lock, and nearly every block is
// invalid.  `expired` rises when a window of 125 us (that of macpcs_rx_ber) has held none of these signs of a partner:
//   - a block of idles or of a link fault's ordered sets: type 1e, 2d, 4b or 55, and zeros in its second half but for the
//     lowest two bits of its last byte.  Blocks of an inverted line do not look so: that takes 36 given bits of a frame
//   - a frame without rx_err_code and with a right FCS, for a line that is full of frames
// It falls with the next sign.  A partner that is there gives one at least once in a longest frame of 65535 bytes, 53 us.
// Latency: 4 cycles from the slot that completes a block, 1 from window_end and from frame_right.
module macpcs_rx_watchdog
  import macpcs_pkg::*;
#(
    parameter int WIDTH = 32  // of a payload word
) (
    input logic clk,
    input logic off,  // in reset, without lock, with a high bit error ratio, or in a test mode

    input slot_t             slot,         // payload word that completes in this cycle
    input logic              is_control,   // header of its block
    input logic  [WIDTH-1:0] word_q,       // payload word of the cycle before
    input logic              frame_right,  // one has ended
    input logic              window_end,

    output logic expired
);
  localparam logic [1:0] HALF_POS = 2'(32 / WIDTH);  // the first slot of the second half
  localparam logic [1:0] LAST_POS = 2'(64 / WIDTH - 1);

  slot_t slot_q, slot_2q;  // goes with word_q; with what is found in it
  logic control_q, type_q, zero_q, last_q;
  logic type_right_q, zeros_q, sign_q, seen_q;
  always_ff @(posedge clk) begin
    slot_q    <= slot;
    control_q <= is_control;
    slot_2q   <= slot_q;
    // Of a word, if it is the first, in the second half, the last
    type_q    <= control_q & (word_q[7:0] inside {TYPE_IDLE, TYPE_ORDERED0, TYPE_ORDERED4, TYPE_ORDERED04});
    zero_q    <= word_q == '0;
    last_q    <= {word_q[WIDTH-1:WIDTH-6], word_q[WIDTH-9:0]} == '0;
    if (!slot_2q.stall) begin
      if (slot_2q.pos == 0) {type_right_q, zeros_q} <= {type_q, 1'b1};
      else if (slot_2q.pos >= HALF_POS) zeros_q <= zeros_q & zero_q;
    end
    sign_q <= ~off & ~slot_2q.stall & (slot_2q.pos == LAST_POS) & type_right_q & zeros_q & last_q;

    // One that comes in the window's last cycle counts for the next.
    seen_q <= sign_q | frame_right | (seen_q & ~window_end);
    if (sign_q || frame_right) expired <= 1'b0;
    else if (window_end) expired <= ~seen_q;
    if (off) begin
      seen_q  <= 1'b0;
      expired <= 1'b0;
    end
  end
endmodule
