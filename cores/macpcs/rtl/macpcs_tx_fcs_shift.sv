// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// CRC register of the 16-bit transmitter, which also shifts the FCS out.
// Latency: 1 step; `fcs` includes the word given in the step before.
//
// After the last word, `fcs` shows the next two bytes of the FCS; shift_one and shift_two say how many of them are used.
// Zeros follow the fourth byte.
// Assumes: at most one of init, feed_two, feed_one, shift_one and shift_two is set, and `invert` stands still from the first
// shift on.
module macpcs_tx_fcs_shift
  import crc32_pkg::*;
(
    input logic clk,

    input logic        step,
    input logic        init,       // a frame may begin
    input logic        feed_two,   // both bytes of data are of the frame
    input logic        feed_one,   // the lower one only, the frame's last
    input logic [15:0] data,       // unused bytes are zero
    input logic        shift_one,
    input logic        shift_two,
    input logic        invert,     // the FCS is the complement of the register (3.2.9); without it, it is wrong

    output logic [15:0] fcs
);
  logic [31:0] crc_q, rest;
  logic [15:0] sum, top, fill;
  assign fcs       = crc_q[15:0] ^ {16{invert}};

  // A last byte is moved up to the top, and what it does not use up of the register is added after the matrix.
  assign sum       = crc_q[15:0] ^ data;
  assign top[15:8] = ({8{feed_two}} & sum[15:8]) | ({8{feed_one}} & sum[7:0]);
  assign top[7:0]  = {8{feed_two}} & sum[7:0];
  // The bytes that nothing is fed for come from above: zeros of the FCS while it is shifted out.
  assign fill      = {16{invert & ~feed_two & ~feed_one}};
  assign rest      = (feed_one | shift_one) ? {fill[7:0], crc_q[31:8]} : {fill, crc_q[31:16]};
  always_ff @(posedge clk) begin
    if (step && (feed_two || feed_one || shift_one || shift_two)) crc_q <= crc32_halfword(top) ^ rest;
    if (init) crc_q <= CRC32_INIT;
  end
endmodule
