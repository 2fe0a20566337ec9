// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Joins BAR 0, the read path and the write path.  qdma.sv is the same with flat ports.
//
// Latency: that of the blocks; the joints add none.
//
// Interface: TLPs as qdma_tlp_pkg has them.  After a reset no TLP to the BARs is accepted until all RAMs are cleared, some
// 2 * QUEUES cycles; nothing may be posted meanwhile.
//
// Operation: each kind of context has one port for engines.  qdma_context_share lets the fetch and the writer of status use
// that of the software contexts.
//
// Limits: the C2H engine is absent: its entries come from a port, and no payload is written.  ../README.md has the rest.
module qdma_core
  import qdma_context_pkg::*;
  import qdma_tlp_pkg::*;
  import qdma_pkg::*;
  import qdma_h2c_pkg::*;
  import qdma_read_pkg::read_stats_t;
  import qdma_write_pkg::*;
#(
    parameter int QUEUES = 2048,
    parameter int PFS = 4,
    parameter int VFS = 252,
    parameter int CREDIT_BITS = 10
) (
    input logic clk,
    input logic rst,

    output logic clearing,

    // PCIe's configuration: 128 << n bytes; lines of completions that the PCIe block holds; a bit a function
    input logic [            2:0] max_payload,
    input logic [            2:0] max_read_request,
    input logic [CREDIT_BITS-1:0] credit_limit,
    input logic [          255:0] master_enable,
    input logic [          255:0] msix_enable,
    input logic [          255:0] msix_mask,

    // TLPs to our BARs, and their answers
    input  logic               request_valid,
    output logic               request_ready,
    input  target_request_t    request,
    input  beat_t              request_data,
    input  logic               request_last,
    output logic               answer_valid,
    input  logic               answer_ready,
    output target_completion_t answer,
    output beat_t              answer_data,

    // To the host: writes, reads, and the completions of reads
    output logic        posted_valid,
    input  logic        posted_ready,
    output write_beat_t posted,
    output logic        read_valid,
    input  logic        read_ready,
    output read_t       read,
    input  logic        completion_valid,
    input  completion_t completion,
    input  beat_t       completion_data,
    input  logic        completion_last,

    // H2C packets
    output logic      packet_valid,
    input  logic      packet_ready,
    output h2c_beat_t packet,
    output beat_t     packet_data,

    // Entries of completion rings: a place is reserved, then the entry posted
    input  logic   reserve_valid,
    output logic   reserve_ready,
    input  index_t reserve_qid,
    output logic   room_valid,
    output index_t room_qid,
    output room_e  room,
    output logic   room_event,
    output index_t room_event_qid,
    input  logic   post_valid,
    output logic   post_ready,
    input  entry_t post,

    output read_stats_t  read_stats,
    output write_stats_t write_stats
);
  // --- BAR 0
  logic [STORES-1:0] engine_valid, engine_ready, engine_at, engine_write;
  index_t [STORES-1:0] engine_index;
  words_t [STORES-1:0] engine_word, engine_next;
  logic [SIZES-1:0][15:0] ring_size;
  completion_setting_t setting;
  doorbell_event_t doorbell_event;
  logic command_event, error_interrupt_valid, error_interrupt_ready, msix_valid, msix_ready, msix_done;
  logic read_clearing, write_clearing;
  index_t command_qid;
  error_interrupt_t error_interrupt;
  msix_access_t msix;
  logic [31:0] msix_read_data;
  descriptor_error_t descriptor_error;
  ring_error_t [ENGINE_RING_ERRORS-1:0] ring_error;
  assign clearing = read_clearing | write_clearing;
  qdma_control #(
      .QUEUES(QUEUES),
      .PFS   (PFS),
      .VFS   (VFS)
  ) control (
      .clk,
      .rst,
      .max_payload,
      .max_read_request,
      .request_valid,
      .request_ready,
      .request,
      .request_data,
      .request_last,
      .completion_valid  (answer_valid),
      .completion_ready  (answer_ready),
      .completion        (answer),
      .completion_data   (answer_data),
      .engines_clearing  (clearing),
      .ring_size,
      .completion_setting(setting),
      .doorbell_event,
      .command_event,
      .command_qid,
      .msix_valid,
      .msix_ready,
      .msix,
      .msix_done,
      .msix_read_data,
      .descriptor_error,
      .ring_error,
      .engine_valid,
      .engine_ready,
      .engine_index,
      .engine_at,
      .engine_word,
      .engine_write,
      .engine_next,
      .error_interrupt_valid,
      .error_interrupt_ready,
      .error_interrupt
  );

  // --- H2C
  logic status_valid, status_ready, fetch_sw_valid, fetch_sw_ready, fetch_sw_at, fetch_sw_write;
  status_request_t status;
  index_t fetch_index;
  words_t fetch_sw_next;
  qdma_read_path #(
      .QUEUES     (QUEUES),
      .CREDIT_BITS(CREDIT_BITS)
  ) read_path (
      .clk,
      .rst,
      .clearing   (read_clearing),
      .ring_size,
      .max_read_request,
      .credit_limit,
      .event_valid(doorbell_event.valid & (doorbell_event.kind == DOORBELL_H2C)),
      .event_qid  (doorbell_event.qid),
      .packet_valid,
      .packet_ready,
      .packet,
      .packet_data,
      .status_valid,
      .status_ready,
      .status,
      .error      (descriptor_error),
      .read_valid,
      .read_ready,
      .read,
      .completion_valid,
      .completion,
      .completion_data,
      .completion_last,
      .stats      (read_stats),
      .sw_valid   (fetch_sw_valid),
      .sw_ready   (fetch_sw_ready),
      .sw_at      (fetch_sw_at),
      .sw_word    (engine_word[SEL_SW_H2C]),
      .sw_write   (fetch_sw_write),
      .sw_next    (fetch_sw_next),
      .hw_valid   (engine_valid[SEL_HW_H2C]),
      .hw_ready   (engine_ready[SEL_HW_H2C]),
      .hw_at      (engine_at[SEL_HW_H2C]),
      .hw_word    (engine_word[SEL_HW_H2C]),
      .hw_write   (engine_write[SEL_HW_H2C]),
      .hw_next    (engine_next[SEL_HW_H2C]),
      .store_index(fetch_index)
  );
  assign engine_index[SEL_HW_H2C] = fetch_index;

  // --- Writes
  logic [1:0] status_sw_valid, status_sw_ready, status_sw_at;
  logic   status_sw_write;
  index_t status_index;
  words_t status_sw_next;
  logic   payload_ready;
  localparam int TIMER_STEPS = 16;  // of the wheel: less than the default tick of 25 cycles
  qdma_write_path #(
      .QUEUES     (QUEUES),
      .TIMER_LANES(QUEUES < 2 * TIMER_STEPS ? 2 : QUEUES / TIMER_STEPS),
      .VFS        (VFS)
  ) write_path (
      .clk,
      .rst,
      .clearing                (write_clearing),
      .master_enable,
      .msix_enable,
      .msix_mask,
      .ring_size,
      .setting,
      .doorbell_event,
      .command_valid           (command_event),
      .command_qid,
      .payload_valid           (1'b0),
      .payload_ready,
      .payload                 ('0),
      .reserve_valid,
      .reserve_ready,
      .reserve_qid,
      .answer_valid            (room_valid),
      .answer_qid              (room_qid),
      .answer                  (room),
      .room_event,
      .room_qid                (room_event_qid),
      .post_valid,
      .post_ready,
      .post,
      .request_valid           (status_valid),
      .request_ready           (status_ready),
      .request                 (status),
      .error_interrupt_valid,
      .error_interrupt_ready,
      .error_interrupt,
      .access_valid            (msix_valid),
      .access_ready            (msix_ready),
      .access                  (msix),
      .access_done             (msix_done),
      .read_data               (msix_read_data),
      .posted_valid,
      .posted_ready,
      .posted,
      .ring_error,
      .stats                   (write_stats),
      .sw_valid                (status_sw_valid),
      .sw_ready                (status_sw_ready),
      .sw_index                (status_index),
      .sw_at                   (status_sw_at),
      .sw_word                 ({engine_word[SEL_SW_H2C], engine_word[SEL_SW_C2H]}),
      .sw_write                (status_sw_write),
      .sw_next                 (status_sw_next),
      .completion_context_valid(engine_valid[SEL_COMPLETION]),
      .completion_context_ready(engine_ready[SEL_COMPLETION]),
      .completion_context_index(engine_index[SEL_COMPLETION]),
      .completion_context_at   (engine_at[SEL_COMPLETION]),
      .completion_context_word (engine_word[SEL_COMPLETION]),
      .completion_context_write(engine_write[SEL_COMPLETION]),
      .completion_context_next (engine_next[SEL_COMPLETION]),
      .ring_valid              (engine_valid[STORE_INTERRUPT]),
      .ring_ready              (engine_ready[STORE_INTERRUPT]),
      .ring_index              (engine_index[STORE_INTERRUPT]),
      .ring_at                 (engine_at[STORE_INTERRUPT]),
      .ring_word               (engine_word[STORE_INTERRUPT]),
      .ring_write              (engine_write[STORE_INTERRUPT]),
      .ring_next               (engine_next[STORE_INTERRUPT])
  );

  // --- Software contexts: of H2C for fetch and status, of C2H for status alone
  qdma_context_share #(
      .ENGINES(2)
  ) share (
      .clk,
      .rst,
      .engine_valid({status_sw_valid[1], fetch_sw_valid}),
      .engine_ready({status_sw_ready[1], fetch_sw_ready}),
      .engine_index({status_index, fetch_index}),
      .engine_at   ({status_sw_at[1], fetch_sw_at}),
      .engine_write({status_sw_write, fetch_sw_write}),
      .engine_next ({status_sw_next, fetch_sw_next}),
      .valid       (engine_valid[SEL_SW_H2C]),
      .ready       (engine_ready[SEL_SW_H2C]),
      .index       (engine_index[SEL_SW_H2C]),
      .at          (engine_at[SEL_SW_H2C]),
      .write       (engine_write[SEL_SW_H2C]),
      .next        (engine_next[SEL_SW_H2C])
  );
  assign engine_valid[SEL_SW_C2H] = status_sw_valid[0];
  assign engine_index[SEL_SW_C2H] = status_index;
  assign engine_write[SEL_SW_C2H] = status_sw_write;
  assign engine_next[SEL_SW_C2H] = status_sw_next;
  assign status_sw_ready[0] = engine_ready[SEL_SW_C2H];
  assign status_sw_at[0] = engine_at[SEL_SW_C2H];

  // --- Kinds that no engine uses yet
  assign {engine_valid[SEL_HW_C2H], engine_write[SEL_HW_C2H]} = '0;
  assign {engine_valid[SEL_PREFETCH], engine_write[SEL_PREFETCH]} = '0;
  assign {engine_valid[SEL_CREDIT_H2C:SEL_CREDIT_C2H], engine_write[SEL_CREDIT_H2C:SEL_CREDIT_C2H]} = '0;
  assign {engine_valid[STORE_FMAP], engine_write[STORE_FMAP]} = '0;
  assign {engine_index[SEL_HW_C2H], engine_index[SEL_PREFETCH], engine_index[STORE_FMAP]} = '0;
  assign {engine_index[SEL_CREDIT_H2C:SEL_CREDIT_C2H], engine_next[SEL_CREDIT_H2C:SEL_CREDIT_C2H]} = '0;
  assign {engine_next[SEL_HW_C2H], engine_next[SEL_PREFETCH], engine_next[STORE_FMAP]} = '0;

  logic unused;
  assign unused = &{1'b0, payload_ready, engine_ready, engine_at, engine_word};
endmodule
