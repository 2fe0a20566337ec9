// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// FIFO of whole frames on one clock in a block RAM: the reader sees a frame when its last word has been written, and a
// frame that the writer drops with its last word has never been there.
// Latency: the first word of a frame whose last word is written in cycle n is on rd_data with rd_valid in cycle n+2; full
// rate within and between frames.  rd_valid does not wait for rd_ready, and a word stays until it is taken.
//
// Assumes: the writer begins a frame, of NEED words at most, only with room.  Room speaks of two cycles ago: a writer that
// pauses for less between frames adds two words to NEED.  A word for which there is no place spoils its frame, which is
// then dropped.
module frame_fifo #(
    parameter int WIDTH = 32,
    parameter int DEPTH = 1024,  // words, a power of two
    parameter int NEED  = 512    // words that room promises
) (
    input logic clk,
    input logic rst,

    input  logic             wr_valid,
    input  logic [WIDTH-1:0] wr_data,
    input  logic             wr_last,
    input  logic             wr_drop,   // with wr_last: forget this frame
    output logic             room,

    output logic             rd_valid,
    output logic [WIDTH-1:0] rd_data,
    output logic             rd_last,
    input  logic             rd_ready
);
  if (DEPTH != 1 << $clog2(DEPTH) || NEED < 1 || NEED > DEPTH) begin : gen_bad_depth
    $error("frame_fifo: DEPTH must be a power of two, and NEED 1 to DEPTH");
  end

  localparam int BITS = $clog2(DEPTH);
  logic [BITS:0] wr_ptr_q, done_ptr_q, rd_ptr_q, used;  // done_ptr_q: after the last whole frame
  logic full, fetch, spoilt_q, drop;
  assign used  = wr_ptr_q - rd_ptr_q;
  assign full  = used[BITS];
  assign drop  = wr_drop | spoilt_q | full;
  assign fetch = (done_ptr_q != rd_ptr_q) & (~rd_valid | rd_ready);

  ram_sdp #(
      .WIDTH(WIDTH + 1),
      .DEPTH(DEPTH)
  ) u_ram (
      .clk,
      .wr_en  (wr_valid & ~full),
      .wr_addr(wr_ptr_q[BITS-1:0]),
      .wr_data({wr_last, wr_data}),
      .rd_en  (fetch),
      .rd_addr(rd_ptr_q[BITS-1:0]),
      .rd_data({rd_last, rd_data})
  );

  always_ff @(posedge clk) begin
    if (wr_valid) begin
      spoilt_q <= ~wr_last & (spoilt_q | full);
      if (wr_last && drop) wr_ptr_q <= done_ptr_q;
      else if (!full) wr_ptr_q <= wr_ptr_q + 1'b1;
      if (wr_last && !drop) done_ptr_q <= wr_ptr_q + 1'b1;
    end
    if (fetch) rd_ptr_q <= rd_ptr_q + 1'b1;
    rd_valid <= fetch | (rd_valid & ~rd_ready);
    room     <= used <= (BITS + 1)'(DEPTH - NEED);
    if (rst) begin
      wr_ptr_q   <= '0;
      done_ptr_q <= '0;
      rd_ptr_q   <= '0;
      rd_valid   <= 1'b0;
      room       <= 1'b0;
      spoilt_q   <= 1'b0;
    end
  end
endmodule
