// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_usp_order, for any traffic, and resets at any time.
//   - an answer leaves when all posted TLPs that had begun when it came are past, or LIMIT cycles later
//   - if they are, and it may leave, it does
//   - one that is shown stays; one that leaves late says so
// Assumes of the PCIe block: numbers come back in order, of TLPs that have begun; at most 31 in a row are dropped, and fewer
// than half of what COUNT_BITS counts are on their way.  Numbers of reads come at any time.
module answers_in_order #(
    parameter bit INVARIANTS = 1'b1
) (
    input logic            clk,           // there is an edge in this step
    input logic            rst,
    input logic [2:0]      begins,        // posted TLPs in this cycle
    input logic [1:0]      comes,         // a number comes back, of a posted TLP
    input logic [1:0][4:0] dropped,       // TLPs before it that have none
    input logic [1:0]      read_comes,    // a number of a read
    input logic [1:0][4:0] read_number,
    input logic            answer_valid,
    input logic            ordered_ready
);
  localparam int COUNT_BITS = 6, LIMIT = 8;
  typedef logic [COUNT_BITS-1:0] count_t;
  localparam count_t HALF = count_t'(1 << (COUNT_BITS - 1));
  count_t begun, past_q, past_1, past_2, before_q, under_way;
  logic [1:0] seq_num_valid;
  logic [1:0][5:0] seq_num;
  logic answer_ready, ordered_valid, expired, reset_q, waits_q, shown_q, was_past_q, late_q;
  logic [$clog2(LIMIT):0] cycles_q;
  qdma_usp_order #(
      .COUNT_BITS(COUNT_BITS),
      .LIMIT     (LIMIT)
  ) dut (
      .*
  );

  always_comb begin
    past_1 = comes[0] ? past_q + count_t'(dropped[0]) + 1'b1 : past_q;
    past_2 = comes[1] ? past_1 + count_t'(dropped[1]) + 1'b1 : past_1;
    seq_num_valid = comes | read_comes;
    seq_num[0] = comes[0] ? {1'b0, 5'(past_1 - 1'b1)} : {1'b1, read_number[0]};
    seq_num[1] = comes[1] ? {1'b0, 5'(past_2 - 1'b1)} : {1'b1, read_number[1]};
    under_way = begun - past_q;
  end

  // What had begun when the answer came
  count_t begun_before;
  logic   all_past;
  assign begun_before = waits_q ? before_q : begun;
  assign all_past = (past_q - begun_before) < HALF;

  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q <= 1'b1;
    begun   <= begun + count_t'(begins);
    past_q  <= past_2;
    waits_q <= answer_valid & ~answer_ready;
    if (!waits_q) before_q <= begun;
    cycles_q <= !waits_q || answer_ready ? '0 : cycles_q + !(was_past_q || all_past || 32'(cycles_q) == LIMIT);
    shown_q <= ordered_valid & ~ordered_ready;
    was_past_q <= answer_valid & ~answer_ready & (was_past_q | all_past);
    late_q <= answer_ready & ~was_past_q & ~all_past;
    if (rst) begin
      begun    <= '0;
      past_q   <= '0;
      waits_q  <= 1'b0;
      cycles_q <= '0;
      shown_q  <= 1'b0;
      was_past_q <= 1'b0;
      late_q   <= 1'b0;
    end
  end

  always_comb begin
    if (!reset_q) assume (rst);
    if (reset_q) begin
      assume ((comes & read_comes) == '0);
      assume (6'(dropped[0]) + 6'(dropped[1]) + 6'(comes[0] & comes[1]) < 6'd32);
      assume (count_t'(past_2 - past_q) <= under_way);
      assume (under_way < HALF - count_t'(8));
      if (waits_q) assume (answer_valid);

      // --- The claim
      assert (!ordered_valid || answer_valid);
      assert (answer_ready == (ordered_valid & ordered_ready));
      if (ordered_valid) assert (was_past_q || all_past || (waits_q && 32'(cycles_q) == LIMIT));
      if (shown_q) assert (ordered_valid);
      if (answer_valid && all_past) assert (ordered_valid);
      if (late_q) assert (expired);

      if (INVARIANTS) begin
        assert (dut.passed_q == past_q && dut.waits_q == waits_q && dut.cycles_q == cycles_q);
        assert (dut.shown_q == shown_q && (!shown_q || waits_q) && (!was_past_q || shown_q));
        if (waits_q) assert (dut.before_q == before_q);
        if (waits_q && !was_past_q) assert (count_t'(begun - before_q) < HALF);
        if (shown_q && !was_past_q) assert (32'(cycles_q) == LIMIT);
      end
    end
  end
endmodule
