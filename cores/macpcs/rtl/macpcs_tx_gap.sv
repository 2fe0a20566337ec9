// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Inter-frame gap with deficit idle count: says where the next frame may start.  IEEE 802.3 clause 4.4.2 asks for 96
// bits between packets (IFG_COUNT = 12 bytes); clause 46.3.1.4 lets a gap be up to 3 bytes shorter, so that the frame
// starts in a lane where it can, if the mean holds.
// Latency: `offer*_next` speak of the next cycle, `offer*` of this one.
//
// The gap is counted from the terminate character.  A terminate block with r data bytes leaves 8-r bytes of gap.
// After it, frames can start in place t = 0, 1, 2, ..: lane 4 of the next block, lane 0 of the second, lane 4 of it,
// and so on.  With IFG_COUNT = 12 + 4m + e (0 <= e <= 3) and deficit d (0..3: the bytes by which earlier gaps were
// too short):
//
//   due = d+r+e (0..13)      gap of a start in place t: 12+4t-r      allowed if t >= m + floor(due/4)
//                            new deficit: due modulo 4 if t is the first such place, else 0
//
// So the gap is IFG_COUNT - 3 bytes at least, and IFG_COUNT on average.  Lane 4 is offered only where it serves a
// waiting frame: if lane 0 of the same block is not allowed.  For IFG_COUNT = 12:
//
//   start                                     gap      allowed if      new deficit
//   lane 4 of the block after the terminate   12-r     d+r <= 3        d+r
//   lane 0 of the second block                16-r     d+r <= 7        max(d+r-4, 0)
//   lane 4 of the second block                20-r     d+r >= 8        d+r-8
//   any later block, lane 0                   larger   always          0
module macpcs_tx_gap
  import macpcs_pkg::*;
#(
    parameter int WIDTH = 32,  // of a payload word
    parameter int IFG_COUNT = 12  // bytes of gap on average, 12..255
) (
    input logic clk,
    input logic rst,

    input slot_t slot,
    input logic block_next,  // the next cycle begins a block
    input logic step,
    input logic idle,  // no frame is under way
    input logic terminate,  // a terminate block has been put into the payload pipeline; before its first word leaves
    input logic [2:0] terminate_bytes,  // its data bytes
    input logic start,  // a start on offer is taken now

    output logic offer0_next,
    output logic offer4_next,
    output logic offer0,
    output logic offer4
);
  if (IFG_COUNT < 12 || IFG_COUNT > 255) begin : gen_bad_gap
    $error("macpcs_tx_gap: IFG_COUNT must be 12 (the least that 802.3 allows) to 255");
  end

  localparam int M = (IFG_COUNT - 12) / 4;
  localparam int E = (IFG_COUNT - 12) % 4;
  localparam int MAX = (10 + E) / 4;  // of due_q[3:2]
  // A start in lane 0 after so many blocks (8 BLOCKS + 1 >= IFG_COUNT + 3 bytes of gap) leaves no deficit.
  localparam int BLOCKS = (IFG_COUNT + 9) / 8;
  localparam int BITS = $clog2(BLOCKS + 2);

  // The first of the BLOCKS has wait_q = BLOCKS, the last one 1, any later one 0.  While the terminate block is on its
  // way out, wait_q is BLOCKS + 1.  Lane 0 of a block is place M + LAST0 - 2 wait_q, lane 4 the next place.
  localparam int LAST0 = 2 * BLOCKS - 1 - M;
  logic [BITS-1:0] wait_q, wait_less;
  logic [1:0] deficit_q, deficit_next;
  logic start_q;
  logic [3:0] due_q;

  // One less, 0 stays.  Bit by bit, and the sum below from a table: adders would be mapped to carry chains.
  always_comb
    for (int i = 0; i < BITS; i++) wait_less[i] = (wait_q != 0) & (wait_q[i] ^ ((wait_q & BITS'((1 << i) - 1)) == 0));

  typedef logic [31:0][3:0] due_t;
  function automatic due_t due_table();
    for (int i = 0; i < 32; i++) due_table[i] = 4'(i / 8 + i % 8 + E);
  endfunction
  localparam due_t DUE = due_table();  // by deficit and terminate_bytes

  // What the block for which wait_q stands allows.  Before the last three of the BLOCKS nothing is.
  logic allowed0, first4, exact;  // exact: lane 0, or lane 4 if first4, is the first place that is allowed
  always_comb begin
    allowed0 = wait_q == 0;
    first4   = 1'b0;
    exact    = 1'b0;
    for (int w = 1; w <= 3; w++) begin
      for (int i = 0; i < 4; i++) begin
        if (wait_q == BITS'(w) && due_q[3:2] == 2'(i)) begin
          // Where i is more than MAX can be it is taken for MAX: less logic.
          if ((i < MAX ? i : MAX) <= LAST0 - 2 * w) allowed0 = 1'b1;
          if ((i < MAX ? i : MAX) == LAST0 - 2 * w + 1) first4 = 1'b1;
          if ((i < MAX ? i : MAX) >= LAST0 - 2 * w) exact = 1'b1;
        end
      end
    end
  end

  // With 16-bit words there is a cycle more to find out whether the next block may be a start.
  logic may0, may4, may0_next, may4_next;
  assign may0_next = idle & allowed0;
  assign may4_next = idle & first4;
  if (WIDTH == 16) begin : gen_registered
    always_ff @(posedge clk) {may0, may4} <= {may0_next & ~rst, may4_next & ~rst};
  end else begin : gen_direct
    assign {may0, may4} = {may0_next, may4_next};
  end
  assign offer0_next = block_next & may0;
  assign offer4_next = block_next & may4;

  always_ff @(posedge clk) begin
    offer0 <= offer0_next;
    offer4 <= offer4_next;
    if (step) begin
      if (terminate) begin
        wait_q <= BITS'(BLOCKS + 1);
        due_q  <= DUE[{deficit_q, terminate_bytes}];
      end else if (!slot.stall && slot.pos == 0) begin
        wait_q <= wait_less;
      end
    end
    // A cycle late, so that `start`, which comes from the user, ends here.  The block that starts is the one for which
    // wait_q was looked at.  A start is on offer in a step only; with 16-bit words it comes too late to be asked once more.
    start_q      <= start & (step | WIDTH == 16);
    deficit_next <= exact ? due_q[1:0] : 2'd0;
    if (start_q) deficit_q <= deficit_next;
    if (rst) begin
      start_q   <= 1'b0;
      offer0    <= 1'b0;
      offer4    <= 1'b0;
      wait_q    <= '0;
      deficit_q <= 2'd0;
      due_q     <= 4'd0;
    end
  end
endmodule
