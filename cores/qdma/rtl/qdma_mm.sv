// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory-mapped transfers, both directions: from the doorbell to AXI4 bursts, payload and status.
//
// Latency: from the event of a doorbell to the read TLP of its descriptors 9 cycles, as streams have it.  ../docs/mm.md has
// the rest.
//
// Interface: C2H is element 0 of an array, H2C element 1.  doorbell_event has no ready.  clearing is high after a reset: no
// event may come.  run lets turns begin; what is under way when it falls goes on.
//
// Operation: the fetches, the data and their places are the engine's own, so neither direction waits for the other or for
// a stream.  Read engine, contexts, posted writes and status are shared.  stream_* are the contexts' ports of the streams,
// which take turns with these.
//
// Limits: those of qdma_mm_control.
module qdma_mm
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

    // Payload of C2H; status; queues that are stopped, for a cycle
    output logic                    payload_valid,
    input  logic                    payload_ready,
    output write_beat_t             payload,
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
  localparam int PAYLOAD = 2;  // client, after the fetches

  logic [1:0] stopping, query_valid, query_ready, query_done, query_pending;
  index_t stop_qid;
  logic [1:0] flush_valid, flush_done;
  qdma_mm_stop #(
      .BYPASS(BYPASS)
  ) stops (
      .clk,
      .rst,
      .stop_valid,
      .stop_ready,
      .stop_is_h2c,
      .stop,
      .stop_done,
      .stream_valid(stream_stop_valid),
      .stream_ready(stream_stop_ready),
      .stream_done (stream_stop_done),
      .stop_qid,
      .stopping,
      .query_valid,
      .query_ready,
      .query_done,
      .query_pending,
      .flush_valid,
      .flush_done
  );

  logic   [1:0] others_wait;
  index_t [1:0] served_qid;
  logic [1:0] descriptor_valid, descriptor_ready, retire_valid, retire_ready, bad_valid, bad_ready;
  logic [1:0] own_status_valid, own_status_ready;
  descriptor_t [1:0] descriptor;
  retire_t [1:0] retire;
  context_error_t [1:0] context_error;
  status_request_t [1:0] bad, own_status;
  logic [3:0] own_valid, own_ready, own_at, own_write;
  index_t [3:0] own_index;
  words_t [3:0] own_next;
  logic [1:0] unused_status_ready, unused_status_at;
  logic fetch_clearing;
  logic [1:0] bypass_clearing, room, goes_on;
  places_t [1:0] reserve, places;
  bypass_note_t [1:0] note;
  assign clearing = fetch_clearing | (|bypass_clearing);
  qdma_fetch_pair #(
      .QUEUES     (QUEUES),
      .IS_MM      (1'b1),
      .HAS_OTHER  (1'b1),
      .C2H_BYTES  (BATCH_BYTES),
      .C2H_PENDING(MAX_PENDING),
      .BYPASS     ({2{BYPASS}})
  ) fetches (
      .clk,
      .rst,
      .clearing         (fetch_clearing),
      .ring_size,
      .enable           (run),
      .doorbell_event,
      .descriptor_valid,
      .descriptor_ready,
      .descriptor,
      .retire_valid,
      .retire_ready,
      .retire,
      .context_error,
      .bypass_room      (room),
      .bypass_reserve   (reserve),
      .bypass_note      (note),
      .goes_on,
      .descriptor_places(places),
      .h2c_blocked      ('0),
      .query_valid,
      .query_ready,
      .query_qid        ({2{stop_qid}}),
      .query_done,
      .query_pending,
      .stopping,
      .served_qid,
      .others_wait,
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
      .status_valid     ('0),                      // the writer of status has the port of the streams
      .status_ready     (unused_status_ready),
      .status_index     ('0),
      .status_at        (unused_status_at),
      .status_write     (1'b0),
      .status_next      ('0),
      .sw_valid         (own_valid[1:0]),
      .sw_ready         (own_ready[1:0]),
      .sw_index         (own_index[1:0]),
      .sw_at            (own_at[1:0]),
      .sw_word          (context_word[1:0]),
      .sw_write         (own_write[1:0]),
      .sw_next          (own_next[1:0]),
      .hw_valid         (own_valid[3:2]),
      .hw_ready         (own_ready[3:2]),
      .hw_index         (own_index[3:2]),
      .hw_at            (own_at[3:2]),
      .hw_word          (context_word[3:2]),
      .hw_write         (own_write[3:2]),
      .hw_next          (own_next[3:2])
  );

  for (genvar i = 0; i < 4; i++) begin : gen_contexts
    qdma_context_share share (
        .clk,
        .rst,
        .engine_valid({own_valid[i], stream_valid[i]}),
        .engine_ready({own_ready[i], stream_ready[i]}),
        .engine_index({own_index[i], stream_index[i]}),
        .engine_at   ({own_at[i], stream_at[i]}),
        .engine_write({own_write[i], stream_write[i]}),
        .engine_next ({own_next[i], stream_next[i]}),
        .valid       (context_valid[i]),
        .ready       (context_ready[i]),
        .index       (context_index[i]),
        .at          (context_at[i]),
        .write       (context_write[i]),
        .next        (context_next[i])
    );
  end

  logic [1:0] segment_valid, segment_ready, done_valid, done_ready, done_error;
  read_error_e done_kind;  // of H2C
  logic [1:0] engine_valid, engine_ready, engine_retires, engine_retired, flushed;
  logic [1:0] request_status_valid, request_status_ready, user_waits;
  descriptor_t [1:0] engine_descriptor;
  retire_t [1:0] engine_retire;
  status_request_t [1:0] request_status;
  mm_segment_t [1:0] segment;
  for (genvar i = C2H; i <= H2C; i++) begin : gen_directions
    qdma_bypass #(
        .QUEUES(QUEUES),
        .BYPASS(BYPASS),
        .IS_MM (1'b1),
        .IS_C2H(i == C2H)
    ) bypass (
        .clk,
        .rst,
        .clearing        (bypass_clearing[i]),
        .room            (room[i]),
        .reserve         (reserve[i]),
        .note            (note[i]),
        .goes_on         (goes_on[i]),
        .read_begins     (request_valid[i] & request_ready[i]),
        .fetched_valid   (descriptor_valid[i]),
        .fetched_ready   (descriptor_ready[i]),
        .fetched         (descriptor[i]),
        .fetched_places  (places[i]),
        .retire_valid    (retire_valid[i]),
        .retire_ready    (retire_ready[i]),
        .retire          (retire[i]),
        .descriptor_valid(engine_valid[i]),
        .descriptor_ready(engine_ready[i]),
        .descriptor      (engine_descriptor[i]),
        .done_valid      (engine_retires[i]),
        .done_ready      (engine_retired[i]),
        .done            (engine_retire[i]),
        .engine_flushed  (flushed[i]),
        .request_valid   (request_status_valid[i]),
        .request_ready   (request_status_ready[i]),
        .request         (request_status[i]),
        .status_valid    (own_status_valid[i]),
        .status_ready    (own_status_ready[i]),
        .status          (own_status[i]),
        .user_waits      (user_waits[i]),
        .out_valid       (bypass_out_valid[i]),
        .out_ready       (bypass_out_ready[i]),
        .out             (bypass_out[i]),
        .in_valid        (bypass_in_valid[i]),
        .in_ready        (bypass_in_ready[i]),
        .in              (bypass_in[i]),
        .stop            (bypass_stop[i]),
        .stat_dropped    (stat_bypass_dropped[i]),
        .flush_valid     (flush_valid[i]),
        .flush_done      (flush_done[i]),
        .flush_qid       (stop_qid)
    );

    qdma_mm_control #(
        .QUEUES(QUEUES),
        .IS_C2H(i == C2H),
        .BYPASS(BYPASS)
    ) control (
        .clk,
        .rst,
        .status_interval,
        .descriptor_valid(engine_valid[i]),
        .descriptor_ready(engine_ready[i]),
        .descriptor      (engine_descriptor[i]),
        .retire_valid    (engine_retires[i]),
        .retire_ready    (engine_retired[i]),
        .retire          (engine_retire[i]),
        .flushed         (flushed[i]),
        .marker          (bypass_marker[i]),
        .stopping        (stopping[i]),
        .stop_qid,
        .served_qid      (served_qid[i]),
        .others_wait     (others_wait[i] | user_waits[i]),
        .segment_valid   (segment_valid[i]),
        .segment_ready   (segment_ready[i]),
        .segment         (segment[i]),
        .done_valid      (done_valid[i]),
        .done_ready      (done_ready[i]),
        .done_error      (done_error[i]),
        .done_kind       (i == H2C ? done_kind : READ_OK),
        .status_valid    (request_status_valid[i]),
        .status_ready    (request_status_ready[i]),
        .status          (request_status[i])
    );

    qdma_merge #(
        .WIDTH($bits(status_request_t))
    ) merge_status (
        .clk,
        .rst,
        .s_valid({bad_valid[i], own_status_valid[i]}),
        .s_ready({bad_ready[i], own_status_ready[i]}),
        .s_data ({bad[i], own_status[i]}),
        .m_valid(status_valid[i]),
        .m_ready(status_ready[i]),
        .m_data (status[i])
    );
  end

  qdma_mm_h2c h2c (
      .clk,
      .rst,
      .segment_valid(segment_valid[H2C]),
      .segment_ready(segment_ready[H2C]),
      .segment      (segment[H2C]),
      .done_valid   (done_valid[H2C]),
      .done_ready   (done_ready[H2C]),
      .done_error   (done_error[H2C]),
      .done_kind,
      .request_valid(request_valid[PAYLOAD]),
      .request_ready(request_ready[PAYLOAD]),
      .request      (request[PAYLOAD]),
      .payload_valid(beat_valid[PAYLOAD]),
      .payload_ready(beat_ready[PAYLOAD]),
      .payload      (beat[PAYLOAD]),
      .payload_data (beat_data[PAYLOAD]),
      .aw_valid     (to_card.aw_valid),
      .aw_ready     (from_card.aw_ready),
      .aw           (to_card.aw),
      .w_valid      (to_card.w_valid),
      .w_ready      (from_card.w_ready),
      .w            (to_card.w),
      .b_valid      (from_card.b_valid),
      .b_ready      (to_card.b_ready),
      .b_resp       (from_card.b_resp)
  );

  qdma_mm_c2h c2h (
      .clk,
      .rst,
      .max_payload,
      .segment_valid(segment_valid[C2H]),
      .segment_ready(segment_ready[C2H]),
      .segment      (segment[C2H]),
      .done_valid   (done_valid[C2H]),
      .done_ready   (done_ready[C2H]),
      .done_error   (done_error[C2H]),
      .ar_valid     (to_card.ar_valid),
      .ar_ready     (from_card.ar_ready),
      .ar           (to_card.ar),
      .r_valid      (from_card.r_valid),
      .r_ready      (to_card.r_ready),
      .r            (from_card.r),
      .payload_valid,
      .payload_ready,
      .payload
  );

  logic unused;
  assign unused = &{1'b0, context_error, unused_status_ready, unused_status_at};
endmodule
