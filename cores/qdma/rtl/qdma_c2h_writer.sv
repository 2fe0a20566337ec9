// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Grants and beats to payload writes and the posts of entries.
//
// Latency: grant to its first command 8 cycles; first beat to its payload write 3 cycles; last beat to the post of its
// entry 4 cycles.
//
// Interface: grants have no ready: admission lets at most PACKETS packets be under way.  Beats come in the order of the
// grants.  take is made of buffers that were reserved.  payload and post have valid and ready.
//
// Operation: the way of a packet has two parts, which meet in qdma_c2h_step.
//   grant --> qdma_c2h_walk --> segments --> qdma_c2h_cut --> commands --> qdma_c2h_step, qdma_c2h_rotate --> payload
//   beats --> qdma_c2h_intake --> data -----------------------------------------^            v sent
//                     +--------> entries ----------------------------------------------> qdma_c2h_post --> post
module qdma_c2h_writer
  import qdma_tlp_pkg::*;
  import qdma_context_pkg::*;
  import qdma_write_pkg::*;
  import qdma_c2h_pkg::*;
#(
    parameter bit INLINE = 1'b0  // small packets may go into their entries
) (
    input logic clk,
    input logic rst,

    input logic [2:0] max_payload,  // 128 << n bytes

    // Packets that have their buffers, with what was asked for
    input logic       grant_valid,
    input c2h_grant_t grant,
    input c2h_ask_t   grant_ask,
    input logic       grant_is_inline, // the packet goes into its entry: the grant has no bytes

    // Buffers of the store
    output logic             take_valid,
    input  logic             take_ready,
    output index_t           take_qid,
    input  logic             taken_valid,
    input  logic      [63:0] taken_addr,
    input  function_t        taken_func,

    // Their beats
    input  logic            beat_valid,
    output logic            beat_ready,
    input  beat_t           beat_data,
    input  logic      [6:0] beat_bytes,
    input  logic            beat_last,
    input  c2h_user_t       user,
    output c2h_done_t       done,
    output serial_t         done_serial,

    // Queues that were stopped; whether a write of look_qid is on its way
    input  c2h_stop_t [STOPS-1:0] stops,
    input  index_t                look_qid,
    output logic                  look_found,

    // Write path
    output logic        payload_valid,
    input  logic        payload_ready,
    output write_beat_t payload,
    output logic        post_valid,
    input  logic        post_ready,
    output entry_t      post,

    output logic [31:0] stat_mismatched,
    output logic [31:0] stat_stopped
);
  localparam int BEATS = 64;  // of data that can wait
  localparam int ENTRIES = 32;
  localparam int COMMANDS = 32;

  // --- Where each packet goes
  logic grants_ready, expects_ready;
  logic stored_valid, stored_ready;
  c2h_grant_t stored, walked;
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
      .rd_valid(stored_valid),
      .rd_ready(stored_ready),
      .rd_data (stored),
      .used    (grants_used)
  );
  // Whether its queue was stopped is looked up, and decides whether buffers are taken: a RAM before it would be too long.
  axis_register #(
      .WIDTH($bits(c2h_grant_t))
  ) next_grant (
      .clk,
      .rst,
      .s_data (stored),
      .s_valid(stored_valid),
      .s_ready(stored_ready),
      .m_data (walked),
      .m_valid(walk_valid),
      .m_ready(walk_ready)
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
  logic expected_valid, expected_ready, packet_valid, packet_ready, data_valid, data_ready;
  logic entry_valid, entry_ready, waiting_valid, leaves;
  c2h_packet_t granted, expected, packet;
  c2h_entry_t entry, waiting;
  beat_t data, head;
  logic head_valid, pop;
  assign granted = '{
          qid: grant_ask.qid,
          serial: grant.serial,
          bytes: grant_ask.bytes,
          has_completion: grant_ask.has_completion,
          is_marker: grant_ask.is_marker,
          is_inline: INLINE & grant_is_inline
      };
  logic [  $clog2(BEATS):0] beats_used;
  logic [$clog2(PACKETS):0] expects_used;
  qdma_small_fifo #(
      .WIDTH($bits(c2h_packet_t)),
      .DEPTH(PACKETS)
  ) expects (
      .clk,
      .rst,
      .wr_valid(grant_valid),
      .wr_ready(expects_ready),
      .wr_data (granted),
      .rd_valid(expected_valid),
      .rd_ready(expected_ready),
      .rd_data (expected),
      .used    (expects_used)
  );
  // Its length says whether a beat is the last, and so whether the next packet is begun: the same.
  axis_register #(
      .WIDTH($bits(c2h_packet_t))
  ) next_packet (
      .clk,
      .rst,
      .s_data (expected),
      .s_valid(expected_valid),
      .s_ready(expected_ready),
      .m_data (packet),
      .m_valid(packet_valid),
      .m_ready(packet_ready)
  );
  qdma_c2h_intake #(
      .INLINE(INLINE)
  ) intake (
      .clk,
      .rst,
      .packet_valid,
      .packet_ready,
      .packet,
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
      .used    (beats_used)
  );
  logic waiting_is_stopped;
  qdma_c2h_entries #(
      .DEPTH(ENTRIES)
  ) entries (
      .clk,
      .rst,
      .entry_valid,
      .entry_ready,
      .entry,
      .stops,
      .first_valid     (waiting_valid),
      .first_ready     (leaves),
      .first           (waiting),
      .first_is_stopped(waiting_is_stopped)
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
      .arrives           (data_valid & data_ready),
      .has_head          (head_valid),
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
      .look_qid,
      .look_found,
      .write_valid(payload_valid),
      .write_ready(payload_ready),
      .write      (payload)
  );
  qdma_c2h_post #(
      .INLINE(INLINE)
  ) posts (
      .clk,
      .rst,
      .entry_valid     (waiting_valid),
      .entry_ready     (leaves),
      .entry           (waiting),
      .sent,
      .entry_is_stopped(waiting_is_stopped),
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
      beats_used, current_valid};
endmodule
