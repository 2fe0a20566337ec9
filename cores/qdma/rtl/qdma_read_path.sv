// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// All that reads from the host: the read engine, and for H2C the fetch of descriptors and the streaming engine.
//
// Latency: from a doorbell's event to the read TLP of its descriptors 16 cycles, from their completion to the read TLP of
// the payload 12, from its completion to the first beat of the packet 10, alone.
//
// Interface: that of the blocks.  h2c_event has no ready; clearing is high after a reset: no event may come.  The context
// ports are those of software and hardware contexts of H2C.
//
// Limits: those of the blocks.  A function's bus master enable does not hold reads back.
module qdma_read_path
  import qdma_context_pkg::*;
  import qdma_tlp_pkg::*;
  import qdma_pkg::*;
  import qdma_read_pkg::*;
  import qdma_fetch_pkg::*;
  import qdma_h2c_pkg::*;
  import qdma_write_pkg::status_request_t;
#(
    parameter int QUEUES = 2048,
    parameter int PLACES = 256,
    parameter int COMMANDS = 256,
    parameter int CREDIT_BITS = 10
) (
    input logic clk,
    input logic rst,

    output logic clearing,

    input logic [SIZES-1:0][15:0] ring_size,
    input logic [2:0] max_read_request,
    input logic [CREDIT_BITS-1:0] credit_limit,

    // PIDX of an H2C ring has moved
    input logic   event_valid,
    input index_t event_qid,

    // Packets
    output logic      packet_valid,
    input  logic      packet_ready,
    output h2c_beat_t packet,
    output beat_t     packet_data,

    // Status of descriptor rings; queues that are stopped, for a cycle
    output logic              status_valid,
    input  logic              status_ready,
    output status_request_t   status,
    output descriptor_error_t error,

    // Read TLPs, and their completions
    output logic        read_valid,
    input  logic        read_ready,
    output read_t       read,
    input  logic        completion_valid,
    input  completion_t completion,
    input  beat_t       completion_data,
    input  logic        completion_last,
    output read_stats_t stats,

    // Contexts of H2C: software, hardware
    output logic   sw_valid,
    input  logic   sw_ready,
    input  logic   sw_at,
    input  words_t sw_word,
    output logic   sw_write,
    output words_t sw_next,
    output logic   hw_valid,
    input  logic   hw_ready,
    input  logic   hw_at,
    input  words_t hw_word,
    output logic   hw_write,
    output words_t hw_next,
    output index_t store_index
);
  localparam int CLIENT_FETCH = 0, CLIENT_PAYLOAD = 1, CLIENTS = 2;

  logic descriptor_valid, descriptor_ready, retire_valid, retire_ready;
  descriptor_t descriptor;
  retire_t retire;
  context_error_t context_error;
  logic [CLIENTS-1:0] request_valid, request_ready, beat_valid, beat_ready;
  read_request_t [CLIENTS-1:0] request;
  read_beat_t [CLIENTS-1:0] beat;
  beat_t [CLIENTS-1:0] beat_data;
  sw_context_t fetch_sw_next;
  hw_context_t fetch_hw_next;
  logic [2:0] unused_query;  // streaming C2H asks, not H2C
  assign sw_next = words_t'(fetch_sw_next);
  assign hw_next = words_t'(fetch_hw_next);

  qdma_fetch #(
      .QUEUES(QUEUES),
      .PLACES(PLACES)
  ) fetch (
      .clk,
      .rst,
      .clearing,
      .ring_size,
      .event_valid,
      .event_qid,
      .descriptor_valid,
      .descriptor_ready,
      .descriptor,
      .retire_valid,
      .retire_ready,
      .retire,
      .query_valid  (1'b0),
      .query_ready  (unused_query[0]),
      .query_qid    ('0),
      .query_done   (unused_query[1]),
      .query_pending(unused_query[2]),
      .context_error,
      .read_valid   (request_valid[CLIENT_FETCH]),
      .read_ready   (request_ready[CLIENT_FETCH]),
      .read         (request[CLIENT_FETCH]),
      .beat_valid   (beat_valid[CLIENT_FETCH]),
      .beat_ready   (beat_ready[CLIENT_FETCH]),
      .beat         (beat[CLIENT_FETCH]),
      .beat_data    (beat_data[CLIENT_FETCH]),
      .sw_valid,
      .sw_ready,
      .sw_at,
      .sw_word      (sw_context_t'(sw_word)),
      .sw_write,
      .sw_next      (fetch_sw_next),
      .hw_valid,
      .hw_ready,
      .hw_at,
      .hw_word      (hw_word[$bits(hw_context_t)-1:0]),
      .hw_write,
      .hw_next      (fetch_hw_next),
      .store_index
  );

  // The fetch does one thing at a time: it accepts no batch while it reports a context.
  assign error = '{
          dsc: context_error.valid | (retire_valid & retire_ready & retire.err_dsc),
          dma: retire_valid & retire_ready & retire.err_dma,
          is_c2h: 1'b0,
          qid: context_error.valid ? context_error.qid : retire.qid
      };

  qdma_h2c #(
      .QUEUES  (QUEUES),
      .COMMANDS(COMMANDS)
  ) h2c (
      .clk,
      .rst,
      .descriptor_valid,
      .descriptor_ready,
      .descriptor,
      .retire_valid,
      .retire_ready,
      .retire,
      .request_valid(request_valid[CLIENT_PAYLOAD]),
      .request_ready(request_ready[CLIENT_PAYLOAD]),
      .request      (request[CLIENT_PAYLOAD]),
      .payload_valid(beat_valid[CLIENT_PAYLOAD]),
      .payload_ready(beat_ready[CLIENT_PAYLOAD]),
      .payload      (beat[CLIENT_PAYLOAD]),
      .payload_data (beat_data[CLIENT_PAYLOAD]),
      .packet_valid,
      .packet_ready,
      .packet,
      .packet_data,
      .status_valid,
      .status_ready,
      .status
  );

  qdma_read #(
      .CLIENTS    (CLIENTS),
      .CREDIT_BITS(CREDIT_BITS)
  ) engine (
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

`ifndef SYNTHESIS
  one_error :
  assert property (@(posedge clk) disable iff (rst) context_error.valid |-> !(retire_valid && retire_ready));
`endif

  logic unused;
  assign unused = &{1'b0, hw_word};
endmodule
