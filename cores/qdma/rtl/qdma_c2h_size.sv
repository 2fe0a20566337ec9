// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// How many buffers a packet needs, by the prefetch context of its queue and the CSR of buffer sizes.
//
// Latency: 5 cycles from ask to sized, alone; an ask a cycle, but for those of several buffers, which take a cycle for each
// of them.
//
// A queue that does not exist is not valid: its number would be another's in the RAMs.
//
// A prefetch context with `bypass` is valid with BYPASS alone, and is like one without.  Without virtio its bits of the
// prefetch context are the queue's settings: `virtio` drops instead of holding, `var_desc` has small packets in their entries.
// Such a packet needs no buffer.
//
// Interface: ask, sized and discard have valid and ready.  At most ASKS - 2 asks may be under way from here on: may_ask says
// so.  A discard is for the queue that is being stopped; it goes before asks that wait.
module qdma_c2h_size
  import qdma_context_pkg::*;
  import qdma_pkg::*;
  import qdma_c2h_pkg::*;
#(
    parameter int QUEUES = 2048,
    parameter bit BYPASS = 1'b0,
    parameter bit INLINE = 1'b0   // queues may have small packets in their entries
) (
    input logic clk,
    input logic rst,

    input logic [SIZES-1:0][15:0] buffer_size,  // CSRs, bytes

    input  logic     ask_valid,
    output logic     ask_ready,
    input  c2h_ask_t ask,
    input  logic     may_ask,    // held while an ask waits

    // Prefetch contexts, which are read only
    output logic              context_valid,
    input  logic              context_ready,
    output index_t            context_index,
    input  logic              context_at,
    input  prefetch_context_t context_word,

    input  logic   discard_valid,
    output logic   discard_ready,
    input  index_t discard_qid,

    output logic       sized_valid,
    input  logic       sized_ready,
    output c2h_sized_t sized
);
  typedef struct packed {
    c2h_ask_t ask;
    logic is_valid;
    logic is_inline;
    logic drops;
    logic [15:0] size;
  } looked_t;

  // --- The queue's context
  c2h_ask_t ask_1_q, ask_2_q, ask_3_q;
  logic looked_valid_q, exists, is_valid_q, is_small, is_inline, is_inline_q, drops_q;
  logic [ 3:0] size_ix;
  logic [15:0] size_q;
  assign context_valid = ask_valid & may_ask;
  assign context_index = ask.qid;
  assign ask_ready     = context_ready & context_valid;
  assign size_ix       = context_word.buf_sz_idx;
  assign exists        = 12'(ask_2_q.qid) < 12'(QUEUES);
  assign is_small      = (ask_2_q.bytes != '0) & (ask_2_q.bytes <= 16'(INLINE_BYTES));
  assign is_inline     = INLINE & context_word.var_desc & ask_2_q.has_completion & is_small;

  always_ff @(posedge clk) begin
    ask_1_q        <= ask;
    ask_2_q        <= ask_1_q;
    ask_3_q        <= ask_2_q;
    looked_valid_q <= context_at;
    is_valid_q     <= exists & context_word.valid & (BYPASS | ~context_word.bypass);
    drops_q        <= context_word.virtio;
    is_inline_q    <= is_inline;
    size_q         <= is_inline ? '1 : buffer_size[size_ix];  // it is in one part, whatever the buffers are
    if (rst) looked_valid_q <= 1'b0;
  end

  logic found_valid, found_ready;
  looked_t found;
  logic looked_ready;
  logic [$clog2(ASKS):0] looked_used;
  qdma_small_fifo #(
      .WIDTH($bits(looked_t)),
      .DEPTH(ASKS)
  ) looked (
      .clk,
      .rst,
      .wr_valid(looked_valid_q),
      .wr_ready(looked_ready),
      .wr_data ({ask_3_q, is_valid_q, is_inline_q, drops_q, size_q}),
      .rd_valid(found_valid),
      .rd_ready(found_ready),
      .rd_data (found),
      .used    (looked_used)
  );

  // --- How many buffers: a cycle for each
  logic begun_q, ends, sizes, goes_inline;
  assign goes_inline = INLINE & found.is_inline;
  logic [15:0] left_q, left;
  logic [4:0] count_q, count;
  assign left          = begun_q ? left_q : found.ask.bytes;
  assign count         = begun_q ? count_q : 5'd1;
  assign ends          = ~found.is_valid | (left <= found.size) | (count == 5'(MAX_BUFFERS));
  assign sizes         = ~sized_valid | sized_ready;
  assign discard_ready = sizes & ~begun_q;
  assign found_ready   = sizes & ends & ~(discard_valid & ~begun_q);

  always_ff @(posedge clk) begin
    if (sizes) sized_valid <= 1'b0;
    if (discard_valid && discard_ready) begin
      sized_valid <= 1'b1;
      sized       <= '{ask: '{qid: discard_qid, default: '0}, is_discard: 1'b1, answer: C2H_YES, default: '0};
    end else if (found_valid) begin
      if (found_ready) begin
        begun_q <= 1'b0;
        sized_valid <= 1'b1;
        sized <= '{
            ask: found.ask,
            answer: ~found.is_valid ? C2H_INVALID : left > found.size ? C2H_TOO_LONG : C2H_YES,
            is_discard: 1'b0,
            is_inline: goes_inline,
            drops: found.drops,
            buffers: found.ask.bytes == '0 || goes_inline ? '0 : 8'(count),
            size: found.size
        };
      end else if (!ends) begin
        begun_q <= 1'b1;
        left_q  <= left - found.size;
        count_q <= count + 1'b1;
      end
    end
    if (rst) begin
      begun_q     <= 1'b0;
      sized_valid <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  looked_fits :
  assert property (@(posedge clk) disable iff (rst) looked_valid_q |-> looked_ready);
`endif

  logic unused;
  assign unused = &{1'b0, context_word, looked_ready, looked_used};
endmodule
