// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// How far each queue has got: the index of its last step.
//
// Latency: a step is in the RAM 2 cycles after it; value follows rd_qid by 1 cycle, and stays without rd_en.
//
// Interface: a step never waits.  A clear waits for a cycle without a step, and takes the place of one that still waits.  After
// a reset all are 0 QUEUES cycles later; no step may come before.
module qdma_progress_index
  import qdma_watch_pkg::*;
#(
    parameter int QUEUES = 2048,
    parameter int WIDTH  = 16
) (
    input logic clk,
    input logic rst,

    input step_t        step,
    input logic         clear,
    input logic  [10:0] clear_qid,

    input  logic             rd_en,
    input  logic [     10:0] rd_qid,
    output logic [WIDTH-1:0] value
);
  localparam int ID_BITS = $clog2(QUEUES);
  typedef logic [ID_BITS-1:0] id_t;
  step_t step_q;
  logic clears_q, sweeps_q;
  id_t clear_q;
  ram_sdp #(
      .WIDTH(WIDTH),
      .DEPTH(QUEUES)
  ) indices (
      .clk,
      .wr_en  (step_q.valid | clears_q),
      .wr_addr(step_q.valid ? id_t'(step_q.qid) : clear_q),
      .wr_data(step_q.valid ? step_q.index[WIDTH-1:0] : '0),
      .rd_en,
      .rd_addr(id_t'(rd_qid)),
      .rd_data(value)
  );

  always_ff @(posedge clk) begin
    step_q <= step;
    if (sweeps_q) begin
      clear_q  <= clear_q + 1'b1;
      sweeps_q <= clear_q != id_t'(QUEUES - 1);
      clears_q <= clear_q != id_t'(QUEUES - 1);
    end else if (clear) begin
      clears_q <= 1'b1;
      clear_q  <= id_t'(clear_qid);
    end else if (!step_q.valid) begin
      clears_q <= 1'b0;
    end
    if (rst) begin
      step_q.valid <= 1'b0;
      sweeps_q     <= 1'b1;
      clears_q     <= 1'b1;
      clear_q      <= '0;
    end
  end

  logic unused;
  assign unused = &{1'b0, step_q, clear_qid, rd_qid};
endmodule
