// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// C2H from doorbell and packet to payload writes and entries, for tests: qdma_fetch_rig and qdma_c2h, with flat ports.  The
// prefetch contexts are an array that pf_* writes.  The completion rings and the write arbiter are the test's.
module qdma_c2h_bench
  import qdma_context_pkg::*;
  import qdma_tlp_pkg::*;
  import qdma_pkg::*;
  import qdma_read_pkg::*;
  import qdma_fetch_pkg::*;
  import qdma_h2c_pkg::*;
  import qdma_write_pkg::*;
  import qdma_c2h_pkg::*;
#(
    parameter int QUEUES = 64,
    parameter int PLACES = 256,
    parameter int DEPTH  = 128,
    parameter int DEEP   = 0,
    parameter bit INLINE = 1'b1
) (
    input logic clk,
    input logic rst,

    output logic clearing,

    input  logic         command_valid,
    output logic         command_ready,
    input  logic         command_is_hw,
    input  logic         command_is_write,
    input  logic [ 10:0] command_qid,
    input  logic [255:0] command_data,
    input  logic [255:0] command_mask,
    output logic         command_at,
    output logic [255:0] command_word,

    input  logic         event_valid,
    input  logic [ 10:0] event_qid,
    input  logic [255:0] ring_sizes,
    input  logic [255:0] buffer_sizes,
    output logic         context_error,
    output logic [ 10:0] context_error_qid,

    input logic        pf_write,
    input logic [10:0] pf_qid,
    input logic [63:0] pf_word,
    input logic        pf_ready,

    input  logic         ask_valid,
    output logic         ask_ready,
    input  logic [ 10:0] ask_qid,
    input  logic [ 15:0] ask_bytes,
    input  logic         ask_completion,
    input  logic         ask_marker,
    output logic         answer_valid,
    output logic [ 10:0] answer_qid,
    output logic [  2:0] answer,
    output logic         buffer_event,
    output logic [ 10:0] buffer_event_qid,
    input  logic         beat_valid,
    output logic         beat_ready,
    input  logic [511:0] beat_data,
    input  logic [  6:0] beat_bytes,
    input  logic         beat_last,
    input  logic [511:0] user_data,
    input  logic [  5:0] user_flags,        // error, place, format, trigger
    output logic         done_valid,
    output logic [ 10:0] done_qid,
    output logic [  2:0] done_flags,        // stopped, mismatched, marker

    input  logic        stop_valid,
    output logic        stop_ready,
    input  logic [10:0] stop_qid,
    output logic        stop_done,

    input  logic        reserve_ready,
    output logic        reserve_valid,
    output logic [10:0] reserve_qid,
    output logic        reserve_wide,
    input  logic        room_valid,
    input  logic [ 1:0] room,

    output logic         post_valid,
    input  logic         post_ready,
    output logic [ 10:0] post_qid,
    output logic [  5:0] post_flags,
    output logic         post_used,
    output logic [ 15:0] post_length,
    output logic [511:0] post_user,

    input  logic [  2:0] max_payload,
    output logic         payload_valid,
    input  logic         payload_ready,
    output logic         payload_last,
    output logic [  7:0] payload_func,
    output logic [ 63:0] payload_addr,
    output logic [ 10:0] payload_dwords,
    output logic [  7:0] payload_be,
    output logic [511:0] payload_data,

    output logic        status_valid,
    input  logic        status_ready,
    output logic [10:0] status_qid,
    output logic [15:0] status_cidx,
    output logic [ 1:0] status_error,

    output logic [31:0] stat_granted,
    output logic [31:0] stat_held,
    output logic [31:0] stat_no_buffers,
    output logic [31:0] stat_ring_full,
    output logic [31:0] stat_invalid,
    output logic [31:0] stat_too_long,
    output logic [63:0] stat_hold_cycles,
    output logic [31:0] stat_mismatched,
    output logic [31:0] stat_stopped,
    output logic        invalid_valid,
    output logic        too_long_valid,

    input  logic [ 2:0] max_read_request,
    input  logic        read_ready,
    output logic        read_valid,
    output logic [ 7:0] read_func,
    output logic [63:0] read_addr,
    output logic [10:0] read_dwords,
    output logic [ 7:0] read_be,
    output logic [ 7:0] read_tag,

    input logic         completion_valid,
    input logic [  2:0] completion_status,
    input logic         is_poisoned,
    input logic         is_timeout,
    input logic         is_final,
    input logic [  7:0] completion_tag,
    input logic [ 10:0] completion_dwords,
    input logic [ 12:0] byte_count,
    input logic [  6:0] lower_addr,
    input logic [511:0] completion_data,
    input logic         completion_last
);
  logic rig_clearing, c2h_clearing;
  descriptor_t descriptor;
  retire_t retire;
  context_error_t failed;
  logic descriptor_valid, descriptor_ready, retire_valid, retire_ready;
  logic query_valid, query_ready, query_done, query_pending, stopping;
  index_t query_qid;
  assign clearing = rig_clearing | c2h_clearing;
  assign {context_error, context_error_qid} = {failed.valid, failed.qid};
  qdma_fetch_rig #(
      .QUEUES (QUEUES),
      .PLACES (PLACES),
      .BYTES  (C2H_BATCH_BYTES),
      .PENDING(DEPTH * 8 / C2H_BATCH_BYTES),
      .DEEP   (DEEP)
  ) rig (
      .bad_valid            (),
      .bad_ready            (1'b1),
      .bad                  (),
      .payload_request_valid(1'b0),
      .payload_request_ready(),
      .payload_request      ('0),
      .payload_beat_valid   (),
      .payload_beat_ready   (1'b0),
      .payload_beat         (),
      .payload_beat_data    (),
      .*
  );

  // --- Prefetch contexts
  logic context_valid, context_ready, context_1_q, context_at;
  index_t context_index, index_1_q, index_2_q;
  logic [63:0] prefetch[QUEUES];
  assign context_ready = context_valid & pf_ready & ~clearing;
  always_ff @(posedge clk) begin
    if (pf_write) prefetch[$clog2(QUEUES)'(pf_qid)] <= pf_word;
    context_1_q <= context_ready & ~rst;
    context_at  <= context_1_q & ~rst;
    index_1_q   <= context_index;
    index_2_q   <= index_1_q;
  end

  qdma_write_pkg::entry_t post;
  write_beat_t payload;
  status_request_t status;
  c2h_done_t done;
  c2h_admit_stats_t stats;
  c2h_answer_e answer_code;
  assign answer = answer_code;
  assign post_qid = post.qid;
  assign post_flags = {post.has_error, post.place, post.has_user_format, post.is_user_trigger};
  assign {post_used, post_length, post_user} = {post.has_used_descriptor, post.length, post.user};
  assign {payload_last, payload_func, payload_addr} = {payload.last, payload.header.func, payload.header.addr};
  assign {payload_dwords, payload_data} = {payload.header.dwords, payload.data};
  assign payload_be = {payload.header.last_be, payload.header.first_be};
  assign {status_qid, status_cidx, status_error} = {status.qid, status.cidx, status.err_dma, status.err_dsc};
  assign {done_valid, done_qid, done_flags} = {
    done.valid, done.qid, done.is_stopped, done.is_mismatched, done.is_marker
  };
  assign {stat_granted, stat_held, stat_no_buffers} = {stats.granted, stats.held, stats.no_buffers};
  assign {stat_ring_full, stat_invalid, stat_too_long} = {stats.ring_full, stats.invalid, stats.too_long};
  assign stat_hold_cycles = stats.hold_cycles;
  qdma_c2h #(
      .QUEUES(QUEUES),
      .DEPTH (DEPTH),
      .DEEP  (DEEP),
      .INLINE(INLINE)
  ) dut (
      .clk,
      .rst,
      .clearing(c2h_clearing),
      .buffers(),
      .max_payload,
      .buffer_size(buffer_sizes),
      .ask_valid,
      .ask_ready,
      .ask('{qid: ask_qid, bytes: ask_bytes, has_completion: ask_completion, is_marker: ask_marker}),
      .answer_valid,
      .answer_qid,
      .answer(answer_code),
      .buffer_event,
      .buffer_event_qid,
      .beat_valid,
      .beat_ready,
      .beat_data,
      .beat_bytes,
      .beat_last,
      .user(
      '{
          is_user_trigger: user_flags[0],
          has_user_format: user_flags[1],
          place: user_flags[4:2],
          has_error: user_flags[5],
          data: user_data
      }
      ),
      .done,
      .stop_valid,
      .stop_ready,
      .stop(stop_qid),
      .stop_done,
      .descriptor_valid,
      .descriptor_ready,
      .descriptor,
      .flush_valid(),
      .flush_done(1'b1),
      .retire_valid,
      .retire_ready,
      .retire,
      .context_error(failed),
      .query_valid,
      .query_ready,
      .query_qid,
      .query_done,
      .query_pending,
      .stopping,
      .status_valid,
      .status_ready,
      .status,
      .context_valid,
      .context_ready,
      .context_index,
      .context_at,
      .context_word(prefetch[$clog2(QUEUES)'(index_2_q)]),
      .reserve_valid,
      .reserve_ready,
      .reserve_qid,
      .reserve_wide,
      .room_valid,
      .room(room_e'(room)),
      .post_valid,
      .post_ready,
      .post,
      .payload_valid,
      .payload_ready,
      .payload,
      .invalid_valid,
      .too_long_valid,
      .stats,
      .stat_mismatched,
      .stat_stopped
  );

  axis_checker #(
      .WIDTH($bits(payload))
  ) check_payload (
      .clk,
      .rst,
      .valid  (payload_valid),
      .ready  (payload_ready),
      .payload(payload)
  );
  axis_checker #(
      .WIDTH($bits(post))
  ) check_post (
      .clk,
      .rst,
      .valid  (post_valid),
      .ready  (post_ready),
      .payload(post)
  );
  axis_checker #(
      .WIDTH($bits(status))
  ) check_status (
      .clk,
      .rst,
      .valid  (status_valid),
      .ready  (status_ready),
      .payload(status)
  );
  axis_checker #(
      .WIDTH(12)
  ) check_reserve (
      .clk,
      .rst,
      .valid  (reserve_valid),
      .ready  (reserve_ready),
      .payload({reserve_wide, reserve_qid})
  );

  logic unused;
  assign unused = &{1'b0, status, pf_qid};
endmodule
