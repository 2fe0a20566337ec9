// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Puts memory-mapped transfers beside the streams: contexts, payload, status and stops of both.  Without MM it is wires.
//
// Latency: none, combinational; where both want the same, each waits for one of the other.
//
// Interface: that of qdma_mm.  stream_* are the channels of the streaming engines, those without it go on to what is shared.
module qdma_mm_path
  import qdma_context_pkg::*;
  import qdma_tlp_pkg::*;
  import qdma_pkg::*;
  import qdma_read_pkg::*;
  import qdma_fetch_pkg::*;
  import qdma_mm_pkg::*;
  import qdma_bypass_pkg::*;
  import qdma_write_pkg::*;
#(
    parameter int QUEUES = 2048,
    parameter bit MM = 1'b1,
    parameter bit BYPASS = 1'b0
) (
    input logic clk,
    input logic rst,

    output logic clearing,

    input logic            [SIZES-1:0][15:0] ring_size,
    input logic            [      2:0]       max_payload,
    input logic            [      2:0]       status_interval,
    input logic            [      1:0]       run,
    input doorbell_event_t                   doorbell_event,

    // A queue that a command has disabled; it is stopped in the engines of streams, too
    input  logic   stop_valid,
    output logic   stop_ready,
    input  logic   stop_is_h2c,
    input  index_t stop,
    output logic   stop_done,
    output logic   stream_stop_valid,
    input  logic   stream_stop_ready,
    input  logic   stream_stop_done,

    // Clients of qdma_read: descriptors of C2H, of H2C, payload of H2C
    output logic          [MM_CLIENTS-1:0] request_valid,
    input  logic          [MM_CLIENTS-1:0] request_ready,
    output read_request_t [MM_CLIENTS-1:0] request,
    input  logic          [MM_CLIENTS-1:0] beat_valid,
    output logic          [MM_CLIENTS-1:0] beat_ready,
    input  read_beat_t    [MM_CLIENTS-1:0] beat,
    input  beat_t         [MM_CLIENTS-1:0] beat_data,

    // Payload of C2H, status: of the streams, of both.  Queues that are stopped, for a cycle
    input  logic                    stream_payload_valid,
    output logic                    stream_payload_ready,
    input  write_beat_t             stream_payload,
    output logic                    payload_valid,
    input  logic                    payload_ready,
    output write_beat_t             payload,
    input  logic              [1:0] stream_status_valid,
    output logic              [1:0] stream_status_ready,
    input  status_request_t   [1:0] stream_status,
    output logic              [1:0] status_valid,
    input  logic              [1:0] status_ready,
    output status_request_t   [1:0] status,
    output descriptor_error_t [1:0] error,

    // Descriptors to the user and from it, as qdma_bypass has them
    output logic           [1:0]       bypass_out_valid,
    input  logic           [1:0]       bypass_out_ready,
    output bypass_out_t    [1:0]       bypass_out,
    input  logic           [1:0]       bypass_in_valid,
    output logic           [1:0]       bypass_in_ready,
    input  bypass_in_t     [1:0]       bypass_in,
    output bypass_marker_t [1:0]       bypass_marker,
    output bypass_stop_t   [1:0]       bypass_stop,
    output logic           [1:0][31:0] stat_bypass_dropped,

    // The card's memory
    output axi_to_card_t   to_card,
    input  axi_from_card_t from_card,

    // Contexts, software in 1:0, hardware in 3:2: of the streams, of both
    input  logic   [3:0] stream_valid,
    output logic   [3:0] stream_ready,
    input  index_t [3:0] stream_index,
    output logic   [3:0] stream_at,
    input  logic   [3:0] stream_write,
    input  words_t [3:0] stream_next,
    output logic   [3:0] context_valid,
    input  logic   [3:0] context_ready,
    output index_t [3:0] context_index,
    input  logic   [3:0] context_at,
    input  words_t [3:0] context_word,
    output logic   [3:0] context_write,
    output words_t [3:0] context_next
);
  if (MM) begin : gen_mm
    logic [1:0] own_status_valid, own_status_ready;
    status_request_t [1:0] own_status;
    logic own_payload_valid, own_payload_ready;
    write_beat_t own_payload;
    qdma_mm #(
        .QUEUES(QUEUES),
        .BYPASS(BYPASS)
    ) mm (
        .clk,
        .rst,
        .clearing,
        .ring_size,
        .max_payload,
        .status_interval,
        .run,
        .doorbell_event,
        .stop_valid,
        .stop_ready,
        .stop_is_h2c,
        .stop,
        .stop_done,
        .stream_stop_valid,
        .stream_stop_ready,
        .stream_stop_done,
        .request_valid,
        .request_ready,
        .request,
        .beat_valid,
        .beat_ready,
        .beat,
        .beat_data,
        .payload_valid(own_payload_valid),
        .payload_ready(own_payload_ready),
        .payload      (own_payload),
        .status_valid (own_status_valid),
        .status_ready (own_status_ready),
        .status       (own_status),
        .error,
        .bypass_out_valid,
        .bypass_out_ready,
        .bypass_out,
        .bypass_in_valid,
        .bypass_in_ready,
        .bypass_in,
        .bypass_marker,
        .bypass_stop,
        .stat_bypass_dropped,
        .to_card,
        .from_card,
        .stream_valid,
        .stream_ready,
        .stream_index,
        .stream_at,
        .stream_write,
        .stream_next,
        .context_valid,
        .context_ready,
        .context_index,
        .context_at,
        .context_word,
        .context_write,
        .context_next
    );
    for (genvar i = C2H; i <= H2C; i++) begin : gen_status
      qdma_merge #(
          .WIDTH($bits(status_request_t))
      ) merge_status (
          .clk,
          .rst,
          .s_valid({own_status_valid[i], stream_status_valid[i]}),
          .s_ready({own_status_ready[i], stream_status_ready[i]}),
          .s_data ({own_status[i], stream_status[i]}),
          .m_valid(status_valid[i]),
          .m_ready(status_ready[i]),
          .m_data (status[i])
      );
    end
    qdma_merge_tlps merge_payload (
        .clk,
        .rst,
        .s_valid({own_payload_valid, stream_payload_valid}),
        .s_ready({own_payload_ready, stream_payload_ready}),
        .s_data ({own_payload, stream_payload}),
        .m_valid(payload_valid),
        .m_ready(payload_ready),
        .m_data (payload)
    );
  end else begin : gen_no_mm
    assign clearing = 1'b0;
    assign stream_stop_valid = stop_valid;
    assign stop_ready = stream_stop_ready;
    assign stop_done = stream_stop_done;
    assign {request_valid, request, beat_ready} = '0;
    assign error = '0;
    assign {bypass_out_valid, bypass_out, bypass_in_ready, bypass_marker, bypass_stop, stat_bypass_dropped} = '0;
    assign to_card = '0;
    assign {context_valid, context_index} = {stream_valid, stream_index};
    assign {context_write, context_next} = {stream_write, stream_next};
    assign {stream_ready, stream_at} = {context_ready, context_at};
    assign {status_valid, status} = {stream_status_valid, stream_status};
    assign stream_status_ready = status_ready;
    assign {payload_valid, payload} = {stream_payload_valid, stream_payload};
    assign stream_payload_ready = payload_ready;
    logic unused;
    assign unused = &{1'b0, clk, rst, ring_size, max_payload, status_interval, run, doorbell_event, stop_is_h2c, stop,
        request_ready, beat_valid, beat, beat_data, from_card, context_word,
        bypass_out_ready, bypass_in_valid, bypass_in};
  end
endmodule
