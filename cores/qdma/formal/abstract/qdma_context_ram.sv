// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What context_ram_order proves of qdma_context_ram, for the proofs of blocks that use it: an operation takes effect in
// the cycle with `at`, 2 cycles after it was accepted; a request is accepted after at most PORTS - 1 of others.
module qdma_context_ram #(
    parameter int WIDTH = 32,
    parameter int DEPTH = 2048,
    parameter int PORTS = 3
) (
    input logic clk,
    input logic rst,

    output logic clearing,

    input  logic [PORTS-1:0]                    req_valid,
    output logic [PORTS-1:0]                    req_ready,
    input  logic [PORTS-1:0][$clog2(DEPTH)-1:0] req_addr,

    output logic [        PORTS-1:0]            at,
    output logic [$clog2(DEPTH)-1:0]            at_addr,
    output logic [        WIDTH-1:0]            at_word,
    input  logic [        PORTS-1:0]            write,
    input  logic [        PORTS-1:0][WIDTH-1:0] next
);
  logic [DEPTH-1:0][WIDTH-1:0] words_q;
  logic [PORTS-1:0] port_1_q, port_2_q, choice, first;
  logic [$clog2(DEPTH)-1:0] addr_1_q, addr_2_q, addr;
  logic [PORTS-1:0] turn_q;
  logic clearing_q;
  assign clearing  = clearing_q;
  assign first     = req_valid & (~req_valid + 1'b1);
  // A port that was passed over last time goes before the others.
  assign choice    = |(req_valid & turn_q) ? (req_valid & turn_q) & (~(req_valid & turn_q) + 1'b1) : first;
  assign req_ready = clearing_q ? '0 : choice;
  assign at        = port_2_q;
  assign at_addr   = addr_2_q;
  assign at_word   = words_q[addr_2_q];
  always_comb begin
    addr = '0;
    for (int i = 0; i < PORTS; i++) if (req_ready[i]) addr |= req_addr[i];
  end
  always_ff @(posedge clk) begin
    turn_q     <= req_valid & ~req_ready;
    port_1_q   <= req_ready;
    port_2_q   <= port_1_q;
    addr_1_q   <= addr;
    addr_2_q   <= addr_1_q;
    clearing_q <= 1'b0;
    for (int i = 0; i < PORTS; i++) if (at[i] && write[i]) words_q[at_addr] <= next[i];
    if (rst) begin
      words_q    <= '0;
      port_1_q   <= '0;
      port_2_q   <= '0;
      turn_q     <= '0;
      clearing_q <= 1'b1;
    end
  end
endmodule
