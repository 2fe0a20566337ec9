// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// AXI4 read master: a burst for each segment; its bytes come out packed, from lane 0 on, with the segment at its end.
//
// Latency: 1 cycle from a segment to AR, 5 cycles from R to a beat.  A beat in each cycle.
//
// Interface: `room` says that the user has place for the beats of any burst.  A segment is shown with its last beat, and
// beat_error if a beat of its burst was answered with an error.
//
// Limits: at most BURSTS are under way.  All have the same ID, so the answers come in order.
module qdma_mm_read
  import qdma_tlp_pkg::*;
  import qdma_mm_pkg::*;
#(
    parameter int BURSTS = 32
) (
    input logic clk,
    input logic rst,

    input  logic        segment_valid,
    output logic        segment_ready,
    input  mm_segment_t segment,
    input  logic        room,

    output logic        beat_valid,
    input  logic        beat_ready,
    output beat_t       beat_data,
    output logic        beat_eop,
    output logic        beat_error,   // with beat_eop
    output mm_segment_t beat_segment,

    output logic         ar_valid,
    input  logic         ar_ready,
    output axi_address_t ar,
    input  logic         r_valid,
    output logic         r_ready,
    input  axi_read_t    r
);
  // --- Addresses
  logic ar_fits, burst_fits, asks;
  axi_address_t address;
  assign address = '{addr: segment.card, len: burst_len(segment.card[5:0], segment.bytes)};
  assign asks = segment_valid & segment_ready;
  assign segment_ready = ar_fits & burst_fits & room;
  axis_register #(
      .WIDTH($bits(axi_address_t))
  ) addresses (
      .clk,
      .rst,
      .s_data (address),
      .s_valid(asks),
      .s_ready(ar_fits),
      .m_data (ar),
      .m_valid(ar_valid),
      .m_ready(ar_ready)
  );

  // --- Data.  A register first: what a burst is decides what a beat has of it.  What the last beat has is found before the
  // RAM: its output is late.
  typedef struct packed {
    logic [6:0]  last_bytes;  // of its last line, from byte 0 of the line on
    mm_segment_t segment;
  } burst_t;
  burst_t asked, burst;
  logic [5:0] end_offset;
  assign end_offset = segment.card[5:0] + segment.bytes[5:0];
  assign asked = '{last_bytes: {end_offset == '0, end_offset}, segment: segment};
  logic burst_valid, line_valid, line_ready, part_ready;
  logic [$clog2(BURSTS):0] bursts_used;
  axi_read_t line;
  qdma_small_fifo #(
      .WIDTH($bits(burst_t)),
      .DEPTH(BURSTS)
  ) bursts (
      .clk,
      .rst,
      .wr_valid(asks),
      .wr_ready(burst_fits),
      .wr_data (asked),
      .rd_valid(burst_valid),
      .rd_ready(line_valid & line_ready & line.last),
      .rd_data (burst),
      .used    (bursts_used)
  );
  axis_register #(
      .WIDTH($bits(axi_read_t))
  ) lines (
      .clk,
      .rst,
      .s_data (r),
      .s_valid(r_valid),
      .s_ready(r_ready),
      .m_data (line),
      .m_valid(line_valid),
      .m_ready(line_ready)
  );

  logic inside_q, failed_q, failed;
  logic [5:0] first_offset, offset;
  logic [6:0] bytes, unused_bytes;
  logic unused_sop;
  assign first_offset = burst.segment.card[5:0];
  assign offset = inside_q ? '0 : first_offset;
  always_comb begin
    case ({
      inside_q, line.last
    })
      2'b00:   bytes = 7'd64 - 7'(first_offset);
      2'b01:   bytes = burst.segment.bytes[6:0];  // the burst has one beat
      2'b10:   bytes = 7'd64;
      default: bytes = burst.last_bytes;
    endcase
  end
  assign failed = (inside_q & failed_q) | line.resp[1];  // SLVERR, DECERR
  assign line_ready = part_ready & burst_valid;
  always_ff @(posedge clk) begin
    if (line_valid && line_ready) begin
      inside_q <= ~line.last;
      failed_q <= failed;
    end
    if (rst) inside_q <= 1'b0;
  end

  qdma_align #(
      .SIDE_BITS($bits(mm_segment_t))
  ) align (
      .clk,
      .rst,
      .part_valid (line_valid & burst_valid),
      .part_ready,
      .part_data  (line.data),
      .part_start ('0),
      .part_offset(offset),
      .part_bytes (bytes),
      .part_eop   (line.last),
      .part_error (failed),
      .part_side  (burst.segment),
      .beat_valid,
      .beat_ready,
      .beat_data,
      .beat_bytes (unused_bytes),
      .beat_sop   (unused_sop),
      .beat_eop,
      .beat_error,
      .beat_side  (beat_segment)
  );

`ifndef SYNTHESIS
  has_cause :
  assert property (@(posedge clk) disable iff (rst) line_valid |-> burst_valid)
  else $error("qdma_mm_read: data without a burst");
`endif

  logic unused;
  assign unused = &{1'b0, unused_bytes, unused_sop, line.resp[0], bursts_used};
endmodule
