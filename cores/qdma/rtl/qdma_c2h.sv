// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Streaming C2H: packets of the user into buffers of the host, and their completion entries.
//
// Latency: ask to answer 13 cycles; first beat to its payload write 3 cycles, if the packet was granted 11 cycles earlier;
// last beat to the post of its entry 4 cycles.
//
// Interface: the source asks for a packet, and sends it when the answer is C2H_YES.  Packets are sent in the order of these
// answers.  A packet may be asked for before its first beat is there, so that the answer costs no time.  Others wait at
// their source, or are dropped there: so none stops another queue's.  qdma_fetch is the source of descriptors, with BYTES =
// C2H_BATCH_BYTES and PENDING = DEPTH / (C2H_BATCH_BYTES / 8).  payload, reserve, room and post are those of qdma_write_path.
//
// Operation:
//   ask --> qdma_c2h_admit --> grant --> qdma_c2h_writer --> payload, post
//                 ^ credit         take ^      ^
//   descriptor --> qdma_c2h_store ------+    beats
//
// Limits: payload writes have at most MAX_WRITE bytes.  Prefetch contexts are read only: num_pfch and pfch_need stay 0.
module qdma_c2h
  import qdma_tlp_pkg::*;
  import qdma_context_pkg::*;
  import qdma_pkg::*;
  import qdma_write_pkg::*;
  import qdma_fetch_pkg::*;
  import qdma_h2c_pkg::*;
  import qdma_c2h_pkg::*;
