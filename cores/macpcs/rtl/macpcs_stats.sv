// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Counters of 64 bits in the clock domain of the events, read from another clock without loss.
//
// Small and fast: each counter has a narrow register of its own that takes what comes in; the 64 bits are in RAM.  A
// round of 2 * COUNTERS cycles visits all counters, 32 bits a cycle.  In its first cycle all narrow registers move on
// into a chain and begin anew, so every round adds what came up to the same cycle: that is why a snapshot is exact.
//
//   inc ─► pre_q[i] ─► chain_q[i] ─► chain_q[0] ─┐
//                                ram ─► rd_q ─► sum_q ─► ram
//                                                   └──► snap[other bank]  ─► rd_data
//
// A pulse of `snapshot` copies the counters of the next whole round: at most two rounds and a few cycles of both clocks
// later `busy` falls and rd_data shows the new values; until then it shows those of the snapshot before (0 before the
// first).  A clock that stands still or a reset only makes `busy` last.  A pulse while `busy` is high does nothing.
//
// Latency: an event counts for a snapshot that copies the state of the next cycle or a later one.  rd_data follows
// rd_addr in the same cycle; address {counter, half}, low half at 0.
//
// Assumes: inc from registers; counter i gets less than 2^ROUND_WIDTH[i] in a round, and ROUND_WIDTH does not grow with
// i (the chain would cut what passes through).  rst clears all counters, but not the snapshot.
//
// Constraint: the crossings are two bits through cdc_bits, and rd_data from the bank that is not written: false path
// (or a maximum delay) from snap to registers of rd_clk.
module macpcs_stats #(
    parameter int COUNTERS = 4,
    parameter int INC_WIDTH = 1,
    // Bits for what can come in a round; 8 bits a counter, counter 0 lowest.
    parameter bit [COUNTERS-1:0][7:0] ROUND_WIDTH = {COUNTERS{8'd8}},
    localparam int ADDR_WIDTH = $clog2(2 * COUNTERS)
) (
    input logic clk,
    input logic rst,

    input logic [COUNTERS-1:0][INC_WIDTH-1:0] inc,

    input  logic                  rd_clk,
    input  logic                  snapshot,
    output logic                  busy,
    input  logic [ADDR_WIDTH-1:0] rd_addr,
    output logic [          31:0] rd_data
);
  if (COUNTERS < 2) begin : gen_bad_counters
    $error("macpcs_stats: COUNTERS must be at least 2");
  end
  for (genvar i = 0; i < COUNTERS; i++) begin : gen_check
    if (ROUND_WIDTH[i] < 1 || ROUND_WIDTH[i] > 32) begin : gen_bad_width
      $error("macpcs_stats: each ROUND_WIDTH must be 1 to 32");
    end
    if (i > 0 && ROUND_WIDTH[i] > ROUND_WIDTH[i==0?0 : i-1]) begin : gen_bad_order
      $error("macpcs_stats: ROUND_WIDTH must not grow from one counter to the next");
    end
  end

  // --- The round
  logic [ADDR_WIDTH-1:0] step_q, add_step_q, write_step_q;
  logic last_q, load_q;  // last and first step of a round
  logic write_last_q;
  logic clear_q;  // first round after a reset: what is in the RAM counts as 0

  always_ff @(posedge clk) begin
    step_q <= last_q ? '0 : step_q + 1'b1;
    last_q <= step_q == ADDR_WIDTH'(2 * COUNTERS - 2);
    load_q <= last_q;
    clear_q <= clear_q & ~last_q;
    add_step_q <= step_q;
    write_step_q <= add_step_q;
    write_last_q <= load_q;
    if (rst) begin
      step_q  <= '0;
      last_q  <= 1'b0;
      load_q  <= 1'b1;
      clear_q <= 1'b1;
    end
  end

  // --- What came in a round
  logic [COUNTERS:0][31:0] chain;  // bits above ROUND_WIDTH are constant
  assign chain[COUNTERS] = '0;

  for (genvar i = 0; i < COUNTERS; i++) begin : gen_counter
    localparam int W = int'(ROUND_WIDTH[i]);
    logic [W-1:0] pre_q, chain_q;

    always_ff @(posedge clk) begin
      pre_q <= (load_q ? '0 : pre_q) + W'(inc[i]);
      if (rst) pre_q <= '0;
      if (load_q) chain_q <= pre_q;
      else if (step_q[0]) chain_q <= chain[i+1][W-1:0];
    end
    assign chain[i] = 32'(chain_q);
  end

  // --- Read, add, write
  logic [31:0] ram[2**ADDR_WIDTH];
  logic [31:0] rd_q, sum_q, addend;
  logic carry_q;

  assign addend = add_step_q[0] ? 32'(carry_q) : chain[0];
  always_ff @(posedge clk) begin
    rd_q <= clear_q ? '0 : ram[step_q];
    {carry_q, sum_q} <= {1'b0, rd_q} + {1'b0, addend};
    ram[write_step_q] <= sum_q;
  end

  // --- Snapshot.  req_q, ack_q and target_q outlive every reset: each side could otherwise take the other's idle state
  // for a request, or for its end.  The bank that is read is that of the last snapshot that was finished.
  logic [31:0] snap[2**(ADDR_WIDTH+1)] = '{default: '0};
  logic req_q = 1'b0;
  logic ack_q = 1'b0;
  logic target_q = 1'b0;  // the bank that is or was written last
  logic copy_q, write_copy_q, req_seen, ack_seen;

  always_ff @(posedge clk) begin
    if (load_q) begin
      copy_q   <= req_seen != target_q;
      target_q <= req_seen;
    end
    write_copy_q <= copy_q;
    if (write_copy_q) begin
      snap[{target_q, write_step_q}] <= sum_q;
    end
    if (rst) begin  // what was begun begins again after the reset, with the same bank
      copy_q <= 1'b0;
      write_copy_q <= 1'b0;
      target_q <= ack_q;
    end else if (write_copy_q && write_last_q) begin
      ack_q <= target_q;
    end
  end

  always_ff @(posedge rd_clk) begin
    if (snapshot && !busy) req_q <= ~req_q;
  end
  assign busy = req_q != ack_seen;
  assign rd_data = snap[{ack_seen, rd_addr}];

  // --- Crossings
  cdc_bits to_clk (
      .clk,
      .rst(1'b0),
      .d  (req_q),
      .q  (req_seen)
  );
  cdc_bits to_rd_clk (
      .clk(rd_clk),
      .rst(1'b0),
      .d  (ack_q),
      .q  (ack_seen)
  );
endmodule
