// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Sees a start block, with 32-bit words, in the cycle in which the last bit of its type byte arrives: `start`; and what
// is likely to be one in the cycle in which the first four bits of that byte have arrived: `likely`, in the same cycle or
// the one before.
// Latency: none.
//
// Types differ from each other in their first four bits, so on a line without errors each `likely` is a start.
//
// The byte lies after the header: bits end_bit_next+1 .. end_bit_next+8.  It ends in the same cycle as the header if
// end_bit_next < 24, else in the next one, the first of its block.  Its end, end_bit_next+8 modulo 32, is end_bit_next with
// the upper two bits turned by one: the same selectors serve both cases, with the inputs of the first stage turned.
// With end_bit_next 24 to 27 the first four bits of the byte come a cycle before the last one, and have a selector of
// their own.
module macpcs_rx_early
  import macpcs_pkg::*;
(
    input logic clk,

    input logic  [31:0] pma_data,
    input slot_t        slot,
    input logic         first_next,   // the next cycle is the first slot of a block
    input logic  [32:0] aligned,      // from macpcs_rx_align
    input logic  [ 4:0] end_bit_next,

    output logic likely,
    output logic start
);
  logic [31:23] pma_q;
  logic [ 40:0] window;
  logic [ 16:0] coarse;
  logic [ 10:0] fine;
  logic [  9:0] found;  // header and type byte
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
  mux4 #(
      .WIDTH(11),
      .NAMED(1'b1)
  ) u_fine (
      .d0 (coarse[10:0]),
      .d1 (coarse[12:2]),
      .d2 (coarse[14:4]),
      .d3 (coarse[16:6]),
      .sel(end_bit_next[2:1]),
      .y  (fine)
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

  function automatic logic begins_start(input logic [3:0] nibble);
    return nibble inside {TYPE_START0[3:0], TYPE_START4[3:0], TYPE_ORDERED_START4[3:0]};
  endfunction

  logic [5:0] ahead;  // header and first half of the byte, where the other half comes with the next word
  logic likely_ahead;
  mux4 #(
      .WIDTH(6),
      .NAMED(1'b1)
  ) u_ahead (
      .d0 (pma_data[28:23]),
      .d1 (pma_data[29:24]),
      .d2 (pma_data[30:25]),
      .d3 (pma_data[31:26]),
      .sel(end_bit_next[1:0]),
      .y  (ahead)
  );
  assign likely_ahead = first_next & (end_bit_next[4:2] == 3'd6) & (ahead[1:0] == HEADER_CONTROL) & begins_start(
      ahead[5:2] ^ terms_q[3:0]
  );

  xor_mux2 #(
      .WIDTH(10)
  ) u_last (
      .a0 (fine[9:0]),
      .b0 ({terms_q, 2'b00}),
      .a1 (fine[10:1]),
      .b1 ({terms_q, 2'b00}),
      .sel(end_bit_next[0]),
      .y  (found)
  );

  logic [7:0] type_byte;
  logic is_control;
  logic here, half_here;  // the byte is complete; its first half, and was not in the cycle before
  assign type_byte  = found[9:2];
  assign is_control = found[1:0] == HEADER_CONTROL;
  assign here       = end_bit_next[4:3] == 2'd3 ? ~slot.stall & (slot.pos == 0) : first_next;
  assign half_here  = here & (end_bit_next[4:2] != 3'd6);
  assign likely     = likely_ahead | (half_here & is_control & begins_start(type_byte[3:0]));
  assign start      = here & is_control & (type_byte inside {TYPE_START0, TYPE_START4, TYPE_ORDERED_START4});
endmodule
