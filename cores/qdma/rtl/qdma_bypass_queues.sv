// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What bypass knows of each queue of a channel: whether descriptors of it are accepted from the user, and what its context has
// for them.
//
// Latency: is_live and is_first are combinational from qid; func, port_id and last come 1 cycle after read_en.
//
// Interface: note and used are for a cycle each.  end_valid is held until end_ready: the queue is live no more.  After a reset
// `clearing` is high for QUEUES cycles.
//
// Operation: a queue is live from the first turn of the fetch that finds it enabled, until a stop or an error.  is_first: no
// descriptor of it has been accepted since.
module qdma_bypass_queues
  import qdma_tlp_pkg::*;
  import qdma_context_pkg::*;
  import qdma_bypass_pkg::*;
#(
    parameter int QUEUES = 2048
) (
    input logic clk,
    input logic rst,

    output logic clearing,

    input  bypass_note_t note,
    input  logic         end_valid,
    output logic         end_ready,
    input  index_t       end_qid,

    input  logic      [$clog2(QUEUES)-1:0] qid,
    output logic                           is_live,
    output logic                           is_first,
    input  logic                           used,      // of qid: is_first no more
    input  logic                           read_en,
    output function_t                      func,
    output logic      [               2:0] port_id,
    output logic      [              15:0] last
);
  typedef logic [$clog2(QUEUES)-1:0] slot_t;
  slot_t clear_q;
  assign end_ready = ~clearing & ~note.valid & ~used;

  qdma_queue_bits #(
      .QUEUES(QUEUES)
  ) live (
      .clk,
      .qid,
      .value    (is_live),
      .write    (clearing | note.valid | end_valid),
      .write_qid(clearing ? clear_q : note.valid ? slot_t'(note.qid) : slot_t'(end_qid)),
      .next     (~clearing & note.valid & note.is_live)
  );
  qdma_queue_bits #(
      .QUEUES(QUEUES)
  ) first (
      .clk,
      .qid,
      .value    (is_first),
      .write    (clearing | used | end_valid),
      .write_qid(clearing ? clear_q : used ? qid : slot_t'(end_qid)),
      .next     (clearing | ~used)
  );
  ram_sdp #(
      .WIDTH($bits(function_t) + 3 + 16),
      .DEPTH(QUEUES)
  ) contexts (
      .clk,
      .wr_en  (note.valid & note.is_live),
      .wr_addr(slot_t'(note.qid)),
      .wr_data({note.func, note.port_id, note.last}),
      .rd_en  (read_en),
      .rd_addr(qid),
      .rd_data({func, port_id, last})
  );

  always_ff @(posedge clk) begin
    if (clearing) clear_q <= clear_q + 1'b1;
    if (clear_q == '1) clearing <= 1'b0;
    if (rst) begin
      clearing <= 1'b1;
      clear_q  <= '0;
    end
  end
endmodule
