// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of card_merge, for any frames of any lengths at any time, any host, and any time that a fence takes:
//   - a received frame begins only when, after it was stored, a fence was requested, its mark has come, and all mirror
//     frames that were stored when it came have gone to the host;
//   - the words of two packets never mix, and a word that is offered stays until it is taken;
//   - packets are numbered one by one.
// One received frame, any, is followed: `chosen` says which, `ahead_q` frames go before it.  Assumed: what the stores and
// the crossing promise; no reset of the transmit clock.  Counts are narrow here: only differences matter.
module card_merge_order #(
    parameter bit INVARIANTS  = 1'b1,
    parameter int COUNT_WIDTH = 4
) (
    input logic        clk,
    input logic        rst,
    input logic        chosen,         // follow the frame that is stored now
    input logic        mirror_stored,
    input logic        mirror_valid,
    input logic [63:0] mirror_data,
    input logic        mirror_last,
    input logic        rx_stored,
    input logic        rx_valid,
    input logic [63:0] rx_data,
    input logic        rx_last,
    input logic        fence_ready,
    input logic        mark_valid,
    input logic        m_ready
);
  localparam int MOST = (1 << (COUNT_WIDTH - 1)) - 1;  // frames in a store
  typedef logic [COUNT_WIDTH-1:0] count_t;

  logic mirror_ready, rx_ready, fence_valid, m_valid, m_last, sent;
  logic [1:0] fence_number, asked_number_q;
  logic [63:0] m_data;
  logic [ 7:0] m_keep;
  logic mirror_in_q, rx_in_q;  // a packet of theirs is under way
  card_merge #(
      .COUNT_WIDTH(COUNT_WIDTH)
  ) dut (
      .clk,
      .rst,
      .mirror_stored,
      .mirror_valid,
      .mirror_data,
      .mirror_head  (~mirror_in_q),
      .mirror_last,
      .mirror_keep  (8'hff),
      .mirror_ready,
      .rx_stored,
      .rx_valid,
      .rx_data,
      .rx_head      (~rx_in_q),
      .rx_last,
      .rx_keep      (8'hff),
      .rx_ready,
      .fence_valid,
      .fence_ready,
      .fence_number,
      .mark_valid,
      .mark_number  (asked_number_q),
      .mirror_reset (1'b0),
      .m_axis_tdata (m_data),
      .m_axis_tkeep (m_keep),
      .m_axis_tvalid(m_valid),
      .m_axis_tready(m_ready),
      .m_axis_tlast (m_last),
      .event_sent   (sent)
  );

  // --- The stores and the crossing
  count_t mirror_count_q, rx_count_q;  // frames in them
  logic asked_q, mirror_gone, rx_gone;
  assign mirror_gone = mirror_valid & mirror_ready & mirror_last;
  assign rx_gone     = rx_valid & rx_ready & rx_last;
  always_ff @(posedge clk) begin
    mirror_count_q <= mirror_count_q + count_t'(mirror_stored) - count_t'(mirror_gone);
    rx_count_q     <= rx_count_q + count_t'(rx_stored) - count_t'(rx_gone);
    if (mirror_valid && mirror_ready) mirror_in_q <= ~mirror_last;
    if (rx_valid && rx_ready) rx_in_q <= ~rx_last;
    if (fence_valid && fence_ready) {asked_q, asked_number_q} <= {1'b1, fence_number};
    else if (mark_valid) asked_q <= 1'b0;
    if (rst) begin
      mirror_count_q <= '0;
      rx_count_q     <= '0;
      mirror_in_q    <= 1'b0;
      rx_in_q        <= 1'b0;
      asked_q        <= 1'b0;
    end
  end

  // --- The frame that is followed
  typedef enum logic [1:0] {
    NOT_YET,
    STORED,
    ASKED,
    MARKED
  } life_e;
  life_e life_q;
  count_t ahead_q, left_q;  // left_q: mirror frames that were stored when the mark came, and have not gone
  logic begins;
  assign begins = (life_q != NOT_YET) & (ahead_q == 0) & m_valid & ~dut.mirror_q & ~rx_in_q;
  always_ff @(posedge clk) begin
    if (rx_gone) ahead_q <= ahead_q - 1'b1;
    if (mirror_gone) left_q <= left_q - count_t'(left_q != 0);
    case (life_q)
      NOT_YET: begin
        ahead_q <= rx_count_q - count_t'(rx_gone);
        if (rx_stored && chosen) life_q <= STORED;
      end
      STORED:  if (fence_valid && fence_ready) life_q <= ASKED;
      ASKED: begin
        left_q <= mirror_count_q + count_t'(mirror_stored) - count_t'(mirror_gone);
        if (mark_valid) life_q <= MARKED;
      end
      default: ;
    endcase
    if (rst || (life_q != NOT_YET && rx_gone && ahead_q == 0)) life_q <= NOT_YET;
  end

  // --- The cycle before
  logic began_q = 1'b0, held_q, within_q, from_mirror_q;
  logic mirror_held_q, rx_held_q;
  logic [65:0] word_q, mirror_word_q, rx_word_q;
  logic [31:0] number_q;
  always_ff @(posedge clk) begin
    began_q       <= 1'b1;
    held_q        <= m_valid & ~m_ready & ~rst;
    word_q        <= {m_last, dut.mirror_q, m_data};
    mirror_held_q <= mirror_valid & ~mirror_ready & ~rst;
    mirror_word_q <= {1'b0, mirror_last, mirror_data};
    rx_held_q     <= rx_valid & ~rx_ready & ~rst;
    rx_word_q     <= {1'b0, rx_last, rx_data};
    if (m_valid && m_ready) {within_q, from_mirror_q} <= {~m_last, dut.mirror_q};
    if (sent) number_q <= number_q + 1'b1;
    if (rst) {within_q, number_q} <= '0;
  end

  // Distances from what has gone; every count is ahead of it
  count_t rx_free, rx_cover, mirror_mark;
  assign rx_free     = dut.gen_fence.free_q - dut.rx_sent_q;
  assign rx_cover    = dut.gen_fence.cover_q - dut.rx_sent_q;
  assign mirror_mark = dut.gen_fence.mark_q - dut.gen_fence.mirror_sent_q;
  logic in_idle, in_fence, in_drain;
  assign in_idle  = dut.gen_fence.state_q == 2'd0;
  assign in_fence = dut.gen_fence.state_q == 2'd1;
  assign in_drain = dut.gen_fence.state_q == 2'd2;

  always_comb begin
    if (!began_q)
      assume (rst);
      else assume (!rst);
    // A store shows frames that it has reported, and holds what it shows; a packet has two words at least.
    assume (!mirror_valid || mirror_count_q != 0);
    assume (!rx_valid || rx_count_q != 0);
    assume (!(mirror_valid && mirror_last && !mirror_in_q));
    assume (!(rx_valid && rx_last && !rx_in_q));
    if (mirror_held_q) assume (mirror_valid && {1'b0, mirror_last, mirror_data} == mirror_word_q);
    if (rx_held_q) assume (rx_valid && {1'b0, rx_last, rx_data} == rx_word_q);
    if (mirror_count_q == count_t'(MOST)) assume (!mirror_stored);
    if (rx_count_q == count_t'(MOST)) assume (!rx_stored);
    // A mark comes for a request, later.
    assume (!mark_valid || asked_q);

    if (began_q) begin
      // The claim
      if (begins) assert (life_q == MARKED && left_q == 0);
      if (held_q) assert (m_valid && {m_last, dut.mirror_q} == word_q[65:64] && m_data == word_q[63:0]);
      if (within_q && m_valid) assert (dut.mirror_q == from_mirror_q);
      if (m_valid && !within_q) assert (m_data[63:32] == number_q);
      // Invariants
      if (INVARIANTS) begin
        assert (number_q == dut.sequence_q);
        assert (mirror_count_q <= count_t'(MOST) && rx_count_q <= count_t'(MOST));
        assert (rx_count_q == dut.gen_fence.rx_stored_q - dut.rx_sent_q);
        assert (mirror_count_q == dut.gen_fence.mirror_stored_q - dut.gen_fence.mirror_sent_q);
        assert (in_idle || in_fence || in_drain);
        assert (rx_free <= rx_count_q);
        if (!in_idle) assert (rx_free <= rx_cover && rx_cover <= rx_count_q);
        if (in_drain) assert (mirror_mark <= mirror_count_q);
        assert (asked_q == (in_fence && dut.gen_fence.asked_q));
        if (asked_q) assert (asked_number_q == dut.gen_fence.number_q);
        // Words under way
        assert (mirror_in_q == (within_q && from_mirror_q) && rx_in_q == (within_q && !from_mirror_q));
        if (within_q) assert (dut.busy_q && dut.mirror_q == from_mirror_q);
        if (mirror_in_q) assert (mirror_count_q != 0);
        if (rx_in_q) assert (rx_count_q != 0);
        if (dut.busy_q && !dut.mirror_q) assert (rx_free != 0);
        if (held_q) assert (dut.busy_q);
        if (dut.busy_q && !within_q) assert (dut.mirror_q ? mirror_held_q : rx_held_q);
        // The frame
        if (life_q != NOT_YET) assert (ahead_q < rx_count_q);
        if (life_q != NOT_YET && rx_free > ahead_q) assert (life_q == MARKED && left_q == 0);
        if (life_q != NOT_YET && in_fence && rx_cover > ahead_q) assert (life_q != STORED || !asked_q);
        if (life_q != NOT_YET && in_drain && rx_cover > ahead_q) assert (life_q == MARKED && left_q <= mirror_mark);
        if (life_q == ASKED) assert (asked_q);
        if (life_q == MARKED) assert (left_q <= mirror_count_q);
      end
    end
  end
endmodule
