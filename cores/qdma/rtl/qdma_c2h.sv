// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Streaming C2H: packets of the user into buffers of the host, and their completion entries.
//
// Latency: ask to answer 13 cycles; first beat to its payload write 3 cycles, if the packet was granted 10 cycles earlier;
// last beat to the post of its entry 4 cycles.
//
// Interface: the source asks for a packet, and sends it when the answer is C2H_YES.  Packets are sent in the order of these
// answers.  A packet may be asked for before its first beat is there, so that the answer costs no time.  Others wait at
// their source, or are dropped there: so none stops another queue's.  qdma_fetch is the source of descriptors, with BYTES =
// C2H_BATCH_BYTES and PENDING = DEPTH / (C2H_BATCH_BYTES / 8).  payload, reserve, room and post are those of qdma_write_path.
//
// Operation:
//   ask --> qdma_c2h_admit --> grants --> qdma_c2h_walk --> segments --> qdma_c2h_cut --> commands --+
//                 | credit                     | take                                                v
//   descriptor --> qdma_c2h_store -------------+         beats --> qdma_c2h_intake --> data --> qdma_c2h_step, _rotate --> payload
//                                                                       +--> entries --> qdma_c2h_post <-- sent
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
    parameter int DEPTH  = 128    // buffers of a queue that are fetched ahead
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
    input  logic        room_valid,
    input  room_e       room,
    output logic        post_valid,
    input  logic        post_ready,
    output entry_t      post,
    output logic        payload_valid,
    input  logic        payload_ready,
    output write_beat_t payload,

    // Packets for queues that are not valid, for a cycle; statistics
    output logic                    invalid_valid,
    output index_t                  invalid_qid,
    output c2h_admit_stats_t        stats,
    output logic             [31:0] stat_mismatched,
    output logic             [31:0] stat_stopped
);
  localparam int BEATS = 64;  // of data that can wait
  localparam int ENTRIES = 32;
  localparam int COMMANDS = 32;

  logic admit_clearing, store_clearing;
  assign clearing = admit_clearing | store_clearing;

  // --- Stops
  logic drain_valid, drain_done, drain_any;
  logic stopping, discard_valid, discard_ready, discard_done, discard_any, is_settled, is_quiet, look_found;
  index_t stop_qid;
  serial_t next_serial, done_serial;
  c2h_stop_t [STOPS-1:0] stops;
  assign query_qid = stop_qid;
  assign is_quiet  = ~look_found & ~(post_valid & (post.qid == stop_qid)) & ~(status_valid & (status.qid == stop_qid));
  qdma_c2h_stop stopper (
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
      .query_pending
  );

  // --- Admission
  logic credit_valid, credit_ready, grant_valid, expects_ready, grants_ready;
  c2h_credit_t credit;
  c2h_grant_t grant, walked;
  c2h_ask_t grant_ask;
  qdma_c2h_admit #(
      .QUEUES(QUEUES)
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
      .next_serial,
      .done_serial,
      .stats
  );
  assign invalid_valid = answer_valid & (answer == C2H_INVALID);
  assign invalid_qid   = answer_qid;

  // --- Buffers
  logic take_valid, take_ready, taken_valid;
  index_t take_qid;
  logic [63:0] taken_addr;
  function_t taken_func;
  qdma_c2h_store #(
      .QUEUES(QUEUES),
      .DEPTH (DEPTH)
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

  // --- Where each packet goes
  logic walk_valid, walk_ready, segment_valid, segment_ready, cut_valid, cut_ready, command_valid, command_ready;
  c2h_segment_t segment;
  c2h_command_t cut_command, command, current;
  logic [$clog2(PACKETS):0] grants_used;
  qdma_small_fifo #(
      .WIDTH($bits(c2h_grant_t)),
      .DEPTH(PACKETS)
  ) grants (
      .clk,
      .rst,
      .wr_valid(grant_valid),
      .wr_ready(grants_ready),
      .wr_data (grant),
      .rd_valid(walk_valid),
      .rd_ready(walk_ready),
      .rd_data (walked),
      .used    (grants_used)
  );
  qdma_c2h_walk walk (
      .clk,
      .rst,
      .grant_valid     (walk_valid),
      .grant_ready     (walk_ready),
      .grant           (walked),
      .grant_is_stopped(packet_is_stopped(stops, walked.qid, walked.serial)),
      .take_valid,
      .take_ready,
      .take_qid,
      .taken_valid,
      .taken_addr,
      .taken_func,
      .segment_valid,
      .segment_ready,
      .segment
  );
  qdma_c2h_cut cut (
      .clk,
      .rst,
      .max_payload,
      .segment_valid,
      .segment_ready,
      .segment,
      .command_valid(cut_valid),
      .command_ready(cut_ready),
      .command      (cut_command)
  );
  logic [$clog2(COMMANDS):0] commands_used;
  qdma_small_fifo #(
      .WIDTH($bits(c2h_command_t)),
      .DEPTH(COMMANDS)
  ) commands (
      .clk,
      .rst,
      .wr_valid(cut_valid),
      .wr_ready(cut_ready),
      .wr_data (cut_command),
      .rd_valid(command_valid),
      .rd_ready(command_ready),
      .rd_data (command),
      .used    (commands_used)
  );

  // --- Its beats
  logic expected_valid, expected_ready, data_valid, data_ready, entry_valid, entry_ready, waiting_valid, leaves;
  c2h_packet_t expected;
  c2h_entry_t entry, waiting;
  beat_t data, head;
  logic head_valid, pop;
  logic [  $clog2(BEATS):0] level;
  logic [$clog2(PACKETS):0] expects_used;
  qdma_small_fifo #(
      .WIDTH($bits(c2h_packet_t)),
      .DEPTH(PACKETS)
  ) expects (
      .clk,
      .rst,
      .wr_valid(grant_valid),
      .wr_ready(expects_ready),
      .wr_data ({grant_ask.qid, grant.serial, grant_ask.bytes, grant_ask.has_completion, grant_ask.is_marker}),
      .rd_valid(expected_valid),
      .rd_ready(expected_ready),
      .rd_data (expected),
      .used    (expects_used)
  );
  qdma_c2h_intake intake (
      .clk,
      .rst,
      .packet_valid(expected_valid),
      .packet_ready(expected_ready),
      .packet      (expected),
      .beat_valid,
      .beat_ready,
      .beat_data,
      .beat_bytes,
      .beat_last,
      .user,
      .data_valid,
      .data_ready,
      .data,
      .entry_valid,
      .entry_ready,
      .entry
  );
  qdma_small_fifo #(
      .WIDTH(BEAT_BITS),
      .DEPTH(BEATS)
  ) beats (
      .clk,
      .rst,
      .wr_valid(data_valid),
      .wr_ready(data_ready),
      .wr_data (data),
      .rd_valid(head_valid),
      .rd_ready(pop),
      .rd_data (head),
      .used    (level)
  );
  logic [$clog2(ENTRIES):0] entries_used;
  qdma_small_fifo #(
      .WIDTH($bits(c2h_entry_t)),
      .DEPTH(ENTRIES)
  ) entries (
      .clk,
      .rst,
      .wr_valid(entry_valid),
      .wr_ready(entry_ready),
      .wr_data (entry),
      .rd_valid(waiting_valid),
      .rd_ready(leaves),
      .rd_data (waiting),
      .used    (entries_used)
  );

  // --- Writes
  logic current_valid, step_valid, go, is_idle, sent;
  c2h_step_t step;
  qdma_c2h_step #(
      .BEATS(BEATS)
  ) stepper (
      .clk,
      .rst,
      .command_valid,
      .command_ready,
      .command,
      .command_is_stopped(packet_is_stopped(stops, command.qid, command.serial)),
      .current,
      .current_valid,
      .current_is_stopped(packet_is_stopped(stops, current.qid, current.serial)),
      .level,
      .pop,
      .go,
      .is_idle,
      .step_valid,
      .step
  );
  qdma_c2h_rotate rotate (
      .clk,
      .rst,
      .step_valid,
      .go,
      .step,
      .pop,
      .head,
      .is_idle,
      .sent,
      .look_qid   (stop_qid),
      .look_found,
      .write_valid(payload_valid),
      .write_ready(payload_ready),
      .write      (payload)
  );
  qdma_c2h_post posts (
      .clk,
      .rst,
      .entry_valid     (waiting_valid),
      .entry_ready     (leaves),
      .entry           (waiting),
      .sent,
      .entry_is_stopped(packet_is_stopped(stops, waiting.packet.qid, waiting.packet.serial)),
      .post_valid,
      .post_ready,
      .post,
      .done,
      .done_serial,
      .stat_mismatched,
      .stat_stopped
  );

`ifndef SYNTHESIS
  grants_fit :
  assert property (@(posedge clk) disable iff (rst) grant_valid |-> grants_ready && expects_ready);
`endif

  logic unused;
  assign unused = &{1'b0, grants_ready, expects_ready, current, grants_used, commands_used, expects_used,
      entries_used, head_valid, current_valid};
endmodule
