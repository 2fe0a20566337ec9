// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of the receive gearbox: macpcs_rx_lock with macpcs_rx_align, for both widths, with 32-bit words macpcs_rx_early, and
// with AHEAD the aligner whose first pick is made a cycle before.
//
// Claim, for any stream of bits, and so for any offset and any schedule of slips, and for resets at any time: the
// stream is cut into header (2 bits) and payload words (as long as a transceiver word), one after the other, each bit
// used once and in order, but for one bit left out at each slip; slips come exactly where figure 49-12 has them, and
// `lock` is its block_lock.  A header is judged in the cycle of its block's first payload word, with 16-bit words of
// the second one. In the very cycle in which the last bit of a payload word arrives, `slot` says so and user_data is
// that word, descrambled as 49.2.6 has it (from the cycle on in which 64 payload bits have come after a reset: the
// descrambler has caught up). header_next is the header in the cycle in which it is complete; is_data and is_control
// are it afterwards, or neither where `blind` was set.  macpcs_rx_early says `start` in the cycle of the last bit of
// the type byte of a start block (78, 33 or 66 behind the header 10), and only there; and `likely` in the cycle of the
// fourth bit of a byte whose first four are those of one of them, behind that header, and only there.  So each start is
// likely, in its cycle or the one before, and one cycle at least lies between two that are likely.
//
// The reference knows nothing of end bits or windows.  It is a bit queue: a transceiver word in; a header, a payload
// word out when there are enough bits.
module rx_gearbox
  import macpcs_pkg::slot_t;
