// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Which packets to C2H are made: those of a start, those without end, markers.
//
// Latency: 1 cycle from start to request.
//
// Interface: `request` is valid and ready; it may change while it waits.  sent: a packet of a start has been sent, or is not
// going to be.  The settings of a start are those in the cycle of `start`, but for the data of its entries.
//
// Operation: a start counts the packets that are still to be asked for.  One that is held is to be asked for again; if no
// event came since its ask, nothing is asked for until one does.  Packets without end are asked for in bursts of BURST a
// queue, until one is held.  A marker goes to the queue that had the last packet: all that were granted before leave before.
module example_generator
  import example_pkg::*;
#(
    parameter int QUEUES = 2048,
    parameter int BURST  = 32
) (
    input logic clk,
    input logic rst,

    // Registers
    input  logic        start,
    input  logic        start_is_entry,  // packets of the start are entries alone
    input  logic        dump,
    input  logic        stop,            // packets without end, until `renew`
    input  logic        renew,           // the queues that were started before are forgotten
    input  logic        marker,
    input  logic        drop,
    input  logic        no_completion,
    input  logic [10:0] qid,
    input  logic [15:0] bytes,
    input  logic [ 9:0] packets,
    input  logic [15:0] dump_bytes,
    output logic        starts,          // the start is not ignored
    output logic        marker_returned,

    output logic     request_valid,
    input  logic     request_ready,
    output packet_t  request,
    input  verdict_t verdict,
    input  logic     sent,

    input logic [1:0]       event_valid,
    input logic [1:0][10:0] event_qid,
    input logic             marker_done
);
  // --- A start
  packet_t packet_q;
  logic [9:0] left_q;  // to be asked for
  logic [6:0] under_way_q;  // asked for, or granted and not sent
  logic is_blocked_q, is_of_start, asks_start, held_start, fails_start;
  assign starts      = start & (left_q == '0) & (under_way_q == '0);
  assign is_of_start = verdict.valid & (verdict.packet.source == OF_START);
  assign asks_start  = request_valid & request_ready & (request.source == OF_START);
  assign fails_start = is_of_start & ~verdict.is_granted;
  assign held_start  = is_of_start & verdict.is_held & ~drop;
  always_ff @(posedge clk) begin
    left_q      <= left_q - 10'(asks_start) + 10'(held_start);
    under_way_q <= under_way_q + 7'(asks_start) - 7'(fails_start) - 7'(sent);
    if (event_valid != '0) is_blocked_q <= 1'b0;
    else if (held_start && verdict.is_closed) is_blocked_q <= 1'b1;
    if (starts) begin
      left_q <= packets;
      is_blocked_q <= 1'b0;
      packet_q <= '{
          source: OF_START,
          qid: qid,
          bytes: start_is_entry ? '0 : bytes,
          has_completion: ~no_completion,
          has_user_format: start_is_entry
      };
    end
    if (rst) begin
      left_q       <= '0;
      under_way_q  <= '0;
      is_blocked_q <= 1'b0;
    end
  end

  // --- Packets without end
  localparam int BURST_BITS = $clog2(BURST) + 1;
  logic next_valid, is_of_dump, closes, is_over, ends_burst, asks_dump, may_dump_q, stop_q;
  logic [10:0] next_qid, last_qid_q;
  logic [BURST_BITS-1:0] burst_q;
  logic last_is_dump_q;  // the last packet that was granted
  assign is_of_dump = verdict.valid & (verdict.packet.source == OF_DUMP);
  assign closes = is_of_dump & ~verdict.is_granted & verdict.is_closed & ~(verdict.is_held & drop);
  assign asks_dump = request_valid & request_ready & (request.source == OF_DUMP);
  assign is_over    = burst_q == BURST_BITS'(BURST);
  assign ends_burst = (closes & (verdict.packet.qid == next_qid)) | is_over | ~dump | stop | ~may_dump_q;
  example_turns #(
      .QUEUES(QUEUES)
  ) turns (
      .clk,
      .rst,
      .forget     (renew),
      .event_valid,
      .event_qid,
      .close_valid(closes),
      .close_qid  (verdict.packet.qid),
      .next_valid,
      .next_take  (next_valid & ends_burst),
      .next_qid
  );
  always_ff @(posedge clk) begin
    if (next_valid && ends_burst) burst_q <= '0;
    else if (asks_dump) burst_q <= burst_q + 1'b1;
    if (is_of_dump && verdict.is_granted) begin
      last_is_dump_q <= 1'b1;
      last_qid_q     <= verdict.packet.qid;
    end
    if (starts) last_is_dump_q <= 1'b0;
    stop_q <= stop;
    if (renew) may_dump_q <= 1'b1;
    else if (stop && !stop_q) may_dump_q <= 1'b0;
    if (rst) begin
      may_dump_q     <= 1'b0;
      burst_q        <= '0;
      last_is_dump_q <= 1'b0;
    end
  end

  // --- Markers
  logic marker_q, marker_waits_q, is_of_marker, asks_marker;
  assign is_of_marker = verdict.valid & (verdict.packet.source == OF_MARKER);
  assign asks_marker  = request_valid & request_ready & (request.source == OF_MARKER);
  always_ff @(posedge clk) begin
    marker_q <= marker;
    if (asks_marker || !marker) marker_waits_q <= 1'b0;
    if ((marker && !marker_q) || (marker && is_of_marker && verdict.is_held)) marker_waits_q <= 1'b1;
    marker_returned <= marker & marker_q & (marker_returned | marker_done);
    if (rst) begin
      marker_q        <= 1'b0;
      marker_waits_q  <= 1'b0;
      marker_returned <= 1'b0;
    end
  end

  always_comb begin
    if (marker_waits_q) begin
      request_valid = 1'b1;
      request = '{
          source: OF_MARKER,
          qid: last_is_dump_q ? last_qid_q : qid,
          bytes: '0,
          has_completion: 1'b0,
          has_user_format: 1'b0
      };
    end else if (left_q != '0 && !is_blocked_q) begin
      request_valid = 1'b1;
      request       = packet_q;
    end else begin
      request_valid = next_valid & ~ends_burst & ~marker;
      request = '{
          source: OF_DUMP,
          qid: next_qid,
          bytes: dump_bytes,
          has_completion: ~no_completion,
          has_user_format: 1'b0
      };
    end
  end
endmodule
