// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of the starts and gaps of the transmitter with 16-bit words: macpcs_tx_phase with macpcs_tx_frame16 (and
// macpcs_tx_gap in it) and macpcs_tx_fault.
//
// The claims are those of tx_frame.sv, about words of 16 bits, each of which is given a step earlier than it leaves,
// and:
//   5. The fourth payload word of a start block is the right one: 55 D5 in lane 0, 55 55 in lane 4, behind which come
//      55 55 and 55 D5.  macpcs_tx_line does not see to that.  The first word of a frame is taken with a start in lane
//      0, and two payload words after a start in lane 4.
//   6. Behind a start come data blocks only, up to a terminate block, and no start before that: how the user ends the
//      frame (tvalid, tlast, tkeep) changes when that block comes, not what may come.
// The first block after a reset does not count: half of it had been given before.
module tx_frame16
  import macpcs_pkg::slot_t;
#(
    parameter bit INVARIANTS = 1'b1,
    parameter bit CALM = 1'b0,  // one reset; the user always has a frame, 1 byte longer than what is padded or 5
    parameter bit OWN_FCS = 1'b0,
    parameter int IFG_COUNT = 12,
    parameter int PADDING_SIZE = 64
) (
    input logic        clk,
    input logic        rst,
    // Free in every cycle
    input logic [15:0] s_axis_tdata,
    input logic [ 1:0] s_axis_tkeep,
    input logic        s_axis_tvalid,
    input logic        s_axis_tlast,
    input logic        s_axis_tuser,
    input logic [31:0] s_axis_fcs,
    input logic        local_fault,
    input logic        remote_fault,
    input logic        pattern_on
);
  // --- What is proved
  slot_t slot, slot_next;
  logic [2:0] room_next;
  logic block_next, fault_stop, stop, send_rf, block_end, quiet;
  logic step, step_next, start, start0, start4, offer0_next, offer4_next, control_next, s_axis_tready;
  logic stat_tx_frame, stat_tx_error, stat_tx_underrun;
  logic [15:0] payload_next;

  macpcs_tx_phase #(
      .WIDTH(16)
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
  macpcs_tx_frame16 #(
      .OWN_FCS(OWN_FCS || CALM),  // no CRC makes the search cheaper
      .PADDING_SIZE(PADDING_SIZE),
      .IFG_COUNT(IFG_COUNT)
  ) dut (
      .clk,
      .rst,
      .s_axis_tdata,
      .s_axis_tkeep,
      .s_axis_tvalid,
      .s_axis_tready,
      .s_axis_tlast,
      .s_axis_tuser,
      .s_axis_fcs,
      .slot,
      .pos_next(slot_next.pos),
      .block_next,
      .step,
      .step_next,
      .stop,
      .send_rf,
      .block_end,
      .quiet,
      .start0,
      .start4,
      .offer0_next,
      .offer4_next,
      .payload_next,
      .control_next,
      .stat_tx_frame,
      .stat_tx_error,
      .stat_tx_underrun
  );

  macpcs_tx_fault u_fault (
      .clk,
      .rst,
      .local_fault,
      .remote_fault,
      .block_end,
      .idle(quiet),
      .stop(fault_stop),
      .send_rf
  );
  assign stop  = fault_stop | pattern_on;
  assign start = start0 | start4;

  // --- Environment
  logic began_q = 1'b0;
  logic [5:0] beat_q;
  logic short_q;  // for CALM
  always_ff @(posedge clk) begin
    began_q <= 1'b1;
    if (!began_q) short_q <= local_fault;
    if (s_axis_tready) beat_q <= s_axis_tlast ? 6'd0 : beat_q + 6'd1;
    if (rst) beat_q <= 6'd0;
  end
  always_comb begin
    if (!began_q) assume (rst);
    if (CALM) begin
      assume (rst == !began_q && !(local_fault && began_q) && !remote_fault && !pattern_on);
      assume (s_axis_tvalid && !s_axis_tuser && s_axis_fcs == 0 && s_axis_tdata == 16'h4567);
      assume (s_axis_tlast == (beat_q == PADDING_SIZE / 2 - (short_q ? 2 : 0)));
      assume (s_axis_tkeep == (s_axis_tlast ? 2'h1 : 2'h3));
    end
  end

  // --- The block that leaves: its first word is given_q2 in a slot with pos 0
  localparam logic [7:0][7:0] TERMINATE = 64'hff_e1_d2_cc_b4_aa_99_87;  // figure 49-7, by number of data bytes
  logic [15:0] given_q, given_q2;
  logic given_control_q, given_control_q2, block, is_idle, is_fault, is_terminate;
  logic fresh_q;  // no whole block since reset
  logic [3:0] data_bytes;
  always_ff @(posedge clk) begin
    if (step) begin
      {given_q, given_q2}                 <= {payload_next, given_q};
      {given_control_q, given_control_q2} <= {control_next, given_control_q};
    end
    if (!slot.stall && slot.pos == 0) fresh_q <= 1'b0;
    if (rst) fresh_q <= 1'b1;
  end
  assign block    = ~slot.stall & (slot.pos == 0) & ~fresh_q;
  assign is_idle  = given_control_q2 & (given_q2 == 16'h001e);
  assign is_fault = given_control_q2 & (given_q2 == 16'h0055);
  always_comb begin
    is_terminate = 1'b0;
    data_bytes   = 4'd0;
    for (int i = 0; i < 8; i++)
    if (given_control_q2 && given_q2[7:0] == TERMINATE[i]) begin
      is_terminate = 1'b1;
      data_bytes   = 4'(i);
    end
  end

  // --- Reference: the gap as the blocks show it, and the deficit
  typedef enum logic [1:0] {
    QUIET,  // nothing sent since reset
    FRAME,
    GAP
  } ref_e;
  ref_e state_q;
  localparam int BLOCKS = (IFG_COUNT + 9) / 8;  // after so many, a start in lane 0 leaves no deficit
  localparam int FULL = 8 * BLOCKS + 24;
  logic [8:0] count_q;  // bytes of gap up to this block; from FULL on it stays between FULL and FULL + 7
  logic [2:0] deficit_q;
  logic waiting_q;  // the user has been waiting since the terminate block, and nothing has stopped him
  logic inside_q;  // the user's frame is under way: its last word has not been taken
  logic [8:0] gap;
  logic signed [9:0] deficit0, deficit;  // after a start in lane 0 of this block, after this start
  assign gap = count_q + (start4 ? 9'd4 : 9'd0);
  assign deficit0 = $signed(10'(deficit_q) + 10'(IFG_COUNT) - 10'(count_q));
  assign deficit = $signed(10'(deficit_q) + 10'(IFG_COUNT) - 10'(gap));

  always_ff @(posedge clk) begin
    if (s_axis_tvalid && s_axis_tready) inside_q <= !s_axis_tlast;
    else if (start) inside_q <= 1'b1;
    if (block && is_terminate && !start) waiting_q <= s_axis_tvalid & ~inside_q & ~stop;
    else waiting_q <= waiting_q & s_axis_tvalid & ~inside_q & ~stop;
    if (block) begin
      if (start) begin
        state_q <= FRAME;
        if (state_q == GAP) deficit_q <= deficit < 0 ? 3'd0 : deficit[2:0];
      end else if (is_terminate) begin
        state_q <= GAP;
        count_q <= 9'd8 - 9'(data_bytes);
      end else if (state_q == GAP) begin
        count_q <= count_q >= FULL ? count_q : count_q + 9'd8;
      end
    end
    if (rst) begin
      state_q   <= QUIET;
      deficit_q <= 3'd0;
      inside_q  <= 1'b0;
      waiting_q <= 1'b0;
    end
  end

  // --- The claims
  logic offer0_q, offer4_q, start0_q, start4_q, start4_q2, idle_q, fault_q;
  always_ff @(posedge clk) begin
    offer0_q  <= offer0_next & ~rst;
    offer4_q  <= offer4_next & ~rst;
    start0_q  <= start0 & ~rst;
    start4_q  <= start4 & ~rst;
    start4_q2 <= start4_q & ~rst;
    idle_q    <= block & is_idle & ~start & ~rst;
    fault_q   <= block & is_fault & ~rst;
  end
  logic after4_q;  // the last word of the preamble is given
  always_ff @(posedge clk) after4_q <= start4_q2 & ~rst;
  always_comb
    if (began_q) begin
      // 1
      assert (!(offer0_next && offer4_next));
      if (offer0_next || offer4_next) begin
        assert (!slot_next.stall && slot_next.pos == 0);
        assert (given_control_q && given_q == 16'h001e && payload_next == 0);
      end
      if (offer0_q || offer4_q) assert (payload_next == 0 && s_axis_tready == offer0_q);
      assert (start0 == (offer0_q & s_axis_tvalid) && start4 == (offer4_q & s_axis_tvalid));
      // 2 and 6
      if (start) assert (block && is_idle && state_q != FRAME);
      if (block && !start) assert (state_q == FRAME ? is_terminate || !given_control_q2 : is_idle || is_fault);
      if (block && is_idle) assert (given_q == 0 && payload_next == 0);
      if (block && is_fault) assert (given_q == 16'h0200 && payload_next == 0);
      if (idle_q) assert (payload_next == 0);
      if (fault_q) assert (payload_next == 16'h0200);
      // 5
      if (start0_q) assert (payload_next == 16'hd555);
      if (start4_q) assert (payload_next == 16'h5555 && !s_axis_tready);
      if (start4_q2) assert (payload_next == 16'h5555 && !control_next && s_axis_tready == step);
      if (after4_q) assert (payload_next == 16'hd555);
      // 3 and 4
      assert (deficit_q <= 3);
      if (start && state_q == GAP) begin
        assert (gap >= IFG_COUNT - 3);
        if (waiting_q && s_axis_tvalid && !inside_q) assert (deficit >= 0);
      end
    end

  // --- Invariants that make the claims inductive
  logic [3:0] next_bytes, first_bytes;  // of a terminate block whose first word is payload_next, given_q
  logic next_terminate, first_terminate, active;
  always_comb begin
    {next_terminate, first_terminate, next_bytes, first_bytes} = '0;
    for (int i = 0; i < 8; i++) begin
      if (payload_next[7:0] == TERMINATE[i]) {next_terminate, next_bytes} = {control_next, 4'(i)};
      if (given_q[7:0] == TERMINATE[i]) {first_terminate, first_bytes} = {given_control_q, 4'(i)};
    end
  end
  assign active = dut.in_data | dut.in_pad | dut.in_tail;
  // What is idle on its way
  logic plain;
  assign plain = !dut.word_q.fcs_high && !dut.word_q.fcs_both;
  logic reset_q;  // there was a reset in the cycle before
  always_ff @(posedge clk) reset_q <= rst;
  logic late;  // the slot before a block begins, or the one before that if there is a stall
  assign late = slot.stall || slot.pos == 3;
  logic [5:0] wait_q;
  logic [3:0] due_q, due_before;  // in the gap counter, before the terminate block's bytes are added
  logic leaving;  // the gap counter has a terminate block that has not left
  assign wait_q = 6'(dut.u_gap.wait_q);
  assign due_q = dut.u_gap.due_q;
  assign due_before = 4'(deficit_q) + 4'(IFG_COUNT % 4);
  assign leaving = wait_q == BLOCKS + 1;
  logic [5:0] gone;  // blocks since the terminate block, if wait_q is not 0 in a gap
  logic [8:0] bytes;  // the terminate block's data bytes, by gone and count_q
  assign gone  = 6'(BLOCKS + 1) - wait_q;
  assign bytes = 9'({gone, 3'b000}) - count_q;

  always_comb
    if (INVARIANTS && began_q) begin
      // Schedule
      assert (block_next == (!slot_next.stall && slot_next.pos == 0));
      assert (step_next == !u_phase.stalls_q && (!u_phase.stalls_q || (!slot_next.stall && slot_next.pos == 3)));
      assert (slot_next.pos == (slot.stall ? 2'd0 : slot.pos + 2'd1) && !(slot.stall && slot.pos != 0));
      if (slot_next.stall) assert (!slot.stall && slot.pos == 3);
      if (fresh_q) assert (!slot.stall && slot.pos inside {2'd3, 2'd0});
      if (fresh_q && slot.pos == 3) assert (!slot_next.stall && step_next);
      if (!fresh_q || slot.pos == 0) assert (dut.pos0 == (!slot.stall && slot.pos == 1));
      // States
      assert (3'(dut.in_idle) + 3'(dut.in_preamble4) + 3'(dut.in_data) + 3'(dut.in_pad) + 3'(dut.in_tail) == 1);
      assert (state_q <= GAP);
      assert (!dut.full_q || dut.near_q);
      assert (dut.u_gap.offer0 == offer0_q && dut.u_gap.offer4 == offer4_q && dut.offer_q == (offer0_q | offer4_q));
      assert (dut.start_q == (start0_q | start4_q) && dut.start0_q == start0_q && !(start0_q && start4_q));
      assert (!(offer0_q && offer4_q));
      assert (inside_q == (dut.swallow_q || dut.in_data || dut.in_preamble4));
      assert (!(dut.swallow_q && (dut.in_data || dut.in_preamble4)));
      assert (s_axis_tready == (offer0_q || (dut.in_data && step) || dut.swallow_q));
      if (dut.in_preamble4 || dut.in_data || dut.in_pad) assert (dut.take_q.valid && !dut.take_q.last);
      if (dut.in_tail && dut.take_q.valid) assert (dut.take_q.last);
      if (dut.take_q.last) assert (dut.take_q.valid);
      if (dut.in_idle && !dut.terminate_q) assert (!dut.take_q.valid);
      if (dut.terminate_q) assert (dut.in_idle && !slot.stall && slot.pos == 2 && !fresh_q);
      if (dut.terminate_q && dut.take_q.valid) assert (dut.take_q.last);
      if (dut.leftover_q) assert (!slot.stall && slot.pos == 2);
      if (fresh_q) begin
        assert (state_q == QUIET && dut.in_idle && wait_q == 0 && !offer0_q && !offer4_q && !start0_q && !start4_q);
        assert (!dut.behind_type_q && control_next && plain);
        if (slot.pos == 3) assert (!dut.u_gap.may0 && !dut.u_gap.may4);
      end
      // The preamble
      if (start0_q || start4_q) assert (!slot.stall && slot.pos == 1);
      assert (start4_q == dut.in_preamble4);
      if (start4_q) assert (dut.take_q.data == 16'h5555);
      if (start4_q2)
        assert (!slot.stall && slot.pos == 2 && dut.take_q.data == 16'hd555 && dut.take_q.valid && dut.in_data);
      if (start4_q2) assert (dut.word_q.data == 16'h5555 && plain);
      if (after4_q) assert (!slot.stall && slot.pos == 3 && dut.word_q.data == 16'hd555 && plain);
      if (start0_q) assert (dut.in_data || dut.in_pad);
      // Faults
      if (send_rf) assert (fault_stop && u_fault.quiet_q == 2);
      if (fault_stop && u_fault.quiet_q != 0) begin
        if (!u_fault.idle_q)
          assert (reset_q || (u_fault.quiet_q == 1 && !slot.stall && slot.pos == 1));
          else assert (dut.in_idle && state_q != FRAME && !dut.terminate_q && !leaving && !offer0_q && !offer4_q);
        if (u_fault.idle_q) assert (!dut.u_gap.may0 && !dut.u_gap.may4);
      end
      if (u_fault.idle_q && u_fault.whole_q && !(!slot.stall && slot.pos inside {2'd1}))
        assert (dut.in_idle && state_q != FRAME && !dut.terminate_q && !leaving);
      // Gap
      assert ({1'b0, dut.u_gap.start_q ? dut.u_gap.deficit_next : dut.u_gap.deficit_q} == deficit_q);
      assert (dut.u_gap.start_q == (start0_q | start4_q));
      assert (wait_q <= BLOCKS + 1);
      if (state_q == QUIET) assert (wait_q == 0 && deficit_q == 0);
      if (offer0_q || offer4_q) assert (block && dut.in_idle && !dut.swallow_q);
      if (offer0_q || (late && dut.u_gap.may0)) assert (state_q == QUIET || (state_q == GAP && deficit0 <= 3));
      if (offer4_q || (late && dut.u_gap.may4)) assert (state_q == GAP && deficit0 > 3 && deficit0 <= 7);
      if (late && (dut.u_gap.may0 || dut.u_gap.may4)) assert (dut.in_idle && !dut.swallow_q);
      // What is on its way, and what the gap counter knows of it
      if (!fresh_q) begin
        if (block) begin
          assert (given_control_q == given_control_q2 && control_next == given_control_q2);
          if (leaving)
            assert (is_terminate && due_q == due_before + data_bytes && state_q == FRAME && dut.in_idle);
            else if (given_control_q2) begin
              assert ((send_rf ? is_fault : is_idle) && state_q != FRAME && dut.in_idle && plain);
              assert (given_q == (send_rf ? 16'h0200 : 0) && dut.word_q.data == 0);
            end else assert (active && state_q == FRAME);
          assert (dut.behind_type_q == leaving);
        end else if (late) begin
          assert (given_control_q == control_next);
          if (leaving)
            assert (first_terminate && due_q == due_before + first_bytes && state_q == FRAME && dut.in_idle);
            else if (given_control_q) begin
              assert (given_q == (send_rf ? 16'h0055 : 16'h001e) && state_q != FRAME && dut.in_idle && plain);
              assert (dut.word_q.data == (send_rf ? 16'h0200 : 0));
            end else assert (active && state_q == FRAME);
          assert (dut.behind_type_q == leaving);
        end else if (slot.pos == 2) begin
          assert (!leaving && dut.behind_type_q == dut.terminate_q);
          if (dut.terminate_q)
            assert (next_terminate && next_bytes == dut.terminate_bytes_q && state_q == FRAME);
            else if (dut.in_idle)
              assert (control_next && dut.word_q.data == (send_rf ? 16'h0055 : 16'h001e) && plain && state_q != FRAME);
              else assert (!control_next && active && state_q == FRAME);
          assert (!dut.word_q.fcs_both);
        end else begin
          assert (!leaving && !dut.terminate_q && (dut.in_idle == (state_q != FRAME)));
          if (idle_q || start0_q || start4_q) assert (dut.word_q.data == 0 && plain);
          if (fault_q) assert (dut.word_q.data == 16'h0200 && plain);
        end
      end
      if (idle_q || fault_q) assert (!slot.stall && slot.pos == 1);
      if (state_q == GAP) begin
        assert (dut.in_idle);
        if (wait_q == 0)
          assert (count_q >= 8 * BLOCKS + 1 && count_q <= FULL + 7);
          else assert (gone <= BLOCKS && bytes <= 7 && due_q == due_before + bytes);
        // A user who waits is served at the first offer
        if (waiting_q) assert (deficit0 >= 0 && !inside_q);
        if ((block || late) && waiting_q && deficit0 <= 7)
          assert (deficit0 <= 3 ? (block ? offer0_q : dut.u_gap.may0) : (block ? offer4_q : dut.u_gap.may4));
      end
    end
endmodule
