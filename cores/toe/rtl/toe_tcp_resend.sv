// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The next piece that is sent again: from rtx on, a segment at most, not beyond the windows nor what has been sent.
// Latency: 4 cycles from flight and offset.
module toe_tcp_resend
  import toe_tcp_pkg::*;
#(
    parameter bit TX_CONGESTION_CONTROL_EN = 1'b1
) (
    input logic clk,

    input window_t        flight,  // SND.NXT - SND.UNA, with a FIN
    input window_t        offset,  // rtx - SND.UNA
    input window_t        wnd,
    input window_t        cwnd,
    input logic           fin,     // sent: the last of flight, unless that is acknowledged
    input logic    [15:0] mss,

    output logic        data,    // bytes of flight that are not FIN
    output logic [15:0] length,  // of the piece; 0: there is none now
    output logic        at_end   // nothing is left but FIN
);
  window_t window, sent, least_left;
  logic [18:0] window_left, data_left;
  always_ff @(posedge clk) begin
    window      <= TX_CONGESTION_CONTROL_EN ? least(wnd, cwnd) : wnd;
    sent        <= flight - 18'(fin && flight != 0);
    window_left <= {1'b0, window} - {1'b0, offset};
    data_left   <= {1'b0, sent} - {1'b0, offset};
    data        <= sent != 0;
    // A window that has shrunk to before rtx leaves nothing
    least_left  <= window_left[18] ? '0 : least(window_left[17:0], data_left[17:0]);
    length      <= least_left < 18'(mss) ? least_left[15:0] : mss;
    at_end      <= data_left == 0;
  end
endmodule
