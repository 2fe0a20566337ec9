// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of the starts and gaps of the transmitter with 32-bit words: macpcs_tx_phase with macpcs_tx_frame (and
// macpcs_tx_gap in it) and macpcs_tx_fault.
//
// Claims, for any user, well-behaved or not, for link faults and test patterns (`pattern_on`) that come and go, and for
// resets at any time:
//   1. A start is offered only for an idle block, and the header stands still while the payload does: what
//      tx_gearbox.sv assumes.  The first word of a frame is taken with a start in lane 0, and one payload word
//      after a start in lane 4.
//   2. Blocks come in order: start, data, terminate, then idle and remote fault blocks only up to the next start.
//   3. The gap, counted on the blocks from the terminate character to the next start character, is T - 3 bytes at least
//      (T: IFG_COUNT).
//   4. With deficit' = max(0, deficit + T - gap), 0 after reset, the deficit is 0..3; and where the user has been
//      waiting since the terminate block was sent, gap = T + deficit - deficit'.  Summed over any N frames: the gaps
//      are T N - 3 bytes at least, and T N at most if the user always waits and the deficit began at 0; so their mean
//      is T.
module tx_frame
  import macpcs_pkg::slot_t;
#(
    parameter bit INVARIANTS = 1'b1,
    parameter bit CALM = 1'b0,  // one reset; the user always has a frame, of PADDING_SIZE - 7 to PADDING_SIZE bytes
    parameter bit OWN_FCS = 1'b0,
    parameter int IFG_COUNT = 12,
    parameter int PADDING_SIZE = 64
) (
    input logic        clk,
    input logic        rst,
    // Free in every cycle
    input logic [31:0] s_axis_tdata,
    input logic [ 3:0] s_axis_tkeep,
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
  logic [3:0] room_next;
  logic block_next, fault_stop, stop, send_rf, block_end, quiet;
  logic step, step_next, start, start0, start4, offer0_next, offer4_next, control_next, s_axis_tready;
  logic stat_tx_frame, stat_tx_error, stat_tx_underrun;
  logic [31:0] payload_next;

  macpcs_tx_phase u_phase (
      .clk,
      .rst,
      .slot,
      .slot_next,
      .block_next,
      .room_next,
      .step,
      .step_next
  );
  macpcs_tx_frame #(
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
  always_ff @(posedge clk) begin
    began_q <= 1'b1;
    if (s_axis_tready) beat_q <= s_axis_tlast ? 6'd0 : beat_q + 6'd1;
    if (rst) beat_q <= 6'd0;
  end
  always_comb begin
    if (!began_q) assume (rst);
    if (CALM) begin
      assume (rst == !began_q && !local_fault && !remote_fault && !pattern_on);
      assume (s_axis_tvalid && !s_axis_tuser && s_axis_fcs == 0 && s_axis_tdata == 32'h01234567);
      assume (s_axis_tlast ? beat_q >= PADDING_SIZE / 4 - 2 : beat_q < PADDING_SIZE / 4 - 1);
      assume (s_axis_tkeep == 4'hf || (s_axis_tlast && s_axis_tkeep inside {4'h1, 4'h3, 4'h7}));
    end
  end

  // --- The block that leaves: its first half is word_q in a slot with pos 0
  localparam logic [7:0][7:0] TERMINATE = 64'hff_e1_d2_cc_b4_aa_99_87;  // figure 49-7, by number of data bytes
  logic [31:0] word_q;
  logic word_control_q, block, is_idle, is_fault, is_terminate;
  logic [3:0] data_bytes;
  always_ff @(posedge clk)
    if (step) begin
      word_q         <= payload_next;
      word_control_q <= control_next;
    end
  assign block = ~slot.stall & (slot.pos == 0);
  assign is_idle = word_control_q & (word_q == 32'h0000001e);
  assign is_fault = word_control_q & (word_q == 32'h02000055);
  always_comb begin
    is_terminate = 1'b0;
    data_bytes   = 4'd0;
    for (int i = 0; i < 8; i++)
    if (word_control_q && word_q[7:0] == TERMINATE[i]) begin
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
  logic offer0_q, offer4_q, start4_q, step_q, control_q;
  always_ff @(posedge clk) begin
    offer0_q  <= offer0_next & ~rst;
    offer4_q  <= offer4_next & ~rst;
    start4_q  <= start4 & ~rst;
    step_q    <= step | rst;
    control_q <= control_next;
  end
  always_comb
    if (began_q) begin
      // 1
      assert (!(offer0_next && offer4_next));
      if (offer0_next || offer4_next) begin
        assert (!slot_next.stall && slot_next.pos == 0);
        assert (control_next && payload_next == 32'h0000001e);
      end
      if (offer0_q || offer4_q) assert (payload_next == 32'h0 && s_axis_tready == offer0_q);
      if (start4_q) assert (s_axis_tready == step);
      assert (start0 == (offer0_q & s_axis_tvalid) && start4 == (offer4_q & s_axis_tvalid));
      if (!step_q) assert (control_next == control_q);
      // 2
      if (start) assert (block && is_idle && state_q != FRAME);
      if (block && !start) assert (state_q == FRAME ? is_terminate || !word_control_q : is_idle || is_fault);
      if (block && is_idle) assert (payload_next == 0);
      if (block && is_fault) assert (payload_next == 32'h02000000);
      // 3 and 4
      assert (deficit_q <= 3);
      if (start && state_q == GAP) begin
        assert (gap >= IFG_COUNT - 3);
        if (waiting_q && s_axis_tvalid && !inside_q) assert (deficit >= 0);
      end
    end

  // --- Invariants that make the claims inductive
  localparam logic [2:0] IDLE = 3'd0, DATA = 3'd1, PAD = 3'd2, TAIL = 3'd3, TERMINATE0 = 3'd4, TERMINATE4 = 3'd5;
  logic [2:0] state;
  logic [3:0] next_bytes;  // of a terminate block whose first half is payload_next
  logic next_terminate, next_idle, next_fault;
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
  logic reset_q;  // there was a reset in the cycle before
  always_ff @(posedge clk) reset_q <= rst;
  assign state      = 3'(dut.state_q);
  assign next_idle  = control_next & (payload_next == 32'h0000001e);
  assign next_fault = control_next & (payload_next == 32'h02000055);
  always_comb begin
    next_terminate = 1'b0;
    next_bytes     = 4'd0;
    for (int i = 0; i < 8; i++)
    if (control_next && payload_next[7:0] == TERMINATE[i]) begin
      next_terminate = 1'b1;
      next_bytes     = 4'(i);
    end
  end

  always_comb
    if (INVARIANTS && began_q) begin
      // Schedule
      assert (block_next == (!slot_next.stall && slot_next.pos == 0));
      // Faults
      if (block && is_fault) assert (fault_stop && !offer0_q && !offer4_q);
      if (send_rf) assert (fault_stop && u_fault.quiet_q == 2);
      if (fault_stop && u_fault.quiet_q != 0) assert (state == IDLE && (u_fault.idle_q || reset_q));
      if (fault_stop && u_fault.quiet_q != 0) assert (state_q != FRAME && !leaving && !offer0_q && !offer4_q);
      if (!block && u_fault.idle_q && u_fault.whole_q) assert (state == IDLE && !leaving);
      assert (slot_next.pos == {1'b0, block} && !(slot_next.stall && block));
      assert (slot.stall ? slot.pos == 0 && !slot_next.stall : slot.pos <= 1);
      // Frame
      assert (state <= TERMINATE4);
      assert (block ? state != TERMINATE4 : state != TERMINATE0);
      if (state == IDLE || state == TERMINATE0 || state == TERMINATE4) assert (dut.words_q == 0);
      if (state == PAD) assert (dut.words_q >= 1 && dut.words_q <= PADDING_SIZE / 4 - 2);
      if (state != TAIL) assert (dut.bytes_q == 0 && dut.shared_q == 0);
      if (dut.bytes_q == 0) assert (dut.shared_q == 0);
      assert (state_q <= GAP);
      assert (dut.u_gap.offer0 == offer0_q && dut.u_gap.offer4 == offer4_q);
      assert (inside_q == (dut.swallow_q || state == DATA));
      assert (!(dut.swallow_q && state == DATA));
      assert (s_axis_tready == (offer0_q || (state == DATA && step) || dut.swallow_q));
      if (start4_q) assert (state == DATA && !block);
      // What is on its way, and what the gap counter knows of it
      if (block) begin
        case (state)
          IDLE: begin
            if (leaving)
              assert (is_terminate && due_q == due_before + data_bytes);
              else assert ((is_idle || is_fault) && state_q != FRAME);
          end
          default: assert (!word_control_q && !leaving && state_q == FRAME);
        endcase
        if (leaving) assert (state == IDLE && state_q == FRAME);
      end else begin
        case (state)
          IDLE:
          if (leaving)
            assert (next_terminate && state_q == FRAME);
            else assert ((send_rf ? next_fault : next_idle) && state_q != FRAME);
          TERMINATE4: assert (next_terminate && leaving);
          TAIL:
          if (dut.bytes_q == 0)
            assert (!control_next && !leaving);
            else assert (next_terminate && leaving);
          default: assert (!control_next && !leaving);
        endcase
        if (state != IDLE) assert (state_q == FRAME);
        if (leaving) assert (due_q == due_before + next_bytes);
      end
      if (offer0_q || offer4_q) assert (block && state == IDLE && !dut.swallow_q);
      if (offer0_q) assert (state_q == QUIET || (state_q == GAP && deficit0 <= 3));
      if (offer4_q) assert (state_q == GAP && deficit0 > 3 && deficit0 <= 7);
      assert (!(offer0_q && offer4_q));
      // Gap
      assert ({1'b0, dut.u_gap.start_q ? dut.u_gap.deficit_next : dut.u_gap.deficit_q} == deficit_q);
      if (dut.u_gap.start_q) assert (!block && (state == DATA || state == PAD));
      assert (wait_q <= BLOCKS + 1);
      if (state_q == QUIET) assert (wait_q == 0 && deficit_q == 0);
      if (state_q == GAP) begin
        assert (state == IDLE);
        if (wait_q == 0)
          assert (count_q >= 8 * BLOCKS + 1 && count_q <= FULL + 7);
          else assert (gone <= BLOCKS && bytes <= 7 && due_q == due_before + bytes);
        // A user who waits is served at the first offer
        if (waiting_q) assert (deficit0 >= 0 && !inside_q);
        if (block && waiting_q && deficit0 <= 7) assert (deficit0 <= 3 ? offer0_q : offer4_q);
      end
    end
endmodule
