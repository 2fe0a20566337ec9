// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of toe_tx_fetch, for a memory outside of a fixed latency and any pace of the frame: a word is there when it is read,
// and it is the one that the memory has shown for its address since `fetch`, although it is read in each of its steps, a word
// of memory a step, which is the most that toe_tx_read does.  One address is followed: any.
// Given: reading begins LATENCY + 1 cycles behind `fetch` at the earliest, with what was fetched; a frame is shorter than the ring by
// what is fetched ahead.
module tx_fetch_there
  import toe_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1,
    parameter int LATENCY    = 3,
    parameter int RING_BYTES = 256   // 64 words
) (
    input logic        rst_in,
    input logic        fetch_in,
    input logic        sid_in,
    input logic [31:0] seq_in,
    input logic        over,
    input logic        step,
    input logic        start,
    input logic [31:0] mem_rd_data,
    input logic [ 6:0] n_in,         // the address that is followed, and what is there
    input logic [31:0] value_in
);
  localparam int F = 16;  // words that are fetched ahead
  logic clk;  // each step is a cycle
  assign clk = 1'b1;
  logic began_q = 1'b0, rst;
  logic [ 6:0] n_q;
  logic [31:0] value_q;
  assign rst = rst_in | ~began_q;

  // --- The frame
  logic fetched_q, started_q;
  logic [2:0] age_q;  // cycles since `fetch`, 7 or more
  logic [5:0] first_q, words_q;  // words that have been read: the next one is on rd_addr
  logic sid_q;
  logic [6:0] rd_addr, mem_rd_addr;
  logic [31:0] rd_data;
  logic mem_rd_en, begin_now;
  assign begin_now = step & start & fetched_q;
  toe_tx_fetch #(
      .SESSIONS(2),
      .RING_BYTES(RING_BYTES),
      .WIDTH(32),
      .LATENCY(LATENCY)
  ) dut (
      .clk,
      .rst,
      .fetch(fetch_in),
      .sid  (sid_t'(sid_in)),
      .seq  (seq_in),
      .over,
      .step,
      .start(start & fetched_q),
      .rd_addr,
      .rd_data,
      .mem_rd_en,
      .mem_rd_addr,
      .mem_rd_data
  );
  assign rd_addr = {sid_q, first_q + words_q};

  // --- The memory, and what is read of the followed address
  logic [LATENCY:0] asked, asked_q;  // by the cycles since it was asked for
  logic hit_q, hit2_q, reads;
  assign asked = {asked_q[LATENCY-1:0], mem_rd_en & (mem_rd_addr == n_q)};
  assign reads = step & ~start & started_q & (rd_addr == n_q);
  logic [5:0] asks_q, gots_q;  // since fetch
  always_ff @(posedge clk) begin
    began_q <= 1'b1;
    if (!began_q) {n_q, value_q} <= {n_in, value_in};
    asked_q <= asked;
    age_q   <= age_q + 3'(age_q != 3'd7);
    if (dut.ask) asks_q <= asks_q + 1'b1;
    if (dut.flight_q[LATENCY]) gots_q <= gots_q + 1'b1;
    if (step) begin
      {hit2_q, hit_q} <= {hit_q, reads};
      if (started_q) words_q <= words_q + 1'b1;
      if (begin_now) {started_q, words_q} <= {1'b1, 6'd0};
    end
    if (over) {fetched_q, started_q} <= '0;
    if (fetch_in) begin
      {fetched_q, started_q, age_q, words_q, asks_q, gots_q} <= {2'b10, 3'd0, 6'd0, 6'd1, 6'd0};
      {sid_q, first_q}                                       <= {sid_in, 6'((seq_in - 32'd2) >> 2)};
    end
    if (rst) {fetched_q, started_q, hit_q, hit2_q} <= '0;
  end

  // --- For the invariants: what is on its way, by the cycles since it was asked for
  logic [LATENCY:0] way;
  logic [5:0] older, place;
  assign way   = {dut.flight_q, mem_rd_en};
  assign place = n_q[5:0] - first_q;
  always_comb begin
    older = '0;
    if (!began_q) assume (rst_in);
    if (asked[LATENCY]) assume (mem_rd_data == value_q);
    if (begin_now) assume (32'(age_q) >= LATENCY && !fetch_in && !over && !started_q);
    if (started_q) assume (32'(words_q) < RING_BYTES / 4 - F - 1 && !(step && start));
    if (began_q) begin
      // --- The claim
      if (hit2_q) assert (rd_data == value_q);
      // --- Invariants
      if (INVARIANTS) begin
        if (hit_q) assert (dut.row_q == value_q);
        assert (fetched_q == dut.on_q && (!started_q || fetched_q));
        if (fetched_q) begin
          assert (dut.started_q == started_q && dut.sid_q == sid_q && dut.first_q == first_q);
          assert (dut.ask_q == first_q + asks_q && dut.got_q == 4'(first_q + gots_q));
          assert (32'(asks_q) <= 32'(words_q) + F && 32'(words_q) < RING_BYTES / 4 - F);
          assert (asks_q >= 6'd1 && gots_q <= asks_q);
          if (!started_q) assert (words_q == 0);
          if (started_q) assert (32'(age_q) > LATENCY && gots_q > words_q);
          if (mem_rd_en) assert (mem_rd_addr == {sid_q, 6'(first_q + asks_q - 6'd1)});
          for (int k = LATENCY; k >= 0; k--) begin
            // A gap is there since it was as far ahead as may be
            if (!way[k] && k < 32'(age_q) + 1) assert (32'(gots_q) + 32'(older) + k + 1 >= 32'(words_q) + F);
            if (!way[k] && k > 32'(age_q)) assert (gots_q == 0 && older == 0);
            if (way[k]) assert (asked[k] == (sid_q == n_q[6] && gots_q + older == place));
            if (way[k]) assert (k <= 32'(age_q));
            older = older + 6'(way[k]);
          end
          assert (asks_q == gots_q + older);
          if (sid_q == n_q[6] && place < gots_q && place >= words_q) assert (dut.ram[n_q[3:0]] == value_q);
        end
      end
    end
  end
endmodule
