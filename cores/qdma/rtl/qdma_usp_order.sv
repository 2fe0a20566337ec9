// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Holds an answer to a read of our BARs until no request that left before it can be passed by it: PCI Express Base
// 2.4.1, a completion does not pass a posted request.  A driver that has read a register has what was written before.
//
// Latency: none if nothing is on its way through the PCIe block.
//
// Interface: `begun` counts the posted TLPs that RQ has accepted.  The lower five bits of their numbers come back, in
// order, when no completion can pass them any more (PG213, Maintaining Transaction Order), two in a cycle at most; bit 5
// marks what is none of them.
//
// Errors: a TLP that the block has dropped (its function is no bus master any more) has no number, which the next one
// makes up for.  If none follows, the answer leaves after LIMIT cycles, `expired` for a cycle.
module qdma_usp_order #(
    parameter int COUNT_BITS = 10,  // more than the PCIe block has on its way
    parameter int LIMIT = 4096
) (
    input logic clk,
    input logic rst,

    input logic [COUNT_BITS-1:0]      begun,
    input logic [           1:0]      seq_num_valid,
    input logic [           1:0][5:0] seq_num,

    input  logic answer_valid,
    output logic answer_ready,
    output logic ordered_valid,
    input  logic ordered_ready,
    output logic expired
);
  typedef logic [COUNT_BITS-1:0] count_t;

  // --- TLPs that cannot be passed
  count_t passed_q, behind;
  logic [1:0] is_posted;
  logic [4:0] last;
  assign is_posted = seq_num_valid & ~{seq_num[1][5], seq_num[0][5]};
  assign last      = seq_num[is_posted[1]][4:0];
  always_ff @(posedge clk) begin
    if (|is_posted) passed_q <= passed_q + count_t'(5'(last + 1'b1 - passed_q[4:0]));
    if (rst) passed_q <= '0;
  end

  // --- Those that had begun when the answer came
  logic waits_q, shown_q, is_late;  // shown: not accepted by CC yet
  count_t before_q;
  logic [$clog2(LIMIT):0] cycles_q;
  assign behind        = passed_q - (waits_q ? before_q : begun);
  assign is_late       = cycles_q[$clog2(LIMIT)];
  assign ordered_valid = answer_valid & (~behind[COUNT_BITS-1] | is_late | shown_q);
  assign answer_ready  = ordered_valid & ordered_ready;

  always_ff @(posedge clk) begin
    waits_q <= answer_valid & ~answer_ready;
    shown_q <= ordered_valid & ~ordered_ready;
    if (!waits_q) before_q <= begun;
    if (!waits_q || answer_ready) cycles_q <= '0;
    else if (!ordered_valid) cycles_q <= cycles_q + 1'b1;
    expired <= answer_ready & is_late;
    if (rst) begin
      waits_q  <= 1'b0;
      shown_q  <= 1'b0;
      cycles_q <= '0;
      expired  <= 1'b0;
    end
  end
endmodule
