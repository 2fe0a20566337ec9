// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_context_ram and qdma_arbiter, for any requests, any addresses, any results, and resets at any time.
//   - an operation sees the result of all that were accepted before it: no lost update, a read returns the last write
//   - `at` comes 2 cycles after the request was accepted, with its port and address, and never else
//   - a request waits for at most PORTS - 1 operations of others
//   - no request is accepted while the RAM is cleared, and then all words are 0
// Assumes what the head of qdma_context_ram says: a request is held until it is accepted.
module context_ram_order #(
    parameter bit INVARIANTS = 1'b1,
    parameter int WIDTH = 2,
    parameter int DEPTH = 4,
    parameter int PORTS = 3
) (
    input logic                                clk,        // there is an edge in this step
    input logic                                rst,
    input logic [PORTS-1:0]                    req_valid,
    input logic [PORTS-1:0][$clog2(DEPTH)-1:0] req_addr,
    input logic [PORTS-1:0]                    write,
    input logic [PORTS-1:0][        WIDTH-1:0] next
);
  typedef logic [$clog2(DEPTH)-1:0] addr_t;
  typedef logic [WIDTH-1:0] word_t;

  logic clearing;
  logic [PORTS-1:0] req_ready, at;
  addr_t at_addr;
  word_t at_word;
  qdma_context_ram #(
      .WIDTH(WIDTH),
      .DEPTH(DEPTH),
      .PORTS(PORTS)
  ) dut (
      .*
  );

  // --- Reference: the words after all operations that were `at` before this cycle
  word_t [DEPTH-1:0] words_q;
  logic reset_q;  // there has been a reset
  logic [PORTS-1:0] port_1_q, port_2_q, held_q;
  addr_t addr_1_q, addr_2_q;
  logic [PORTS-1:0][1:0] wait_q;
  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q  <= 1'b1;
    port_1_q <= req_ready & req_valid;
    port_2_q <= port_1_q;
    addr_2_q <= addr_1_q;
    held_q   <= req_valid & ~req_ready;
    for (int i = 0; i < PORTS; i++) begin
      if (req_ready[i]) addr_1_q <= req_addr[i];
      if (at[i] && write[i]) words_q[at_addr] <= next[i];
      wait_q[i] <= clearing || req_ready[i] || !req_valid[i] ? '0 : wait_q[i] + 1'b1;
    end
    if (rst) begin
      words_q  <= '0;
      port_1_q <= '0;
      port_2_q <= '0;
      held_q   <= '0;
      wait_q   <= '0;
    end
  end

  // Ports that are served before port p.
  function automatic logic [1:0] ahead(input int p, input logic [PORTS-1:0] after);
    logic [1:0] count;
    count = '0;
    for (int i = 0; i < PORTS; i++) begin
      if (after[p] ? after[i] && i < p : after[i] || i < p) count = count + 1'b1;
    end
    return count;
  endfunction

  word_t arriving;  // at stage 1, without the result of the operation at stage 2
  always_comb begin
    if (dut.w1_valid_q && dut.w1_addr_q == dut.s1_addr_q) arriving = dut.w1_word_q;
    else if (dut.w2_valid_q && dut.w2_addr_q == dut.s1_addr_q) arriving = dut.w2_word_q;
    else arriving = dut.ram_word;
  end

  always_comb begin
    if (!reset_q) assume (rst);
    for (int i = 0; i < PORTS; i++) if (held_q[i]) assume (req_valid[i]);

    if (reset_q) begin
      // --- The claim
      assert (at == port_2_q && (at & (at - 1'b1)) == '0);
      assert ((req_ready & ~req_valid) == '0 && (req_ready & (req_ready - 1'b1)) == '0);
      if (at != '0) assert (at_addr == addr_2_q && at_word == words_q[at_addr]);
      if (clearing) assert (req_ready == '0 && at == '0);
      for (int i = 0; i < PORTS; i++) assert (wait_q[i] < 2'(PORTS));

      if (INVARIANTS) begin
        assert (port_1_q == dut.s1_port_q && (port_1_q & (port_1_q - 1'b1)) == '0);
        if (port_1_q != '0) assert (addr_1_q == dut.s1_addr_q && arriving == words_q[addr_1_q]);
        if (dut.w1_valid_q) assert (dut.w1_word_q == words_q[dut.w1_addr_q]);
        if (dut.w2_valid_q) assert (dut.words.ram[dut.w2_addr_q] == dut.w2_word_q);
        if (at != '0 && dut.w1_valid_q) assert (dut.s2_forward_q == (dut.w1_addr_q == at_addr));
        if (clearing) begin
          assert (words_q == '0 && port_1_q == '0 && !dut.w1_valid_q && !dut.w2_valid_q);
        end
        for (int a = 0; a < DEPTH; a++) begin
          if (clearing ? addr_t'(a) < dut.clear_addr_q : !(dut.w1_valid_q && dut.w1_addr_q == addr_t'(a)))
            assert (dut.words.ram[a] == words_q[a]);
        end
        for (int i = 0; i < PORTS; i++) begin
          assert (wait_q[i] + ahead(i, dut.arbiter.after_q) < 3'(PORTS));
          if (i != 0 && dut.arbiter.after_q[i-1]) assert (dut.arbiter.after_q[i]);
          if (wait_q[i] != '0) assert (held_q[i] && !clearing);
        end
        assert (!dut.arbiter.after_q[0]);
      end
    end
  end
endmodule
