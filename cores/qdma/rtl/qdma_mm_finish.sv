// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What is due when segments are done: status, interrupt, and the batch back to the fetch.
//
// Latency: 1 cycle from the end of a batch's last segment to its status, or to its retirement if there is no status.
//
// Interface: tail has what is due of each segment, in order; done comes for each that has bytes, in the same order.  status
// and retire are of a batch.  A batch is retired after its status has been accepted: who sees none of a queue under way sees
// no status of it wait.  fails is for a cycle.
//
// Operation: an error stops its queue: nothing of it is counted after that, up to a batch before which nothing of the queue
// was under way.  CIDX of the status is the index after the last descriptor that is whole; with an error it is that of the
// descriptor that has it.  A batch whose turn is over within a descriptor is rewound to that.
//
// Whether the queue of an entry has failed is looked up while the entry before is worked off, as in qdma_h2c_deliver.
module qdma_mm_finish
  import qdma_context_pkg::*;
  import qdma_read_pkg::*;
  import qdma_fetch_pkg::*;
  import qdma_mm_pkg::*;
  import qdma_bypass_pkg::*;
  import qdma_write_pkg::*;
#(
    parameter int QUEUES = 2048,
    parameter bit IS_C2H = 1'b0,
    parameter bit BYPASS = 1'b0
) (
    input logic clk,
    input logic rst,

    input  logic        tail_valid,
    output logic        tail_ready,
    input  mm_tail_t    tail,
    input  logic        done_valid,
    output logic        done_ready,
    input  logic        done_error,
    input  read_error_e done_kind,

    output logic   fails,
    output index_t fails_qid,

    // Bypass: for a cycle, what was accepted before is done; marker response
    output logic           flushed,
    output bypass_marker_t marker,

    output logic            retire_valid,
    input  logic            retire_ready,
    output retire_t         retire,
    output logic            status_valid,
    input  logic            status_ready,
    output status_request_t status
);
  typedef logic [$clog2(QUEUES)-1:0] slot_t;

  mm_tail_t current;
  logic current_valid, has_failed, has_failed_q, stopped_q, was_stopped, is_stopped, may_end, pops, has_error, whole;
  logic retire_waits_q;
  logic is_bypass, is_flush;
  assign is_flush = BYPASS & current.bypass.is_flush;
  assign is_bypass = BYPASS & current.bypass.is_bypass & ~is_flush;
  assign may_end = ~current.is_end | ~(retire_waits_q | status_valid) | (is_bypass & ~retire_waits_q & status_ready);
  assign pops = current_valid & may_end & (~current.has_segment | done_valid);
  assign done_ready = current_valid & may_end & current.has_segment;
  assign tail_ready = ~current_valid | pops;
  assign was_stopped = current.is_first ? has_failed_q & ~current.is_start : stopped_q;
  assign has_error = current.has_segment & done_error;
  assign is_stopped = was_stopped | has_error | current.is_bad | current.is_dropped | current.is_parked;
  assign whole = current.is_last & ~is_stopped;

  // --- What is due at the end of the batch
  logic err_dsc_q, err_dma_q, wants_q, parked_q, err_dsc, err_dma, wants, parked;
  logic [15:0] cidx_q, cidx, parked_index_q;
  read_error_e kind_q, kind;
  assign err_dsc = err_dsc_q | (current.is_bad & ~was_stopped);
  assign err_dma = err_dma_q | (has_error & ~was_stopped);
  assign parked  = parked_q | (current.is_parked & ~was_stopped);
  assign wants   = wants_q | (whole & current.wants_status);
  always_comb begin
    cidx = cidx_q;
    kind = kind_q;
    if (!err_dsc_q && !err_dma_q) begin
      kind = has_error ? done_kind : current.read_error;
      if (err_dsc || err_dma) cidx = current.index;
      else if (whole) cidx = current.cidx;
    end
  end

  qdma_queue_bits #(
      .QUEUES(QUEUES)
  ) failed (
      .clk,
      .qid      (slot_t'(tail.qid)),
      .value    (has_failed),
      .write    (pops),
      .write_qid(slot_t'(current.qid)),
      .next     (is_stopped)
  );

  assign retire_valid = retire_waits_q & ~status_valid;
  always_ff @(posedge clk) begin
    if (tail_ready) begin
      current_valid <= tail_valid;
      current       <= tail;
      has_failed_q  <= pops && tail.qid == current.qid ? is_stopped : has_failed;
    end
    if (retire_valid && retire_ready) retire_waits_q <= 1'b0;
    if (status_ready) status_valid <= 1'b0;
    flushed <= pops & is_flush;
    marker  <= '0;
    if (BYPASS) begin
      marker <= '{
          valid: pops & is_bypass & current.is_end & current.bypass.wants_marker,
          qid: current.qid,
          cidx: current.cidx,
          has_error: ~whole
      };
    end
    fails <= pops & ~was_stopped & has_error;
    fails_qid <= current.qid;
    if (pops) begin
      stopped_q <= is_stopped;
      err_dsc_q <= err_dsc & ~current.is_end;
      err_dma_q <= err_dma & ~current.is_end;
      wants_q   <= wants & ~current.is_end;
      parked_q  <= parked & ~current.is_end;
      cidx_q    <= cidx;
      kind_q    <= kind;
      if (!parked_q) parked_index_q <= current.index;
      if (current.is_end) begin
        retire_waits_q <= ~is_bypass & ~is_flush | err_dsc | err_dma;
        retire <= '{
            kind: is_bypass ? RETIRE_ERROR : RETIRE_BATCH,
            qid: current.qid,
            is_stopped: is_stopped & ~parked,
            err_dsc: err_dsc,
            err_dma: err_dma,
            is_rewound: parked,
            is_held: 1'b0,
            read_error: kind,
            index: err_dsc | err_dma ? cidx : parked_q ? parked_index_q : current.index
        };
        status_valid <= (wants | err_dsc | err_dma) & (current.wbk_en | current.irq_en);
        status <= '{
            qid: current.qid,
            is_c2h: IS_C2H,
            func: current.func,
            cidx: cidx,
            pidx: current.pidx,
            is_bypass: is_bypass,
            err_dsc: err_dsc,
            err_dma: err_dma,
            wants_status: current.wbk_en,
            wants_interrupt: current.irq_en
        };
      end
    end
    if (rst) begin
      current_valid  <= 1'b0;
      fails          <= 1'b0;
      err_dsc_q      <= 1'b0;
      err_dma_q      <= 1'b0;
      wants_q        <= 1'b0;
      parked_q       <= 1'b0;
      retire_waits_q <= 1'b0;
      status_valid   <= 1'b0;
    end
  end
endmodule
