// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Takes the FCS, the last four bytes, off a received frame; the frame's own last word is then marked `last`.
// Latency: 2 words (two beats of look-ahead; out of a frame's last beat come up to two words, in two cycles).
//
// in_last with k bytes      word on the way out now   the cycle after
//   k = 0                   older, last               -
//   k = 1..3                older                     newer, its first k bytes, last
//   k = 4                   older                     newer, last
//
// A frame of 4 bytes or fewer, or one cut short so early, gives a beat with last and keep = 0.
// Assumes: no beat comes in the cycle after `last`, and `status` is that of the frame when in.last.
module macpcs_rx_fcs_strip
  import macpcs_pkg::*;
(
    input logic clk,
    input logic rst,

    input beat_t     in,
    input rx_error_t in_status,

    output beat_t     out,
    output logic      out_status_valid,
    output rx_error_t out_status
);
  logic [31:0] newer_q, older_q;
  logic      [1:0] held_q;  // words in newer_q and older_q
  logic      [3:0] tail_keep_q;  // not 0: newer_q is to be sent in this cycle, with so many bytes, last
  rx_error_t       status_q;

  logic tail, ends_now;
  assign tail = tail_keep_q != 0;
  // The last word leaves in the cycle of in.last: nothing of the frame comes after it.
  assign ends_now = in.valid & in.last & (in.keep == 0 || held_q == 0);

  always_comb begin
    out.data  = tail ? newer_q : older_q;
    out.valid = tail | ends_now | (in.valid & held_q == 2);
    out.last  = tail | ends_now;
    out.keep  = tail ? tail_keep_q : (ends_now && held_q != 2) ? 4'h0 : 4'hf;
  end
  assign out_status       = tail ? status_q : in_status;
  assign out_status_valid = tail | ends_now;

  always_ff @(posedge clk) begin
    tail_keep_q <= 4'h0;
    if (in.valid) begin
      if (in.last) begin
        held_q <= 2'd0;
        if (!ends_now) tail_keep_q <= in.keep;
        status_q <= in_status;
      end else begin
        older_q <= newer_q;
        newer_q <= in.data;
        if (held_q != 2) held_q <= held_q + 2'd1;
      end
    end
    if (rst) begin
      held_q      <= 2'd0;
      tail_keep_q <= 4'h0;
    end
  end
endmodule
