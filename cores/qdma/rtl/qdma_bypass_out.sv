// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Descriptors on their way to the user, of one channel.
//
// Latency: 2 cycles of a descriptor; one in each cycle.
//
// Interface: push has no ready, its place was reserved; what is pushed can leave with the next push_commit.  push_extra: places that were reserved for descriptors which do not
// come.  room: there are MAX_BATCH places.  out is held until it is accepted, or until its queue is removed.  remove_valid is
// held with remove_qid until remove_done, a cycle: nothing of the queue is left then; nothing of it may be pushed meanwhile.
//
// Operation: a FIFO with a bit for each place that says whether its descriptor is kept.  A removal goes through the places
// that are used, so a user that accepts nothing does not delay it.
module qdma_bypass_out
  import qdma_context_pkg::*;
  import qdma_fetch_pkg::*;
  import qdma_bypass_pkg::*;
#(
    parameter int DEPTH = 512  // a power of two, at least two batches
) (
    input logic clk,
    input logic rst,

    output logic    room,
    input  places_t reserve,

    input logic        push_valid,
    input logic        push_commit,
    input bypass_out_t push,
    input places_t     push_extra,

    output logic        out_valid,
    input  logic        out_ready,
    output bypass_out_t out,

    input  logic   remove_valid,
    input  index_t remove_qid,
    output logic   remove_done
);
  localparam int BITS = $clog2(DEPTH);
  typedef logic [BITS:0] ptr_t;
  index_t qids[DEPTH];
  logic pushed[DEPTH], removed[DEPTH];  // kept: they differ, so each has one writer
  ptr_t wr_ptr_q, commit_ptr_q, rd_ptr_q, scan_q, free_q;
  logic fetch, skips, is_kept, is_removed, valid_q, leaves, scans_q, may_fetch;

  assign may_fetch = (rd_ptr_q != commit_ptr_q) & (~valid_q | out_ready | is_removed);
  assign is_kept = pushed[rd_ptr_q[BITS-1:0]] != removed[rd_ptr_q[BITS-1:0]];
  assign fetch = may_fetch & is_kept;
  assign skips = may_fetch & ~is_kept;
  assign is_removed = remove_valid & (out.qid == remove_qid);
  assign leaves = valid_q & (out_ready | is_removed);
  assign out_valid = valid_q & ~is_removed;

  ram_sdp #(
      .WIDTH($bits(bypass_out_t)),
      .DEPTH(DEPTH)
  ) words (
      .clk,
      .wr_en  (push_valid),
      .wr_addr(wr_ptr_q[BITS-1:0]),
      .wr_data(push),
      .rd_en  (fetch),
      .rd_addr(rd_ptr_q[BITS-1:0]),
      .rd_data(out)
  );

  // --- A removal: what is fetched in its first cycles is found at the output
  logic scan_ends;
  assign scan_ends   = scan_q == wr_ptr_q;
  assign remove_done = scans_q & scan_ends & ~(valid_q & is_removed);

  ptr_t returned_q;
  always_ff @(posedge clk) begin
    if (push_valid) begin
      qids[wr_ptr_q[BITS-1:0]]   <= push.qid;
      pushed[wr_ptr_q[BITS-1:0]] <= ~removed[wr_ptr_q[BITS-1:0]];
      wr_ptr_q                   <= wr_ptr_q + 1'b1;
      if (push_commit) commit_ptr_q <= wr_ptr_q + 1'b1;
    end
    if (may_fetch) rd_ptr_q <= rd_ptr_q + 1'b1;
    valid_q <= fetch | (valid_q & ~leaves);

    scans_q <= remove_valid & ~remove_done;
    if (!scans_q) begin
      scan_q <= rd_ptr_q;
    end else if (!scan_ends) begin
      scan_q <= scan_q + 1'b1;
      if (qids[scan_q[BITS-1:0]] == remove_qid) removed[scan_q[BITS-1:0]] <= pushed[scan_q[BITS-1:0]];
    end

    // A place is free when its descriptor has left, or is removed.
    returned_q <= ptr_t'(leaves) + ptr_t'(skips) + (push_valid ? ptr_t'(push_extra) : '0);
    free_q     <= free_q + returned_q - ptr_t'(reserve);
    room       <= free_q >= ptr_t'(MAX_BATCH);
    if (rst) begin
      wr_ptr_q     <= '0;
      commit_ptr_q <= '0;
      rd_ptr_q     <= '0;
      valid_q      <= 1'b0;
      scans_q      <= 1'b0;
      returned_q   <= '0;
      free_q       <= ptr_t'(DEPTH);
      room         <= 1'b1;
    end
  end
endmodule
