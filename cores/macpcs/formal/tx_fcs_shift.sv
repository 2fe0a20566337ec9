// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of macpcs_tx_fcs_shift, against the serial CRC register of 802.3 clause 3.2.9, one bit at a time: after `init`
// and any words of a frame, of two bytes or one (feed_two, feed_one), with any pauses, `fcs` shows the first two bytes
// of the FCS (its complement, low byte first, with `invert`; else the register itself, a wrong FCS); after k of its
// bytes have been shifted out it shows the next two, and zeros follow the fourth.
//
// SAT solvers cannot compare long sums modulo 2 in one go.  So the register after a word is written with the formulas
// of crc32_pkg, and that these are 16 and 8 serial shifts is proved byte by byte, as crc32_words.sv does for 32, which
// proves that any number of shifts of a sum is the sum of the shifts ("linear").
//
// Assumed, as the module does: at most one of init, feed_two, feed_one, shift_one and shift_two; `invert` stands still
// from the first shift to the next init, and nothing is fed then.
module tx_fcs_shift
  import crc32_pkg::crc32_halfword;
#(
    parameter bit INVARIANTS = 1'b1
) (
    input logic        clk,
    // Free in every cycle
    input logic        step,
    input logic        init,
    input logic        feed_two,
    input logic        feed_one,
    input logic [15:0] data,
    input logic        shift_one,
    input logic        shift_two,
    input logic        invert,
    input logic [31:0] x           // any register, data already XORed
);
  logic [15:0] fcs;
  macpcs_tx_fcs_shift dut (
      .clk,
      .step,
      .init,
      .feed_two,
      .feed_one,
      .data,
      .shift_one,
      .shift_two,
      .invert,
      .fcs
  );

  // --- Reference
  logic began_q = 1'b0;  // there was an init
  logic [31:0] crc_q, crc, field;  // after all bytes
  logic [2:0] shifted_q;  // bytes of the field, up to 4
  logic invert_q;
  assign crc = feed_one ? {8'h0, crc_q[31:8]} ^ crc32_halfword(
      {crc_q[7:0] ^ data[7:0], 8'h00}
  ) : {16'h0, crc_q[31:16]} ^ crc32_halfword(
      crc_q[15:0] ^ data
  );
  assign field = crc_q ^ {32{invert}};
  always_ff @(posedge clk) begin
    invert_q <= invert;
    if (step && (feed_two || feed_one)) crc_q <= crc;
    if (step && shift_one && shifted_q < 4) shifted_q <= shifted_q + 3'd1;
    if (step && shift_two) shifted_q <= shifted_q < 2 ? shifted_q + 3'd2 : 3'd4;
    if (init) begin
      began_q   <= 1'b1;
      crc_q     <= '1;
      shifted_q <= '0;
    end
  end
  always_comb begin
    assume (3'(init) + 3'(feed_two) + 3'(feed_one) + 3'(shift_one) + 3'(shift_two) <= 1);
    if (began_q && shifted_q != 0) assume (!feed_two && !feed_one && invert == invert_q);
  end

  // --- The claim
  always_comb if (began_q) assert (fcs == 16'(field >> (8 * shifted_q)));

  // --- The formulas
  function automatic logic [31:0] serial(logic [31:0] register, int bits);
    for (int i = 0; i < bits; i++) register = (register >> 1) ^ (register[0] ? 32'hedb88320 : 32'h0);
    return register;
  endfunction
  always_comb begin
    assert (serial({x[31:16], 16'h0}, 16) == {16'h0, x[31:16]});  // the upper half only moves down
    assert (serial({16'h0, x[15:8], 8'h0}, 16) == crc32_halfword({x[15:8], 8'h0}));
    assert (serial({24'h0, x[7:0]}, 16) == crc32_halfword({8'h0, x[7:0]}));
    assert (crc32_halfword(x[15:0]) == (crc32_halfword({x[15:8], 8'h0}) ^ crc32_halfword({8'h0, x[7:0]})));
    assert (serial({x[31:8], 8'h0}, 8) == {8'h0, x[31:8]});
    assert (serial({24'h0, x[7:0]}, 8) == crc32_halfword({x[7:0], 8'h0}));
  end

  // --- Invariant that makes it inductive
  always_comb
    if (INVARIANTS && began_q) begin
      assert ((dut.crc_q ^ {32{invert}}) == field >> (8 * shifted_q));
      assert (shifted_q <= 4);
    end
endmodule
