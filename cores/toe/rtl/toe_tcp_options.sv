// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What a peer offers: its window, scaled unless it is a SYN's (RFC 7323, 2.2), and its MSS (RFC 9293, 3.7.1), both within what we use.
// Timestamps take 12 bytes of each segment's MSS (RFC 6691).
// The MSS is that of the connection's first SYN.  A SYN in SYN-RECEIVED is that SYN again, or the SYN-ACK of a simultaneous open:
// its options are not read.
// Latency: 2 cycles.
module toe_tcp_options
  import toe_pkg::*;
  import toe_tcp_pkg::*;
#(
    parameter int RING_BYTES = 8192,
    parameter int MSS = 1460
) (
    input logic clk,

    input logic        syn,      // the segment is a SYN in a handshake: its window is not scaled
    input logic        opens,    // and the first: its MSS counts
    input logic [15:0] window,   // of the segment
    input logic [ 3:0] scale,    // of the session
    input logic        mss_on,
    input logic [15:0] mss_in,
    input logic [15:0] mss_now,  // of the session
    input logic        stamps,   // agreed on with this SYN

    output window_t        wnd,
    output logic           some,    // wnd is not 0,
    output logic           enough,  // and a beat of the user's fits
    output logic    [15:0] mss
);
  logic [29:0] scaled;
  logic [15:0] offered, used;
  assign used = offered > 16'(MSS) ? 16'(MSS) : offered < 16'(MSS_LEAST) ? 16'(MSS_LEAST) : offered;
  localparam int BITS = $clog2(MSS + 1);  // synthesis does not see that the others are 0
  always_ff @(posedge clk) begin
    scaled  <= 30'(window) << (syn ? 4'd0 : scale);
    wnd     <= scaled >= 30'(RING_BYTES) ? 18'(RING_BYTES) : scaled[17:0];
    some    <= scaled != 0;
    enough  <= scaled >= 30'(MAX_BEAT_BYTES);
    offered <= mss_on ? mss_in : 16'(MSS_DEFAULT);
    mss     <= 16'(BITS'(!opens ? mss_now : used - (stamps ? 16'd12 : 16'd0)));
  end
endmodule
