// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Room for H2C packets at the user: whether the next packet of a queue fits beside those whose payload is under way.
//
// Latency: checked and fits 1 cycle after check_valid.
//
// Interface: room is of queues 0 to LIMITED - 1, beats of 64 bytes, from registers; the user counts a beat from the cycle
// after it has accepted it, and has MARGIN more than it says: for beats between release and the user.  check_valid and what
// goes with it are held until `taken` or `held`.  released: beats of a packet that have been delivered, or dropped.
//
// Operation: a packet that is held blocks its queue until there is room for it, and for half of the most that there may be:
// so the queue's descriptors are fetched again for more than one packet.
module qdma_h2c_room
  import qdma_context_pkg::*;
  import qdma_h2c_pkg::*;
#(
    parameter int LIMITED = 2,
    parameter int MOST    = 248  // beats of the longest packet that is held
) (
    input logic clk,
    input logic rst,

    input room_t [LIMITED-1:0] room,

    input logic check_valid,
    input index_t check_qid,
    input room_t check_beats,
    input logic check_is_part,  // MOST for a packet of which a part is there
    output logic checked,
    output logic fits,
    input logic taken,
    input logic held,
    input logic abandoned,  // MOST, of the packet of which a part was taken last

    input logic   released,
    input index_t released_qid,
    input room_t  released_beats,

    output logic [LIMITED-1:0] blocked
);
  localparam room_t LEAST = room_t'(MOST / 2);
  typedef logic [$bits(room_t):0] sum_t;
  room_t [LIMITED-1:0] under_way_q, needed_q;
  logic [LIMITED-1:0] at_check, at_release, at_abandoned, would_fit, part_q;  // part_q: whose MOST was taken last

  always_comb begin
    for (int i = 0; i < LIMITED; i++) begin
      at_check[i] = check_qid == index_t'(i);
      at_release[i] = released & (released_qid == index_t'(i));
      at_abandoned[i] = abandoned & part_q[i];
      would_fit[i] = sum_t'(under_way_q[i]) + sum_t'(check_beats) <= sum_t'(room[i]);
    end
  end

  always_ff @(posedge clk) begin
    checked <= check_valid & ~taken & ~held;
    fits    <= |(at_check & would_fit);
    if (taken && check_is_part) part_q <= at_check;
    for (int i = 0; i < LIMITED; i++) begin
      if (at_release[i] || at_abandoned[i] || (taken && at_check[i])) begin
        under_way_q[i] <= under_way_q[i] + (taken && at_check[i] ? check_beats : '0)
                          - (at_release[i] ? released_beats : '0) - (at_abandoned[i] ? room_t'(MOST) : '0);
      end
      if (held && at_check[i]) begin
        blocked[i]  <= 1'b1;
        needed_q[i] <= check_beats > LEAST ? check_beats : LEAST;
      end else if (sum_t'(under_way_q[i]) + sum_t'(needed_q[i]) <= sum_t'(room[i])) begin
        blocked[i] <= 1'b0;
      end
    end
    if (rst) begin
      checked     <= 1'b0;
      under_way_q <= '0;
      blocked     <= '0;
    end
  end
endmodule
