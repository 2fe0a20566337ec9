// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// qdma_read for tests, with flat ports: bit i, or part i, of a request's or a beat's ports is of client i.
module qdma_read_bench
  import qdma_tlp_pkg::*;
  import qdma_read_pkg::*;
#(
    parameter int CLIENTS = 2,
    parameter int TAGS = 256,
    parameter int LINES = 512,
    parameter int ENTRIES = 256
) (
    input logic clk,
    input logic rst,

    input logic [2:0] max_read_request,
    input logic [9:0] credit_limit,

    input  logic [    CLIENTS-1:0] request_valid,
    output logic [    CLIENTS-1:0] request_ready,
    input  logic [  8*CLIENTS-1:0] request_func,
    input  logic [ 64*CLIENTS-1:0] request_addr,
    input  logic [ 16*CLIENTS-1:0] request_bytes,
    input  logic [ 64*CLIENTS-1:0] request_cookie,
    output logic [    CLIENTS-1:0] beat_valid,
    input  logic [    CLIENTS-1:0] beat_ready,
    output logic [  6*CLIENTS-1:0] beat_offset,
    output logic [  7*CLIENTS-1:0] beat_bytes,
    output logic [    CLIENTS-1:0] beat_last,
    output logic [  3*CLIENTS-1:0] beat_error,
    output logic [ 64*CLIENTS-1:0] beat_cookie,
    output logic [512*CLIENTS-1:0] beat_data,

    output logic        read_valid,
    input  logic        read_ready,
    output logic [ 7:0] read_func,
    output logic [63:0] read_addr,
    output logic [10:0] read_dwords,
    output logic [ 7:0] read_be,      // last, first
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
    input logic         completion_last,

    output logic [32*READ_ERRORS-1:0] stat_chunks,
    output logic [              31:0] stat_unexpected,

    // A read has failed: error, client, tag, queue (that of its cookie), function, address
    output logic        failed,
    output logic [96:0] failed_read
);
  read_request_t [CLIENTS-1:0] request;
  read_beat_t [CLIENTS-1:0] beat;
  beat_t [CLIENTS-1:0] data;
  read_t read;
  completion_t completion;
  read_stats_t stats;
  failed_read_t failure;
  assign {failed, failed_read} = failure;

  always_comb begin
    for (int i = 0; i < CLIENTS; i++) begin
      request[i] = '{
          qid: request_cookie[64*i+:11],
          func: request_func[8*i+:8],
          addr: request_addr[64*i+:64],
          bytes: request_bytes[16*i+:16],
          cookie: request_cookie[64*i+:64]
      };
      beat_offset[6*i+:6] = beat[i].offset;
      beat_bytes[7*i+:7] = beat[i].bytes;
      beat_last[i] = beat[i].is_last;
      beat_error[3*i+:3] = beat[i].error;
      beat_cookie[64*i+:64] = beat[i].cookie;
      beat_data[512*i+:512] = data[i];
    end
  end
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
  assign {stat_chunks, stat_unexpected} = stats;

  qdma_read #(
      .CLIENTS(CLIENTS),
      .TAGS   (TAGS),
      .LINES  (LINES),
      .ENTRIES(ENTRIES)
  ) dut (
      .clk,
      .rst,
      .max_read_request,
      .credit_limit,
      .request_valid,
      .request_ready,
      .request,
      .beat_valid,
      .beat_ready,
      .beat,
      .beat_data(data),
      .read_valid,
      .read_ready,
      .read,
      .completion_valid,
      .completion,
      .completion_data,
      .completion_last,
      .stats,
      .failed(failure)
  );

  axis_checker #(
      .WIDTH($bits(read))
  ) check_read (
      .clk,
      .rst,
      .valid  (read_valid),
      .ready  (read_ready),
      .payload(read)
  );
  for (genvar i = 0; i < CLIENTS; i++) begin : gen_check
    axis_checker #(
        .WIDTH($bits(read_beat_t) + BEAT_BITS)
    ) check_beat (
        .clk,
        .rst,
        .valid  (beat_valid[i]),
        .ready  (beat_ready[i]),
        .payload({beat[i], data[i]})
    );
  end
endmodule
