// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// qdma_fetch with what it needs (qdma_fetch_rig), for tests, with flat ports.
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
    output logic         bad_valid,
    input  logic         bad_ready,
    output logic [ 64:0] bad_status,         // whether it is an error of the descriptors, qid, func, CIDX, PIDX

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
  descriptor_t descriptor;
  retire_t retire;
  context_error_t failed;
  qdma_write_pkg::status_request_t bad;
  assign {qid, func, index, cidx, pidx} = {
    descriptor.qid, descriptor.func, descriptor.index, descriptor.cidx, descriptor.pidx
  };
  assign {is_start, is_end, is_continued} = {descriptor.is_start, descriptor.is_end, descriptor.is_continued};
  assign {error, data} = {descriptor.error, descriptor.data};
  assign retire = '{
          kind: RETIRE_BATCH,
          qid: retire_qid,
          is_stopped: retire_stopped,
          err_dsc: retire_err_dsc,
          err_dma: retire_err_dma,
          is_rewound: retire_rewound,
          is_held: 1'b0,
          read_error: qdma_read_pkg::READ_OK,
          index: retire_index
      };
  assign {context_error, context_error_qid} = {failed.valid, failed.qid};
  assign bad_status = 65'({bad.err_dsc & ~bad.err_dma & ~bad.is_c2h, bad.qid, bad.func, bad.cidx, bad.pidx});

  qdma_fetch_rig #(
      .QUEUES(QUEUES),
      .PLACES(PLACES)
  ) rig (
      .rig_clearing         (clearing),
      .query_valid          (1'b0),
      .query_ready          (),
      .query_qid            ('0),
      .query_done           (),
      .query_pending        (),
      .stopping             (1'b0),
      .payload_request_valid(1'b0),
      .payload_request_ready(),
      .payload_request      ('0),
      .payload_beat_valid   (),
      .payload_beat_ready   (1'b0),
      .payload_beat         (),
      .payload_beat_data    (),
      .*
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
  logic unused;
  assign unused = &{1'b0, descriptor, bad};
endmodule
