// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Lets several engines use one port of a context's RAM.
//
// Latency: none, combinational, both ways.
//
// Interface: both sides are as qdma_context_ram has a port: a request is held until it is accepted, `at` comes two cycles
// later, with the word of the RAM, and only the engine whose `at` is high is asked for write and next.
//
// Operation: round robin, so an engine waits for one operation of each other.  formal/share_in_step.sv proves it.
module qdma_context_share
  import qdma_context_pkg::*;
#(
    parameter int ENGINES = 2
) (
    input logic clk,
    input logic rst,

    input  logic   [ENGINES-1:0] engine_valid,
    output logic   [ENGINES-1:0] engine_ready,
    input  index_t [ENGINES-1:0] engine_index,
    output logic   [ENGINES-1:0] engine_at,
    input  logic   [ENGINES-1:0] engine_write,
    input  words_t [ENGINES-1:0] engine_next,

    output logic   valid,
    input  logic   ready,
    output index_t index,
    input  logic   at,
    output logic   write,
    output words_t next
);
  logic [ENGINES-1:0] choice;
  logic [ENGINES-1:0] engine_1_q, engine_2_q;  // whose operation is one, two cycles old
  qdma_arbiter #(
      .PORTS(ENGINES)
  ) arbiter (
      .clk,
      .rst,
      .enable (ready),
      .request(engine_valid),
      .choice,
      .grant  (engine_ready)
  );
  assign valid     = |engine_valid;
  assign engine_at = engine_2_q;
  assign write     = |(engine_2_q & engine_write);
  always_comb begin
    index = '0;
    next  = '0;
    for (int i = 0; i < ENGINES; i++) begin
      if (choice[i]) index |= engine_index[i];
      if (engine_2_q[i]) next |= engine_next[i];
    end
  end

  always_ff @(posedge clk) begin
    engine_1_q <= engine_ready;
    engine_2_q <= engine_1_q;
    if (rst) begin
      engine_1_q <= '0;
      engine_2_q <= '0;
    end
  end

`ifndef SYNTHESIS
  in_step :
  assert property (@(posedge clk) disable iff (rst) at == |engine_2_q)
  else $error("qdma_context_share: an operation's word is not there two cycles after it was accepted");
`endif

  logic unused;
  assign unused = &{1'b0, at};
endmodule
