// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of async_fifo and the cdc_reset in it, for any two clocks, any data, valid and ready, and resets on either side
// at any time.  A step of the proof may hold an edge of either clock, of both or of none; a bit that changes at the edge
// that captures it is captured old or new, each bit by itself (metastable/cdc_bits.sv).
//   - words come out as they went in: none lost, repeated or changed, in order; there are never more than DEPTH inside
//   - an offered word stays until it is taken
//   - a word shows SYNC_STAGES edges of rd_clk after it was written, room SYNC_STAGES + 1 edges of wr_clk after it was
//     made, if the bits of the Gray code were captured as they became
//   - each Gray code changes in one bit at a time wherever the other side looks at it
//   - a side in reset neither takes nor gives words; after the reset of either side each of them is in reset until both
//     have been, and what was inside is gone when rd_reset falls
// The reference is a queue, empty while rd_reset is high.
module async_fifo_order #(
    parameter bit INVARIANTS = 1'b1,
    parameter int WIDTH = 2,
    parameter int DEPTH = 4,
    parameter int SYNC_STAGES = 2
) (
    input logic             wr_clk,    // there is an edge in this step
    input logic             wr_rst,
    input logic [WIDTH-1:0] wr_data,
    input logic             wr_valid,
    input logic             rd_clk,
    input logic             rd_rst,
    input logic             rd_ready
);
  localparam int ADDR_WIDTH = $clog2(DEPTH);
  typedef logic [ADDR_WIDTH:0] ptr_t;

  logic wr_reset, wr_ready, rd_reset, rd_valid;
  logic [WIDTH-1:0] rd_data;
  async_fifo #(
      .WIDTH(WIDTH),
      .DEPTH(DEPTH),
      .SYNC_STAGES(SYNC_STAGES)
  ) dut (
      .*
  );

  logic every_step;
  assign every_step = 1'b1;

  // --- Reference
  logic [DEPTH-1:0][WIDTH-1:0] words_q;
  ptr_t count_q;
  logic put, take;
  assign put  = wr_clk & wr_valid & wr_ready;
  assign take = rd_clk & rd_valid & rd_ready;
  initial count_q = '0;
  always_ff @(posedge every_step) begin
    for (int i = 0; i < DEPTH; i++) begin
      if (take && i < DEPTH - 1) words_q[i] <= words_q[i+1];
      if (put && count_q == ptr_t'(i) + ptr_t'(take)) words_q[i] <= wr_data;
    end
    count_q <= rd_reset ? '0 : count_q + ptr_t'(put) - ptr_t'(take);
  end

  // --- How many edges a side has seen since the other one last moved
  localparam logic [2:0] SHOWN = 3'(SYNC_STAGES);
  logic [2:0] rd_edges_q, wr_edges_q;
  initial {rd_edges_q, wr_edges_q} = '0;
  always_ff @(posedge every_step) begin
    if (put || wr_reset || rd_reset) rd_edges_q <= '0;
    else if (rd_clk && rd_edges_q != '1) rd_edges_q <= rd_edges_q + 3'd1;
    if (take || wr_reset || rd_reset) wr_edges_q <= '0;
    else if (wr_clk && wr_edges_q != '1) wr_edges_q <= wr_edges_q + 3'd1;
  end

  // --- Pending resets, and what the step before was like
  logic wr_pending_q, rd_pending_q;  // both sides have yet to be in reset
  logic held_q, rd_reset_q;
  logic [WIDTH-1:0] held_data_q;
  ptr_t wr_gray_q, rd_gray_q;
  initial {wr_pending_q, rd_pending_q, held_q, rd_reset_q} = 4'b1101;
  always_ff @(posedge every_step) begin
    wr_pending_q <= (wr_clk & wr_rst) | (wr_pending_q & ~(wr_reset & rd_reset));
    rd_pending_q <= (rd_clk & rd_rst) | (rd_pending_q & ~(wr_reset & rd_reset));
    held_q       <= rd_valid & ~take;
    held_data_q  <= rd_data;
    rd_reset_q   <= rd_reset;
    wr_gray_q    <= dut.wr_gray;
    rd_gray_q    <= dut.rd_gray;
  end

  function automatic logic one_bit(input ptr_t x);
    return (x & (x - ptr_t'(1))) == '0;
  endfunction

  always_comb begin
    // --- The claim
    assert (!(rd_valid && rd_reset) && !(wr_ready && wr_reset));
    if (rd_valid) assert (count_q != 0 && rd_data == words_q[0]);
    if (put && !rd_reset) assert (count_q != ptr_t'(DEPTH));
    if (held_q && !rd_reset) assert (rd_valid && rd_data == held_data_q);
    if (rd_edges_q >= SHOWN) assert (rd_reset || rd_valid == (count_q != 0));
    if (wr_edges_q > SHOWN) assert (wr_reset || rd_reset || wr_ready == (count_q != ptr_t'(DEPTH)));
    if (wr_pending_q) assert (wr_reset);
    if (rd_pending_q) assert (rd_reset);
    if (!rd_reset && !rd_reset_q) assert (one_bit(wr_gray_q ^ dut.wr_gray) && one_bit(rd_gray_q ^ dut.rd_gray));
  end

  // --- Invariants
  function automatic ptr_t gray(input ptr_t count);
    return count ^ (count >> 1);
  endfunction

  function automatic ptr_t count(input ptr_t gray);
    ptr_t r;
    r = gray;
    for (int i = 1; i <= ADDR_WIDTH; i++) r ^= gray >> i;
    return r;
  endfunction

  // What each stage of the synchronisers holds, and the distances between its neighbours, oldest last.
  ptr_t [SYNC_STAGES-1:0] seen_wr, seen_rd;
  int wr_to_rd, rd_to_seen;
  always_comb begin
    seen_wr[0] = count(dut.to_reader.first_q);
    seen_rd[0] = count(dut.to_writer.first_q);
    for (int i = 1; i < SYNC_STAGES; i++) begin
      seen_wr[i] = count(dut.to_reader.stage_q[i]);
      seen_rd[i] = count(dut.to_writer.stage_q[i]);
    end
    wr_to_rd   = int'(ptr_t'(dut.wr_ptr_q - seen_wr[0])) + int'(ptr_t'(seen_wr[SYNC_STAGES-1] - dut.rd_ptr));
    rd_to_seen = int'(ptr_t'(dut.rd_ptr - seen_rd[0]));
    for (int i = 1; i < SYNC_STAGES; i++) begin
      wr_to_rd += int'(ptr_t'(seen_wr[i-1] - seen_wr[i]));
      rd_to_seen += int'(ptr_t'(seen_rd[i-1] - seen_rd[i]));
    end
  end

  // The handshake of cdc_reset is a ring: each bit follows the one before it, the first one inverts the last one.  So
  // there is one place at most where neighbours differ.
  localparam int RING = 2 * (SYNC_STAGES + 1);
  logic [RING-1:0] ring, steps;
  always_comb begin
    ring[0] = dut.resets.order_q;
    ring[1] = dut.resets.to_b.first_q;
    ring[SYNC_STAGES+1] = dut.resets.done_q;
    ring[SYNC_STAGES+2] = dut.resets.to_a.first_q[0];
    for (int i = 1; i < SYNC_STAGES; i++) begin
      ring[i+1] = dut.resets.to_b.stage_q[i];
      ring[i+SYNC_STAGES+2] = dut.resets.to_a.stage_q[i][0];
    end
    steps = {1'b0, ring[RING-1:1] ^ ring[RING-2:0]};
  end

  always_comb
    if (INVARIANTS) begin
      // Reset
      assert ((steps & (steps - RING'(1))) == '0);
      assert (rd_reset == (dut.resets.asked_q | dut.resets.done_q));
      assert (!(dut.resets.asked_q & dut.resets.done_q));
      if (!wr_reset) assert (ring == '0 && !dut.resets.again_q);
      if (wr_reset) assert (seen_rd == '0 && !dut.to_writer.captured_q);
      if (wr_reset && !dut.resets.order_q) assert (dut.wr_ptr_q == '0 && (rd_reset || count_q == '0));
      if (rd_reset) assert (dut.rd_ptr == '0 && seen_wr == '0 && !dut.to_reader.captured_q);
      if (wr_reset && !dut.resets.order_q) assert (dut.rd_ptr == '0);
      if (wr_pending_q) assert (dut.resets.order_q || dut.resets.again_q);
      // Pointers
      assert (dut.wr_gray == gray(dut.wr_ptr_q) && dut.wr_gray_next_q == gray(dut.wr_ptr_q + ptr_t'(1)));
      assert (dut.rd_gray == gray(dut.rd_ptr));
      if (!rd_reset) begin
        assert (count_q <= ptr_t'(DEPTH) && wr_to_rd == int'(count_q));
        if (dut.to_reader.captured_q) assert (ptr_t'(dut.wr_ptr_q - seen_wr[0]) <= ptr_t'(1));
        for (int i = 0; i < DEPTH; i++)
        if (ptr_t'(i) < count_q) assert (dut.ram[ADDR_WIDTH'(dut.rd_ptr+ptr_t'(i))] == words_q[i]);
        for (int i = 0; i < SYNC_STAGES; i++) if (rd_edges_q > 3'(i)) assert (seen_wr[i] == dut.wr_ptr_q);
      end
      if (!rd_reset && !wr_reset) begin
        assert (rd_to_seen + int'(count_q) + int'(wr_ready) <= DEPTH);
        if (dut.to_writer.captured_q) assert (ptr_t'(dut.rd_ptr - seen_rd[0]) <= ptr_t'(1));
        for (int i = 0; i < SYNC_STAGES; i++) if (wr_edges_q > 3'(i)) assert (seen_rd[i] == dut.rd_ptr);
      end
      if (held_q && !rd_reset) assert (!rd_reset_q);
      if (!rd_reset_q && !rd_reset && held_q) assert (rd_data == held_data_q);
    end
endmodule
