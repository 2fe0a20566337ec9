// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The tags of reads: which are free, which are open.
//
// Latency: a tag that is closed can be provided again 2 cycles later, if no other is free.
//
// Interface: tag is provided with tag_valid, and opened in a cycle with take.  In the cycle after look_tag, is_open says
// whether it is open, and close closes it; close is ignored if it is not open.
//
// Operation: a tag that was closed goes to the end of a queue.  So the longest possible time passes until it is used
// again, and a late completion finds it closed.  After a reset the tags come from a counter until each has been used.
//
// formal/tags_once.sv proves: no tag is provided that is open; each that is closed is provided again.
module qdma_tags #(
    parameter int TAGS = 256  // a power of two
) (
    input logic clk,
    input logic rst,

    output logic                    tag_valid,
    output logic [$clog2(TAGS)-1:0] tag,
    input  logic                    take,

    input  logic [$clog2(TAGS)-1:0] look_tag,
    output logic                    is_open,
    input  logic                    close
);
  localparam int BITS = $clog2(TAGS);

  logic [TAGS-1:0] open_q;
  logic [BITS-1:0] queue  [TAGS];
  logic [BITS:0] fresh_q, rd_ptr_q, wr_ptr_q;  // fresh_q: tags from here on have not been used
  logic [BITS-1:0] looked_q;
  logic closes, refill, has_fresh, has_queued;

  assign closes     = close & is_open;
  assign has_fresh  = ~fresh_q[BITS];
  assign has_queued = rd_ptr_q != wr_ptr_q;
  assign refill     = (~tag_valid | take) & (has_fresh | has_queued);

  always_ff @(posedge clk) begin
    looked_q <= look_tag;
    is_open  <= (open_q[look_tag] & ~(closes & (looked_q == look_tag))) | (take & tag_valid & (tag == look_tag));
    if (closes) begin
      queue[wr_ptr_q[BITS-1:0]] <= looked_q;
      wr_ptr_q <= wr_ptr_q + 1'b1;
      open_q[looked_q] <= 1'b0;
    end
    if (take && tag_valid) begin
      open_q[tag] <= 1'b1;
      tag_valid   <= 1'b0;
    end
    if (refill) begin
      tag_valid <= 1'b1;
      tag       <= has_fresh ? fresh_q[BITS-1:0] : queue[rd_ptr_q[BITS-1:0]];
      if (has_fresh) fresh_q <= fresh_q + 1'b1;
      else rd_ptr_q <= rd_ptr_q + 1'b1;
    end
    if (rst) begin
      open_q    <= '0;
      is_open   <= 1'b0;
      tag_valid <= 1'b0;
      fresh_q   <= '0;
      rd_ptr_q  <= '0;
      wr_ptr_q  <= '0;
    end
  end
endmodule
