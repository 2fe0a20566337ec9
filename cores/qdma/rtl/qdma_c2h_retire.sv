// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Gives batches of C2H descriptors back to the fetch: those whose places are free, and those whose read has failed.
//
// Latency: a cycle if none waits, else 2; a batch in each cycle.
//
// Interface: ended and failed have no ready; there is room for UNDER_WAY - 1 more of each while the may_* say so.  retire has
// valid and ready.
//
// Operation: the two kinds take turns.  A bit a queue says whether a read of it has failed since nothing of it was under
// way: batches that are retired from then on are those of a queue that is stopped.
module qdma_c2h_retire
  import qdma_context_pkg::*;
  import qdma_read_pkg::*;
  import qdma_fetch_pkg::*;
#(
    parameter int QUEUES = 2048,
    parameter int UNDER_WAY = 6,
    parameter bit BYPASS = 1'b0
) (
    input logic clk,
    input logic rst,

    // The bit of a queue
    input logic                      bit_write,
    input logic [$clog2(QUEUES)-1:0] bit_id,
    input logic                      bit_fails,

    input  logic                             ended_valid,
    input  logic        [$clog2(QUEUES)-1:0] ended_id,
    output logic                             may_end,
    input  logic                             failed_valid,
    input  index_t                           failed_qid,
    input  logic                             failed_user,   // a buffer of the user, and no batch
    input  read_error_e                      failed_error,  // of the read
    input  logic        [              15:0] failed_cidx,
    output logic                             may_fail,

    output logic    retire_valid,
    input  logic    retire_ready,
    output retire_t retire
);
  localparam int RETIRES = 32;
  localparam int ID_BITS = $clog2(QUEUES);
  typedef logic [ID_BITS-1:0] id_t;
  typedef logic [$clog2(RETIRES):0] used_t;

  logic write_q, fails_q, has_ended, has_failed, load, passes, picks_failed, picked_failed_q, ended_fits, failed_fits;
  id_t id_q, ended, first_ended;
  index_t failed_queue;
  logic is_user;  // of the failed one
  read_error_e error;
  logic [15:0] cidx;
  used_t ended_used, failed_used;
  logic fails[QUEUES];
  always_ff @(posedge clk) begin
    may_end  <= ended_used < used_t'(RETIRES - UNDER_WAY);
    may_fail <= failed_used < used_t'(RETIRES - UNDER_WAY);
    if (rst) {may_end, may_fail} <= '0;
  end

  always_ff @(posedge clk) begin
    write_q <= bit_write;
    fails_q <= bit_fails;
    id_q    <= bit_id;
    if (write_q) fails[id_q] <= fails_q;
  end

  qdma_small_fifo #(
      .WIDTH(ID_BITS),
      .DEPTH(RETIRES)
  ) ended_batches (
      .clk,
      .rst,
      .wr_valid(ended_valid & ~passes),
      .wr_ready(ended_fits),
      .wr_data (ended_id),
      .rd_valid(has_ended),
      .rd_ready(load & ~picks_failed),
      .rd_data (ended),
      .used    (ended_used)
  );
  qdma_small_fifo #(
      .WIDTH(17 + $bits(read_error_e) + $bits(index_t)),
      .DEPTH(RETIRES)
  ) failed_batches (
      .clk,
      .rst,
      .wr_valid(failed_valid),
      .wr_ready(failed_fits),
      .wr_data ({failed_user, failed_error, failed_cidx, failed_qid}),
      .rd_valid(has_failed),
      .rd_ready(load & picks_failed),
      .rd_data ({is_user, error, cidx, failed_queue}),
      .used    (failed_used)
  );
  assign load         = ~retire_valid | retire_ready;
  assign picks_failed = has_failed & (~has_ended | ~picked_failed_q);
  assign passes       = ended_valid & ~has_ended & ~has_failed & load;
  assign first_ended  = has_ended ? ended : ended_id;
  always_ff @(posedge clk) begin
    if (load) begin
      retire_valid      <= has_ended | has_failed | passes;
      retire            <= '0;
      retire.qid        <= picks_failed ? failed_queue : index_t'(first_ended);
      retire.kind       <= BYPASS & picks_failed & is_user ? RETIRE_ERROR : RETIRE_BATCH;
      retire.err_dma    <= picks_failed;
      retire.read_error <= picks_failed ? error : READ_OK;
      retire.index      <= cidx;
      retire.is_stopped <= picks_failed | fails[first_ended];
      picked_failed_q   <= picks_failed;
    end
    if (rst) begin
      retire_valid    <= 1'b0;
      picked_failed_q <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  both_fit :
  assert property (@(posedge clk) disable iff (rst) (!ended_valid || ended_fits) && (!failed_valid || failed_fits));
`endif

  logic unused;
  assign unused = &{1'b0, ended_fits, failed_fits};
endmodule
