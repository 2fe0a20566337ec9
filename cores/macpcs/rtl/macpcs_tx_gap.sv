// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Inter-frame gap with deficit idle count (IEEE 802.3 clause 46.3.1.4): says where the next frame may start.
// Latency: `offer*_next` speak of the next cycle, `offer*` of this one.
//
// The gap is counted from the terminate character.  A terminate block with r data bytes leaves 8-r bytes of gap; with
// deficit d from the frame before (0..3: bytes of gap still owed):
//
//   start                                     gap      allowed if      new deficit
//   lane 4 of the block after the terminate   12-r     d+r <= 3        d+r
//   lane 0 of the second block                16-r     d+r <= 7        max(d+r-4, 0)
//   lane 4 of the second block                20-r     d+r >= 8        d+r-8
//   any later block, lane 0                   larger   always          0
//
// So the gap is 9 bytes at least and 12 on average.  Lane 4 is offered only where it serves a waiting frame.
module macpcs_tx_gap
  import macpcs_pkg::*;
#(
    parameter int WIDTH = 32  // of a payload word
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
  // Blocks that must pass before a start in lane 0 costs no deficit; 3 while the terminate block is on its way out.
  logic [1:0] wait_q;
  logic [1:0] deficit_q, deficit_next;
  logic start_q;
  logic [3:0] owed_q;  // deficit + terminate_bytes, 0..10

  // With 16-bit words there is a cycle more to find out whether the next block may be a start.
  logic may0, may4, may0_next, may4_next;
  assign may0_next = idle & (wait_q == 0 || (wait_q == 1 && !owed_q[3]));
  assign may4_next = idle & ((wait_q == 2 && owed_q[3:2] == 0) || (wait_q == 1 && owed_q[3]));
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
        wait_q <= 2'd3;
        owed_q <= {2'b00, deficit_q} + {1'b0, terminate_bytes};
      end else if (!slot.stall && slot.pos == 0) begin
        wait_q <= {wait_q == 3, wait_q == 2};  // one less, 0 stays
      end
    end
    // A cycle late, so that `start`, which comes from the user, ends here.  The block that starts is the one for which
    // wait_q was looked at; owed_q[1:0] is d+r modulo 4.
    start_q      <= start & step;
    deficit_next <= (wait_q == 2 || (wait_q == 1 && (|owed_q[3:2]))) ? owed_q[1:0] : 2'd0;
    if (start_q) deficit_q <= deficit_next;
    if (rst) begin
      start_q   <= 1'b0;
      offer0    <= 1'b0;
      offer4    <= 1'b0;
      wait_q    <= 2'd0;
      deficit_q <= 2'd0;
      owed_q    <= 4'd0;
    end
  end
endmodule
