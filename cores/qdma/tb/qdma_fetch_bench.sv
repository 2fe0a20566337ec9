// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// qdma_fetch with qdma_read and the contexts of one direction, for tests, with flat ports.  A command reads or writes a
// context as the driver's would; a doorbell is a command that writes PIDX, then event.
module qdma_fetch_bench
  import qdma_context_pkg::*;
  import qdma_tlp_pkg::*;
  import qdma_pkg::*;
  import qdma_read_pkg::*;
  import qdma_fetch_pkg::*;
#(
    parameter int QUEUES = 16,
    parameter int PLACES = 256
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

    input logic         event_valid,
    input logic [ 10:0] event_qid,
    input logic [255:0] ring_sizes,

    output logic         descriptor_valid,
    input  logic         descriptor_ready,
    output logic [ 10:0] qid,
    output logic [  7:0] func,
    output logic [ 15:0] index,
    output logic [ 15:0] cidx,
    output logic [ 15:0] pidx,
    output logic         is_start,
    output logic         is_end,
    output logic         is_continued,
    output logic [  2:0] error,
    output logic [255:0] data,
    input  logic         retire_valid,
    output logic         retire_ready,
    input  logic [ 10:0] retire_qid,
    input  logic         retire_stopped,
    input  logic         retire_err_dsc,
    input  logic         retire_err_dma,
    input  logic         retire_rewound,
    input  logic [ 15:0] retire_index,
    output logic         context_error,
    output logic [ 10:0] context_error_qid,

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
  logic [SIZES-1:0][15:0] ring_size;
  logic store_clearing, fetch_clearing;
  assign ring_size = ring_sizes;
  assign clearing  = store_clearing | fetch_clearing;

  qdma_context_pair #(
      .QUEUES(QUEUES)
  ) contexts (
      .clk,
      .rst,
      .clearing(store_clearing),
      .command_valid,
      .command_ready,
      .command_is_hw,
      .command_is_write,
      .command_qid,
      .command_data,
      .command_mask,
      .command_at,
      .command_word,
      .store_valid,
      .store_ready,
      .store_index,
      .store_at,
      .store_word,
      .store_write,
      .store_next
  );

  descriptor_t descriptor;
  retire_t retire;
  context_error_t failed;
  sw_context_t sw_next;
  hw_context_t hw_next;
  assign store_next = {words_t'(hw_next), words_t'(sw_next)};
  assign {qid, func, index, cidx, pidx} = {
    descriptor.qid, descriptor.func, descriptor.index, descriptor.cidx, descriptor.pidx
  };
  assign {is_start, is_end, is_continued} = {descriptor.is_start, descriptor.is_end, descriptor.is_continued};
  assign {error, data} = {descriptor.error, descriptor.data};
  assign retire = '{
          qid: retire_qid,
          is_stopped: retire_stopped,
          err_dsc: retire_err_dsc,
          err_dma: retire_err_dma,
          is_rewound: retire_rewound,
          index: retire_index
      };
  assign {context_error, context_error_qid} = failed;

  logic request_valid, request_ready, beat_valid, beat_ready;
  read_request_t request;
  read_beat_t beat;
  beat_t beat_data;
  qdma_fetch #(
      .QUEUES(QUEUES),
      .PLACES(PLACES)
  ) dut (
      .clk,
      .rst,
      .clearing     (fetch_clearing),
      .ring_size,
      .event_valid,
      .event_qid,
      .descriptor_valid,
      .descriptor_ready,
      .descriptor,
      .retire_valid,
      .retire_ready,
      .retire,
      .context_error(failed),
      .query_valid  (1'b0),
      .query_ready  (),
      .query_qid    ('0),
      .query_done   (),
      .query_pending(),
      .read_valid   (request_valid),
      .read_ready   (request_ready),
      .read         (request),
      .beat_valid,
      .beat_ready,
      .beat,
      .beat_data,
      .sw_valid     (store_valid[0]),
      .sw_ready     (store_ready[0]),
      .sw_at        (store_at[0]),
      .sw_word      (store_word[0]),
      .sw_write     (store_write[0]),
      .sw_next,
      .hw_valid     (store_valid[1]),
      .hw_ready     (store_ready[1]),
      .hw_at        (store_at[1]),
      .hw_word      (store_word[1][$bits(hw_context_t)-1:0]),
      .hw_write     (store_write[1]),
      .hw_next,
      .store_index
  );

  read_t read;
  completion_t completion;
  read_stats_t stats;
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
      .CLIENTS(1),
      .TAGS   (64),
      .LINES  (128),
      .ENTRIES(64)
  ) engine (
      .clk,
      .rst,
      .max_read_request,
      .credit_limit(10'd1023),
      .request_valid,
      .request_ready,
      .request,
      .beat_valid,
      .beat_ready,
      .beat,
      .beat_data,
      .read_valid,
      .read_ready,
      .read,
      .completion_valid,
      .completion,
      .completion_data,
      .completion_last,
      .stats
  );

  axis_checker #(
      .WIDTH($bits(descriptor))
  ) check_descriptor (
      .clk,
      .rst,
      .valid  (descriptor_valid),
      .ready  (descriptor_ready),
      .payload(descriptor)
  );
  axis_checker #(
      .WIDTH($bits(request))
  ) check_request (
      .clk,
      .rst,
      .valid  (request_valid),
      .ready  (request_ready),
      .payload(request)
  );

  logic unused;
  assign unused = &{1'b0, read, stats, descriptor, store_word};
endmodule
