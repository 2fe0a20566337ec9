// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of the transmit gearbox: macpcs_tx_phase with macpcs_tx_line.
//
// Claim, for any payload words, headers, starts and resets: from the second cycle after reset on, pma_data is the
// concatenation of all blocks, each as its header (2 bits) and its scrambled payload (64 bits), without a bit lost,
// repeated or moved; a block whose start was taken is that start block, scrambled as such; and `step` asks for a
// payload word exactly when the stream needs one.
//
// The reference knows nothing of phases or windows.  It is a bit queue: put the header in, put a payload word in if
// there are not yet 32 bits, take 32 bits out.  The scrambler is the serial one of 49.2.6.
//
// Assumed (and proved in tx_frame.sv): a start is offered only for an idle block, and the header stands still while
// the payload does.
module tx_gearbox
  import macpcs_pkg::slot_t;
#(
    parameter bit INVARIANTS = 1'b1,  // off in a search for a fault: then only the claim counts
    parameter bit CALM = 1'b0  // one reset, no start, constant payload: makes a long search for a fault cheap
) (
    input logic        clk,
    input logic        rst,
    // Free in every cycle
    input logic [31:0] payload_next,
    input logic        control_next,
    input logic        offer0_next,
    input logic        offer4_next,
    input logic        valid
);
  // --- What is proved
  slot_t slot, slot_next;
  logic [3:0] room_next;
  logic step, step_next, start, start0, start4, offer0_q, offer4_q;
  logic [31:0] pma_data;

  macpcs_tx_phase u_phase (
      .clk,
      .rst,
      .slot,
      .slot_next,
      .room_next,
      .step,
      .step_next
  );
  macpcs_tx_line u_line (
      .clk,
      .rst,
      .slot_next,
      .room_next,
      .step,
      .payload_next,
      .control_next,
      .offer0_next,
      .offer4_next,
      .start,
      .start0,
      .start4,
      .pma_data
  );

  // --- Environment
  logic began_q = 1'b0, offer_next, step_q, control_q;
  assign offer_next = offer0_next | offer4_next;
  assign start0     = offer0_q & valid;
  assign start4     = offer4_q & valid;
  assign start      = start0 | start4;
  always_ff @(posedge clk) begin
    began_q   <= 1'b1;
    step_q    <= step | rst;
    control_q <= control_next;
    offer0_q  <= offer0_next & ~rst;
    offer4_q  <= offer4_next & ~rst;
  end
  always_comb begin
    if (!began_q) assume (rst);
    if (CALM) assume (rst == !began_q && !offer_next && control_next && payload_next == 32'h12345678);
    assume (!(offer0_next && offer4_next));
    if (offer_next) assume (!slot_next.stall && slot_next.pos == 0);
    if (offer_next) assume (control_next && payload_next == 32'h0000001e);  // idle: type, C0..C3
    if (offer0_q || offer4_q) assume (payload_next == 32'h00000000);  // C4..C7
    if (began_q && !step_q) assume (control_next == control_q);
  end

  // --- Reference
  typedef enum logic [1:0] {
    NONE,
    LANE0,
    LANE4
  } start_e;
  typedef struct packed {
    logic        active;       // the stream has begun
    logic        second;       // the next payload word is the second half of a block
    logic        header_sent;  // and the header before it is in the queue
    start_e      kind;         // of the present block
    logic [57:0] history;      // payload bits sent, latest in bit 0
    logic [5:0]  count;        // bits in the queue
    logic [31:0] queue;        // next bit out in bit 0
  } ref_t;
  localparam ref_t BEGIN = '{
      active: 1'b0,
      second: 1'b0,
      header_sent: 1'b0,
      kind: NONE,
      history: '1,
      count: '0,
      queue: '0
  };
  typedef struct packed {
    ref_t        rest;
    logic        payload;  // a payload word went in
    logic [31:0] word;     // 32 bits came out
  } sent_t;
  ref_t q;
  logic [31:0] payload_q;  // payload word given last, not yet sent
  logic payload_control_q;

  // Figure 49-7: bytes S0 D1..D7 behind type 78, or C0..C3 S4 D5..D7 behind 33; all D but the last are preamble.
  function automatic logic [31:0] half_block(start_e kind, logic second, logic [31:0] given);
    case (kind)
      LANE0:   return second ? 32'hd5555555 : 32'h55555578;
      LANE4:   return second ? 32'h55555500 : 32'h00000033;
      default: return given;
    endcase
  endfunction

  // One transceiver word.
  function automatic sent_t send(ref_t r, start_e now, logic [31:0] given, logic ctl);
    ref_t o;
    logic [95:0] bits;
    logic [6:0] count;
    logic [31:0] data;
    logic sent, x;
    o     = r;
    bits  = 96'(r.queue);
    count = {1'b0, r.count};
    sent  = 1'b0;
    if (!r.second && !r.header_sent) begin
      bits = bits | (96'(ctl ? 2'b01 : 2'b10) << count);  // 10 and 01 in the standard's order, first bit left
      count = count + 7'd2;
      o.header_sent = 1'b1;
    end
    if (count < 32) begin
      if (!r.second) o.kind = now;
      data = half_block(o.kind, r.second, given);
      for (int i = 0; i < 32; i++) begin
        x         = data[i] ^ o.history[38] ^ o.history[57];
        o.history = {o.history[56:0], x};
        data[i]   = x;
      end
      bits          = bits | (96'(data) << count);
      count         = count + 7'd32;
      sent          = 1'b1;
      o.second      = ~r.second;
      o.header_sent = 1'b0;
    end
    o.queue = bits[63:32];
    o.count = 6'(count - 7'd32);
    return {o, sent, bits[31:0]};
  endfunction

  logic ctl;
  sent_t sent, sent_none, sent_lane0, sent_lane4;
  // The header of a block may go out a cycle before its first payload word: that one is being given now.
  assign ctl        = step_q ? payload_control_q : control_next;
  assign sent       = send(q, start0 ? LANE0 : start4 ? LANE4 : NONE, payload_q, ctl);
  assign sent_none  = send(q, NONE, payload_q, ctl);
  assign sent_lane0 = send(q, LANE0, payload_q, ctl);
  assign sent_lane4 = send(q, LANE4, payload_q, ctl);

  always_ff @(posedge clk) begin
    if (q.active) q <= sent.rest;
    q.active <= 1'b1;
    if (step) begin
      payload_q         <= payload_next;
      payload_control_q <= control_next;
    end
    if (rst) q <= BEGIN;
  end

  // --- The claim
  always_comb begin
    if (began_q && q.active) begin
      assert (pma_data == sent.word);
      assert (step_q == sent.payload);  // a payload word given in the cycle before is sent now, and none is wanting
    end
  end

  // --- Invariants that make the claim inductive
  logic [31:0] last_word, word_before;  // payload words sent, first bit in bit 0
  always_comb
    for (int i = 0; i < 32; i++) begin
      last_word[i]   = q.history[31-i];
      word_before[i] = i >= 6 ? q.history[63-i] : u_line.before_q[i];
    end
  always_comb begin
    if (INVARIANTS && began_q && !q.active) begin
      assert ({slot.stall, slot.pos} == 3'd1 && {slot_next.stall, slot_next.pos} == 3'd0 && room_next == 14);
      assert (u_line.base_q == '1 && u_line.before_q == '1 && u_line.mask_q == '0);
      assert (q == BEGIN);
      assert (step_q && !offer0_q && !offer4_q);
    end
    if (INVARIANTS && began_q && q.active) begin
      // Schedule
      assert (slot.stall == !step_q);
      assert (slot.stall ? slot.pos == 0 : slot.pos == {1'b0, q.second});
      assert (slot_next.stall == (room_next == 15 && slot.pos == 1));
      assert (slot_next.pos == {1'b0, slot.pos == 0 && !slot.stall});
      assert (q.header_sent == (!slot.stall && slot.pos == 0 && room_next == 15));
      assert (!slot.stall || (room_next == 15 && !q.second));
      assert (q.count == (q.header_sent ? 6'd0 : {1'b0, 4'd14 - room_next, 1'b0}));
      assert (q.queue == (q.count == 0 ? 32'h0 : last_word >> (6'd32 - q.count)));
      // Scrambler
      assert (u_line.before_q == (slot.stall ? word_before : last_word));
      if (slot.stall)
        assert (u_line.base_q == last_word);
        else
          for (int i = 0; i < 32; i++)
          assert (u_line.base_q[i] == (half_block(
              q.second ? q.kind : NONE, q.second, payload_q
          ) >> i & 1'b1) ^ q.history[38-i] ^ q.history[57-i]);
      // Late start
      assert (!(offer0_q && offer4_q));
      if (offer0_q || offer4_q) assert (!slot.stall && slot.pos == 0 && payload_q == 32'h0000001e && payload_control_q);
      assert (u_line.word_q == sent_none.word);
      if (offer0_q) assert ((u_line.word_q ^ u_line.mask_q) == sent_lane0.word);
      if (offer4_q) assert ((u_line.word_q ^ u_line.mask_q) == sent_lane4.word);
      if (q.second && q.kind != NONE) assert (payload_q == 0);
    end
  end
endmodule
