// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// All that writes to the host: payload, completion rings, status of descriptor rings, interrupts, MSI-X.
//
// Latency and interface: those of the blocks.  payload is the client of the C2H engine.  Context ports are in the order of
// qdma_context_pkg; only those of the software contexts, completion rings and interrupt rings are used.  clearing is high
// after a reset: nothing is accepted, and nothing may be pushed.
//
// Operation: status comes from both directions, and is written for descriptor rings and completion rings.  Each pair takes
// turns.
module qdma_write_path
  import qdma_context_pkg::*;
  import qdma_tlp_pkg::*;
  import qdma_pkg::*;
  import qdma_write_pkg::*;
#(
    parameter int QUEUES = 2048,
    parameter int SLOTS = 128,
    parameter int TIMER_LANES = 128,
    parameter int PFS = 4,
    parameter int VFS = 252,
    parameter bit MM = 1'b0,  // memory-mapped transfers are there
    parameter bit INLINE = 1'b0  // C2H packets may go into their entries
) (
    input logic clk,
    input logic rst,

    output logic clearing,
    output logic timers_armed, // as qdma_timer_wheel has it

    // Configuration of the functions: bus master, MSI-X enable, MSI-X function mask
    input logic [255:0] master_enable,
    input logic [255:0] msix_enable,
    input logic [255:0] msix_mask,

    // CSRs
    input logic                [SIZES-1:0][15:0] ring_size,
    input completion_setting_t                   setting,

    // Doorbells; commands on completion contexts
    input doorbell_event_t doorbell_event,
    input logic            command_valid,
    input index_t          command_qid,

    // C2H engine: payload, room, entries
    input  logic        payload_valid,
    output logic        payload_ready,
    input  write_beat_t payload,
    input  logic        reserve_valid,
    output logic        reserve_ready,
    input  index_t      reserve_qid,
    input  logic        reserve_wide,
    output logic        answer_valid,
    output room_e       answer,
    output logic        room_event,
    output index_t      room_qid,
    input  logic        post_valid,
    output logic        post_ready,
    input  entry_t      post,

    // Status of descriptor rings, C2H in 0, H2C in 1
    input  logic                  [1:0] request_valid,
    output logic                  [1:0] request_ready,
    input  status_request_t       [1:0] request,
    output logic                        status_is_idle,  // the writer of descriptor rings' status has nothing
    output qdma_watch_pkg::step_t [1:0] written,         // for a cycle

    // Error interrupt
    input  logic             error_interrupt_valid,
    output logic             error_interrupt_ready,
    input  error_interrupt_t error_interrupt,

    // A function that is being reset
    input  logic      reset_active,
    input  function_t reset_func,
    input  logic      drains_causes,
    output logic      causes_drained,

    // Interrupts of the mailbox
    input  logic        mailbox_interrupt_valid,
    output logic        mailbox_interrupt_ready,
    input  msi_vector_t mailbox_interrupt,

    // Interrupts of the user
    input  logic        user_irq_valid,
    input  msi_vector_t user_irq,
    output logic        user_irq_ack,
    output logic        user_irq_fail,

    // Legacy interrupt
    input  logic               legacy_enable,
    input  logic [MAX_PFS-1:0] legacy_clear,
    output logic [MAX_PFS-1:0] legacy_pending,
    output logic [MAX_PFS-1:0] intx,

    // MSI-X table and pending bits
    input  logic                access_valid,
    output logic                access_ready,
    input  msix_access_t        access,
    output logic                access_done,
    output logic         [31:0] read_data,

    // To the host
    output logic        posted_valid,
    input  logic        posted_ready,
    output write_beat_t posted,
    output logic        posted_is_idle,  // nothing waits, and the channel would accept
    output logic        posted_moves,    // in the cycle before, the oldest beat has left the arbiter

    // Errors, for a cycle, and statistics
    output ring_error_t  [WRITE_RING_ERRORS-1:0] ring_error,
    output write_stats_t                         stats,

    // Contexts: software C2H, software H2C, completion, interrupt
    output logic   [1:0] sw_valid,
    input  logic   [1:0] sw_ready,
    output index_t       sw_index,
    input  logic   [1:0] sw_at,
    input  words_t [1:0] sw_word,
    output logic         sw_write,
    output words_t       sw_next,
    output logic         completion_context_valid,
    input  logic         completion_context_ready,
    output index_t       completion_context_index,
    input  logic         completion_context_at,
    input  words_t       completion_context_word,
    output logic         completion_context_write,
    output words_t       completion_context_next,
    output logic         ring_valid,
    input  logic         ring_ready,
    output index_t       ring_index,
    input  logic         ring_at,
    input  words_t       ring_word,
    output logic         ring_write,
    output words_t       ring_next
);
  localparam int FUNCTIONS = MAX_PFS + VFS;

  logic completion_clearing, interrupt_clearing, status_clearing;
  assign clearing = completion_clearing | interrupt_clearing | status_clearing;

  logic [CLIENTS-1:0] client_valid, client_ready;
  write_beat_t [CLIENTS-1:0] client;
  logic dropped;
  function_t dropped_func;
  logic [31:0] stat_dropped_q;
  // Nothing of a function that is being reset
  logic [255:0] allowed_q;
  always_ff @(posedge clk) begin
    for (int i = 0; i < 256; i++) allowed_q[i] <= master_enable[i] & ~(reset_active & (reset_func == function_t'(i)));
  end
  assign client_valid[CLIENT_PAYLOAD] = payload_valid;
  assign client[CLIENT_PAYLOAD]       = payload;
  assign payload_ready                = client_ready[CLIENT_PAYLOAD];
  qdma_write_arbiter arbiter (
      .clk,
      .rst,
      .master_enable(allowed_q),
      .client_valid,
      .client_ready,
      .client,
      .posted_valid,
      .posted_ready,
      .posted,
      .is_idle(posted_is_idle),
      .moves(posted_moves),
      .dropped,
      .dropped_func
  );
  always_ff @(posedge clk) begin
    if (dropped) stat_dropped_q <= stat_dropped_q + 1'b1;
    if (rst) stat_dropped_q <= '0;
  end
  assign stats.dropped = stat_dropped_q;

  // --- Completion rings and descriptor rings have a status each; one waits for the other.
  logic [1:0] status_valid, status_ready, cause_valid, cause_ready;
  write_beat_t [1:0] status;
  interrupt_cause_t [1:0] cause;
  qdma_merge #(
      .WIDTH($bits(write_beat_t))
  ) merge_status (
      .clk,
      .rst,
      .s_valid(status_valid),
      .s_ready(status_ready),
      .s_data (status),
      .m_valid(client_valid[CLIENT_STATUS]),
      .m_ready(client_ready[CLIENT_STATUS]),
      .m_data (client[CLIENT_STATUS])
  );

  logic refused_valid, refused_full, cidx_error, stat_full_end;
  index_t refused_qid, cidx_error_qid, stat_full_end_qid, answer_qid;
  logic [31:0] stat_full_end_cycles;
  qdma_completion #(
      .QUEUES     (QUEUES),
      .SLOTS      (SLOTS),
      .TIMER_LANES(TIMER_LANES),
      .INLINE     (INLINE)
  ) completions (
      .clk,
      .rst,
      .clearing        (completion_clearing),
      .timers_armed,
      .ring_size,
      .count_threshold (setting.count_threshold),
      .timer_ticks     (setting.timer_ticks),
      .tick_cycles     (setting.tick_cycles),
      .coalesce_cycles (setting.coalesce_cycles),
      .colour_place    (setting.colour_place),
      .error_place     (setting.error_place),
      .doorbell_event,
      .command_valid,
      .command_qid,
      .reserve_valid,
      .reserve_ready,
      .reserve_qid,
      .reserve_wide,
      .answer_valid,
      .answer_qid,
      .answer,
      .room_event,
      .room_qid,
      .post_valid,
      .post_ready,
      .post,
      .channel_is_idle (posted_is_idle),
      .completion_valid(client_valid[CLIENT_COMPLETION]),
      .completion_ready(client_ready[CLIENT_COMPLETION]),
      .completion      (client[CLIENT_COMPLETION]),
      .status_valid    (status_valid[0]),
      .status_ready    (status_ready[0]),
      .status          (status[0]),
      .cause_valid     (cause_valid[0]),
      .cause_ready     (cause_ready[0]),
      .cause           (cause[0]),
      .refused_valid,
      .refused_qid,
      .refused_full,
      .cidx_error,
      .cidx_error_qid,
      .stat_refused    (stats.refused),
      .stat_discarded  (stats.discarded),
      .stat_full_cycles(stats.full_cycles),
      .stat_full_end,
      .stat_full_end_qid,
      .stat_full_end_cycles,
      .context_valid   (completion_context_valid),
      .context_ready   (completion_context_ready),
      .context_index   (completion_context_index),
      .context_at      (completion_context_at),
      .context_word    (completion_context_word),
      .context_write   (completion_context_write),
      .context_next    (completion_context_next)
  );

  logic request_to_valid, request_to_ready;
  status_request_t request_to;
  qdma_merge #(
      .WIDTH($bits(status_request_t))
  ) merge_requests (
      .clk,
      .rst,
      .s_valid(request_valid),
      .s_ready(request_ready),
      .s_data (request),
      .m_valid(request_to_valid),
      .m_ready(request_to_ready),
      .m_data (request_to)
  );
  qdma_descriptor_status #(
      .QUEUES(QUEUES),
      .MM    (MM)
  ) descriptor_status (
      .clk,
      .rst,
      .clearing                (status_clearing),
      .ring_size,
      .is_idle                 (status_is_idle),
      .request_valid           (request_to_valid),
      .request_ready           (request_to_ready),
      .request_qid             (request_to.qid),
      .request_is_c2h          (request_to.is_c2h),
      .request_cidx            (request_to.cidx),
      .request_pidx            (request_to.pidx),
      .request_bypass          (request_to.is_bypass),
      .request_error_descriptor(request_to.err_dsc),
      .request_error_dma       (request_to.err_dma),
      .request_interrupt       (request_to.wants_interrupt),
      .doorbell_event,
      .write_valid             (status_valid[1]),
      .write_ready             (status_ready[1]),
      .write                   (status[1]),
      .written,
      .cause_valid             (cause_valid[1]),
      .cause_ready             (cause_ready[1]),
      .cause                   (cause[1]),
      .context_valid           (sw_valid),
      .context_ready           (sw_ready),
      .context_index           (sw_index),
      .context_at              (sw_at),
      .context_word            (sw_word),
      .context_write           (sw_write),
      .context_next            (sw_next)
  );

  logic vector_valid, vector_ready, message_valid, message_ready, lost, no_vector;
  index_t lost_qid;
  function_t message_func;
  msi_vector_t vector;
  logic [63:0] message_addr;
  logic [31:0] message_data;
  qdma_interrupt #(
      .QUEUES(QUEUES)
  ) interrupts (
      .clk,
      .rst,
      .clearing      (interrupt_clearing),
      .cause_valid,
      .cause_ready,
      .cause,
      .error_valid   (error_interrupt_valid),
      .error_ready   (error_interrupt_ready),
      .error         (error_interrupt),
      .doorbell_event,
      .reset_active,
      .reset_func,
      .drains_causes,
      .causes_drained,
      .request_valid (vector_valid),
      .request_ready (vector_ready),
      .request_func  (vector.func),
      .request_vector(vector.vector),
      .message_valid,
      .message_ready,
      .message_func,
      .message_addr,
      .message_data,
      .write_valid   (client_valid[CLIENT_INTERRUPT]),
      .write_ready   (client_ready[CLIENT_INTERRUPT]),
      .write         (client[CLIENT_INTERRUPT]),
      .lost,
      .lost_qid,
      .stat_lost     (stats.lost),
      .context_valid (ring_valid),
      .context_ready (ring_ready),
      .context_index (ring_index),
      .context_at    (ring_at),
      .context_word  (ring_word),
      .context_write (ring_write),
      .context_next  (ring_next)
  );

  qdma_vectors #(
      .PFS(PFS),
      .VFS(VFS)
  ) vectors (
      .clk,
      .rst,
      .is_enabled      (msix_enable[FUNCTIONS-1:0]),
      .is_masked       (msix_mask[FUNCTIONS-1:0]),
      .may_write       (allowed_q[FUNCTIONS-1:0]),
      .request_valid   (vector_valid),
      .request_ready   (vector_ready),
      .request         (vector),
      .mailbox_valid   (mailbox_interrupt_valid),
      .mailbox_ready   (mailbox_interrupt_ready),
      .mailbox_vector  (mailbox_interrupt),
      .user_valid      (user_irq_valid),
      .user_vector     (user_irq),
      .user_ack        (user_irq_ack),
      .user_fail       (user_irq_fail),
      .legacy_enable,
      .legacy_clear,
      .legacy_pending,
      .intx,
      .posted_is_idle,
      .posted_moves,
      .reset_active,
      .reset_func,
      .access_valid,
      .access_ready,
      .access,
      .access_done,
      .read_data,
      .message_valid,
      .message_ready,
      .message_func,
      .message_addr,
      .message_data,
      .lost            (no_vector),
      .stat_user_failed(stats.user_failed)
  );

  // --- Errors.  Of the rings: an operation is refused or has a bad CIDX, not both.
  assign ring_error[0] = '{
          bad_cidx: cidx_error,
          is_full: refused_valid & refused_full,
          invalid_queue: refused_valid & ~refused_full,
          qid: cidx_error ? cidx_error_qid : refused_qid,
          default: '0
      };
  assign ring_error[1] = '{no_interrupt: lost | no_vector, qid: lost_qid, default: '0};

  logic unused;
  assign unused = &{1'b0, msix_enable, msix_mask, dropped_func, request_to, stat_full_end, stat_full_end_qid,
      stat_full_end_cycles, answer_qid};
endmodule
