// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of the transmit gearbox: macpcs_tx_phase with macpcs_tx_line, for both widths.
//
// Claim, for any payload words, headers, starts and resets: from the second cycle after reset on, pma_data is the
// concatenation of all blocks, each as its header (2 bits) and its scrambled payload (64 bits), without a bit lost,
// repeated or moved; a block whose start was taken is that start block, scrambled as such; and `step` asks for a
// payload word exactly when the stream needs one.  With 16-bit words each payload word is given one step earlier (the
// first one after a reset is all ones, a control block's), and the fourth of a start block is not the line's business:
// it goes out as it was given.  tx_frame16.sv proves that it is the right one.  A test pattern goes out in place of all
// that, word by word; the blocks go on behind it as if they were sent.
//
// The reference knows nothing of phases or windows.  It is a bit queue: put the header in, put a payload word in if
// there is not yet a transceiver word, take a transceiver word out.  The scrambler is the serial one of 49.2.6.
//
// Assumed (and proved in tx_frame.sv and tx_frame16.sv): a start is offered only for an idle block, and with 32-bit
// words the header stands still while the payload does.
module tx_gearbox
  import macpcs_pkg::slot_t;
#(
    parameter int WIDTH = 32,
    parameter bit INVARIANTS = 1'b1,  // off in a search for a fault: then only the claim counts
    parameter bit CALM = 1'b0  // one reset, no start, constant payload: makes a long search for a fault cheap
) (
    input logic             clk,
    input logic             rst,
    // Free in every cycle
    input logic [WIDTH-1:0] payload_next,
    input logic             control_next,
    input logic             offer0_next,
    input logic             offer4_next,
    input logic             valid,
    input logic             pattern_on,
    input logic [WIDTH-1:0] pattern
);
  localparam bit AHEAD = WIDTH == 16;  // payload words are given a step earlier
  localparam logic [1:0] LAST = 2'(64 / WIDTH - 1);
  localparam int ROOM_BITS = $clog2(WIDTH / 2);

  // --- What is proved
  slot_t slot, slot_next;
  logic [ROOM_BITS-1:0] room_next;
  logic block_next, step, step_next, start0, start4, offer0_q, offer4_q;
  logic [WIDTH-1:0] pma_data;

  macpcs_tx_phase #(
      .WIDTH(WIDTH)
  ) u_phase (
      .clk,
      .rst,
      .slot,
      .slot_next,
      .block_next,
      .room_next,
      .step,
      .step_next
  );
  macpcs_tx_line #(
      .WIDTH(WIDTH)
  ) u_line (
      .clk,
      .rst,
      .slot_next,
      .room_next,
      .step,
      .payload_next,
      .control_next,
      .offer0_next,
      .offer4_next,
      .valid,
      .start0,
      .start4,
      .pattern_on,
      .pattern,
      .pma_data
  );

  // --- Environment
  logic began_q = 1'b0, offer_next, step_q, control_q;
  logic [WIDTH-1:0] given_q, given_q2;  // the payload word given last, and the one before
  logic given_control_q, given_control_q2, pattern_on_q;
  logic [WIDTH-1:0] pattern_q;
  assign offer_next = offer0_next | offer4_next;
  assign start0     = offer0_q & valid;
  assign start4     = offer4_q & valid;
  always_ff @(posedge clk) begin
    began_q      <= 1'b1;
    pattern_on_q <= pattern_on;
    pattern_q    <= pattern;
    step_q       <= step | rst;
    control_q    <= control_next;
    offer0_q     <= offer0_next & ~rst;
    offer4_q     <= offer4_next & ~rst;
    if (step) begin
      {given_q, given_q2}                 <= {payload_next, given_q};
      {given_control_q, given_control_q2} <= {control_next, given_control_q};
    end
    if (rst && AHEAD) {given_q, given_control_q} <= '1;
  end
  localparam logic [WIDTH-1:0] IDLE = WIDTH'(8'h1e);  // type, C0..
  always_comb begin
    if (!began_q) assume (rst);
    if (CALM)
      assume (rst == !began_q && !pattern_on && !offer_next && control_next && payload_next == WIDTH'(32'h12345678));
    assume (!(offer0_next && offer4_next));
    if (offer_next) begin
      assume (!slot_next.stall && slot_next.pos == 0);
      if (AHEAD)
        assume (given_control_q && given_q == IDLE && payload_next == 0);
        else assume (control_next && payload_next == IDLE);
    end
    if (offer0_q || offer4_q) assume (payload_next == 0);  // C4..C7, or C3..C5
    if (began_q && !step_q && !AHEAD) assume (control_next == control_q);
  end

  // --- Reference
  typedef enum logic [1:0] {
    NONE,
    LANE0,
    LANE4
  } start_e;
  typedef struct packed {
    logic             active;       // the stream has begun
    logic [1:0]       index;        // in its block, of the payload word that is next
    logic             header_sent;  // and the header before it is in the queue
    start_e           kind;         // of the present block
    logic [57:0]      history;      // payload bits sent, latest in bit 0
    logic [5:0]       count;        // bits in the queue
    logic [WIDTH-1:0] queue;        // next bit out in bit 0
  } ref_t;
  localparam ref_t BEGIN = '{
      active: 1'b0,
      index: '0,
      header_sent: 1'b0,
      kind: NONE,
      history: '1,
      count: '0,
      queue: '0
  };
  typedef struct packed {
    ref_t             rest;
    logic             payload;  // a payload word went in
    logic [WIDTH-1:0] word;     // a transceiver word came out
  } sent_t;
  ref_t q;

  // Figure 49-7: bytes S0 D1..D7 behind type 78, or C0..C3 S4 D5..D7 behind 33; all D but the last are preamble.
  function automatic logic [WIDTH-1:0] block_word(start_e kind, logic [1:0] index, logic [WIDTH-1:0] given);
    if (kind == NONE || (AHEAD && index == LAST)) return given;
    return WIDTH'((kind == LANE0 ? 64'hd555555555555578 : 64'h5555550000000033) >> (WIDTH * int'(index)));
  endfunction

  function automatic logic [57:0] scrambled(logic [57:0] history, logic [WIDTH-1:0] data);
    for (int i = 0; i < WIDTH; i++) history = {history[56:0], data[i] ^ history[38] ^ history[57]};
    return history;
  endfunction

  // One transceiver word.
  function automatic sent_t send(ref_t r, start_e now, logic [WIDTH-1:0] given, logic ctl);
    ref_t o;
    logic [3*WIDTH-1:0] bits;
    logic [6:0] count;
    logic sent;
    o     = r;
    bits  = (3 * WIDTH)'(r.queue);
    count = {1'b0, r.count};
    sent  = 1'b0;
    if (r.index == 0 && !r.header_sent) begin
      // 10 and 01 in the standard's order, first bit left
      bits          = bits | ((3 * WIDTH)'(ctl ? 2'b01 : 2'b10) << count);
      count         = count + 7'd2;
      o.header_sent = 1'b1;
    end
    if (count < 7'(WIDTH)) begin
      if (r.index == 0) o.kind = now;
      o.history = scrambled(o.history, block_word(o.kind, r.index, given));
      for (int i = 0; i < WIDTH; i++) bits = bits | ((3 * WIDTH)'(o.history[WIDTH-1-i]) << (count + 7'(i)));
      count         = count + 7'(WIDTH);
      sent          = 1'b1;
      o.index       = r.index == LAST ? 2'd0 : r.index + 2'd1;
      o.header_sent = 1'b0;
    end
    o.queue = bits[2*WIDTH-1:WIDTH];
    o.count = 6'(count - 7'(WIDTH));
    return {o, sent, bits[WIDTH-1:0]};
  endfunction

  logic ctl;
  logic [WIDTH-1:0] given;
  sent_t sent, sent_none, sent_lane0, sent_lane4;
  // The header of a block may go out a cycle before its first payload word: that is the latest one then.
  if (AHEAD) begin : gen_ahead
    assign ctl   = step_q ? given_control_q2 : given_control_q;
    assign given = given_q2;
  end else begin : gen_direct
    assign ctl   = step_q ? given_control_q : control_next;
    assign given = given_q;
  end
  assign sent       = send(q, start0 ? LANE0 : start4 ? LANE4 : NONE, given, ctl);
  assign sent_none  = send(q, NONE, given, ctl);
  assign sent_lane0 = send(q, LANE0, given, ctl);
  assign sent_lane4 = send(q, LANE4, given, ctl);

  always_ff @(posedge clk) begin
    if (q.active) q <= sent.rest;
    q.active <= 1'b1;
    if (rst) q <= BEGIN;
  end

  // --- The claim
  always_comb begin
    if (began_q && q.active) begin
      assert (pma_data == (pattern_on_q ? pattern_q : sent.word));
      assert (step_q == sent.payload);  // a payload word is sent when one was asked for, and none is wanting
    end
  end

  // --- Invariants that make the claim inductive
  localparam logic [ROOM_BITS-1:0] TOP = ROOM_BITS'(WIDTH / 2 - 2);
  logic [WIDTH-1:0] last_word;  // payload word sent, first bit in bit 0
  logic [ROOM_BITS:0] filled;
  logic middle;  // neither the first nor the last word of a block is next
  logic [63:0] expected_history;
  logic [57:0] ahead_history;
  logic [63:0] mask;
  always_comb begin
    for (int i = 0; i < WIDTH; i++) last_word[i] = q.history[WIDTH-1-i];
    middle = q.index != 0 && q.index != LAST;
    filled = {TOP - room_next, 1'b0} + (middle ? (ROOM_BITS + 1)'(2) : '0);
    // The line works as if no start is taken in this cycle; with AHEAD it has scrambled the next word too.
    ahead_history = !AHEAD ? sent_none.rest.history :
        scrambled(sent_none.rest.history, block_word(sent_none.rest.kind, sent_none.rest.index, given_q));
    if (sent_none.rest.index == 0 && AHEAD) ahead_history = scrambled(sent_none.rest.history, given_q);
    expected_history = '0;
    for (int i = 0; i < 58; i++) expected_history[63-i] = ahead_history[i];
    mask = (offer0_q ? u_line.START0 : offer4_q ? u_line.START4 : 64'h0) << (WIDTH - 2 - 2 * int'(room_next));
  end
  if (AHEAD) begin : gen_ahead_invariants
    always_comb
      if (INVARIANTS && began_q) begin
        assert (u_line.gen_ahead.control_q == given_control_q);
        assert (u_line.gen_ahead.mask_after_q == mask[2*WIDTH-1:WIDTH]);
        if (!q.active) assert (given_q == '1 && given_control_q);
        if (q.active && (offer0_q || offer4_q)) assert (given_q == 0);
      end
  end
  always_comb begin
    if (INVARIANTS && began_q) begin
      // Schedule
      assert (block_next == (!slot_next.stall && slot_next.pos == 0));
      assert (step_next == !(!slot_next.stall && slot_next.pos == LAST && room_next == 0));
      assert (u_line.pattern_on_q == pattern_on_q);
      assert (u_line.mask_q == (!q.active ? '0 : pattern_on_q ? pattern_q : mask[WIDTH-1:0]));
      if (offer0_q || offer4_q) assert (q.active && step_q);
    end
    if (INVARIANTS && began_q && !q.active) begin
      assert (slot == {1'b0, LAST} && slot_next == 3'd0 && room_next == TOP);
      assert (u_line.history_q == '1);
      assert (q == BEGIN);
      assert (step_q && !offer0_q && !offer4_q);
    end
    if (INVARIANTS && began_q && q.active) begin
      assert (slot.stall == !step_q);
      assert (slot.stall ? slot.pos == 0 && q.index == 0 : slot.pos == q.index);
      assert (q.index <= LAST && q.kind <= LANE4);
      assert (slot_next.stall == (&room_next && !slot.stall && slot.pos == LAST));
      assert (slot_next.pos == (slot.stall || slot.pos == LAST ? 2'd0 : slot.pos + 2'd1));
      assert (q.header_sent == (!slot.stall && slot.pos == 0 && &room_next));
      if (slot.stall) assert (&room_next);
      assert (q.count == (q.header_sent ? 6'd0 : 6'(filled)));
      assert (q.queue == (q.count == 0 ? '0 : last_word >> (WIDTH - int'(q.count))));
      // Scrambler
      assert (u_line.history_q[63:6] == expected_history[63:6]);
      // Late start
      assert (!(offer0_q && offer4_q));
      if (offer0_q || offer4_q) assert (!slot.stall && slot.pos == 0 && given == IDLE && ctl);
      assert (u_line.word_q == (pattern_on_q ? '0 : sent_none.word));
      if (offer0_q) assert ((sent_none.word ^ mask[WIDTH-1:0]) == sent_lane0.word);
      if (offer4_q) assert ((sent_none.word ^ mask[WIDTH-1:0]) == sent_lane4.word);
      if (!AHEAD && q.index != 0 && q.kind != NONE) assert (given == 0);
      if (AHEAD && q.kind != NONE && q.index inside {2'd1, 2'd2}) assert (given == 0);
      if (AHEAD && q.kind != NONE && q.index == 1) assert (given_q == 0);
    end
  end
endmodule