#(
    parameter int WIDTH = 32,
    parameter bit AHEAD = 1'b0,
    parameter bit INVARIANTS = 1'b1,
    parameter bit CALM = 1'b0  // one reset, one pseudo-random stream
) (
    input logic             clk,
    input logic             rst,
    // Free in every cycle
    input logic [WIDTH-1:0] line,       // from the transceiver
    input logic             user_late,
    input logic             blind
);
  localparam logic [1:0] LAST = 2'(64 / WIDTH - 1);
  localparam logic [1:0] JUDGED = WIDTH == 16 ? 2'd1 : 2'd0;  // the payload word with which the header is judged
  localparam int CAUGHT_UP = 64 / WIDTH;  // payload words
  localparam int BITS = $clog2(WIDTH);

  logic [WIDTH-1:0] pma_data, pma_before_q;
  always_ff @(posedge clk) pma_before_q <= pma_data;
  if (AHEAD) begin : gen_registered
    always_ff @(posedge clk) pma_data <= line;
  end else begin : gen_line
    assign pma_data = line;
  end

  // --- What is proved
  slot_t slot;
  logic first_next, is_data, is_control, lock, stat_bad_header, stat_lock_lost, start;
  logic [BITS-1:0] end_bit, end_bit_ahead, end_bit_next;
  logic [1:0] header_next;
  logic [WIDTH-1:0] word_q, user_data;
  logic [WIDTH:0] aligned;

  macpcs_rx_lock #(
      .WIDTH(WIDTH)
  ) u_lock (
      .clk,
      .rst,
      .header_next,
      .blind,
      .slot,
      .first_next,
      .end_bit,
      .end_bit_ahead,
      .end_bit_next,
      .is_data,
      .is_control,
      .lock,
      .stat_bad_header,
      .stat_lock_lost
  );
  macpcs_rx_align #(
      .WIDTH(WIDTH),
      .AHEAD(AHEAD)
  ) u_align (
      .clk,
      .pma_data,
      .pma_ahead(line),
      .stall(slot.stall),
      .end_bit,
      .end_bit_ahead,
      .end_bit_next,
      .user_late,
      .word_q,
      .user_data,
      .aligned,
      .header_next
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
    if (CALM) assume (rst == !began_q && !blind && line == WIDTH'(calm_q ^ (calm_q << 7) ^ (calm_q >> 9)));
  end

  // --- Reference
  logic header_q, want_header;  // a header is next, else a payload word
  logic [1:0] index_q, index;  // the payload word of its block that is next
  logic [5:0] count_q;  // bits in the queue
  logic [WIDTH-1:0] queue_q;  // first bit in bit 0
  logic [57:0] history_q, history;  // payload bits, scrambled, latest in bit 0
  logic [2:0] words_q;  // payload words since reset, up to CAUGHT_UP
  logic [1:0] ref_header_q, ref_header;  // of the present block
  logic blind_q;  // was set when it was complete
  logic skip_q, skip;  // one bit is left out before the next header
  logic after_reset_q;  // in this cycle `slot` names a payload word that began before the reset: it does not count
  // Figure 49-12
  logic [6:0] sh_count_q, sh_count;
  logic [4:0] sh_invalid_q, sh_invalid;
  logic block_lock_q, block_lock;

  logic [3*WIDTH-1:0] bits;
  logic [6:0] count;
  logic got_word, got_header, judged;
  logic [WIDTH-1:0] raw, word;

  assign judged = got_word && index_q == JUDGED;
  always_comb begin
    bits        = (3 * WIDTH)'(queue_q) | ((3 * WIDTH)'(pma_data) << count_q);
    count       = {1'b0, count_q} + 7'(WIDTH);
    want_header = header_q;
    index       = index_q;
    skip        = skip_q;
    history     = history_q;
    ref_header  = ref_header_q;
    sh_count    = sh_count_q;
    sh_invalid  = sh_invalid_q;
    block_lock  = block_lock_q;
    got_word    = 1'b0;
    got_header  = 1'b0;
    raw         = bits[WIDTH-1:0];
    word        = raw;
    if (!want_header && count >= 7'(WIDTH)) begin
      got_word = 1'b1;
      bits     = bits >> WIDTH;
      count    = count - 7'(WIDTH);
      for (int i = 0; i < WIDTH; i++) begin
        word[i] = raw[i] ^ history[38] ^ history[57];
        history = {history[56:0], raw[i]};
      end
      if (index_q == JUDGED) begin
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
      want_header = index_q == LAST;
      index       = index_q + 2'd1;
    end
    if (want_header && count >= 7'd2 + 7'(skip)) begin
      got_header  = 1'b1;
      bits        = bits >> skip;
      ref_header  = bits[1:0];
      bits        = bits >> 2;
      count       = count - 7'd2 - 7'(skip);
      skip        = 1'b0;
      want_header = 1'b0;
      index       = 2'd0;
    end
  end

  always_ff @(posedge clk) begin
    header_q      <= want_header;
    index_q       <= index;
    count_q       <= 6'(count);
    queue_q       <= bits[WIDTH-1:0];
    history_q     <= history;
    ref_header_q  <= ref_header;
    skip_q        <= skip;
    sh_count_q    <= sh_count;
    sh_invalid_q  <= sh_invalid;
    block_lock_q  <= block_lock;
    after_reset_q <= 1'b0;
    if (got_header) blind_q <= blind;
    if (got_word && words_q != 3'(CAUGHT_UP)) words_q <= words_q + 3'd1;
    if (rst) begin
      // The first header is the last bit of this transceiver word and the first of the next: any offset is as good.
      header_q      <= 1'b1;
      count_q       <= 6'd1;
      queue_q       <= WIDTH'(pma_data[WIDTH-1]);
      skip_q        <= 1'b0;
      words_q       <= 3'd0;
      after_reset_q <= 1'b1;
      sh_count_q    <= 7'd0;
      sh_invalid_q  <= 5'd0;
      block_lock_q  <= 1'b0;
    end
  end

  // What came in the cycle before
  logic before_valid_q, slipped_q, bad_q, caught_up;
  logic [WIDTH-1:0] before_q;
  assign caught_up = words_q == 3'(CAUGHT_UP);
  always_ff @(posedge clk) begin
    before_valid_q <= got_word && caught_up && !rst;
    before_q       <= word;
    bad_q          <= judged && ref_header_q[0] == ref_header_q[1] && block_lock_q && !rst;
    slipped_q      <= judged && skip && block_lock_q && !rst;
  end

  // --- The claim
  always_comb
    if (began_q) begin
      if (!after_reset_q) begin
        assert (slot.stall == !got_word);
        if (got_word) begin
          assert (slot.pos == index_q);
          assert (is_data == (ref_header_q == 2'b10 && !blind_q));
          assert (is_control == (ref_header_q == 2'b01 && !blind_q));
          assert (aligned[WIDTH-1:0] == raw);
        end
      end
      if (got_word && caught_up) begin
        if (!user_late) assert (user_data == word);
        if (user_late) assert (user_data[WIDTH-1-:8] == word[7:0]);
      end
      if (before_valid_q) begin
        assert (word_q == before_q);
        if (user_late) assert (user_data[WIDTH-9:0] == before_q[WIDTH-1:8]);
      end
      assert (first_next == got_header);
      if (got_header) assert (header_next == ref_header);
      assert (lock == block_lock_q);
      assert (stat_bad_header == bad_q && stat_lock_lost == slipped_q);
    end

  if (WIDTH == 32) begin : gen_early
    logic likely, likely_q, half_with_header, half_with_word, is_likely;
    macpcs_rx_early u_early (
        .clk,
        .pma_data,
        .slot,
        .first_next,
        .aligned,
        .end_bit_next,
        .likely,
        .start
    );
    logic with_header, with_word, is_start;  // the type byte is complete now
    logic [7:0] type_byte;
    assign with_header = got_header && count >= 8;
    assign with_word = got_word && index_q == 0 && count_q < 8;
    assign half_with_header = got_header && count >= 4;
    assign half_with_word = got_word && index_q == 0 && count_q < 4;
    always_ff @(posedge clk) likely_q <= likely && !rst;
    always_comb begin
      for (int i = 0; i < 8; i++) type_byte[i] = bits[i] ^ history[38-i] ^ history[57-i];
      if (with_word) type_byte = word[7:0];
      is_start = type_byte inside {8'h78, 8'h33, 8'h66} && ref_header == 2'b01;
      if (with_word) is_start = type_byte inside {8'h78, 8'h33, 8'h66} && ref_header_q == 2'b01;
      is_likely = type_byte[3:0] inside {4'h8, 4'h3, 4'h6} && (half_with_word ? ref_header_q : ref_header) == 2'b01;
    end
    always_comb
      if (began_q && !after_reset_q) begin
        if (!with_header && !with_word) assert (!start);
        if (with_header && words_q != 0 || with_word && caught_up) assert (start == is_start);
        if (!half_with_header && !half_with_word) assert (!likely);
        if (half_with_header && words_q != 0 || half_with_word && caught_up) assert (likely == is_likely);
        if (start && words_q == 3'(CAUGHT_UP)) assert (likely || likely_q);
        if (likely) assert (!likely_q);
      end
    always_comb
      if (INVARIANTS && began_q) begin
        assert (u_early.pma_q == pma_before_q[31:23]);
        for (int i = 0; i < 8; i++) begin
          if (index_q != 1 && caught_up || header_q && caught_up)
            assert (u_early.terms_q[i] == history_q[38-i] ^ history_q[57-i]);
          if (!header_q && index_q == 1) begin
            if (i < 7) assert (u_early.terms_q[i] == history_q[6-i] ^ history_q[25-i]);
            if (i == 7 && count_q != 0) assert (u_early.terms_q[i] == queue_q[0] ^ history_q[25-i]);
          end
        end
        if (!header_q && index_q == 1) assert (u_early.first_13_q == history_q[18]);
      end
  end else begin : gen_judged_later
    assign start = 1'b0;
    always_comb
      if (INVARIANTS && began_q) begin
        assert (u_lock.judge == (!header_q && index_q == JUDGED));
        if (!header_q && index_q == JUDGED) assert (u_lock.gen_judge_second.wrong_q == !(^ref_header_q));
      end
  end

  // --- Invariants that make the claim inductive
  logic [WIDTH-1:0] past;
  assign past = {pma_before_q[WIDTH-1:1], 1'b0};
  if (AHEAD) begin : gen_ahead
    localparam int REST = WIDTH / 4;
    logic [2*WIDTH-1:0] window, picked;
    assign window = {1'b0, pma_data, pma_before_q[WIDTH-1:1]};
    assign picked = window >> (REST * int'(end_bit / BITS'(REST)));
    // In the first cycle after a reset end_bit is one that was not foreseen; what it gives does not count.
    always_comb
      if (INVARIANTS && began_q) begin
        if (!after_reset_q) assert (u_align.gen_ahead.picked_q == picked[WIDTH+REST-1:0]);
        assert (u_align.top_q == pma_before_q[WIDTH-1]);
      end
  end else begin : gen_here
    always_comb if (INVARIANTS && began_q) assert (u_align.gen_here.pma_q == pma_before_q[WIDTH-1:1]);
  end
  always_comb
    if (INVARIANTS && began_q) begin
      // Schedule
      assert (count_q < 6'(WIDTH) && queue_q == (count_q == 0 ? '0 : past >> (6'(WIDTH) - count_q)));
      assert (words_q <= 3'(CAUGHT_UP));
      if (!header_q) begin
        assert (index_q <= LAST && words_q >= 3'(index_q));
        assert (!after_reset_q && !slot.stall && slot.pos == index_q);
        assert (count_q == 6'(WIDTH - 1) - 6'(end_bit));
        if (index_q <= JUDGED)
          assert (!skip_q && end_bit_next == end_bit);
          else assert ({u_lock.wrap_q, end_bit_next} == {1'b0, end_bit} + (BITS + 1)'(skip_q ? 3 : 2));
        assert (u_lock.header_right == ^ref_header_q);
        assert (is_data == (ref_header_q == 2'b10 && !blind_q));
        assert (is_control == (ref_header_q == 2'b01 && !blind_q));
      end else begin
        assert (end_bit_next == end_bit && count_q + 6'(end_bit) == (skip_q ? 6'd2 : 6'd1));
        if (after_reset_q)
          assert ({slot.stall, slot.pos, u_lock.wrap_q, skip_q, words_q} == {1'b0, LAST, 5'h0});
          else assert (slot.stall && slot.pos == 0 && caught_up);
      end
      if (after_reset_q) assert (header_q);
      // Lock
      assert ({1'b0, u_lock.headers_q} == sh_count_q && {1'b0, u_lock.bad_q} == sh_invalid_q);
      assert (block_lock_q || sh_invalid_q == 0);
      if (header_q || index_q != JUDGED + 2'd1) begin
        assert (u_lock.headers_full_q == &u_lock.headers_q);
        assert (u_lock.bad_full_q == &u_lock.bad_q);
      end
      // Descrambler
      for (int i = 0; i < 64 - WIDTH; i++)
      if (i < WIDTH * int'(words_q)) assert (u_align.before_q[63-i] == history_q[i]);
      if (caught_up) for (int i = 0; i < WIDTH; i++) assert (u_align.terms_q[i] == history_q[38-i] ^ history_q[57-i]);
    end
endmodule
