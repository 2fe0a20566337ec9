// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Sees a start block, with 32-bit words, in the cycle in which the last bit of its type byte arrives.
// Latency: none.
//
// The byte lies after the header: bits end_bit_next+1 .. end_bit_next+8.  It ends in the same cycle as the header if
// end_bit_next < 24, else in the next one, the first of its block.  Its end, end_bit_next+8 modulo 32, is end_bit_next with
// the upper two bits turned by one: the same selectors serve both cases, with the inputs of the first stage turned.
module macpcs_rx_early
  import macpcs_pkg::*;
(
    input logic clk,

    input logic  [31:0] pma_data,
    input slot_t        slot,
    input logic         first_next,   // the next cycle is the first slot of a block
    // verilator lint_off UNUSEDSIGNAL
    input logic  [32:0] aligned,      // from macpcs_rx_align
    // verilator lint_on UNUSEDSIGNAL
    input logic  [ 4:0] end_bit_next,

    output logic start
);
  logic [31:23] pma_q;
  logic [ 40:0] window;
  logic [ 16:0] coarse;
  logic [  9:0] found;
  assign window = {pma_data, pma_q};
  mux4 #(
      .WIDTH(17),
      .NAMED(1'b1)
  ) u_coarse (
      .d0 (window[24:8]),
      .d1 (window[32:16]),
      .d2 (window[40:24]),
      .d3 (window[16:0]),
      .sel(end_bit_next[4:3]),
      .y  (coarse)
  );
  radix4_select #(
      .WIDTH    (10),
      .POSITIONS(8),
      .NAMED    (1'b1)
  ) u_fine (
      .window(coarse),
      .sel   (end_bit_next[2:0]),
      .y     (found)
  );

  // Scrambler terms of the byte.  They hang on the first half of the block before it and on one bit of the second, so they
  // are there even when the byte ends in the same transceiver word as that second half.
  logic [7:0] terms_q;
  logic       first_13_q;
  always_ff @(posedge clk) begin
    pma_q <= pma_data[31:23];
    if (!slot.stall) begin
      first_13_q <= aligned[13];
      if (slot.pos == 0) terms_q <= {aligned[32], aligned[31:25]} ^ aligned[13:6];
      else terms_q[7] <= aligned[0] ^ first_13_q;
    end
  end

  logic [7:0] type_byte;
  logic here;  // the byte is complete
  assign type_byte = found[9:2] ^ terms_q;
  assign here = end_bit_next[4:3] == 2'd3 ? ~slot.stall & (slot.pos == 0) : first_next;
  assign start     = here & (found[1:0] == HEADER_CONTROL)
                     & (type_byte inside {TYPE_START0, TYPE_START4, TYPE_ORDERED_START4});
endmodule
