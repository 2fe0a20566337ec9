// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of macpcs_rx_decode (with macpcs_rx_preamble), both widths, with and without ERROR_DELAYED, for any headers,
// words, stalls, losses of lock, blindness, and resets at any time:
//   order     each `sof` has exactly one `last`, before the first word of the frame after it; no word stands outside of
//             a frame; with 16-bit words the frame before has ended when `sof` comes
//   shape     keep is full before `last`, and there its lowest ones or nothing
//   words     of a frame come all words of its data blocks, each in its own cycle, but for the half of the preamble
//             after a start in lane 4; then the n bytes of its terminate block, one byte late; or, where it is cut, an end
//             without a byte
//   after     bad_after reports each frame that ends with one right terminate block, after which neither a start nor
//             another control block comes: a cycle after the type of the block that does
//   verdict   code_error comes with `last` exactly if the frame met anything but data blocks and one right terminate
//             block, or macpcs_rx_preamble found something (what that looks for is not proved here)
// With ERROR_DELAYED a block with a bad header counts as a data block, and is something that the frame met.
//
// The reference counts the bytes of a terminate block, and frames, where the RTL has bits.
//
// Assumed: what macpcs_rx_lock and macpcs_rx_early give.  Slots follow each other as there; lock changes in the slot
// after that in which a header is judged, and falls only where it was bad; a start is seen early, once, in the cycle
// before its block's first slot or in it, and the type byte is that of a start then.  A header that is not seen (hi_ber)
// may have been any; a start may be seen all the same, or a start that is there not be seen.
module rx_decode
  import macpcs_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1,
    parameter int WIDTH = 32,
    parameter bit ERROR_DELAYED = 1'b0
) (
    input logic clk,
    input logic rst,
    // Free in every cycle
    input logic wrap,  // a stall comes before the next block
    input logic [1:0] header_next,  // of it
    input logic lock_moves,
    input logic start_early,
    input logic [WIDTH-1:0] word_q
);
  localparam int BYTES = WIDTH / 8;
  localparam logic [1:0] LAST_POS = 2'(64 / WIDTH - 1);
  localparam logic [1:0] HALF_POS = 2'(32 / WIDTH - 1);

  // --- What the decoder is given.  A header: not seen, data, control, bad.
  localparam logic [1:0] UNSEEN = 2'd0;
  localparam logic [1:0] DATA = 2'd1;
  localparam logic [1:0] CONTROL = 2'd2;
  localparam logic [1:0] BAD = 2'd3;
  slot_t slot;
  logic [1:0] header_q;
  logic lock, second_q, judge_q, early_q;
  logic began_q = 1'b0, reset_q;
  logic first, first_next, judge, early;
  assign first      = ~slot.stall & (slot.pos == 0);
  assign first_next = slot.stall | (slot.pos == LAST_POS & ~wrap);
  assign judge      = WIDTH == 32 ? first : judge_q;
  assign early      = WIDTH == 32 & (early_q | start_early);
  always_ff @(posedge clk) begin
    began_q  <= 1'b1;
    reset_q  <= rst;
    second_q <= first;
    judge_q  <= first & ~rst;
    if (slot.stall) slot <= '{stall: 1'b0, pos: 2'd0};
    else if (slot.pos == LAST_POS) slot <= '{stall: wrap, pos: 2'd0};
    else slot.pos <= slot.pos + 2'd1;
    if (first_next) header_q <= header_next;
    if (first_next) early_q <= start_early;
    else if (first) early_q <= early;
    if (judge && lock_moves && (lock ? (header_q inside {BAD, UNSEEN}) && !early : header_q != BAD)) lock <= ~lock;
    if (rst) begin
      slot     <= '{stall: 1'b0, pos: LAST_POS};
      header_q <= CONTROL;
      lock     <= 1'b0;
      early_q  <= 1'b0;
    end
  end

  logic [7:0] type_byte;
  logic type_start, type_lane4;
  assign type_byte  = word_q[7:0];
  assign type_start = type_byte inside {TYPE_START0, TYPE_START4, TYPE_ORDERED_START4};
  assign type_lane4 = type_byte inside {TYPE_START4, TYPE_ORDERED_START4};
  always_comb begin
    if (!began_q) assume (rst);
    if (WIDTH == 32) begin
      if (start_early) assume ((first_next & ~first) | (first & ~early_q));
      if (start_early && first_next) assume (header_next inside {CONTROL, UNSEEN});
      if (start_early && first) assume (header_q inside {CONTROL, UNSEEN});
      if (second_q && early_q) assume (type_start);
    end
  end

  logic user_late, valid, last, code_error, sof, bad_after;
  logic [BYTES-1:0] keep;
  macpcs_rx_decode #(
      .WIDTH        (WIDTH),
      .ERROR_DELAYED(ERROR_DELAYED)
  ) dut (
      .clk,
      .rst,
      .slot,
      .is_data       (header_q == DATA),
      .is_control    (header_q == CONTROL),
      .is_bad        (header_q == BAD),
      .lock,
      .start_early,
      .word_q,
      .user_late,
      .valid,
      .last,
      .keep,
      .code_error,
      .sof,
      .bad_after,
      .stat_bad_block()
  );

  // --- Reference: starts
  logic sof_wanted, waiting_q, sof_wanted_q = 1'b0, lane4_q;  // waiting: announced, and its start block is still there
  logic start, start_lane4;
  always_ff @(posedge clk) begin
    waiting_q    <= ~rst & ((WIDTH == 32 & sof) | (waiting_q & ~second_q));
    sof_wanted_q <= ~rst & second_q & lock & (header_q == CONTROL) & type_start;
    lane4_q      <= type_lane4;
  end
  assign sof_wanted  = WIDTH == 32 ? lock & start_early : sof_wanted_q;
  assign start       = WIDTH == 32 ? second_q & waiting_q : sof;
  assign start_lane4 = WIDTH == 32 ? type_lane4 : lane4_q;

  // --- Reference: blocks of a frame
  logic frame_q, skip_q, spoiled_q;
  logic [2:0] rest_q, rest, given;  // bytes of a terminate block
  logic is_terminate, is_right, goes_on, ends, cut, tail, wanted, spoils;
  assign is_terminate = (header_q == CONTROL) & type_byte[7];
  assign is_right     = is_terminate & (type_byte == TYPE_TERMINATE[type_byte[6:4]]);
  assign goes_on      = header_q == DATA || (ERROR_DELAYED && header_q == BAD && lock);
  assign ends         = frame_q & second_q & ~goes_on & is_terminate;
  assign cut          = frame_q & ~slot.stall & ~ends & ((second_q & ~goes_on) | ~lock);
  assign rest         = ends ? type_byte[6:4] : rest_q;
  assign tail         = ends | (rest_q != 0);
  assign given        = rest < 3'(BYTES) ? rest : 3'(BYTES);
  assign wanted       = frame_q & ~slot.stall & goes_on & ~skip_q;
  assign spoils       = frame_q & second_q & ~(header_q == DATA || is_right);
  always_ff @(posedge clk) begin
    rest_q    <= tail ? rest - given : 3'd0;
    spoiled_q <= ((spoiled_q | spoils) & ~start) | dut.preamble_bad;
    if (!slot.stall && slot.pos == HALF_POS) skip_q <= 1'b0;
    if (ends || cut) frame_q <= 1'b0;
    if (start) begin
      frame_q <= 1'b1;
      skip_q  <= start_lane4;
    end
    if (rst) begin
      frame_q <= 1'b0;
      rest_q  <= 3'd0;
    end
  end

  // --- Reference: the block after a frame
  logic terminated_q, bad_after_q = 1'b0, follows;
  assign follows = (header_q == CONTROL & type_byte inside {TYPE_IDLE, TYPE_ORDERED0, TYPE_ORDERED4, TYPE_ORDERED04})
                   | (WIDTH == 32 ? waiting_q : header_q == CONTROL & type_start);
  always_ff @(posedge clk) begin
    if (second_q) terminated_q <= frame_q & is_right;
    bad_after_q <= second_q & terminated_q & ~(lock & follows);
    if (rst) begin
      terminated_q <= 1'b0;
      bad_after_q  <= 1'b0;
    end
  end

  // --- Reference: the count of frames
  logic [1:0] open_q;
  always_ff @(posedge clk) open_q <= rst ? 2'd0 : open_q + 2'(sof) - 2'(valid & last);

  // --- The claim
  always_comb
    if (began_q) begin
      assert (sof == sof_wanted);
      assert (bad_after == bad_after_q);
      // order
      if (valid) assert (open_q != 0);
      if (open_q > 1) assert (open_q == 2 && waiting_q);  // the one that waits and the one before
      if (valid && waiting_q) assert (open_q == 2);
      if (second_q && waiting_q && open_q == 2) assert (valid && last);
      if (WIDTH == 16 && sof) assert (open_q == 0 && !valid);
      // shape
      if (valid && !last) assert (keep == '1);
      if (valid) assert ((keep & (keep + 1'b1)) == 0);
      // words
      assert (valid == (tail | cut | wanted));
      if (tail) assert (keep == BYTES'((8'd1 << given) - 8'd1) && last == (rest <= 3'(BYTES)));
      if (cut && !tail) assert (keep == 0 && last);
      if (wanted && !tail) assert (!last);
      if (valid && keep != 0) assert (user_late == tail);
      // verdict
      if (valid && last) assert (code_error == (spoils | cut | spoiled_q | (WIDTH == 16 & dut.preamble_bad)));
    end

  // --- Invariants that make the claim inductive
  always_comb
    if (INVARIANTS && began_q) begin
      assert (slot.pos <= LAST_POS && (!slot.stall || slot.pos == 0));
      assert (second_q == dut.second && (!judge_q || second_q));
      if (reset_q)
        assert (slot.pos == LAST_POS && !slot.stall && !lock && !frame_q && !waiting_q && rest_q == 0);
        else assert (second_q == (!slot.stall && slot.pos == 1) && second_q == judge_q);
      assert (dut.in_frame_q == frame_q && dut.rest_q == rest_q && dut.terminated_q == terminated_q);
      if (frame_q) assert (dut.skip_q == skip_q);
      if (frame_q && skip_q) assert (lock || second_q);
      if (frame_q || rest_q != 0) assert (dut.code_bad_q == spoiled_q);
      assert (open_q == 2'(frame_q) + 2'(rest_q != 0) + 2'(waiting_q));
      if (rest_q != 0) begin
        assert (!frame_q && !second_q && user_late);
        if (slot.stall || slot.pos == 0)
          assert (rest_q <= (WIDTH == 32 ? 3 : 1));
          else assert (WIDTH == 16 && (slot.pos == 2 ? rest_q <= 5 : rest_q <= 3));
      end
      if (second_q && frame_q) assert (user_late == !(header_q == DATA || (ERROR_DELAYED && header_q == BAD)));
      if (WIDTH == 32) begin
        if (waiting_q) assert (lock && early_q && !slot.stall);
        if (early_q) assert (slot.stall || header_q inside {CONTROL, UNSEEN});
        if (frame_q && !lock) assert (second_q && header_q inside {BAD, UNSEEN});
      end else begin
        assert (!waiting_q && sof == sof_wanted_q);
        if (sof) assert (slot.pos == 2 && !frame_q && rest_q == 0 && lock && header_q == CONTROL);
        if (frame_q && !lock) assert (slot.pos == 2 && ERROR_DELAYED && header_q == BAD);
      end
    end
  if (WIDTH == 32) begin : gen_start
    always_comb if (INVARIANTS && began_q) assert (dut.gen_early.start_q == waiting_q);
  end
endmodule
