// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Commands and their payload, in order, to parts of packets; what is pending at the end of a batch.
//
// Latency: 1 cycle of a command, none of payload; retire and status are a cycle after the last of the batch.  A line of
// payload in each cycle, a command that has none in one cycle.
//
// Operation: an error of the payload ends its packet with is_error and stops the queue: what follows of it is dropped, up to
// a batch before which nothing of the queue was under way.  A packet whose rest does not come ends with is_error, too.
// Status is requested at most once a batch, with the index after the last packet that is whole: if one of its packets wants
// it, or with an error.
//
// Whether the queue of a command is stopped is looked up while the command before is worked off: RAM and payload in one cycle
// would be too long.
module qdma_h2c_deliver
  import qdma_context_pkg::*;
  import qdma_read_pkg::*;
  import qdma_fetch_pkg::*;
  import qdma_h2c_pkg::*;
  import qdma_bypass_pkg::*;
  import qdma_write_pkg::*;
#(
    parameter int QUEUES = 2048,
    parameter bit BYPASS = 1'b0
) (
    input logic clk,
    input logic rst,

    input  logic         next_valid,
    output logic         next_ready,
    input  h2c_command_t next,
    output h2c_command_t command,        // that is worked off
    input  logic         payload_valid,
    output logic         payload_ready,
    input  read_beat_t   payload,

    output logic       part_valid,
    input  logic       part_ready,
    output logic [6:0] part_bytes,
    output logic       part_eop,
    output logic       part_error,

    output logic released,  // of the room at the user that a packet took: it has gone there, or is dropped

    output qdma_watch_pkg::step_t done,  // packets are at the user, up to this index

    // Bypass, for a cycle each
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

  logic command_valid, has_stopped, has_stopped_q;
  logic stopped_q, failed_q, open_q;  // failed_q: this command's payload; open_q: a packet has begun
  logic inside_q;  // some of this command's payload has gone
  logic was_stopped, is_stopped, has_payload, closes, fails, discards, has_part, may_end, moves, pops;
  assign was_stopped = command.is_first ? has_stopped_q & ~command.is_start : stopped_q;
  logic is_bypass, is_flush, no_dma;
  assign is_flush = BYPASS & command.bypass.is_flush;
  assign is_bypass = BYPASS & command.bypass.is_bypass & ~is_flush;
  assign no_dma = BYPASS & command.bypass.no_dma;
  assign has_payload = ~command.is_marker & (command.bytes != '0) & ~no_dma;
  // Whether both are accepted in this cycle is not waited for: either takes longer than a batch of one does.
  // That is not so of a packet of the user, which is a batch.
  assign may_end = ~command.is_end | ~(retire_valid | status_valid) | (is_bypass & ~retire_valid & status_ready);
  assign discards = was_stopped | failed_q;

  // --- What goes out in this cycle
  assign closes = open_q & (was_stopped | command.is_marker | command.is_sop) & ~inside_q;
  assign fails = has_payload & ~discards & (payload.error != READ_OK);
  assign has_part = ~command.is_marker & ~no_dma & ~discards & (~has_payload | payload_valid);
  assign part_valid = command_valid & may_end & (closes | has_part);
  assign part_bytes = closes | fails | ~has_payload ? '0 : payload.bytes;
  assign part_eop = closes | fails | ~has_payload | (command.is_eop & payload.is_last);
  assign part_error = closes | fails;
  assign moves = command_valid & may_end & ~closes & (~has_payload | payload_valid)
                 & (part_ready | command.is_marker | discards | no_dma);
  assign pops = moves & (~has_payload | payload.is_last);
  assign next_ready = ~command_valid | pops;
  assign payload_ready = moves & has_payload;
  assign released = pops & (command.charge != '0);

  // --- What is pending at the end of the batch
  logic err_dsc_q, err_dma_q, wants_q, err_dsc, err_dma, wants, whole;
  logic [15:0] cidx_q, cidx;
  read_error_e kind_q, kind;
  assign whole      = ~command.is_marker & command.is_eop & ~discards & ~fails;
  assign err_dsc    = err_dsc_q | (command.err_dsc & ~was_stopped);
  assign err_dma    = err_dma_q | (command.err_dma & ~was_stopped) | fails;
  assign wants      = wants_q | (whole & command.wants_status);
  assign is_stopped = was_stopped | failed_q | fails | command.is_marker;
  always_comb begin
    cidx = cidx_q;
    kind = kind_q;
    if (!err_dsc_q && !err_dma_q) begin
      kind = fails ? payload.error : command.read_error;
      if (err_dsc || err_dma) cidx = command.index;
      else if (whole) cidx = command.cidx;
    end
  end

  qdma_queue_bits #(
      .QUEUES(QUEUES)
  ) stopped (
      .clk,
      .qid      (slot_t'(next.qid)),
      .value    (has_stopped),
      .write    (pops),
      .write_qid(slot_t'(command.qid)),
      .next     (is_stopped)
  );

  always_ff @(posedge clk) begin
    if (next_ready) begin
      command_valid <= next_valid;
      command       <= next;
      has_stopped_q <= pops && next.qid == command.qid ? is_stopped : has_stopped;
    end
    if (retire_ready) retire_valid <= 1'b0;
    if (status_ready) status_valid <= 1'b0;
    if (part_valid && part_ready) open_q <= ~part_eop;
    done    <= '{valid: pops & whole & ~is_bypass, qid: command.qid, index: command.cidx};
    flushed <= pops & is_flush;
    marker  <= '0;
    if (BYPASS) begin
      marker <= '{
          valid: pops & is_bypass & command.is_end & command.bypass.wants_marker,
          qid: command.qid,
          cidx: command.cidx,
          has_error: ~whole
      };
    end
    if (moves) begin
      inside_q  <= ~pops;
      failed_q  <= ~pops & (failed_q | fails);
      err_dsc_q <= err_dsc;
      err_dma_q <= err_dma;
      cidx_q    <= cidx;
      kind_q    <= kind;
    end
    if (pops) begin
      stopped_q <= is_stopped;
      wants_q   <= wants;
      if (command.is_end) begin
        err_dsc_q <= 1'b0;
        err_dma_q <= 1'b0;
        wants_q <= 1'b0;
        retire_valid <= ~is_bypass & ~is_flush | err_dsc | err_dma;
        retire <= '{
            kind: is_bypass ? RETIRE_ERROR : RETIRE_BATCH,
            qid: command.qid,
            is_stopped: is_stopped & ~command.is_rewound,
            err_dsc: err_dsc,
            err_dma: err_dma,
            is_rewound: command.is_rewound & ~was_stopped,
            is_held: command.is_held,
            read_error: kind,
            index: err_dsc | err_dma ? cidx : command.index
        };
        status_valid <= (wants | err_dsc | err_dma) & (command.wbk_en | command.irq_en);
        status <= '{
            qid: command.qid,
            is_c2h: 1'b0,
            func: command.func,
            cidx: cidx,
            pidx: command.pidx,
            is_bypass: is_bypass,
            err_dsc: err_dsc,
            err_dma: err_dma,
            wants_status: command.wbk_en,
            wants_interrupt: command.irq_en
        };
      end
    end
    if (rst) begin
      command_valid <= 1'b0;
      done.valid    <= 1'b0;
      failed_q      <= 1'b0;
      inside_q      <= 1'b0;
      open_q        <= 1'b0;
      err_dsc_q     <= 1'b0;
      err_dma_q     <= 1'b0;
      wants_q       <= 1'b0;
      retire_valid  <= 1'b0;
      status_valid  <= 1'b0;
    end
  end

  logic unused;
  assign unused = &{1'b0, command, payload};
endmodule
