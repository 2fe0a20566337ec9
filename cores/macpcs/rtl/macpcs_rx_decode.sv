// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Block decoder (IEEE 802.3 figure 49-7, clause 49.2.13): payload words to user words.
// Latency: none.  valid, last and keep come from registers; only `sof` looks at the present transceiver word.
//
// Words of a terminate block with n bytes, by slot (the type byte pushes the data up by one):
//
//   first half     nothing
//   second half    the first min(n, 4) bytes; last if n <= 4; n = 0 gives last with keep = 0
//   after it       the other n-4 bytes
//
// `sof` comes when the type byte of a start block is complete; the frame it announces ends with exactly one `last`,
// whatever happens.  A frame is cut short (last, keep = 0, code_error) by a bad header, a block that has no place in
// a frame, a new start (which then is a frame of its own), or loss of lock.  A wrong preamble or start delimiter sets
// code_error too.  The control characters beside /S/ and /T/ are not looked at.
module macpcs_rx_decode
  import macpcs_pkg::*;
(
    input logic clk,
    input logic rst,

    input slot_t        slot,
    input logic         first_next,
    input logic  [ 1:0] header,
    input logic         lock,
    input logic         type_late,    // the type byte is complete in the first slot of its block, not a cycle before
    input logic  [ 7:0] type_early,
    input logic  [ 1:0] type_header,
    input logic  [ 7:0] type_byte,
    input logic  [31:0] word_q,

    output logic       user_late,
    output logic       valid,
    output logic       last,
    output logic [3:0] keep,
    output logic       code_error,  // with last
    output logic       sof,

    output logic stat_bad_block
);
  logic first, second, is_data;
  assign first   = ~slot.stall & (slot.pos == 0);
  assign second  = ~slot.stall & (slot.pos != 0);
  assign is_data = header == HEADER_DATA;

  // --- Start of frame, as early as the type byte allows
  logic sof_q;  // the present block is the start of a frame
  assign sof = lock & (type_late ? first : first_next) & (type_header == HEADER_CONTROL)
               & (type_early == TYPE_START0 | type_early == TYPE_START4 | type_early == TYPE_ORDERED_START4);

  // --- The block type, decoded in the first slot and looked at in the second
  logic is_terminate, is_other, start_lane4;
  logic [2:0] terminate_bytes;
  logic [7:0] terminate_hit;  // one-hot
  always_comb for (int n = 0; n < 8; n++) terminate_hit[n] = type_byte == TYPE_TERMINATE[n];
  always_ff @(posedge clk) begin
    is_terminate <= (header == HEADER_CONTROL) & (|terminate_hit);
    terminate_bytes <= {
      |terminate_hit[7:4],
      |{terminate_hit[7:6], terminate_hit[3:2]},
      terminate_hit[7] | terminate_hit[5] | terminate_hit[3] | terminate_hit[1]
    };
    is_other <= (header == HEADER_CONTROL)
                & (type_byte inside {TYPE_IDLE, TYPE_ORDERED0, TYPE_ORDERED4, TYPE_ORDERED04});
    start_lane4 <= ~type_byte[3];  // tells 33 and 66 from 78
  end

  // --- User words
  logic in_frame_q;  // the payload words that come belong to the user
  logic preamble4_q;  // but for the next one: the rest of the preamble after a start in lane 4
  logic [1:0] rest_q;  // bytes of a terminate block still to come
  logic more, bad;
  assign more = is_terminate & terminate_bytes[2] & (terminate_bytes[1:0] != 0);
  always_comb begin
    valid = 1'b0;
    last  = 1'b0;
    keep  = 4'hf;
    bad   = 1'b0;
    if (rest_q != 0) begin
      valid = 1'b1;
      last  = 1'b1;
      keep  = {1'b0, rest_q == 3, rest_q[1], 1'b1};
    end else if (first) begin
      valid = in_frame_q & is_data & ~preamble4_q;
    end else if (second) begin
      valid = in_frame_q;
      if (!is_data) begin  // also where lock is lost: that takes a bad header, and this is the slot after it
        last = ~more;
        bad  = ~is_terminate;
        if (!is_terminate) keep = 4'h0;
        else if (!terminate_bytes[2])
          keep = {1'b0, terminate_bytes == 3, terminate_bytes[1], terminate_bytes[1:0] != 0};
      end
    end
  end

  // --- Preamble: 55 55 55 in the half that holds the start, 55 55 55 d5 in the one after it; looked at in word_q
  logic check_start_q, check_sfd_q, preamble_bad, preamble_bad_q;
  assign preamble_bad = ((check_start_q | (second & sof_q & ~start_lane4)) & (word_q[31:8] != {3{PREAMBLE}}))
                        | (check_sfd_q & (word_q != {SFD, {3{PREAMBLE}}}));
  assign code_error = bad | preamble_bad_q;

  always_ff @(posedge clk) begin
    rest_q         <= 2'd0;
    user_late      <= 1'b0;
    check_start_q  <= second & sof_q & start_lane4;
    check_sfd_q    <= (second & sof_q & ~start_lane4) | (first & preamble4_q & is_data);
    preamble_bad_q <= preamble_bad | (preamble_bad_q & ~(second & sof_q));
    if (first) begin
      user_late   <= ~is_data;
      preamble4_q <= 1'b0;
    end
    if (second && !is_data) begin
      in_frame_q  <= sof_q;
      preamble4_q <= sof_q & start_lane4;
      user_late   <= more;
      if (in_frame_q && more) rest_q <= terminate_bytes[1:0];
    end
    sof_q <= sof | (sof_q & ~second);
    stat_bad_block <= lock & second & (is_data | is_terminate ? ~in_frame_q : in_frame_q | ~(sof_q | is_other));
    if (rst || !lock) begin
      in_frame_q  <= 1'b0;
      preamble4_q <= 1'b0;
      sof_q       <= 1'b0;
    end
    if (rst) begin
      rest_q         <= 2'd0;
      stat_bad_block <= 1'b0;
    end
  end
endmodule
