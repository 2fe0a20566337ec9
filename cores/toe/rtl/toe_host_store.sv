// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Received frames into a FIFO, whole or not at all, without FCS.
// Latency: the first word is on offer in the cycle after `over`, if nothing waits before it; then one in each cycle.
//
// Each frame is written as it comes, and what has been written is forgotten if it is not wanted or did not fit.  That is too
// late for the next one if that comes without a pause: it is lost too, and counted, if it finds no room for its first word.
//
// Assumes: `over` comes two cycles after the frame's last word or later, and a cycle after the next one's word 0 at the latest.
// A frame that is wanted has two words or more.
module toe_host_store #(
    parameter int DEPTH = 4096,  // words, a power of two
    parameter int WIDTH = 32,    // of a word; the proof has fewer
    parameter bit FCS   = 1'b1   // it is after the frame
) (
    input logic clk,
    input logic rst,

    input logic             valid,
    input logic [WIDTH-1:0] word,
    input logic [      3:0] keep,
    input logic             last,
    input logic             over,
    input logic             wanted, // with over

    output logic [WIDTH-1:0] m_tdata,
    output logic [      3:0] m_tkeep,
    output logic             m_tvalid,
    input  logic             m_tready,
    output logic             m_tlast,

    output logic stat_passed,
    output logic stat_full
);
  // --- A word after the line, where it is known whether the next one ends the frame: with FCS, as many bytes of this word are
  // the frame's as that one has.  Then a register, so that the verdict on a frame is after its last word, and before the next.
  logic held_q, held_last_q, now, ends, beat_q, beat_last_q;
  logic [WIDTH-1:0] held_word_q, beat_word_q;
  logic [1:0] held_code_q, code, beat_code_q;  // bytes - 1
  assign code = {keep[2], keep[3] | (keep[1] & ~keep[2])};
  assign now  = FCS ? held_q & valid : held_q;
  assign ends = FCS ? last : held_last_q;
  always_ff @(posedge clk) begin
    held_q <= valid ? ~(FCS & last) : held_q & ~now;
    if (valid) {held_word_q, held_last_q, held_code_q} <= {word, last, last ? code : 2'd3};
    beat_q      <= now;
    beat_word_q <= held_word_q;
    beat_last_q <= ends;
    beat_code_q <= FCS ? (last ? code : 2'd3) : held_code_q;
    if (rst) {held_q, beat_q} <= 2'b00;
  end

  // --- FIFO.  `free` is of the cycle before, and room_q of the one before that.
  logic room_q, lost, lost_q, commit;
  logic [$clog2(DEPTH):0] free;
  logic [1:0] m_code;
  assign lost   = lost_q | (beat_q & ~room_q);
  assign commit = over & wanted & ~lost;
  toe_rx_beats #(
      .WIDTH(WIDTH + 3),
      .DEPTH(DEPTH),
      .STORE_FORWARD(1'b1)
  ) u_beats (
      .clk,
      .rst,
      .wr_valid(beat_q & ~lost),
      .wr_data ({beat_last_q, beat_code_q, beat_word_q}),
      .commit,
      .drop    (over & ~commit),
      .rd_valid(m_tvalid),
      .rd_data ({m_tlast, m_code, m_tdata}),
      .rd_ready(m_tready),
      .free
  );
  assign m_tkeep = {m_code == 2'd3, m_code[1], m_code != 2'd0, 1'b1};
  always_ff @(posedge clk) begin
    room_q      <= free > 2 && !rst;
    lost_q      <= lost & ~over & ~rst;
    stat_passed <= commit & ~rst;
    stat_full   <= over & wanted & lost & ~rst;
  end
endmodule
