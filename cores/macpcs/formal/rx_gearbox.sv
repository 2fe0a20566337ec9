// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of the receive gearbox: macpcs_rx_lock with macpcs_rx_align.
//
// Claim, for any stream of bits, and so for any offset and any schedule of slips, and for resets at any time: the stream
// is cut into header (2 bits), first payload word (32), second one (32), and so on, each bit used once and in order,
// but for one bit left out at each slip; slips come exactly where figure 49-12 has them, and `lock` is its block_lock.
// In the very cycle in which the last bit of a payload word arrives, `slot` says so and user_data and type_byte are that
// word, descrambled as 49.2.6 has it (from the third word after a reset on, when the descrambler has caught up).
// header_next, type_early and type_header are the right bits of the stream in the cycle in which they are complete.
//
// The reference knows nothing of end bits or windows.  It is a bit queue: 32 bits in; a header, a payload word out
// when there are enough of them.
module rx_gearbox
  import macpcs_pkg::slot_t;
#(
    parameter bit INVARIANTS = 1'b1,
    parameter bit CALM = 1'b0  // one reset, one pseudo-random stream
) (
    input logic        clk,
    input logic        rst,
    // Free in every cycle
    input logic [31:0] pma_data,
    input logic        user_late
);
  // --- What is proved
  slot_t slot;
  logic first_next, lock, stat_bad_header, stat_lock_lost;
  logic [4:0] end_bit, end_bit_next;
  logic [1:0] header, header_next, type_header;
  logic [31:0] word_q, user_data;
  logic [7:0] type_byte, type_early;

  macpcs_rx_lock u_lock (
      .clk,
      .rst,
      .header_next,
      .slot,
      .first_next,
      .end_bit,
      .end_bit_next,
      .header,
      .lock,
      .stat_bad_header,
      .stat_lock_lost
  );
  macpcs_rx_align u_align (
      .clk,
      .pma_data,
      .slot,
      .end_bit,
      .end_bit_next,
      .user_late,
      .type_byte,
      .word_q,
      .user_data,
      .header_next,
      .type_early,
      .type_header
  );

  // --- Environment
  logic began_q = 1'b0;
  logic [31:0] calm_q = 32'h12345678;
  always_ff @(posedge clk) begin
    began_q <= 1'b1;
    calm_q  <= {calm_q[30:0], calm_q[31] ^ calm_q[21] ^ calm_q[1] ^ calm_q[0]};
  end
  always_comb begin
    if (!began_q) assume (rst);
    if (CALM) assume (rst == !began_q && pma_data == (calm_q ^ (calm_q << 7) ^ (calm_q >> 9)));
  end

  // --- Reference
  typedef enum logic [1:0] {
    HEADER,
    FIRST,
    SECOND
  } want_e;
  want_e want_q, want;
  logic [ 5:0] count_q;  // bits in the queue
  logic [31:0] queue_q;  // first bit in bit 0
  logic [57:0] history_q, history;  // payload bits, scrambled, latest in bit 0
  logic [1:0] words_q;  // payload words since reset, up to 2
  logic [1:0] ref_header_q, ref_header;  // of the present block
  logic skip_q, skip;  // one bit is left out before the next header
  logic after_reset_q;  // in this cycle `slot` names a payload word that began before the reset: it does not count
  // Figure 49-12
  logic [6:0] sh_count_q, sh_count;
  logic [4:0] sh_invalid_q, sh_invalid;
  logic block_lock_q, block_lock;

  logic [95:0] bits;
  logic [ 6:0] count;
  logic got_word, got_header;
  logic [31:0] raw, word;
  logic [7:0] type_raw;

  always_comb begin
    bits       = 96'(queue_q) | (96'(pma_data) << count_q);
    count      = {1'b0, count_q} + 7'd32;
    want       = want_q;
    skip       = skip_q;
    history    = history_q;
    ref_header = ref_header_q;
    sh_count   = sh_count_q;
    sh_invalid = sh_invalid_q;
    block_lock = block_lock_q;
    got_word   = 1'b0;
    got_header = 1'b0;
    raw        = bits[31:0];
    word       = raw;
    if (want != HEADER && count >= 32) begin
      got_word = 1'b1;
      bits     = bits >> 32;
      count    = count - 7'd32;
      for (int i = 0; i < 32; i++) begin
        word[i] = raw[i] ^ history[38] ^ history[57];
        history = {history[56:0], raw[i]};
      end
      if (want == FIRST) begin
        sh_count = sh_count + 7'd1;
        if (ref_header[0] == ref_header[1]) begin
          sh_invalid = sh_invalid + 5'd1;
          skip       = sh_invalid == 16 || !block_lock;
          if (skip) block_lock = 1'b0;
        end
        if (skip || sh_count == 64) begin
          if (!skip && sh_invalid == 0) block_lock = 1'b1;
          sh_count   = 7'd0;
          sh_invalid = 5'd0;
        end
      end
      want = want == FIRST ? SECOND : HEADER;
    end
    if (want == HEADER && count >= 7'd2 + 7'(skip)) begin
      got_header = 1'b1;
      bits       = bits >> skip;
      ref_header = bits[1:0];
      bits       = bits >> 2;
      count      = count - 7'd2 - 7'(skip);
      skip       = 1'b0;
      want       = FIRST;
    end
    type_raw = bits[7:0];
  end

  always_ff @(posedge clk) begin
    want_q        <= want;
    count_q       <= 6'(count);
    queue_q       <= bits[31:0];
    history_q     <= history;
    ref_header_q  <= ref_header;
    skip_q        <= skip;
    sh_count_q    <= sh_count;
    sh_invalid_q  <= sh_invalid;
    block_lock_q  <= block_lock;
    after_reset_q <= 1'b0;
    if (got_word && words_q != 2) words_q <= words_q + 2'd1;
    if (rst) begin
      // The first header is the last bit of this transceiver word and the first of the next: any offset is as good.
      want_q        <= HEADER;
      count_q       <= 6'd1;
      queue_q       <= {31'h0, pma_data[31]};
      skip_q        <= 1'b0;
      words_q       <= 2'd0;
      after_reset_q <= 1'b1;
      sh_count_q    <= 7'd0;
      sh_invalid_q  <= 5'd0;
      block_lock_q  <= 1'b0;
    end
  end

  // What came in the cycle before
  logic before_valid_q, slipped_q, bad_q;
  logic [31:0] before_q;
  always_ff @(posedge clk) begin
    before_valid_q <= got_word && words_q == 2 && !rst;
    before_q       <= word;
    bad_q          <= got_word && want_q == FIRST && ref_header_q[0] == ref_header_q[1] && block_lock_q && !rst;
    slipped_q      <= got_word && want_q == FIRST && skip && block_lock_q && !rst;
  end

  // --- The claim
  logic [7:0] type_word;  // type byte behind the header that is complete now
  always_comb for (int i = 0; i < 8; i++) type_word[i] = type_raw[i] ^ history[38-i] ^ history[57-i];

  always_comb
    if (began_q) begin
      if (!after_reset_q) begin
        assert (slot.stall == !got_word);
        if (got_word) assert (slot.pos == (want_q == FIRST ? 2'd0 : 2'd1) && header == ref_header_q);
        if (got_word) assert (u_align.aligned[31:0] == raw);
      end
      if (got_word && words_q == 2) begin
        if (!user_late) assert (user_data == word);
        if (user_late) assert (user_data[31:24] == word[7:0]);
        assert (type_byte == word[7:0]);
      end
      if (before_valid_q) begin
        assert (word_q == before_q);
        if (user_late) assert (user_data[23:0] == before_q[31:8]);
      end
      assert (first_next == got_header);
      if (got_header) assert (header_next == ref_header);
      // The type byte of a block: with its header if it is complete then, else with its first payload word
      if (got_header) assert ((end_bit_next < 24) == (count >= 8));
      if (got_header && count >= 8 && words_q != 0 && !after_reset_q)
        assert (type_header == ref_header && type_early == type_word);
      if (got_word && want_q == FIRST && end_bit_next >= 24 && words_q == 2)
        assert (type_header == ref_header_q && type_early == word[7:0]);
      assert (lock == block_lock_q);
      assert (stat_bad_header == bad_q && stat_lock_lost == slipped_q);
    end

  // --- Invariants that make the claim inductive
  logic [31:0] last_word, past;
  always_comb begin
    for (int i = 0; i < 32; i++) last_word[i] = history_q[31-i];
    past = {u_align.pma_q, 1'b0};
  end
  always_comb
    if (INVARIANTS && began_q) begin
      // Schedule
      assert (count_q < 32 && queue_q == (count_q == 0 ? 32'h0 : past >> (6'd32 - count_q)));
      assert (words_q != 3 && want_q <= SECOND);
      case (want_q)
        FIRST: begin
          assert (!after_reset_q && !slot.stall && slot.pos == 0 && !skip_q);
          assert (count_q == 6'd31 - {1'b0, end_bit} && end_bit_next == end_bit);
        end
        SECOND: begin
          assert (!after_reset_q && !slot.stall && slot.pos == 1 && words_q != 0);
          assert (count_q == 6'd31 - {1'b0, end_bit});
          assert ({u_lock.wrap_q, end_bit_next} == {1'b0, end_bit} + (skip_q ? 6'd3 : 6'd2));
        end
        default: begin
          assert (end_bit_next == end_bit && count_q + {1'b0, end_bit} == (skip_q ? 6'd2 : 6'd1));
          if (after_reset_q)
            assert (!slot.stall && slot.pos == 1 && !u_lock.wrap_q && !skip_q && words_q == 0);
            else assert (slot.stall && slot.pos == 0 && words_q == 2);
        end
      endcase
      if (after_reset_q) assert (want_q == HEADER);
      if (want_q != HEADER) assert (header == ref_header_q);
      // Lock
      assert ({1'b0, u_lock.headers_q} == sh_count_q && {1'b0, u_lock.bad_q} == sh_invalid_q);
      assert (block_lock_q || sh_invalid_q == 0);
      // Descrambler
      if (words_q != 0) assert (u_align.before_q == last_word);
      if (words_q == 2) for (int i = 0; i < 32; i++) assert (u_align.terms_q[i] == history_q[38-i] ^ history_q[57-i]);
      for (int i = 0; i < 8; i++) begin
        if (want_q != SECOND && words_q == 2) assert (u_align.type_terms_q[i] == history_q[38-i] ^ history_q[57-i]);
        if (want_q == SECOND && i < 7) assert (u_align.type_terms_q[i] == history_q[6-i] ^ history_q[25-i]);
        if (want_q == SECOND && i == 7 && count_q != 0)
          assert (u_align.type_terms_q[i] == queue_q[0] ^ history_q[25-i]);
      end
    end
endmodule
