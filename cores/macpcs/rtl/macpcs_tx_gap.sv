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
(
    input logic clk,
    input logic rst,

    input slot_t slot,
    input slot_t slot_next,
    input logic step,
    input logic idle,  // no frame is under way
    input logic terminate,  // a terminate block is put into the payload pipeline (two slots ahead of the wire)
    input logic [2:0] terminate_bytes,  // its data bytes
    input logic start,  // a start on offer is taken now

    output logic offer0_next,
    output logic offer4_next,
    output logic offer0,
    output logic offer4
);
  // Blocks that must pass before a start in lane 0 costs no deficit; 3 while the terminate block is on its way out.
  logic [1:0] wait_q;
  logic [1:0] deficit_q;
  logic [3:0] owed_q;  // deficit + terminate_bytes, 0..10

  logic block_next;
  assign block_next  = idle & ~slot_next.stall & (slot_next.pos == 0);
  assign offer0_next = block_next & (wait_q == 0 || (wait_q == 1 && !owed_q[3]));
  assign offer4_next = block_next & ((wait_q == 2 && owed_q[3:2] == 0) || (wait_q == 1 && owed_q[3]));

  always_ff @(posedge clk) begin
    offer0 <= offer0_next;
    offer4 <= offer4_next;
    if (step) begin
      if (terminate) begin
        wait_q <= 2'd3;
        owed_q <= {2'b00, deficit_q} + {1'b0, terminate_bytes};
      end else if (!slot.stall && slot.pos == 0 && wait_q != 0) begin
        wait_q <= wait_q - 2'd1;
      end
      if (start) begin
        // The block that starts is the one for which wait_q was looked at; owed_q[1:0] is d+r modulo 4.
        if (wait_q == 2 || (wait_q == 1 && owed_q >= 4)) deficit_q <= owed_q[1:0];
        else deficit_q <= 2'd0;
      end
    end
    if (rst) begin
      offer0    <= 1'b0;
      offer4    <= 1'b0;
      wait_q    <= 2'd0;
      deficit_q <= 2'd0;
      owed_q    <= 4'd0;
    end
  end
endmodule
