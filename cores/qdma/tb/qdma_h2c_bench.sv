// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// H2C from the doorbell to the packet, for tests: qdma_fetch_rig and qdma_h2c, with flat ports.
module qdma_h2c_bench
  import qdma_context_pkg::*;
  import qdma_tlp_pkg::*;
  import qdma_pkg::*;
  import qdma_read_pkg::*;
  import qdma_fetch_pkg::*;
  import qdma_h2c_pkg::*;
  import qdma_write_pkg::*;
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

    input  logic         event_valid,
    input  logic [ 10:0] event_qid,
    input  logic [255:0] ring_sizes,
    input  logic [  2:0] status_interval,
    output logic         context_error,
    output logic [ 10:0] context_error_qid,

    output logic         packet_valid,
    input  logic         packet_ready,
    output logic [ 10:0] qid,
    output logic [ 31:0] metadata,
    output logic         is_sop,
    output logic         is_eop,
    output logic         is_error,
    output logic [  6:0] bytes,
    output logic [511:0] data,

    output logic        status_valid,
    input  logic        status_ready,
    output logic [10:0] status_qid,
    output logic [15:0] status_cidx,
    output logic [ 1:0] status_error,  // err_dma, err_dsc

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
  logic descriptor_valid, descriptor_ready, retire_valid, retire_ready;
  logic request_valid, request_ready, beat_valid, beat_ready;
  read_request_t request;
  read_beat_t beat;
  beat_t beat_data;
  assign {context_error, context_error_qid} = {failed.valid, failed.qid};
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
      .bad_valid            (),
      .bad_ready            (1'b1),
      .bad                  (),
      .payload_request_valid(request_valid),
      .payload_request_ready(request_ready),
      .payload_request      (request),
      .payload_beat_valid   (beat_valid),
      .payload_beat_ready   (beat_ready),
      .payload_beat         (beat),
      .payload_beat_data    (beat_data),
      .*
  );

  h2c_beat_t packet;
  status_request_t status;
  assign {qid, metadata, is_sop, is_eop} = {packet.qid, packet.metadata, packet.is_sop, packet.is_eop};
  assign {is_error, bytes} = {packet.is_error, packet.bytes};
  assign {status_qid, status_cidx, status_error} = {status.qid, status.cidx, status.err_dma, status.err_dsc};
  qdma_h2c #(
      .QUEUES(QUEUES)
  ) dut (
      .clk,
      .rst,
      .room         ('0),
      .blocked      (),
      .issued       (),
      .done         (),
      .flushed      (),
      .marker       (),
      .descriptor_valid,
      .descriptor_ready,
      .descriptor,
      .retire_valid,
      .retire_ready,
      .retire,
      .request_valid(request_valid),
      .request_ready(request_ready),
      .request      (request),
      .payload_valid(beat_valid),
      .payload_ready(beat_ready),
      .payload      (beat),
      .payload_data (beat_data),
      .packet_valid,
      .packet_ready,
      .packet,
      .packet_data  (data),
      .status_interval,
      .status_valid,
      .status_ready,
      .status
  );

  axis_checker #(
      .WIDTH($bits(packet) + $bits(data))
  ) check_packet (
      .clk,
      .rst,
      .valid  (packet_valid),
      .ready  (packet_ready),
      .payload({packet, data})
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
      .WIDTH($bits(request))
  ) check_request (
      .clk,
      .rst,
      .valid  (request_valid),
      .ready  (request_ready),
      .payload(request)
  );

  logic unused;
  assign unused = &{1'b0, packet, status};
endmodule
