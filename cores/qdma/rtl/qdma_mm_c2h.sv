// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory-mapped C2H: reads segments from the card, each as one AXI burst, and writes them to the host.
//
// Latency: of a segment of 64 bytes 10 cycles from its last beat of R to its write, if it is not rotated.  A beat in each cycle.
//
// Interface: segments are in order, and so are their ends on done: the last write of a segment has been accepted by then.
//
// Operation: a segment is written once all of it is there, so one whose burst has failed is not written at all: its beats
// are taken as those of a stopped packet of qdma_c2h_step.  A burst is asked for when there is place for its beats, so R
// waits for the host at no time longer than the beats before it take.
module qdma_mm_c2h
  import qdma_tlp_pkg::*;
  import qdma_context_pkg::*;
  import qdma_c2h_pkg::*;
  import qdma_mm_pkg::*;
  import qdma_write_pkg::*;
#(
    parameter int BEATS = 512,  // of bursts that are asked for and not written
    parameter int SEGMENTS = 64  // that are there and not written
) (
    input logic clk,
    input logic rst,

    input logic [2:0] max_payload,  // 128 << n bytes

    input  logic        segment_valid,
    output logic        segment_ready,
    input  mm_segment_t segment,
    output logic        done_valid,
    input  logic        done_ready,
    output logic        done_error,

    // The card
    output logic         ar_valid,
    input  logic         ar_ready,
    output axi_address_t ar,
    input  logic         r_valid,
    output logic         r_ready,
    input  axi_read_t    r,

    // To the host
    output logic        payload_valid,
    input  logic        payload_ready,
    output write_beat_t payload
);
  typedef logic [$clog2(BEATS):0] count_t;
  typedef struct packed {
    logic [6:0] beats;
    logic is_error;
  } end_t;

  // --- Place for the beats of bursts, until their segments have been written
  count_t free_q;
  logic room, sent;
  end_t made, first;
  assign room = free_q >= count_t'(SEGMENT_BEATS);
  always_ff @(posedge clk) begin
    free_q <= free_q - (segment_valid && segment_ready ? count_t'(burst_len(
        segment.card[5:0], segment.bytes
    )) + 1'b1 : '0) + (done_valid && done_ready ? count_t'(first.beats) : '0);
    if (rst) free_q <= count_t'(BEATS);
  end

  logic beat_valid, beat_ready, beat_eop, beat_error, data_ready, head_valid, pop;
  logic whole_valid, whole_ready, end_ready;
  mm_segment_t beat_segment;
  beat_t beat_data, head;
  qdma_mm_read read (
      .clk,
      .rst,
      .segment_valid,
      .segment_ready,
      .segment,
      .room,
      .beat_valid,
      .beat_ready,
      .beat_data,
      .beat_eop,
      .beat_error,
      .beat_segment,
      .ar_valid,
      .ar_ready,
      .ar,
      .r_valid,
      .r_ready,
      .r
  );
  assign beat_ready = data_ready & (~beat_eop | (whole_ready & end_ready));
  qdma_fifo #(
      .WIDTH(BEAT_BITS),
      .DEPTH(BEATS)
  ) beats (
      .clk,
      .rst,
      .wr_valid(beat_valid & beat_ready),
      .wr_ready(data_ready),
      .wr_data (beat_data),
      .rd_valid(head_valid),
      .rd_ready(pop),
      .rd_data (head)
  );

  // --- Segments that are there; the last of their beats is in the RAM when its write can begin
  logic command_valid, command_ready, first_valid;
  logic [$clog2(SEGMENTS):0] ends_used;
  c2h_segment_t whole;
  c2h_command_t command;
  assign whole_valid = beat_valid & beat_eop & data_ready & end_ready;
  assign whole = '{
          qid: beat_segment.qid,
          serial: serial_t'(beat_error),  // there are no serials of segments
          func: beat_segment.func,
          addr: beat_segment.host,
          bytes: 16'(beat_segment.bytes),
          is_last: 1'b1
      };
  assign made = '{beats: 7'(burst_len(beat_segment.card[5:0], beat_segment.bytes)) + 1'b1, is_error: beat_error};
  qdma_small_fifo #(
      .WIDTH($bits(end_t)),
      .DEPTH(SEGMENTS)
  ) ends (
      .clk,
      .rst,
      .wr_valid(beat_valid & beat_eop & data_ready & whole_ready),
      .wr_ready(end_ready),
      .wr_data (made),
      .rd_valid(first_valid),
      .rd_ready(done_valid & done_ready),
      .rd_data (first),
      .used    (ends_used)
  );
  // Whether the cut accepts is known late, and decides whether beats do.
  logic next_valid, next_ready;
  c2h_segment_t next;
  axis_register #(
      .WIDTH($bits(c2h_segment_t))
  ) next_whole (
      .clk,
      .rst,
      .s_data (whole),
      .s_valid(whole_valid),
      .s_ready(whole_ready),
      .m_data (next),
      .m_valid(next_valid),
      .m_ready(next_ready)
  );
  qdma_c2h_cut cut (
      .clk,
      .rst,
      .max_payload,
      .segment_valid(next_valid),
      .segment_ready(next_ready),
      .segment      (next),
      .command_valid,
      .command_ready,
      .command
  );

  // --- Writes
  logic step_valid, go, is_idle, current_valid, look_found;
  c2h_command_t current;
  c2h_step_t step;
  qdma_c2h_step #(
      .BEATS(BEATS)
  ) stepper (
      .clk,
      .rst,
      .command_valid,
      .command_ready,
      .command,
      .command_is_stopped(command.serial[0]),
      .current,
      .current_valid,
      .current_is_stopped(1'b0),
      .arrives           (beat_valid & beat_ready),
      .has_head          (head_valid),
      .pop,
      .go,
      .is_idle,
      .step_valid,
      .step
  );
  qdma_c2h_rotate rotate (
      .clk,
      .rst,
      .step_valid,
      .go,
      .step,
      .pop,
      .head,
      .is_idle,
      .sent,
      .look_qid   ('0),
      .look_found,
      .write_valid(payload_valid),
      .write_ready(payload_ready),
      .write      (payload)
  );

  // --- Ends: sent does not wait
  logic [$clog2(SEGMENTS):0] sent_q;
  assign done_valid = sent_q != '0;
  assign done_error = first.is_error;
  always_ff @(posedge clk) begin
    sent_q <= sent_q + ($clog2(SEGMENTS) + 1)'(sent) - ($clog2(SEGMENTS) + 1)'(done_valid & done_ready);
    if (rst) sent_q <= '0;
  end

`ifndef SYNTHESIS
  is_there :
  assert property (@(posedge clk) disable iff (rst) pop |-> head_valid)
  else $error("qdma_mm_c2h: a beat is taken that is not there");
  is_counted :
  assert property (@(posedge clk) disable iff (rst) done_valid |-> first_valid)
  else $error("qdma_mm_c2h: a segment ends that is not there");
`endif

  logic unused;
  assign unused = &{1'b0, first_valid, ends_used, current, current_valid, look_found};
endmodule
