// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// H2C from the doorbell to the packet, for tests: qdma_fetch, qdma_read, qdma_h2c and the contexts of the direction, with
// flat ports.  Commands and doorbells as in qdma_fetch_bench.
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
  assign {context_error, context_error_qid} = failed;

  logic descriptor_valid, descriptor_ready, retire_valid, retire_ready;
  logic [1:0] request_valid, request_ready, beat_valid, beat_ready;
  read_request_t [1:0] request;
  read_beat_t [1:0] beat;
  beat_t [1:0] beat_data;
  qdma_fetch #(
      .QUEUES(QUEUES),
      .PLACES(PLACES)
  ) fetch (
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
      .read_valid   (request_valid[0]),
      .read_ready   (request_ready[0]),
      .read         (request[0]),
      .beat_valid   (beat_valid[0]),
      .beat_ready   (beat_ready[0]),
      .beat         (beat[0]),
      .beat_data    (beat_data[0]),
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
      .descriptor_valid,
      .descriptor_ready,
      .descriptor,
      .retire_valid,
      .retire_ready,
      .retire,
      .request_valid(request_valid[1]),
      .request_ready(request_ready[1]),
      .request      (request[1]),
      .payload_valid(beat_valid[1]),
      .payload_ready(beat_ready[1]),
      .payload      (beat[1]),
      .payload_data (beat_data[1]),
      .packet_valid,
      .packet_ready,
      .packet,
      .packet_data  (data),
      .status_valid,
      .status_ready,
      .status
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
      .CLIENTS(2)
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
      .WIDTH($bits(retire))
  ) check_retire (
      .clk,
      .rst,
      .valid  (retire_valid),
      .ready  (retire_ready),
      .payload(retire)
  );
  for (genvar i = 0; i < 2; i++) begin : gen_check
    axis_checker #(
        .WIDTH($bits(read_request_t))
    ) check_request (
        .clk,
        .rst,
        .valid  (request_valid[i]),
        .ready  (request_ready[i]),
        .payload(request[i])
    );
  end

  logic unused;
  assign unused = &{1'b0, read, stats, store_word, packet, status};
endmodule
