// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of toe_tcp_resend: a piece is within the segment size, the windows, and what has been sent; it is as long as these
// allow; and none is left out but where nothing may go.
module tcp_piece
  import toe_tcp_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1  // there is none beside the claim
) (
    input logic           clk,
    input window_t        flight_in,
    input window_t        offset_in,
    input window_t        wnd_in,
    input window_t        cwnd_in,
    input logic           fin_in,
    input logic    [15:0] mss_in
);
  logic began_q = 1'b0;
  logic [2:0] age_q = 3'd0;
  window_t flight, offset, wnd, cwnd;
  logic fin;
  logic [15:0] mss;
  always_ff @(posedge clk) begin
    began_q <= 1'b1;
    if (age_q != 3'd6) age_q <= age_q + 3'd1;
    if (!began_q) begin
      age_q <= 3'd0;
      {flight, offset, wnd, cwnd, fin, mss} <= {flight_in, offset_in, wnd_in, cwnd_in, fin_in, mss_in};
    end
  end

  logic data, at_end;
  logic [15:0] length;
  toe_tcp_resend dut (
      .clk,
      .flight,
      .offset,
      .wnd,
      .cwnd,
      .fin,
      .mss,
      .data,
      .length,
      .at_end
  );

  logic [19:0] bytes, end_of, window;
  assign bytes  = flight == 0 ? 20'd0 : 20'(flight) - 20'(fin);
  assign end_of = 20'(offset) + 20'(length);
  assign window = wnd < cwnd ? 20'(wnd) : 20'(cwnd);
  always_comb begin
    // rtx lies within what has been sent
    if (age_q == 3'd6 && 20'(offset) <= bytes) begin
      assert (length <= mss);
      assert (length == 0 || (end_of <= window && end_of <= bytes));
      assert (length == mss || end_of == window || end_of == bytes || (length == 0 && 20'(offset) >= window));
      assert (at_end == (20'(offset) == bytes));
      assert (data == (bytes != 0));
    end
  end
endmodule
