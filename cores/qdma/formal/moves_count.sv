// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of the count of qdma_write_arbiter, moves, for any traffic, any stalls of the channel, and functions that become bus
// master or none at any time.
//   - a beat, chosen freely, has left the arbiter with the third count after the cycle in which it was accepted
//   - a count comes a cycle after a beat has left, accepted by the channel or dropped, and for no other cause
//   - of two cycles that follow each other, each with a beat inside and a channel that is ready, one is counted
//   - while it says that it is idle, no beat is inside
// Assumes that a client holds a beat until it is accepted.
module moves_count
  import qdma_tlp_pkg::*;
  import qdma_write_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1
) (
    input logic               clk,           // there is an edge in this step
    input logic               rst,
    input logic [CLIENTS-1:0] client_valid,
    input logic [CLIENTS-1:0] last,
    input logic [CLIENTS-1:0] is_other,      // of which of two functions it is
    input logic [        1:0] masters,
    input logic               chooses,       // a beat that is accepted is the chosen one, if there is none
    input logic               posted_ready
);
  localparam int BEATS = 3;
  logic [CLIENTS-1:0] client_ready, held_q, last_q, other_q;
  write_beat_t [CLIENTS-1:0] client;
  write_beat_t posted;
  logic posted_valid, is_idle, moves, dropped;
  function_t dropped_func;
  qdma_write_arbiter dut (
      .*,
      .master_enable({254'b0, masters})
  );

  // The chosen beat has a bit in its data.
  logic reset_q, left_q, waited_q, is_fresh_q, is_in, has_beat, leaves;
  logic [2:0] chosen;  // of beat_q, of the spare register of the channel, of its output
  logic [1:0] count_q, count;
  assign chosen = {
    dut.beat_valid_q & dut.beat_q.data[0],
    dut.channel.spare_valid_q & dut.channel.spare_q[0],
    posted_valid & posted.data[0]
  };
  assign is_in = |chosen;
  assign has_beat = dut.beat_valid_q | posted_valid | dut.channel.spare_valid_q;
  assign leaves = (posted_valid & posted_ready) | (dut.beat_valid_q & dut.chosen_ready & ~dut.keep);
  // With that of this cycle: the beat may have left by now.  In its first cycle inside a count is of one before it.
  assign count = count_q + 2'(moves & ~is_fresh_q);
  always_comb begin
    for (int i = 0; i < CLIENTS; i++) begin
      client[i]             = '0;
      client[i].last        = last[i];
      client[i].header.func = function_t'(is_other[i]);
      client[i].data[0]     = chooses & ~is_in;
    end
  end

  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q    <= 1'b1;
    held_q     <= client_valid & ~client_ready;
    last_q     <= last;
    other_q    <= is_other;
    left_q     <= leaves;
    waited_q   <= has_beat & posted_ready & ~moves;
    is_fresh_q <= ~is_in;
    count_q    <= is_in ? count : '0;
    if (rst) begin
      held_q     <= '0;
      left_q     <= 1'b0;
      waited_q   <= 1'b0;
      is_fresh_q <= 1'b1;
      count_q    <= '0;
    end
  end

  always_comb begin
    if (!reset_q) assume (rst);
    for (int i = 0; i < CLIENTS; i++) begin
      if (held_q[i]) assume (client_valid[i] && last[i] == last_q[i] && is_other[i] == other_q[i]);
    end

    if (reset_q) begin
      // --- The claim
      if (is_in) assert (32'(count) < BEATS);
      if (moves) assert (left_q);
      if (waited_q && has_beat && posted_ready) assert (moves || leaves);
      if (is_idle) assert (!has_beat);

      if (INVARIANTS) begin
        assert ((chosen & (chosen - 1'b1)) == '0);
        if (dut.channel.spare_valid_q) assert (posted_valid);
        if (is_in && is_fresh_q) assert (count_q == '0 && chosen[2]);
        // By where it is: behind it there is room for as many more.
        if (chosen[2]) assert (count == '0 || (count == 2'd1 && posted_valid && !dut.channel.spare_valid_q));
        if (chosen[1]) assert (count <= 2'd1);
        if (chosen[0]) assert (count <= 2'd2);
      end
    end
  end
endmodule
