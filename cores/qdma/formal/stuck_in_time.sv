// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_watch, for any moves, any looks, any limit, and resets at any time.
//   - a queue is reported at a look only if it has had work at `limit` looks one after another, that one with them, and has not
//     moved since the cycle after the first of them, but in the cycle before the last one or later
//   - a queue that has had work at limit + 1 looks one after another, without a move between, is reported at the last one
//   - nothing else is reported
// Watches a queue of its own choice.  Assumes that looks are at least 4 cycles apart, and that the first look at a queue after a
// reset is fresh.
module stuck_in_time #(
    parameter bit INVARIANTS = 1'b1,
    parameter int QUEUES = 2,
    parameter int BITS = 2
) (
    input logic                      clk,           // there is an edge in this step
    input logic                      rst,
    input logic                      move,
    input logic [$clog2(QUEUES)-1:0] move_qid,
    input logic                      look,
    input logic [$clog2(QUEUES)-1:0] look_qid,
    input logic                      has_work,
    input logic                      is_fresh,
    input logic [          BITS-1:0] limit_const,
    input logic [$clog2(QUEUES)-1:0] watched_const
);
  typedef logic [$clog2(QUEUES)-1:0] qid_t;
  localparam logic [BITS:0] MOST = {1'b1, {BITS{1'b0}}};
  logic stuck;
  qid_t stuck_qid, watched_q;
  logic [BITS-1:0] limit;
  qdma_watch #(
      .QUEUES(QUEUES),
      .BITS  (BITS)
  ) dut (
      .*
  );

  // --- Reference: looks with work since the last move, a move being seen a cycle later
  logic reset_q, looked_q, moved_q, is_look, must_q, may_q;
  logic [1:0] apart_q;  // cycles since the last look, up to 3
  logic [BITS:0] waits_q, waits, at_look_q;  // up to MOST; at_look_q: with the last look, whatever moved since
  logic [1:0] looks_q;  // the last two cycles had a look at the watched queue
  assign is_look = look && look_qid == watched_q;
  always_comb begin
    waits = waits_q;
    if (is_look) waits = !has_work || is_fresh ? '0 : waits_q == MOST ? MOST : waits_q + 1'b1;
  end
  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q   <= 1'b1;
    watched_q <= watched_q;
    limit     <= limit;
    moved_q   <= move && move_qid == watched_q;
    waits_q   <= moved_q ? '0 : waits;
    looks_q   <= {looks_q[0], is_look};
    if (is_look) looked_q <= 1'b1;
    apart_q <= look ? '0 : apart_q == 2'd3 ? 2'd3 : apart_q + 1'b1;
    // Of the look of this cycle, which is reported 2 cycles later
    if (is_look) begin
      at_look_q <= waits;
      may_q <= waits >= (BITS + 1)'(limit);
      must_q <= waits > (BITS + 1)'(limit);
    end
    if (rst) begin
      watched_q <= watched_const;
      limit     <= limit_const;
      looked_q  <= 1'b0;
      moved_q   <= 1'b0;
      waits_q   <= '0;
      at_look_q <= '0;
      looks_q   <= '0;
      apart_q   <= 2'd3;
      must_q    <= 1'b0;
      may_q     <= 1'b0;
    end
  end

  logic moves_now, seen_now;
  logic [BITS-1:0] age_now;
  assign moves_now = dut.moves.ram[watched_q];
  assign seen_now  = dut.looks.ram[watched_q][BITS];
  assign age_now   = dut.looks.ram[watched_q][BITS-1:0];
  always_comb begin
    if (!reset_q) assume (rst);
    if (INVARIANTS) begin  // in the first cycle, too: a reset does not clear them
      for (int i = 0; i < QUEUES; i++) assert (dut.seen.ram[i] == dut.looks.ram[i][BITS]);
    end
    if (reset_q) begin
      assume (limit != '0);
      if (look) assume (apart_q == 2'd3);
      if (is_look && !looked_q) assume (is_fresh);

      // --- The claim
      if (looks_q[1]) begin
        assert (!stuck || (stuck_qid == watched_q && may_q));
        assert (stuck || !must_q);
      end else begin
        assert (!(stuck && stuck_qid == watched_q));
      end

      if (INVARIANTS) begin
        assert (dut.move_q == 1'b0 || (dut.move_qid_q == watched_q) == moved_q);
        assert (dut.move_q || !moved_q);
        assert (looks_q[0] == (dut.look_q && dut.look_qid_q == watched_q));
        assert (!dut.look_q || apart_q == 2'd0);
        assert (!looks_q[1] || apart_q == 2'd1);
        assert (!dut.stuck || apart_q == 2'd1);
        assert (waits_q <= MOST && at_look_q <= MOST);
        assert (looked_q || (waits_q == '0 && looks_q == '0));
        if (looked_q && !looks_q[0]) begin
          // Either a move has not been looked at, or the ages agree.
          if (moves_now != seen_now)
            assert (waits_q == '0);
            else assert ((BITS + 1)'(age_now) <= waits_q && waits_q <= (BITS + 1)'(age_now) + 1'b1);
        end
        // A move whose bit is written now, and was seen by the look before: nothing is counted yet.
        if (moved_q && dut.seen_of_move != seen_now) begin
          assert (looks_q[1] && moves_now == seen_now && age_now == '0);
        end
        if (looks_q[0]) begin
          assert (dut.was == dut.looks.ram[watched_q]);
          if (!dut.work_q || dut.fresh_q) assert (at_look_q == '0);
          if (dut.moves_of_look == seen_now) begin
            if (dut.work_q && !dut.fresh_q) begin
              assert ((BITS + 1)'(dut.now.age) <= at_look_q && at_look_q <= (BITS + 1)'(dut.now.age) + 1'b1);
            end
            assert (moves_now == seen_now ? waits_q == at_look_q : waits_q == '0);
          end else begin
            assert (moves_now != seen_now && at_look_q <= 1 && waits_q <= 1);
          end
          assert (may_q == (at_look_q >= (BITS + 1)'(limit)) && must_q == (at_look_q > (BITS + 1)'(limit)));
        end
      end
    end
  end
endmodule
