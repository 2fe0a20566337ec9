// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Descriptor fetch of one direction: doorbells to descriptors, in batches, in order within a queue, fair over queues.
//
// Latency: a doorbell event of an idle queue is a read request 7 cycles later; a line of descriptors is the first of them
// 1 cycle later, and then one in each cycle.
//
// Interface: retire returns each batch once all of it has been used or dropped, in any order.  is_end marks the
// descriptor for which a retire is pending.  The read engine's client of this direction is used by nothing else, so
// directions do not wait for each other.  After a reset, `clearing` is high for QUEUES cycles; no event may come meanwhile.
//
// Operation: qdma_active says whose turn it is, qdma_fetch_turn reads the next batch of its ring while there are places for
// it, qdma_unpack takes the lines apart.  A place is held from the read on until the descriptor is accepted.  Several
// batches of a queue can be under way, so that one queue alone uses all PLACES; the turns go round, so that no queue waits
// for more than a batch of each of the others.
module qdma_fetch
  import qdma_context_pkg::*;
  import qdma_pkg::*;
  import qdma_tlp_pkg::*;
  import qdma_read_pkg::*;
  import qdma_fetch_pkg::*;
  import qdma_bypass_pkg::*;
  import qdma_write_pkg::status_request_t;
#(
    parameter int QUEUES = 2048,
    parameter bit IS_C2H = 1'b0,
    parameter bit IS_MM = 1'b0,  // serves queues with is_mm, else those without
    parameter bit HAS_OTHER = 1'b0,  // another fetch of this direction serves the others
    parameter logic [3:0] DSC_SIZES = 4'b0111,  // a bit for each dsc_sz that is served
    parameter int PLACES = 256,  // of descriptors, at least a batch
    parameter int BYTES = BATCH_BYTES,  // of a batch, at most: 64 to BATCH_BYTES
    parameter int PENDING = MAX_PENDING,  // batches of a queue that are under way, at most
    parameter int DEEP = 0,  // of queues 0 to DEEP - 1 twice as many
    parameter int LIMITED = 1,  // queues 0 to LIMITED - 1 may be blocked
    parameter bit BYPASS = 1'b0  // serves queues with bypass, too
) (
    input logic clk,
    input logic rst,

    output logic clearing,

    input logic [SIZES-1:0][15:0] ring_size,
    input logic                   enable,     // turns may begin

    // A doorbell of this direction
    input logic   event_valid,
    input index_t event_qid,

    // Queues that are not to be fetched now
    input logic [LIMITED-1:0] blocked,

    // Descriptors, and what has been done with them
    output logic        descriptor_valid,
    input  logic        descriptor_ready,
    output descriptor_t descriptor,
    input  logic        retire_valid,
    output logic        retire_ready,
    input  retire_t     retire,

    output context_error_t context_error,

    // Bypass, as qdma_bypass has it
    input  logic         bypass_room,
    output places_t      bypass_reserve,
    output bypass_note_t bypass_note,
    output logic         goes_on,
    output places_t      descriptor_places, // that are free with the descriptor

    // Whether batches of a queue are under way: query has valid and ready, the answer is query_pending with query_done
    input  logic   query_valid,
    output logic   query_ready,
    input  index_t query_qid,
    output logic   query_done,
    output logic   query_pending,
    input  logic   stopping,       // query_qid is being stopped

    // Memory-mapped: whether another queue waits for its turn beside the one that is served
    input  index_t served_qid,
    output logic   others_wait,

    // Status of a queue that was stopped because of its context
    output logic            status_valid,
    input  logic            status_ready,
    output status_request_t status,

    // Client of qdma_read
    output logic          read_valid,
    input  logic          read_ready,
    output read_request_t read,
    input  logic          beat_valid,
    output logic          beat_ready,
    input  read_beat_t    beat,
    input  beat_t         beat_data,

    // Software and hardware context of this direction, as qdma_context_ram has them
    output logic        sw_valid,
    input  logic        sw_ready,
    input  logic        sw_at,
    input  sw_context_t sw_word,
    output logic        sw_write,
    output sw_context_t sw_next,
    output logic        hw_valid,
    input  logic        hw_ready,
    input  logic        hw_at,
    input  hw_context_t hw_word,
    output logic        hw_write,
    output hw_context_t hw_next,
    output index_t      store_index
);
  localparam int QID_BITS = $clog2(QUEUES);
  localparam int PLACE_BITS = $clog2(PLACES) + 1;
  typedef logic [PLACE_BITS-1:0] pool_t;

  logic
      active_valid,
      active_more,
      active_take,
      again_valid,
      again_ready,
      turn_again_valid,
      turn_again_ready,
      turn_valid,
      turn_ready;
  logic may_start, starts, unused_valid, done;
  logic [QID_BITS-1:0] turn_qid, again_qid;
  index_t turn_again_qid;
  places_t unused_places, done_places;
  qdma_active #(
      .QUEUES(QUEUES)
  ) active (
      .clk,
      .rst,
      .clearing,
      .event_valid,
      .event_qid(QID_BITS'(event_qid)),
      .again_valid,
      .again_ready,
      .again_qid,
      .valid    (active_valid),
      .qid      (turn_qid),
      .more     (active_more),
      .take     (active_take)
  );

  qdma_fetch_park #(
      .QUEUES (QUEUES),
      .LIMITED(LIMITED)
  ) park (
      .clk,
      .rst,
      .blocked,
      .active_valid,
      .active_qid    (turn_qid),
      .active_take,
      .turn_valid,
      .turn_ready,
      .turn_again_valid,
      .turn_again_ready,
      .turn_again_qid(QID_BITS'(turn_again_qid)),
      .again_valid,
      .again_ready,
      .again_qid
  );

  qdma_fetch_turn #(
      .IS_C2H   (IS_C2H),
      .IS_MM    (IS_MM),
      .HAS_OTHER(HAS_OTHER),
      .DSC_SIZES(DSC_SIZES),
      .BYTES    (BYTES),
      .PENDING  (PENDING),
      .DEEP     (DEEP),
      .BYPASS   (BYPASS)
  ) turn (
      .clk,
      .rst,
      .ring_size,
      .turn_valid,
      .turn_ready,
      .turn_qid(index_t'(turn_qid)),
      .may_start(may_start & enable),
      .starts,
      .unused_valid,
      .unused_places,
      .retire_valid,
      .retire_ready,
      .retire,
      .query_valid,
      .query_ready,
      .query_qid,
      .query_done,
      .query_pending,
      .stopping,
      .status_valid,
      .status_ready,
      .status,
      .again_valid(turn_again_valid),
      .again_ready(turn_again_ready),
      .again_qid(turn_again_qid),
      .read_valid,
      .read_ready,
      .read,
      .context_error,
      .bypass_room,
      .bypass_reserve,
      .bypass_note,
      .goes_on,
      .sw_valid,
      .sw_ready,
      .sw_at,
      .sw_word,
      .sw_write,
      .sw_next,
      .hw_valid,
      .hw_ready,
      .hw_at,
      .hw_word,
      .hw_write,
      .hw_next,
      .store_index
  );

  if (IS_MM) begin : gen_others
    logic   waits;
    batch_t read_batch;
    assign read_batch  = batch_t'(read.cookie[$bits(batch_t)-1:0]);
    // Nobody has a turn while they are not enabled: then the one that is served goes on.
    assign others_wait = waits & enable;
    qdma_fetch_others #(
        .BATCHES(PLACES)
    ) others (
        .clk,
        .rst,
        .active_valid,
        .active_qid  (index_t'(turn_qid)),
        .more_active (active_more),
        .batch_begins(read_valid & read_ready & ~(BYPASS & (read_batch.ring_most == '0))),
        .batch_qid   (read_batch.qid),
        .batch_ends  (retire_valid & retire_ready & ~(BYPASS & (retire.kind != RETIRE_BATCH))),
        .served_qid,
        .waits
    );
    logic unused_batch;
    assign unused_batch = &{1'b0, read_batch};
  end else begin : gen_alone
    assign others_wait = 1'b0;
    logic unused_served;
    assign unused_served = &{1'b0, served_qid, active_more};
  end

  qdma_unpack #(
      .BYPASS(BYPASS)
  ) unpack (
      .clk,
      .rst,
      .beat_valid,
      .beat_ready,
      .beat,
      .beat_data,
      .descriptor_valid,
      .descriptor_ready,
      .descriptor,
      .done,
      .done_places
  );

  assign descriptor_places = done_places;

  // --- Places that are free.  What becomes free is counted a cycle later.
  pool_t places_q, given_q;
  assign may_start = places_q >= pool_t'(BYTES / 8);
  always_ff @(posedge clk) begin
    given_q  <= (unused_valid ? pool_t'(unused_places) : '0) + (done ? pool_t'(done_places) : '0);
    places_q <= places_q + given_q - (starts ? pool_t'(BYTES / 8) : '0);
    if (rst) begin
      places_q <= pool_t'(PLACES);
      given_q  <= '0;
    end
  end

  logic unused;
  assign unused = &{1'b0, event_qid, turn_again_qid};
endmodule
