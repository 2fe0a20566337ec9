// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// RAM of contexts with read-modify-write: one operation a cycle, each sees the result of all before it.
//
// Latency: from the cycle in which a request is accepted, `at` of its port is high 2 cycles later, with the address and
// the word.  Whatever the addresses are, a request can be accepted in every cycle.
//
// Interface: a request is accepted in a cycle with req_valid and req_ready of its port; req_valid does not fall before.
// In the cycle with at[p], port p says with write[p] and next[p], combinational from at_word, what the word becomes.
// An operation that only reads leaves write[p] low.  Operations take effect in the order in which they are accepted.
//
// Operation: the word is read in the cycle after its address, and passes two registers.  A result that has not reached
// the RAM when the word was read is forwarded:
//
//   accepted | +1 word from the RAM   | +2 at: word, next   | +3 write
//            | < w1 (two before)      | < w1 (the one       |
//            | < w2 (three before)    |   before)           |
//
// After a reset all words are set to 0, DEPTH cycles with `clearing` high; no request is accepted meanwhile.
// A port waits for at most PORTS - 1 operations of others (qdma_arbiter).
//
// formal/context_ram_order.sv proves: no lost update, a read returns the last write, the latency, the bound of the wait.
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

    output logic [        PORTS-1:0]            at,       // one-hot, or none
    output logic [$clog2(DEPTH)-1:0]            at_addr,
    output logic [        WIDTH-1:0]            at_word,
    input  logic [        PORTS-1:0]            write,
    input  logic [        PORTS-1:0][WIDTH-1:0] next
);
  localparam int ADDR_WIDTH = $clog2(DEPTH);
  typedef logic [ADDR_WIDTH-1:0] addr_t;
  typedef logic [WIDTH-1:0] word_t;

  logic [PORTS-1:0] choice, s1_port_q, s2_port_q;
  addr_t req_addr_chosen, s1_addr_q, s2_addr_q, w1_addr_q, w2_addr_q;
  logic s2_forward_q, w1_valid_q, w2_valid_q;
  word_t ram_word, s2_word_q, next_word, w1_word_q, w2_word_q;

  qdma_arbiter #(
      .PORTS(PORTS)
  ) arbiter (
      .clk,
      .rst,
      .enable (~clearing),
      .request(req_valid),
      .choice,
      .grant  (req_ready)
  );

  always_comb begin
    req_addr_chosen = '0;
    next_word       = '0;
    for (int i = 0; i < PORTS; i++) begin
      if (choice[i]) req_addr_chosen |= req_addr[i];
      if (s2_port_q[i]) next_word |= next[i];
    end
  end

  assign at      = s2_port_q;
  assign at_addr = s2_addr_q;
  assign at_word = s2_forward_q ? w1_word_q : s2_word_q;

  always_ff @(posedge clk) begin
    s1_port_q <= req_ready;
    s1_addr_q <= req_addr_chosen;

    s2_port_q <= s1_port_q;
    s2_addr_q <= s1_addr_q;
    // The operation before this one is now at s2; its result is in w1 in the next cycle.
    s2_forward_q <= (s1_addr_q == s2_addr_q) & |(s2_port_q & write);
    if (w1_valid_q && w1_addr_q == s1_addr_q) s2_word_q <= w1_word_q;
    else if (w2_valid_q && w2_addr_q == s1_addr_q) s2_word_q <= w2_word_q;
    else s2_word_q <= ram_word;

    w1_valid_q <= |(s2_port_q & write);
    w1_addr_q  <= s2_addr_q;
    w1_word_q  <= next_word;
    // Kept for a word that is read in the cycle in which it is written: ram_sdp returns the old one.
    w2_valid_q <= w1_valid_q;
    w2_addr_q  <= w1_addr_q;
    w2_word_q  <= w1_word_q;
    if (rst) begin
      s1_port_q  <= '0;
      s2_port_q  <= '0;
      w1_valid_q <= 1'b0;
      w2_valid_q <= 1'b0;
    end
  end

  addr_t clear_addr_q;
  always_ff @(posedge clk) begin
    if (clearing) clear_addr_q <= clear_addr_q + 1'b1;
    if (clearing && clear_addr_q == addr_t'(DEPTH - 1)) clearing <= 1'b0;
    if (rst) begin
      clearing     <= 1'b1;
      clear_addr_q <= '0;
    end
  end

  ram_sdp #(
      .WIDTH(WIDTH),
      .DEPTH(DEPTH)
  ) words (
      .clk,
      .wr_en  (clearing | w1_valid_q),
      .wr_addr(clearing ? clear_addr_q : w1_addr_q),
      .wr_data(clearing ? '0 : w1_word_q),
      .rd_en  (1'b1),
      .rd_addr(req_addr_chosen),
      .rd_data(ram_word)
  );
endmodule
