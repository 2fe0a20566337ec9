// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Block decoder (IEEE 802.3 figure 49-7, clause 49.2.13): payload words to user words.
// Latency: none: valid, last and keep come from registers, the type byte being looked at in word_q.
//
// Words of a terminate block with n bytes, W = WIDTH/8 bytes each (the type byte pushes the data up by one):
//
//   first slot     nothing
//   second slot    the first min(n, W) bytes; last if n <= W; n = 0 gives last with keep = 0
//   after it       the others, W in each cycle
//
// A start is given by `start_early` (32-bit words, see macpcs_rx_early; `sof` then follows it in the same cycle) or, with
// 16-bit words, found here; `sof` then comes in the third slot of the block, two cycles before the frame's first word.
// The frame that `sof` announces ends with exactly one `last`, whatever the line carries; only `rst` drops it.  A frame is cut short (last, keep = 0,
// code_error) by a bad header, a block that has no place in a frame, a new start (which then is a frame of its own), or
// loss of lock.  A wrong preamble or start delimiter (where it is checked), or a terminate type with a wrong bit in its lower half, sets
// code_error too.  The control characters beside /S/ and /T/ are not looked at.
//
// With ERROR_DELAYED a bad header does not cut the frame: its block counts as a data block, and sets code_error at the
// frame's end.  If it is the one that loses lock, its first four bytes are given before the frame is cut.
module macpcs_rx_decode
  import macpcs_pkg::*;
