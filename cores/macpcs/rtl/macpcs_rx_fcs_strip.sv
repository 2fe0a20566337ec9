// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Takes the FCS, the last four bytes, off a received frame; the frame's own last word is then marked `last`.
// Latency: the words of an FCS and one more, which are held back; out of a frame's last beat come up to two words, in
// two cycles.  With W bytes a word, 4/W + 1 words are held:
//
//   in.last with k bytes      word on the way out now   the cycle after
//   k = 0                     oldest, last              -
//   k > 0                     oldest                    second oldest, its first k bytes, last
//
// A frame of 4 bytes or fewer, or one cut short so early, gives a beat with last and keep = 0.
// Assumes: no beat comes in the cycle after a `last` with k > 0, and `in_status` is that of the frame when in.last.
module macpcs_rx_fcs_strip
  import macpcs_pkg::*;
#(
    parameter int WIDTH = 32
) (
    input logic clk,
    input logic rst,

    input beat_t     in,
    input rx_error_t in_status,

    output beat_t     out,
    output logic      out_status_valid,
    output rx_error_t out_status
);
  localparam int BYTES = WIDTH / 8;
  localparam int DEPTH = 4 / BYTES + 1;
  localparam logic [3:0] FULL = 4'hf >> (4 - BYTES);

  logic      [DEPTH-1:0][WIDTH-1:0] words_q;  // the newest is words_q[0]
  logic      [      1:0]            held_q;  // how many of them there are
  logic      [      3:0]            tail_keep_q;  // not 0: the second oldest leaves in this cycle, so many bytes, last
  rx_error_t                        status_q;

  logic tail, ends_now;
  assign tail     = tail_keep_q != 0;
  // The last word leaves in the cycle of in.last: nothing of the frame comes after it.
  assign ends_now = in.valid & in.last & (in.keep == 0 || held_q < 2'(DEPTH - 1));

  always_comb begin
    out.data  = 32'(tail ? words_q[DEPTH-2] : words_q[DEPTH-1]);
    out.valid = tail | ends_now | (in.valid & held_q == 2'(DEPTH));
    out.last  = tail | ends_now;
    out.keep  = tail ? tail_keep_q : (ends_now && held_q != 2'(DEPTH)) ? 4'h0 : FULL;
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
        words_q <= {words_q[DEPTH-2:0], in.data[WIDTH-1:0]};
        if (held_q != 2'(DEPTH)) held_q <= held_q + 2'd1;
      end
    end
    if (rst) begin
      held_q      <= 2'd0;
      tail_keep_q <= 4'h0;
    end
  end
endmodule
