// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// All that reads from the host: the read engine, the fetch of descriptors of both directions, and streaming H2C.  Clients
// of the memory-mapped engines are of qdma_mm.
//
// Latency: from a doorbell's event to the read TLP of its descriptors 9 cycles; of H2C from their completion to the read
// TLP of the payload 8, from its completion to the first beat of the packet 5, alone.
//
// Interface: that of the blocks.  doorbell_event has no ready; clearing is high after a reset: no event may come.  C2H is
// element 0 of an array, H2C element 1.
//
// Limits: those of the blocks.  A function's bus master enable does not hold reads back.
module qdma_read_path
  import qdma_context_pkg::*;
  import qdma_tlp_pkg::*;
  import qdma_pkg::*;
  import qdma_read_pkg::*;
  import qdma_fetch_pkg::*;
  import qdma_h2c_pkg::*;
  import qdma_bypass_pkg::*;
  import qdma_c2h_pkg::C2H_BATCH_BYTES;
  import qdma_write_pkg::status_request_t;
#(
    parameter int QUEUES = 2048,
    parameter bit MM = 1'b0,  // queues with is_mm are those of qdma_mm
    parameter int PLACES = 256,
    parameter int C2H_DEPTH = 128,  // buffers of a C2H queue that are fetched ahead
    parameter int C2H_DEEP = 0,  // queues 0 to C2H_DEEP - 1 have twice as many places
    parameter int COMMANDS = 256,
    parameter int H2C_LIMITED = 0,  // as qdma_h2c has them
    parameter int H2C_MOST = 248,
    parameter bit BYPASS = 1'b0,  // of H2C descriptors
    parameter int CREDIT_BITS = 10
) (
    input logic clk,
    input logic rst,

    output logic clearing,

    input logic            [      SIZES-1:0][15:0] ring_size,
    input logic            [            2:0]       max_read_request,
    input logic            [CREDIT_BITS-1:0]       credit_limit,
    input doorbell_event_t                         doorbell_event,

    // H2C packets
    input  room_t     [(H2C_LIMITED > 0 ? H2C_LIMITED : 1)-1:0] room,
    output logic                                                h2c_blocked,   // a packet waits for room
    output logic                                                packet_valid,
    input  logic                                                packet_ready,
    output h2c_beat_t                                           packet,
    output beat_t                                               packet_data,

    // Status of H2C rings; queues that are stopped, for a cycle
    output logic                    status_valid,
    input  logic                    status_ready,
    output status_request_t         status,
    output descriptor_error_t [1:0] error,

    // Status of a C2H queue whose context is bad
    output logic            c2h_bad_valid,
    input  logic            c2h_bad_ready,
    output status_request_t c2h_bad,

    input logic [2:0] status_interval,  // of H2C, 4 << n descriptors

    // H2C queues that are stopped, as qdma_h2c_stop has them
    input  logic   h2c_stop_valid,
    output logic   h2c_stop_ready,
    input  index_t h2c_stop,
    output logic   h2c_stop_done,

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
    input  logic                       c2h_flush_valid,      // of query_qid
    output logic                       c2h_flush_done,

    // For a cycle: batches that are read, payload that is read, packets that are done
    output qdma_watch_pkg::step_t [1:0] fetched,
    output qdma_watch_pkg::step_t       issued,
    output qdma_watch_pkg::step_t       done_step,

    // C2H descriptors, as qdma_fetch has them
    output logic           c2h_descriptor_valid,
    input  logic           c2h_descriptor_ready,
    output descriptor_t    c2h_descriptor,
    input  logic           c2h_retire_valid,
    output logic           c2h_retire_ready,
    input  retire_t        c2h_retire,
    output context_error_t c2h_context_error,
    input  logic           query_valid,
    output logic           query_ready,
    input  index_t         query_qid,
    output logic           query_done,
    output logic           query_pending,
    input  logic           stopping,

    // Clients of qdma_mm
    input  logic          [MM_CLIENTS-1:0] mm_request_valid,
    output logic          [MM_CLIENTS-1:0] mm_request_ready,
    input  read_request_t [MM_CLIENTS-1:0] mm_request,
    output logic          [MM_CLIENTS-1:0] mm_beat_valid,
    input  logic          [MM_CLIENTS-1:0] mm_beat_ready,
    output read_beat_t    [MM_CLIENTS-1:0] mm_beat,
    output beat_t         [MM_CLIENTS-1:0] mm_beat_data,

    // Read TLPs, and their completions
    output logic         read_valid,
    input  logic         read_ready,
    output read_t        read,
    input  logic         completion_valid,
    input  completion_t  completion,
    input  beat_t        completion_data,
    input  logic         completion_last,
    output read_stats_t  stats,
    output failed_read_t failed_read,       // for a cycle

    // The writer of status; contexts: software, hardware
    input  logic   [1:0] writer_valid,
    output logic   [1:0] writer_ready,
    input  index_t       writer_index,
    output logic   [1:0] writer_at,
    input  logic         writer_write,
    input  words_t       writer_next,
    output logic   [1:0] sw_valid,
    input  logic   [1:0] sw_ready,
    output index_t [1:0] sw_index,
    input  logic   [1:0] sw_at,
    input  words_t [1:0] sw_word,
    output logic   [1:0] sw_write,
    output words_t [1:0] sw_next,
    output logic   [1:0] hw_valid,
    input  logic   [1:0] hw_ready,
    output index_t [1:0] hw_index,
    input  logic   [1:0] hw_at,
    input  words_t [1:0] hw_word,
    output logic   [1:0] hw_write,
    output words_t [1:0] hw_next
);
  localparam int PAYLOAD = 2, OWN = 3;  // after the fetches, C2H and H2C
  localparam int CLIENTS = OWN + (MM ? MM_CLIENTS : 0);

  logic [1:0] descriptor_valid, descriptor_ready, retire_valid, retire_ready;
  descriptor_t [1:0] descriptor;
  retire_t [1:0] retire;
  context_error_t [1:0] context_error;
  logic [CLIENTS-1:0] request_valid, request_ready, beat_valid, beat_ready;
  read_request_t [CLIENTS-1:0] request;
  read_beat_t [CLIENTS-1:0] beat;
  beat_t [CLIENTS-1:0] beat_data;
  if (MM) begin : gen_mm
    assign request_valid[CLIENTS-1:OWN] = mm_request_valid;
    assign request[CLIENTS-1:OWN] = mm_request;
    assign beat_ready[CLIENTS-1:OWN] = mm_beat_ready;
    assign mm_request_ready = request_ready[CLIENTS-1:OWN];
    assign mm_beat_valid = beat_valid[CLIENTS-1:OWN];
    assign mm_beat = beat[CLIENTS-1:OWN];
    assign mm_beat_data = beat_data[CLIENTS-1:OWN];
  end else begin : gen_no_mm
    assign {mm_request_ready, mm_beat_valid, mm_beat, mm_beat_data} = '0;
    logic unused_mm;
    assign unused_mm = &{1'b0, mm_request_valid, mm_request, mm_beat_ready};
  end

  logic [1:0] bad_valid, bad_ready;
  status_request_t [1:0] bad;
  status_request_t done;
  logic done_valid, done_ready, h2c_asks, h2c_asked, h2c_answered, h2c_pending, h2c_stopping;
  index_t h2c_stop_qid;
  assign c2h_bad_valid     = bad_valid[C2H];
  assign c2h_bad           = bad[C2H];
  assign bad_ready[C2H]    = c2h_bad_ready;
  assign c2h_retire_ready  = retire_ready[C2H];
  assign c2h_context_error = context_error[C2H];
  assign retire_valid[C2H] = c2h_retire_valid;
  assign retire[C2H]       = c2h_retire;

  logic [(H2C_LIMITED > 0 ? H2C_LIMITED : 1)-1:0] blocked;
  assign h2c_blocked = |blocked;
  logic [1:0] unused_others;
  places_t [1:0] reserve, places;
  bypass_note_t [1:0] note;
  logic [1:0] goes_on;
  logic fetch_clearing, bypass_clearing, c2h_clearing, bypass_room, c2h_room;
  assign clearing = fetch_clearing | bypass_clearing | c2h_clearing;
  qdma_fetch_pair #(
      .QUEUES     (QUEUES),
      .HAS_OTHER  (MM),
      .PLACES     (PLACES),
      .C2H_BYTES  (C2H_BATCH_BYTES),
      .C2H_PENDING(C2H_DEPTH * 8 / C2H_BATCH_BYTES),
      .C2H_DEEP   (C2H_DEEP),
      .LIMITED    (H2C_LIMITED > 0 ? H2C_LIMITED : 1),
      .BYPASS     ({2{BYPASS}})
  ) fetches (
      .clk,
      .rst,
      .clearing         (fetch_clearing),
      .ring_size,
      .enable           ('1),
      .doorbell_event,
      .h2c_blocked      (blocked),
      .descriptor_valid,
      .descriptor_ready,
      .descriptor,
      .retire_valid,
      .retire_ready,
      .retire,
      .context_error,
      .bypass_room      ({bypass_room, c2h_room}),
      .bypass_reserve   (reserve),
      .bypass_note      (note),
      .goes_on,
      .descriptor_places(places),
      .query_valid      ({h2c_asks, query_valid}),
      .query_ready      ({h2c_asked, query_ready}),
      .query_qid        ({h2c_stop_qid, query_qid}),
      .query_done       ({h2c_answered, query_done}),
      .query_pending    ({h2c_pending, query_pending}),
      .stopping         ({h2c_stopping, stopping}),
      .served_qid       ('0),                            // of memory-mapped queues
      .others_wait      (unused_others),
      .error,
      .bad_valid,
      .bad_ready,
      .bad,
      .read_valid       (request_valid[H2C:C2H]),
      .read_ready       (request_ready[H2C:C2H]),
      .read             (request[H2C:C2H]),
      .beat_valid       (beat_valid[H2C:C2H]),
      .beat_ready       (beat_ready[H2C:C2H]),
      .beat             (beat[H2C:C2H]),
      .beat_data        (beat_data[H2C:C2H]),
      .status_valid     (writer_valid),
      .status_ready     (writer_ready),
      .status_index     (writer_index),
      .status_at        (writer_at),
      .status_write     (writer_write),
      .status_next      (writer_next),
      .sw_valid,
      .sw_ready,
      .sw_index,
      .sw_at,
      .sw_word,
      .sw_write,
      .sw_next,
      .hw_valid,
      .hw_ready,
      .hw_index,
      .hw_at,
      .hw_word,
      .hw_write,
      .hw_next
  );

  // --- Bypass, between fetch and store
  qdma_bypass_c2h #(
      .QUEUES(QUEUES),
      .BYPASS(BYPASS)
  ) bypass_c2h (
      .clk,
      .rst,
      .clearing        (c2h_clearing),
      .room            (c2h_room),
      .reserve         (reserve[C2H]),
      .note            (note[C2H]),
      .goes_on         (goes_on[C2H]),
      .read_begins     (request_valid[C2H] & request_ready[C2H]),
      .fetched_valid   (descriptor_valid[C2H]),
      .fetched_ready   (descriptor_ready[C2H]),
      .fetched         (descriptor[C2H]),
      .fetched_places  (places[C2H]),
      .descriptor_valid(c2h_descriptor_valid),
      .descriptor_ready(c2h_descriptor_ready),
      .descriptor      (c2h_descriptor),
      .out_valid       (bypass_out_valid[C2H]),
      .out_ready       (bypass_out_ready[C2H]),
      .out             (bypass_out[C2H]),
      .in_valid        (bypass_in_valid[C2H]),
      .in_ready        (bypass_in_ready[C2H]),
      .in              (bypass_in[C2H]),
      .stop            (bypass_stop[C2H]),
      .stat_dropped    (stat_bypass_dropped[C2H]),
      .flush_valid     (c2h_flush_valid),
      .flush_done      (c2h_flush_done),
      .flush_qid       (query_qid)
  );
  assign bypass_marker[C2H] = '0;

  // --- Bypass, between fetch and engine
  logic engine_valid, engine_ready, done_retire_valid, done_retire_ready, flushed, flush_valid, flush_done;
  descriptor_t engine_descriptor;
  retire_t done_retire;
  logic request_status_valid, request_status_ready, unused_waits;
  status_request_t request_status;
  qdma_bypass #(
      .QUEUES(QUEUES),
      .BYPASS(BYPASS)
  ) bypass (
      .clk,
      .rst,
      .clearing        (bypass_clearing),
      .room            (bypass_room),
      .reserve         (reserve[H2C]),
      .note            (note[H2C]),
      .goes_on         (goes_on[H2C]),
      .read_begins     (request_valid[H2C] & request_ready[H2C]),
      .fetched_valid   (descriptor_valid[H2C]),
      .fetched_ready   (descriptor_ready[H2C]),
      .fetched         (descriptor[H2C]),
      .fetched_places  (places[H2C]),
      .retire_valid    (retire_valid[H2C]),
      .retire_ready    (retire_ready[H2C]),
      .retire          (retire[H2C]),
      .descriptor_valid(engine_valid),
      .descriptor_ready(engine_ready),
      .descriptor      (engine_descriptor),
      .done_valid      (done_retire_valid),
      .done_ready      (done_retire_ready),
      .done            (done_retire),
      .engine_flushed  (flushed),
      .request_valid   (request_status_valid),
      .request_ready   (request_status_ready),
      .request         (request_status),
      .status_valid    (done_valid),
      .status_ready    (done_ready),
      .status          (done),
      .user_waits      (unused_waits),
      .out_valid       (bypass_out_valid[H2C]),
      .out_ready       (bypass_out_ready[H2C]),
      .out             (bypass_out[H2C]),
      .in_valid        (bypass_in_valid[H2C]),
      .in_ready        (bypass_in_ready[H2C]),
      .in              (bypass_in[H2C]),
      .stop            (bypass_stop[H2C]),
      .stat_dropped    (stat_bypass_dropped[H2C]),
      .flush_valid,
      .flush_done,
      .flush_qid       (h2c_stop_qid)
  );

  qdma_h2c_stop #(
      .BYPASS(BYPASS)
  ) stopper (
      .clk,
      .rst,
      .stop_valid   (h2c_stop_valid),
      .stop_ready   (h2c_stop_ready),
      .stop         (h2c_stop),
      .stop_done    (h2c_stop_done),
      .stopping     (h2c_stopping),
      .stop_qid     (h2c_stop_qid),
      .has_status   ((done_valid & (done.qid == h2c_stop_qid)) | (bad_valid[H2C] & (bad[H2C].qid == h2c_stop_qid))),
      .query_valid  (h2c_asks),
      .query_ready  (h2c_asked),
      .query_done   (h2c_answered),
      .query_pending(h2c_pending),
      .flush_valid,
      .flush_done
  );

  qdma_h2c #(
      .QUEUES  (QUEUES),
      .COMMANDS(COMMANDS),
      .LIMITED (H2C_LIMITED),
      .MOST    (H2C_MOST),
      .BYPASS  (BYPASS)
  ) h2c (
      .clk,
      .rst,
      .room,
      .blocked,
      .issued,
      .done            (done_step),
      .descriptor_valid(engine_valid),
      .descriptor_ready(engine_ready),
      .descriptor      (engine_descriptor),
      .retire_valid    (done_retire_valid),
      .retire_ready    (done_retire_ready),
      .retire          (done_retire),
      .flushed,
      .marker          (bypass_marker[H2C]),
      .request_valid   (request_valid[PAYLOAD]),
      .request_ready   (request_ready[PAYLOAD]),
      .request         (request[PAYLOAD]),
      .payload_valid   (beat_valid[PAYLOAD]),
      .payload_ready   (beat_ready[PAYLOAD]),
      .payload         (beat[PAYLOAD]),
      .payload_data    (beat_data[PAYLOAD]),
      .packet_valid,
      .packet_ready,
      .packet,
      .packet_data,
      .status_interval,
      .status_valid    (request_status_valid),
      .status_ready    (request_status_ready),
      .status          (request_status)
  );
  qdma_merge #(
      .WIDTH($bits(status_request_t))
  ) merge_status (
      .clk,
      .rst,
      .s_valid({bad_valid[H2C], done_valid}),
      .s_ready({bad_ready[H2C], done_ready}),
      .s_data ({bad[H2C], done}),
      .m_valid(status_valid),
      .m_ready(status_ready),
      .m_data (status)
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
      .stats,
      .failed(failed_read)
  );

  // --- For the watchdog
  batch_t [1:0] batch;
  always_comb for (int i = C2H; i <= H2C; i++) batch[i] = batch_t'(request[i].cookie[$bits(batch_t)-1:0]);
  always_ff @(posedge clk) begin
    for (int i = C2H; i <= H2C; i++) begin
      fetched[i] <= '{valid: request_valid[i] & request_ready[i], qid: request[i].qid, index: batch[i].index};
    end
    if (rst) {fetched[C2H].valid, fetched[H2C].valid} <= '0;
  end

  logic unused;
  assign unused = &{1'b0, batch, context_error[H2C], unused_others, unused_waits};
endmodule
