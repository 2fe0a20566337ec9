// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What the benches of fetch, H2C and C2H share: a direction's contexts, qdma_fetch and qdma_read, with flat ports towards the
// host.  A command reads or writes a context as the driver's would; a doorbell is a command that writes PIDX, then event.
// payload_* is a second client of the read engine.
module qdma_fetch_rig
  import qdma_context_pkg::*;
  import qdma_tlp_pkg::*;
  import qdma_pkg::*;
  import qdma_read_pkg::*;
  import qdma_fetch_pkg::*;
  import qdma_write_pkg::status_request_t;
#(
    parameter int QUEUES = 16,
    parameter int PLACES = 256,
    parameter int BYTES = BATCH_BYTES,
    parameter int PENDING = MAX_PENDING,
    parameter int DEEP = 0
) (
    input logic clk,
    input logic rst,

    output logic rig_clearing,

    input  logic         command_valid,
    output logic         command_ready,
    input  logic         command_is_hw,
    input  logic         command_is_write,
    input  logic [ 10:0] command_qid,
    input  logic [255:0] command_data,
    input  logic [255:0] command_mask,
    output logic         command_at,
    output logic [255:0] command_word,

    input logic         event_valid,
    input logic [ 10:0] event_qid,
    input logic [255:0] ring_sizes,

    // The user of the descriptors
    output logic            descriptor_valid,
    input  logic            descriptor_ready,
    output descriptor_t     descriptor,
    input  logic            retire_valid,
    output logic            retire_ready,
    input  retire_t         retire,
    output context_error_t  failed,
    output logic            bad_valid,
    input  logic            bad_ready,
    output status_request_t bad,
    input  logic            query_valid,
    output logic            query_ready,
    input  index_t          query_qid,
    output logic            query_done,
    output logic            query_pending,
    input  logic            stopping,
    input  logic            payload_request_valid,
    output logic            payload_request_ready,
    input  read_request_t   payload_request,
    output logic            payload_beat_valid,
    input  logic            payload_beat_ready,
    output read_beat_t      payload_beat,
    output beat_t           payload_beat_data,

    // The host
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
  logic [1:0] store_valid, store_ready, store_at, store_write;
  words_t [1:0] store_word, store_next;
  index_t store_index;
  logic store_clearing, fetch_clearing;
  assign rig_clearing = store_clearing | fetch_clearing;
  qdma_context_pair #(
      .QUEUES(QUEUES)
  ) contexts (
      .clearing(store_clearing),
      .*
  );

  sw_context_t sw_next;
  hw_context_t hw_next;
  logic request_valid, request_ready, line_valid, line_ready;
  read_request_t request;
  read_beat_t line;
  beat_t line_data;
  assign store_next = {words_t'(hw_next), words_t'(sw_next)};
  logic unused_others, unused_goes_on;
  places_t unused_reserve, unused_places;
  qdma_bypass_pkg::bypass_note_t unused_note;
  qdma_fetch #(
      .QUEUES (QUEUES),
      .PLACES (PLACES),
      .BYTES  (BYTES),
      .PENDING(PENDING),
      .DEEP   (DEEP)
  ) fetch (
      .clearing         (fetch_clearing),
      .blocked          ('0),
      .served_qid       ('0),
      .others_wait      (unused_others),
      .enable           (1'b1),
      .bypass_room      (1'b0),
      .bypass_reserve   (unused_reserve),
      .bypass_note      (unused_note),
      .goes_on          (unused_goes_on),
      .descriptor_places(unused_places),
      .ring_size        (ring_sizes),
      .context_error    (failed),
      .status_valid     (bad_valid),
      .status_ready     (bad_ready),
      .status           (bad),
      .read_valid       (request_valid),
      .read_ready       (request_ready),
      .read             (request),
      .beat_valid       (line_valid),
      .beat_ready       (line_ready),
      .beat             (line),
      .beat_data        (line_data),
      .sw_valid         (store_valid[0]),
      .sw_ready         (store_ready[0]),
      .sw_at            (store_at[0]),
      .sw_word          (store_word[0]),
      .sw_write         (store_write[0]),
      .hw_valid         (store_valid[1]),
      .hw_ready         (store_ready[1]),
      .hw_at            (store_at[1]),
      .hw_word          (store_word[1][$bits(hw_context_t)-1:0]),
      .hw_write         (store_write[1]),
      .*
  );

  read_t read;
  completion_t completion;
  read_stats_t stats;
  failed_read_t unused_failed;
  assign completion = '{
          status: status_e'(completion_status),
          is_poisoned: is_poisoned,
          is_timeout: is_timeout,
          is_final: is_final,
          tag: completion_tag,
          dwords: completion_dwords,
          byte_count: byte_count,
          lower_addr: lower_addr
      };
  assign {read_func, read_addr, read_dwords, read_tag} = {read.func, read.addr, read.dwords, read.tag};
  assign read_be = {read.last_be, read.first_be};
  qdma_read #(
      .CLIENTS(2)
  ) engine (
      .credit_limit (10'd1023),
      .request_valid({payload_request_valid, request_valid}),
      .request_ready({payload_request_ready, request_ready}),
      .request      ({payload_request, request}),
      .beat_valid   ({payload_beat_valid, line_valid}),
      .beat_ready   ({payload_beat_ready, line_ready}),
      .beat         ({payload_beat, line}),
      .beat_data    ({payload_beat_data, line_data}),
      .failed       (unused_failed),
      .*
  );

  axis_checker #(
      .WIDTH($bits(retire))
  ) check_retire (
      .valid  (retire_valid),
      .ready  (retire_ready),
      .payload(retire),
      .*
  );
  axis_checker #(
      .WIDTH($bits(bad))
  ) check_bad (
      .valid  (bad_valid),
      .ready  (bad_ready),
      .payload(bad),
      .*
  );
  axis_checker #(
      .WIDTH($bits(request))
  ) check_request (
      .valid  (request_valid),
      .ready  (request_ready),
      .payload(request),
      .*
  );

  logic unused;
  assign unused = &{1'b0, read, stats, store_word};
endmodule
