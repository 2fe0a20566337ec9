// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Descriptor fetch of both directions, of streams or of memory-mapped queues, with the software and hardware contexts that it
// shares with the writer of status.
//
// Latency: that of qdma_fetch.
//
// Interface: C2H is element 0 of each array, H2C element 1.  Clients of the read engine are the directions' own, so neither
// waits for the other.  C2H of streams has small batches.  Both can be asked whether batches of a queue are under way.
//
// Limits: those of qdma_fetch.
module qdma_fetch_pair
  import qdma_context_pkg::*;
  import qdma_tlp_pkg::*;
  import qdma_pkg::*;
  import qdma_read_pkg::*;
  import qdma_fetch_pkg::*;
  import qdma_bypass_pkg::*;
  import qdma_write_pkg::status_request_t;
#(
    parameter int         QUEUES      = 2048,
    parameter bit         IS_MM       = 1'b0,  // serves queues with is_mm, else those without
    parameter bit         HAS_OTHER   = 1'b0,  // another pair serves the others
    parameter int         PLACES      = 256,   // of descriptors under way, of a direction
    parameter int         C2H_BYTES   = 128,   // of a C2H batch
    parameter int         C2H_PENDING = 8,     // C2H batches of a queue that are under way
    parameter int         C2H_DEEP    = 0,     // of queues 0 to C2H_DEEP - 1 twice as many
    parameter int         LIMITED     = 1,     // H2C queues 0 to LIMITED - 1 may be blocked
    parameter logic [1:0] BYPASS      = 2'b00  // directions that serve queues with bypass, too
) (
    input logic clk,
    input logic rst,

    output logic clearing,

    input logic            [SIZES-1:0][15:0] ring_size,
    input logic            [      1:0]       enable,         // turns may begin
    input doorbell_event_t                   doorbell_event,

    // Descriptors, and what has been done with them
    output logic           [1:0] descriptor_valid,
    input  logic           [1:0] descriptor_ready,
    output descriptor_t    [1:0] descriptor,
    input  logic           [1:0] retire_valid,
    output logic           [1:0] retire_ready,
    input  retire_t        [1:0] retire,
    output context_error_t [1:0] context_error,

    // Bypass, as qdma_bypass has it
    input  logic         [1:0] bypass_room,
    output places_t      [1:0] bypass_reserve,
    output bypass_note_t [1:0] bypass_note,
    output logic         [1:0] goes_on,
    output places_t      [1:0] descriptor_places,

    // H2C queues that are not to be fetched now
    input logic [LIMITED-1:0] h2c_blocked,

    // Whether batches of a queue are under way
    input  logic   [1:0] query_valid,
    output logic   [1:0] query_ready,
    input  index_t [1:0] query_qid,
    output logic   [1:0] query_done,
    output logic   [1:0] query_pending,
    input  logic   [1:0] stopping,       // query_qid is being stopped

    // Memory-mapped: whether another queue waits beside the one that is served
    input  index_t [1:0] served_qid,
    output logic   [1:0] others_wait,

    // Queues that are stopped, for a cycle; the status of those whose context is bad
    output descriptor_error_t [1:0] error,
    output logic              [1:0] bad_valid,
    input  logic              [1:0] bad_ready,
    output status_request_t   [1:0] bad,

    // Clients of qdma_read
    output logic          [1:0] read_valid,
    input  logic          [1:0] read_ready,
    output read_request_t [1:0] read,
    input  logic          [1:0] beat_valid,
    output logic          [1:0] beat_ready,
    input  read_beat_t    [1:0] beat,
    input  beat_t         [1:0] beat_data,

    // The writer of status, which sees the words of the software contexts itself
    input  logic   [1:0] status_valid,
    output logic   [1:0] status_ready,
    input  index_t       status_index,
    output logic   [1:0] status_at,
    input  logic         status_write,
    input  words_t       status_next,

    // Contexts
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
  // The contract does not publish what sub-types there are: here it is the bit of the kind in GLBL_DSC_ERR_STS.
  function automatic logic [3:0] sub_type(input read_error_e read_error, input logic err_dsc);
    case (read_error)
      READ_UNSUPPORTED, READ_ABORTED: return 4'(DSC_UR_CA);
      READ_POISONED: return 4'(DSC_POISON);
      READ_TIMEOUT: return 4'(DSC_TIMEOUT);
      READ_MISMATCH: return 4'(DSC_BCNT);
      default: return err_dsc ? 4'(DSC_PARAM) : '0;
    endcase
  endfunction

  logic [1:0] fetch_clearing;
  assign clearing = |fetch_clearing;

  for (genvar i = C2H; i <= H2C; i++) begin : gen_directions
    logic own_valid, own_ready, own_at, own_write;
    index_t own_index;
    sw_context_t own_next;
    hw_context_t own_hw_next;
    qdma_fetch #(
        .QUEUES   (QUEUES),
        .IS_C2H   (i == C2H),
        .IS_MM    (IS_MM),
        .HAS_OTHER(HAS_OTHER),
        .DSC_SIZES(IS_MM ? 4'b0100 : i == C2H ? 4'b0001 : 4'b0010),  // 32 bytes; of a stream 8, 16
        .PLACES   (PLACES),
        .BYTES    (i == C2H ? C2H_BYTES : BATCH_BYTES),
        .PENDING  (i == C2H ? C2H_PENDING : MAX_PENDING),
        .DEEP     (i == C2H ? C2H_DEEP : 0),
        .LIMITED  (LIMITED),
        .BYPASS   (BYPASS[i])
    ) fetch (
        .clk,
        .rst,
        .clearing         (fetch_clearing[i]),
        .ring_size,
        .enable           (enable[i]),
        .blocked          (i == H2C ? h2c_blocked : '0),
        .event_valid      (doorbell_event.valid & (doorbell_event.kind == (i == C2H ? DOORBELL_C2H : DOORBELL_H2C))),
        .event_qid        (doorbell_event.qid),
        .descriptor_valid (descriptor_valid[i]),
        .descriptor_ready (descriptor_ready[i]),
        .descriptor       (descriptor[i]),
        .retire_valid     (retire_valid[i]),
        .retire_ready     (retire_ready[i]),
        .retire           (retire[i]),
        .context_error    (context_error[i]),
        .bypass_room      (bypass_room[i]),
        .bypass_reserve   (bypass_reserve[i]),
        .bypass_note      (bypass_note[i]),
        .goes_on          (goes_on[i]),
        .descriptor_places(descriptor_places[i]),
        .query_valid      (query_valid[i]),
        .query_ready      (query_ready[i]),
        .query_qid        (query_qid[i]),
        .query_done       (query_done[i]),
        .query_pending    (query_pending[i]),
        .stopping         (stopping[i]),
        .served_qid       (served_qid[i]),
        .others_wait      (others_wait[i]),
        .status_valid     (bad_valid[i]),
        .status_ready     (bad_ready[i]),
        .status           (bad[i]),
        .read_valid       (read_valid[i]),
        .read_ready       (read_ready[i]),
        .read             (read[i]),
        .beat_valid       (beat_valid[i]),
        .beat_ready       (beat_ready[i]),
        .beat             (beat[i]),
        .beat_data        (beat_data[i]),
        .sw_valid         (own_valid),
        .sw_ready         (own_ready),
        .sw_at            (own_at),
        .sw_word          (sw_context_t'(sw_word[i])),
        .sw_write         (own_write),
        .sw_next          (own_next),
        .hw_valid         (hw_valid[i]),
        .hw_ready         (hw_ready[i]),
        .hw_at            (hw_at[i]),
        .hw_word          (hw_word[i][$bits(hw_context_t)-1:0]),
        .hw_write         (hw_write[i]),
        .hw_next          (own_hw_next),
        .store_index      (own_index)
    );
    assign hw_index[i] = own_index;
    assign hw_next[i]  = words_t'(own_hw_next);

    qdma_context_share #(
        .ENGINES(2)
    ) share (
        .clk,
        .rst,
        .engine_valid({status_valid[i], own_valid}),
        .engine_ready({status_ready[i], own_ready}),
        .engine_index({status_index, own_index}),
        .engine_at   ({status_at[i], own_at}),
        .engine_write({status_write, own_write}),
        .engine_next ({status_next, words_t'(own_next)}),
        .valid       (sw_valid[i]),
        .ready       (sw_ready[i]),
        .index       (sw_index[i]),
        .at          (sw_at[i]),
        .write       (sw_write[i]),
        .next        (sw_next[i])
    );

    // The fetch does one thing at a time: it accepts no batch while it reports a context.
    logic retires;
    assign retires = retire_valid[i] & retire_ready[i];
    assign error[i] = '{
            dsc: context_error[i].valid | (retires & retire[i].err_dsc),
            dma: retires & retire[i].err_dma,
            sub_type: context_error[i].valid ? 4'(DSC_PARAM) : sub_type(retire[i].read_error, retire[i].err_dsc),
            cidx: context_error[i].valid ? context_error[i].cidx : retire[i].index,
            qid: context_error[i].valid ? context_error[i].qid : retire[i].qid
        };
`ifndef SYNTHESIS
    one_error :
    assert property (@(posedge clk) disable iff (rst) context_error[i].valid |-> !retires);
`endif
  end

  logic unused;
  assign unused = &{1'b0, hw_word};
endmodule
