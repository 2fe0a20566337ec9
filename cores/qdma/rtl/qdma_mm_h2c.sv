// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory-mapped H2C: reads segments from the host, and writes each to the card as one AXI burst.
//
// Latency, alone: a segment is a read request in its cycle; a line of payload is a beat of W 5 cycles later.
//
// Interface: segments are in order, and so are their ends on done.  payload is a client of qdma_read.
//
// Operation: what the burst is travels as the cookie of the read.  A chunk that fails ends its burst: no byte of it and of
// what follows is enabled, and the segment has failed.  A segment needs a cycle for each line of the host that it touches.
module qdma_mm_h2c
  import qdma_tlp_pkg::*;
  import qdma_read_pkg::*;
  import qdma_mm_pkg::*;
(
    input logic clk,
    input logic rst,

    input  logic        segment_valid,
    output logic        segment_ready,
    input  mm_segment_t segment,
    output logic        done_valid,
    input  logic        done_ready,
    output logic        done_error,
    output read_error_e done_kind,      // of the host's answer; READ_OK: the card's

    // Client of qdma_read
    output logic          request_valid,
    input  logic          request_ready,
    output read_request_t request,
    input  logic          payload_valid,
    output logic          payload_ready,
    input  read_beat_t    payload,
    input  beat_t         payload_data,

    // The card
    output logic               aw_valid,
    input  logic               aw_ready,
    output axi_address_t       aw,
    output logic               w_valid,
    input  logic               w_ready,
    output axi_write_t         w,
    input  logic               b_valid,
    output logic               b_ready,
    input  logic         [1:0] b_resp
);
  axi_address_t asked, burst, beat_burst;
  assign asked = '{addr: segment.card, len: burst_len(segment.card[5:0], segment.bytes)};
  assign request_valid = segment_valid;
  assign segment_ready = request_ready;
  assign request = '{
          qid: segment.qid,
          func: segment.func,
          addr: segment.host,
          bytes: 16'(segment.bytes),
          cookie: cookie_t'(asked)
      };

  // --- After an error what is left of the segment is dropped.
  logic failed, drops_q, part_ready, beat_valid, beat_ready, beat_sop, beat_eop, beat_error;
  logic [6:0] beat_bytes;
  beat_t beat_data;
  read_error_e beat_kind;
  assign burst = axi_address_t'(payload.cookie[$bits(axi_address_t)-1:0]);
  assign failed = payload.error != READ_OK;
  assign payload_ready = part_ready | drops_q;
  always_ff @(posedge clk) begin
    if (payload_valid && payload_ready) drops_q <= (drops_q | failed) & ~payload.is_last;
    if (rst) drops_q <= 1'b0;
  end

  qdma_align #(
      .SIDE_BITS($bits(axi_address_t) + $bits(read_error_e)),
      .HAS_START(1'b1)
  ) align (
      .clk,
      .rst,
      .part_valid (payload_valid & ~drops_q),
      .part_ready,
      .part_data  (payload_data),
      .part_start (burst.addr[5:0]),
      .part_offset(payload.offset),
      .part_bytes (failed ? '0 : payload.bytes),
      .part_eop   (payload.is_last | failed),
      .part_error (failed),
      .part_side  ({payload.error, burst}),
      .beat_valid,
      .beat_ready,
      .beat_data,
      .beat_bytes,
      .beat_sop,
      .beat_eop,
      .beat_error,
      .beat_side  ({beat_kind, beat_burst})
  );

  qdma_mm_write write (
      .clk,
      .rst,
      .beat_valid,
      .beat_ready,
      .beat_data,
      .beat_bytes,
      .beat_sop,
      .beat_eop,
      .beat_error,
      .beat_burst,
      .beat_kind,
      .done_valid,
      .done_ready,
      .done_error,
      .done_kind,
      .aw_valid,
      .aw_ready,
      .aw,
      .w_valid,
      .w_ready,
      .w,
      .b_valid,
      .b_ready,
      .b_resp
  );

  logic unused;
  assign unused = &{1'b0, payload.cookie};
endmodule