#(
    parameter int QUEUES = 2048,
    parameter int DEPTH  = 128,   // buffers of a queue that are fetched ahead
    parameter int DEEP   = 0,     // queues 0 to DEEP - 1 have twice as many places
    parameter bit BYPASS = 1'b0,  // buffers come from the user, too
    parameter bit INLINE = 1'b0   // queues may have small packets in their entries
) (
    input logic clk,
    input logic rst,

    output logic clearing,  // after a reset, QUEUES cycles: nothing is accepted

    input logic [      2:0]       max_payload,  // 128 << n bytes
    input logic [SIZES-1:0][15:0] buffer_size,  // CSRs, bytes

    // Packets
    input  logic              ask_valid,
    output logic              ask_ready,
    input  c2h_ask_t          ask,
    output logic              answer_valid,
    output index_t            answer_qid,
    output c2h_answer_e       answer,
    output logic              buffer_event,      // the queue has buffers again
    output index_t            buffer_event_qid,
    input  logic              beat_valid,
    output logic              beat_ready,
    input  beat_t             beat_data,
    input  logic        [6:0] beat_bytes,
    input  logic              beat_last,
    input  c2h_user_t         user,              // with the last beat
    output c2h_done_t         done,

    // A queue to be stopped: qen of its software context is 0
    input  logic   stop_valid,
    output logic   stop_ready,
    input  index_t stop,
    output logic   stop_done,

    // qdma_fetch
    input  logic            descriptor_valid,
    output logic            descriptor_ready,
    input  descriptor_t     descriptor,
    output logic            retire_valid,
    input  logic            retire_ready,
    output retire_t         retire,
    input  context_error_t  context_error,
    output logic            query_valid,
    input  logic            query_ready,
    output index_t          query_qid,
    input  logic            query_done,
    input  logic            query_pending,
    output logic            stopping,          // query_qid is being stopped
    output logic            flush_valid,       // of query_qid, as qdma_bypass_c2h has it
    input  logic            flush_done,
    output logic            status_valid,
    input  logic            status_ready,
    output status_request_t status,

    // Prefetch contexts
    output logic              context_valid,
    input  logic              context_ready,
    output index_t            context_index,
    input  logic              context_at,
    input  prefetch_context_t context_word,

    // Write path
    output logic        reserve_valid,
    input  logic        reserve_ready,
    output index_t      reserve_qid,
    output logic        reserve_wide,   // in an entry of 64 bytes
    input  logic        room_valid,
    input  room_e       room,
    output logic        post_valid,
    input  logic        post_ready,
    output entry_t      post,
    output logic        payload_valid,
    input  logic        payload_ready,
    output write_beat_t payload,

    output qdma_watch_pkg::buffers_t buffers,  // that are stored, that are taken

    // Answers to packets for queues that are not valid, or that no buffers of their queue can hold; statistics
    output logic                    invalid_valid,
    output logic                    too_long_valid,
    output c2h_admit_stats_t        stats,
    output logic             [31:0] stat_mismatched,
    output logic             [31:0] stat_stopped
);
  logic admit_clearing, store_clearing;
  assign clearing = admit_clearing | store_clearing;

  // --- Stops
  logic drain_valid, drain_done, drain_any;
  logic discard_valid, discard_ready, discard_done, discard_any, is_settled, is_quiet, look_found;
  index_t stop_qid;
  serial_t next_serial, done_serial;
  c2h_stop_t [STOPS-1:0] stops;
  assign query_qid = stop_qid;
  assign is_quiet  = ~look_found & ~(post_valid & (post.qid == stop_qid)) & ~(status_valid & (status.qid == stop_qid));
  qdma_c2h_stop #(
      .BYPASS(BYPASS)
  ) stopper (
      .clk,
      .rst,
      .stop_valid,
      .stop_ready,
      .stop,
      .stop_done,
      .stopping,
      .stop_qid,
      .next_serial,
      .done_serial,
      .stops,
      .discard_valid,
      .discard_ready,
      .discard_done,
      .discard_any,
      .drain_valid,
      .drain_done,
      .drain_any,
      .is_settled,
      .is_quiet,
      .query_valid,
      .query_ready,
      .query_done,
      .query_pending,
      .flush_valid,
      .flush_done
  );

  // --- Admission
  logic credit_valid, credit_ready, grant_valid, grant_is_inline;
  c2h_credit_t credit;
  c2h_grant_t grant;
  c2h_ask_t grant_ask;
  qdma_c2h_admit #(
      .QUEUES(QUEUES),
      .BYPASS(BYPASS),
      .INLINE(INLINE)
  ) admit (
      .clk,
      .rst,
      .clearing(admit_clearing),
      .buffer_size,
      .ask_valid,
      .ask_ready,
      .ask,
      .answer_valid,
      .answer_qid,
      .answer,
      .buffer_event,
      .buffer_event_qid,
      .context_valid,
      .context_ready,
      .context_index,
      .context_at,
      .context_word,
      .credit_valid,
      .credit_ready,
      .credit,
      .reserve_valid,
      .reserve_ready,
      .reserve_qid,
      .reserve_wide,
      .room_valid,
      .room,
      .stopping,
      .stop_qid,
      .discard_valid,
      .discard_ready,
      .discard_done,
      .discard_any,
      .is_settled,
      .grant_valid,
      .grant,
      .grant_ask,
      .grant_is_inline,
      .next_serial,
      .done_serial,
      .stats
  );
  assign invalid_valid  = answer_valid & (answer == C2H_INVALID);
  assign too_long_valid = answer_valid & (answer == C2H_TOO_LONG);

  // --- Buffers
  logic take_valid, take_ready, taken_valid;
  index_t take_qid;
  logic [63:0] taken_addr;
  function_t taken_func;
  qdma_c2h_store #(
      .QUEUES(QUEUES),
      .DEPTH (DEPTH),
      .DEEP  (DEEP),
      .BYPASS(BYPASS)
  ) store (
      .clk,
      .rst,
      .clearing(store_clearing),
      .descriptor_valid,
      .descriptor_ready,
      .descriptor,
      .retire_valid,
      .retire_ready,
      .retire,
      .context_error,
      .status_valid,
      .status_ready,
      .status,
      .buffers,
      .stopping,
      .stop_qid,
      .credit_valid,
      .credit_ready,
      .credit,
      .drain_valid,
      .drain_done,
      .drain_any,
      .take_valid,
      .take_ready,
      .take_qid,
      .taken_valid,
      .taken_addr,
      .taken_func
  );

  // --- Their way to the host
  qdma_c2h_writer #(
      .INLINE(INLINE)
  ) writer (
      .clk,
      .rst,
      .max_payload,
      .grant_valid,
      .grant,
      .grant_ask,
      .grant_is_inline,
      .take_valid,
      .take_ready,
      .take_qid,
      .taken_valid,
      .taken_addr,
      .taken_func,
      .beat_valid,
      .beat_ready,
      .beat_data,
      .beat_bytes,
      .beat_last,
      .user,
      .done,
      .done_serial,
      .stops,
      .look_qid(stop_qid),
      .look_found,
      .payload_valid,
      .payload_ready,
      .payload,
      .post_valid,
      .post_ready,
      .post,
      .stat_mismatched,
      .stat_stopped
  );
endmodule
