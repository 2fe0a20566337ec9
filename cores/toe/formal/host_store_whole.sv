// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of toe_host_store with toe_rx_beats, for any frames, verdicts and host: what comes out is the frames that were wanted and had
// room, one behind the other, each whole, word by word, with its end where it was, and nothing of any other.
//
// Each word that is written has a number: as many as have been written before it and not been dropped.  What the modules do
// does not depend on words, so that is no restriction.  Claimed: numbers come out without a gap or a repetition, ends are where they
// were written, nothing comes out before its frame is wanted; a frame that counts has its end last and nowhere else, and as
// many words as came (FCS: less one); the RAM never overflows.  Frames of one word or two, of which none is wanted, are left to
// simulation.
module host_store_whole #(
    parameter bit FCS        = 1'b1,
    parameter bit INVARIANTS = 1'b1
) (
    input logic       valid,
    input logic [4:0] word,
    input logic [3:0] keep,
    input logic       last,
    input logic       verdict,
    input logic       good,
    input logic       m_tready
);
  localparam int DEPTH = 4;
  typedef logic [4:0] number_t;
  logic clk;  // each step is a cycle
  assign clk = 1'b1;
  logic rst_q = 1'b1;
  always_ff @(posedge clk) rst_q <= 1'b0;

  // --- The line: words of a frame, its verdict with the last one or behind it, before the next one's first
  logic in_q, pending_q, v1_q, v2_q, ends;
  number_t words_q, size, size_q, size1_q, size2_q;
  assign ends = valid & last;
  assign size = ends ? words_q + 5'd1 : size_q;
  always_ff @(posedge clk) begin
    if (valid) begin
      in_q    <= ~last;
      words_q <= last ? '0 : words_q + 5'd1;
    end
    size_q    <= size;
    pending_q <= (ends | pending_q) & ~verdict;
    v1_q      <= verdict;
    size1_q   <= size;
    v2_q      <= v1_q;
    size2_q   <= size1_q;
    if (rst_q) {in_q, pending_q, v1_q, v2_q, words_q} <= '0;
  end

  logic m_tvalid, m_tlast, stat_passed, stat_full;
  number_t m_tdata;
  logic [3:0] m_tkeep;
  toe_host_store #(
      .DEPTH(DEPTH),
      .WIDTH(5),
      .FCS  (FCS)
  ) dut (
      .rst   (rst_q),
      .over  (v2_q),
      .wanted(good),
      .*
  );

  // --- Numbers: of the next word to be written, behind the last whole frame, of the next one to come out; and ends by number
  logic write, taken, closed_q;
  number_t next_q, next, whole_q, out_q, open;
  logic [15:0] ends_q;
  assign write = dut.beat_q & ~dut.lost;
  assign taken = m_tvalid & m_tready;
  assign next  = next_q + 5'(write);
  assign open  = next_q - whole_q;
  always_ff @(posedge clk) begin
    if (write) ends_q[next_q[3:0]] <= dut.beat_last_q;
    closed_q <= (closed_q | (write & dut.beat_last_q)) & ~v2_q;  // the frame has had its end
    next_q   <= v2_q & ~dut.commit ? whole_q : next;
    if (dut.commit) whole_q <= next;
    out_q <= out_q + 5'(taken);
    if (rst_q) {next_q, whole_q, out_q, closed_q} <= '0;
  end

  // --- Inside: where which number must be
  logic hold, ram, done;
  logic [2:0] used, used_q, whole, part, beyond, spec;
  assign whole  = dut.u_beats.commit_ptr_q - dut.u_beats.rd_ptr_q;
  assign part   = dut.u_beats.wr_ptr_q - dut.u_beats.commit_ptr_q;
  assign beyond = dut.u_beats.rd_ptr_q - dut.u_beats.commit_ptr_q;
  assign spec   = 3'(hold & dut.u_beats.hold_spec_q) + 3'(ram & dut.u_beats.ram_spec_q);
  number_t held_n;
  assign hold   = dut.u_beats.hold_valid_q;
  assign ram    = dut.u_beats.ram_valid_q;
  assign used   = dut.u_beats.wr_ptr_q - dut.u_beats.rd_ptr_q;
  assign held_n = 5'(hold) + 5'(ram) + 5'(used);
  assign done   = pending_q | v1_q | v2_q;
  always_ff @(posedge clk) used_q <= rst_q ? 3'(DEPTH) : used;
  logic [DEPTH-1:0] there, right;
  number_t [DEPTH-1:0] n;
  for (genvar i = 0; i < DEPTH; i++) begin : gen_place
    logic [1:0] at;
    assign at       = 2'(i) - dut.u_beats.rd_ptr_q[1:0];
    assign there[i] = 3'(at) < used;
    assign n[i]     = out_q + 5'(hold) + 5'(ram) + 5'(at);
    assign right[i] = dut.u_beats.u_ram.ram[i][4:0] == n[i] && dut.u_beats.u_ram.ram[i][7] == ends_q[n[i][3:0]];
  end
  number_t ram_n, counted;
  assign counted = pending_q ? size_q : v1_q ? size1_q : size2_q;
  assign ram_n   = out_q + 5'(hold);

  always_comb begin
    if (!rst_q) begin
      assume (!verdict || ends || pending_q);
      assume (!pending_q || !valid);
      assume (words_q < 5'd20);
      assume (!ends || words_q > 1);
      assume (!dut.beat_q || dut.beat_word_q == next_q);

      assert (!m_tvalid || (m_tdata == out_q && m_tlast == ends_q[out_q[3:0]]));
      assert (!m_tvalid || out_q != whole_q);
      assert (!write || used < 3'(DEPTH));
      assert (!write || !closed_q);
      if (dut.commit) begin
        assert (closed_q || (write && dut.beat_last_q));
        assert (5'(next - whole_q) == size2_q - 5'(FCS));
      end
      if (INVARIANTS) begin
        // The numbers inside
        assert (used <= 3'(DEPTH));
        assert (5'(next_q - out_q) == held_n);
        if (hold) assert (dut.u_beats.hold_q[4:0] == out_q && dut.u_beats.hold_q[7] == ends_q[out_q[3:0]]);
        if (ram) assert (dut.u_beats.ram_data[4:0] == ram_n && dut.u_beats.ram_data[7] == ends_q[ram_n[3:0]]);
        assert ((there & ~right) == 0);
        // What is not whole yet is behind, and marked
        assert (5'(whole_q - out_q) <= held_n);
        assert (5'(whole_q - out_q) == 5'(hold) + 5'(ram) - 5'(spec) + (dut.u_beats.ahead_q ? 5'd0 : 5'(whole)));
        assert (open == 5'(spec) + (dut.u_beats.ahead_q ? 5'(used) : 5'(part)));
        if (hold && dut.u_beats.hold_spec_q && ram) assert (dut.u_beats.ram_spec_q);
        if (spec != 0) assert (whole == 0 || dut.u_beats.ahead_q);
        if (ram && dut.u_beats.ram_spec_q) assert (dut.u_beats.ahead_q);
        if (dut.u_beats.ahead_q)
          assert (beyond != 0 && beyond <= spec);
          else assert (whole + part == used && whole <= used);
        if (dut.u_beats.quiet_q) assert (used == 0 && !ram);
        // Room
        assert (dut.u_beats.free == 3'(DEPTH) - used_q || rst_q);
        if (dut.room_q) assert (used_q <= 2 && used <= 3);
        // The line and what is on its way from there
        if (FCS) assert (dut.held_q == in_q);
        assert (in_q == (words_q != 0));
        assert (!in_q || !pending_q && !v1_q);
        assert (3'(pending_q) + 3'(v1_q) + 3'(v2_q) <= 1);
        if (v2_q && in_q) assert (words_q == 1);
        if (v2_q && !in_q) assert (!dut.held_q);
        if (FCS && v2_q) assert (!dut.beat_q);
        if (v2_q && dut.held_q) assert (in_q && !dut.held_last_q);
        if (in_q && !v2_q && !dut.lost_q) begin
          assert (words_q == open + 5'(dut.beat_q) + 5'(dut.held_q));
          assert (!closed_q && !(dut.beat_q && dut.beat_last_q) && !(dut.held_q && dut.held_last_q));
        end
        if (done && !dut.lost_q) begin
          assert (counted - 5'(FCS) == open + 5'(dut.beat_q) + 5'(dut.held_q && !v2_q));
          assert (2'(closed_q) + 2'(dut.beat_q && dut.beat_last_q) + 2'(dut.held_q && dut.held_last_q) == 2'd1);
          if (dut.beat_q) assert (dut.beat_last_q || (dut.held_q && dut.held_last_q));
        end
        if (!in_q && !done) assert (open == 0 && !dut.beat_q && !dut.held_q && !dut.lost_q && !closed_q);
      end
    end
  end
endmodule