#(
    parameter int WIDTH = 32,
    parameter bit ERROR_DELAYED = 1'b0,
    parameter bit CHECK_PREAMBLE = 1'b0,
    parameter bit CHECK_SFD = 1'b1
) (
    input logic clk,
    input logic rst,

    input slot_t             slot,
    input logic              is_data,      // header of the present block
    input logic              is_control,
    input logic              lock,
    input logic              is_bad,       // the header is neither, and was seen; for ERROR_DELAYED
    input logic              start_early,  // the block that begins is a start
    input logic  [WIDTH-1:0] word_q,

    output logic               user_late,
    output logic               valid,
    output logic               last,
    output logic [WIDTH/8-1:0] keep,
    output logic               code_error,  // with last
    output logic               sof,

    output logic bad_after,  // neither a start nor another control block follows the terminate block of a frame
    output logic stat_bad_block
);
  localparam int BYTES = WIDTH / 8;
  localparam int HALF = 4 / BYTES;  // words in half a block
  localparam logic [1:0] HALF_END = 2'(HALF - 1);  // the last slot of the first half

  logic first, second;
  assign first = ~slot.stall & (slot.pos == 0);
  always_ff @(posedge clk) second <= first;  // no stall comes between

  // Where a frame goes on; where it must have ended.  Lock is lost in the slot after a bad header was judged.
  logic goes_on, delayed, lost;
  assign delayed = ERROR_DELAYED & is_bad & lock;
  assign goes_on = is_data | delayed;
  assign lost    = ERROR_DELAYED & ~lock;

  // --- The block type, in the second slot.  Only a terminate block has bit 7 set, and bits 6:4 count its data bytes.
  // The other bits only say whether its type is valid, which has time until the verdict.
  logic [7:0] type_byte;
  logic [2:0] terminate_bytes;
  logic is_terminate, type_wrong, is_other, is_start;
  assign type_byte       = word_q[7:0];
  assign is_terminate    = is_control & type_byte[7];
  assign terminate_bytes = type_byte[6:4];
  always_comb begin
    type_wrong = 1'b1;
    for (int n = 0; n < 8; n++) if (type_byte == TYPE_TERMINATE[n]) type_wrong = 1'b0;
  end
  assign is_other = is_control & (type_byte inside {TYPE_IDLE, TYPE_ORDERED0, TYPE_ORDERED4, TYPE_ORDERED04});

  // --- Start of frame
  logic start, start_lane4;  // the present block is one; when it is known
  if (WIDTH == 32) begin : gen_early
    logic start_q;
    assign sof         = lock & start_early;
    assign is_start    = start_q;
    assign start       = second & start_q;
    assign start_lane4 = ~type_byte[3];  // types 33 and 66; not 78
    always_ff @(posedge clk) start_q <= ~rst & lock & (sof | (start_q & ~second));
  end else begin : gen_late
    assign is_start = lock & is_control & (type_byte inside {TYPE_START0, TYPE_START4, TYPE_ORDERED_START4});
    assign start    = sof;
    always_ff @(posedge clk) begin
      sof         <= ~rst & second & is_start;
      start_lane4 <= ~type_byte[3];
    end
  end

  // --- User words
  logic in_frame_q;  // the payload words that come belong to the user
  logic skip_q;  // but for the first half of this block: the rest of the preamble after a start in lane 4
  logic [2:0] rest_q;  // bytes of a terminate block still to come
  logic more, bad;

  // Of a terminate block's n bytes still to come: tkeep of the next word, and how many are left after it.  In bits, because
  // the open mapper makes a carry chain of a comparison and moves registers through a table.
  function automatic logic [BYTES-1:0] keep_of(input logic [2:0] n);
    return BYTES'({n[2], n[2] | (&n[1:0]), |n[2:1], |n});
  endfunction
  function automatic logic [2:0] rest_of(input logic [2:0] n);
    return BYTES == 4 ? {1'b0, n[1:0] & {2{n[2]}}} : {&n[2:1], n[2] & ~n[1], n[0] & (|n[2:1])};
  endfunction

  assign more = is_terminate & (rest_of(terminate_bytes) != 0);
  always_comb begin
    valid = 1'b0;
    last  = 1'b0;
    keep  = '1;
    bad   = 1'b0;
    if (rest_q != 0) begin
      valid = 1'b1;
      last  = rest_of(rest_q) == 0;
      keep  = keep_of(rest_q);
    end else if (second || lost) begin
      valid = in_frame_q & ~(goes_on & skip_q);
      if (!goes_on) begin  // also where lock is lost: that takes a bad header
        last = ~more;
        bad  = ~is_terminate;
        keep = is_terminate ? keep_of(terminate_bytes) : '0;
      end
    end else if (!slot.stall) begin
      valid = in_frame_q & goes_on & ~skip_q;
    end
  end

  // --- What spoils the verdict
  logic preamble_bad, code_bad_q;
  macpcs_rx_preamble #(
      .WIDTH         (WIDTH),
      .CHECK_PREAMBLE(CHECK_PREAMBLE),
      .CHECK_SFD     (CHECK_SFD)
  ) u_preamble (
      .clk,
      .rst,
      .start,
      .start_lane4,
      .half_of_lane4(skip_q & goes_on & ~slot.stall & (slot.pos == HALF_END)),
      .word_q,
      .bad(preamble_bad)
  );
  // With 16-bit words the last word of the preamble is judged in the very cycle in which a frame of two bytes or fewer ends.
  assign code_error = bad | code_bad_q | (WIDTH == 16 & preamble_bad) | (second & is_terminate & type_wrong);

  logic terminated_q;  // the block before was such a terminate block
  always_ff @(posedge clk) begin
    if (second) terminated_q <= in_frame_q & is_terminate & ~type_wrong;
    bad_after <= second & terminated_q & ~(lock & (is_start | is_other));
    if (rst) begin
      terminated_q <= 1'b0;
      bad_after    <= 1'b0;
    end
  end

  always_ff @(posedge clk) begin
    rest_q     <= rest_of(rest_q);
    user_late  <= rest_of(rest_q) != 0;
    code_bad_q <= preamble_bad | (second & ((is_terminate & type_wrong) | delayed)) | (code_bad_q & ~start);
    if (!slot.stall && slot.pos == HALF_END) skip_q <= 1'b0;
    if (first) user_late <= ~goes_on;
    if (second && !goes_on) begin
      in_frame_q <= 1'b0;
      user_late  <= more;
      if (in_frame_q) rest_q <= rest_of(terminate_bytes) & {3{is_terminate}};
    end
    if (start) begin
      in_frame_q <= 1'b1;
      skip_q     <= start_lane4;
    end
    stat_bad_block <= lock & second & ((is_data | (is_terminate & ~type_wrong)) ? ~in_frame_q
                                       : in_frame_q | ~(is_start | is_other));
    if (rst || !lock) begin
      in_frame_q <= 1'b0;
      skip_q     <= 1'b0;
    end
    if (rst) begin
      rest_q         <= 3'd0;
      stat_bad_block <= 1'b0;
    end
  end
endmodule
