// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of card_dma_c2h, for any words of the card at any time, packets of one word too, any answers, flushes and resets:
//   - no beat and no length is lost: each finds room in its FIFO;
//   - each packet that is stored, or comes, is one that is granted and not sent, waits for its answer, or is discarded: none
//     is granted twice or forgotten;
//   - only the packet that was dropped is discarded; one of a closed queue counts as dropped once, and is not asked for.
// Assumed: a port is chosen that wants it; card_dma_send accepts beats of granted packets only.
module card_dma_c2h_room
  import qdma_c2h_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1
) (
    input logic       clk,
    input logic       rst,
    input logic       flush,
    input logic [7:0] s_tkeep,
    input logic       s_tvalid,
    input logic       s_tlast,
    input logic       chosen,
    input logic       answer_valid,
    input logic [2:0] answer,
    input logic       event_valid,
    input logic       beat_ready
);
  localparam int DEPTH = 8;
  localparam int BITS = $clog2(DEPTH);
  localparam int LAST = 512 + 6;  // the bit of a beat in the FIFO
  typedef logic [BITS+1:0] count_t;
  localparam logic [1:0] ASKED = 2'd1, DROPPED = 2'd3;

  logic s_tready, wants, is_granted, is_unasked, is_discarded, beat_valid, beat_last;
  logic [ 15:0] length;
  logic [511:0] beat_data;
  logic [  5:0] beat_mty;
  card_dma_c2h #(
      .DEPTH(DEPTH)
  ) dut (
      .clk,
      .rst,
      .flush,
      .s_tdata(64'd0),
      .s_tkeep,
      .s_tvalid,
      .s_tready,
      .s_tlast,
      .wants,
      .length,
      .chosen,
      .answer_valid,
      .answer (c2h_answer_e'(answer)),
      .event_valid,
      .is_granted,
      .is_unasked,
      .is_discarded,
      .beat_valid,
      .beat_ready,
      .beat_data,
      .beat_last,
      .beat_mty
  );

  // --- Packets that are stored whole, and the one whose end has not come
  logic is_open, is_dropped, last_packed;
  count_t stored, beats, ends, known;
  assign is_open     = dut.u_pack.is_inside_q & ~dut.u_pack.discards_q;
  assign is_dropped  = dut.u_ask.state_q == DROPPED;
  assign last_packed = dut.packed_valid & dut.packed_last;
  assign stored      = count_t'(dut.beats_used) + count_t'(dut.packed_valid);
  always_comb begin
    ends = count_t'(last_packed);
    for (int i = 0; i < DEPTH; i++) begin
      beats = count_t'(BITS'(i - 32'(dut.u_beats.rd_ptr_q[BITS-1:0])));  // place in the order
      if (beats < count_t'(dut.beats_used)) ends = ends + count_t'(dut.u_beats.words[i][LAST]);
    end
  end
  assign known = count_t'(dut.granted_q) + count_t'(dut.lengths_used) + count_t'(is_dropped);

  logic began_q = 1'b0;
  always_ff @(posedge clk) began_q <= 1'b1;
  always_comb begin
    if (!began_q) assume (rst);
    assume (!chosen || wants);
    assume (!beat_ready || dut.granted_q != '0);

    if (began_q) begin
      // The claim
      if (dut.length_valid && !dut.clear) assert (dut.lengths_ready);
      if (dut.packed_valid && !dut.clear) assert (dut.beats_ready);
      assert (known == ends + count_t'(is_open));
      if (dut.discards) assert (is_dropped && dut.granted_q == '0);
      if (wants) assert (!is_unasked);
      if (is_unasked) assert (dut.u_ask.is_closed_q && dut.lengths_used != '0);
      // Invariants
      if (INVARIANTS) begin
        assert (dut.beats_used <= (BITS + 1)'(DEPTH) && dut.lengths_used <= (BITS + 1)'(DEPTH));
        assert (stored <= count_t'(DEPTH));
        if (s_tready) assert (stored < count_t'(DEPTH));
        if (dut.u_ask.state_q == ASKED) assert (dut.lengths_used != '0);
        assert (dut.granted_q <= (BITS + 1)'(DEPTH + 1));
      end
    end
  end

  logic unused;
  assign unused = &{1'b0, length, is_granted, is_discarded, beat_valid, beat_last, beat_data, beat_mty};
endmodule
