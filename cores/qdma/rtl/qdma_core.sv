// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Joins BAR 0, the read path, streaming C2H, memory-mapped transfers and the write path.  qdma.sv is the same with flat ports.
//
// Latency: that of the blocks; the joints add none.
//
// Interface: TLPs as qdma_tlp_pkg has them, packets of C2H as qdma_c2h asks for them.  After a reset no TLP to the BARs is
// accepted until all RAMs are cleared, some 2 * QUEUES cycles; no packet may be asked for meanwhile.
//
// Operation: each kind of context has one port for engines.  The read path lets its fetches and the writer of status share
// those of the software contexts.  A command that disables a queue stops it (qdma_stop_queue).
//
// Limits: ../README.md says what is absent.
module qdma_core
  import qdma_context_pkg::*;
  import qdma_tlp_pkg::*;
  import qdma_pkg::*;
  import qdma_fetch_pkg::*;
  import qdma_h2c_pkg::*;
  import qdma_c2h_pkg::*;
  import qdma_read_pkg::MM_CLIENTS;
  import qdma_read_pkg::read_request_t;
  import qdma_read_pkg::read_beat_t;
  import qdma_read_pkg::read_stats_t;
  import qdma_mm_pkg::*;
  import qdma_bypass_pkg::*;
  import qdma_write_pkg::*;
  import qdma_watch_pkg::*;
#(
    parameter int QUEUES = 2048,
    parameter int PFS = 4,
    parameter int VFS = 252,
    parameter bit MM = 1'b0,  // memory-mapped transfers: else the ports of the card's memory are idle
    parameter bit BYPASS = 1'b0,  // descriptor bypass: else its ports are idle
    parameter bit INLINE = 1'b0,  // inline receive: small C2H packets may go into their entries
    parameter bit WATCHDOG = 1'b0,  // shows how far queues have got, and finds those that stand still
    parameter int VF_SHARE = (VFS + PFS - 1) / PFS,  // VFs of a PF
    parameter int C2H_DEPTH = 128,  // buffers of a C2H queue that are fetched ahead
    parameter int C2H_DEEP = QUEUES < 64 ? 0 : 64,  // the first ones have twice as many places
    parameter int CREDIT_BITS = 10,
    parameter int H2C_LIMITED = 0,  // as qdma_h2c has them
    parameter int H2C_MOST = 248,
    parameter int USER_BAR_BITS = 19  // of an address in the user BAR
) (
    input logic clk,
    input logic rst,

    output logic clearing,
    output logic timers_armed, // as qdma_timer_wheel has it, or the watchdog is armed

    // PCIe's configuration: 128 << n bytes; lines of completions that the PCIe block holds; a bit a function
    input logic [            2:0] max_payload,
    input logic [            2:0] max_read_request,
    input logic [CREDIT_BITS-1:0] credit_limit,
    input logic [          255:0] master_enable,
    input logic [          255:0] msix_enable,
    input logic [          255:0] msix_mask,

    // Function level reset: of the PCIe block, a bit a function, until flr_done names it for a cycle
    input  logic      [255:0] flr_in_process,
    output logic              flr_done,
    output function_t         flr_func,

    // Interrupts of the user: held until ack or fail
    input  logic        user_irq_valid,
    input  msi_vector_t user_irq,
    output logic        user_irq_ack,
    output logic        user_irq_fail,

    // Legacy interrupt: INTA of each PF, level
    output logic [MAX_PFS-1:0] intx,

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

    // The user BAR, AXI4-Lite; the function whose BAR it is
    output logic [ 7:0] m_axil_user_func,
    output logic [31:0] m_axil_user_awaddr,
    output logic        m_axil_user_awvalid,
    input  logic        m_axil_user_awready,
    output logic [31:0] m_axil_user_wdata,
    output logic [ 3:0] m_axil_user_wstrb,
    output logic        m_axil_user_wvalid,
    input  logic        m_axil_user_wready,
    input  logic [ 1:0] m_axil_user_bresp,
    input  logic        m_axil_user_bvalid,
    output logic        m_axil_user_bready,
    output logic [31:0] m_axil_user_araddr,
    output logic        m_axil_user_arvalid,
    input  logic        m_axil_user_arready,
    input  logic [31:0] m_axil_user_rdata,
    input  logic [ 1:0] m_axil_user_rresp,
    input  logic        m_axil_user_rvalid,
    output logic        m_axil_user_rready,
    output logic [31:0] stat_user_refused,

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
    input  room_t     [(H2C_LIMITED > 0 ? H2C_LIMITED : 1)-1:0] h2c_room,
    output logic                                                h2c_blocked,
    output logic                                                packet_valid,
    input  logic                                                packet_ready,
    output h2c_beat_t                                           packet,
    output beat_t                                               packet_data,

    // C2H packets: each is asked for, and sent when the answer is C2H_YES; `user` comes with the last beat
    input  logic              ask_valid,
    output logic              ask_ready,
    input  c2h_ask_t          ask,
    output logic              packet_answer_valid,
    output index_t            packet_answer_qid,
    output c2h_answer_e       packet_answer,
    output logic              buffer_event,
    output index_t            buffer_event_qid,
    output logic              room_event,
    output index_t            room_event_qid,
    input  logic              beat_valid,
    output logic              beat_ready,
    input  beat_t             beat_data,
    input  logic        [6:0] beat_bytes,
    input  logic              beat_last,
    input  c2h_user_t         user,
    output c2h_done_t         done,

    // Descriptors to the user and from it, of each channel
    output logic           [BYPASS_CHANNELS-1:0]       bypass_out_valid,
    input  logic           [BYPASS_CHANNELS-1:0]       bypass_out_ready,
    output bypass_out_t    [BYPASS_CHANNELS-1:0]       bypass_out,
    input  logic           [BYPASS_CHANNELS-1:0]       bypass_in_valid,
    output logic           [BYPASS_CHANNELS-1:0]       bypass_in_ready,
    input  bypass_in_t     [BYPASS_CHANNELS-1:0]       bypass_in,
    output bypass_marker_t [BYPASS_CHANNELS-1:0]       bypass_marker,
    output bypass_stop_t   [BYPASS_CHANNELS-1:0]       bypass_stop,
    output logic           [BYPASS_CHANNELS-1:0][31:0] stat_bypass_dropped,

    // The card's memory
    output axi_to_card_t   to_card,
    input  axi_from_card_t from_card,

    output read_stats_t             read_stats,
    output write_stats_t            write_stats,
    output c2h_admit_stats_t        admit_stats,
    output logic             [31:0] stat_mismatched,
    output logic             [31:0] stat_stopped
);
  qdma_limits #(
      .QUEUES       (QUEUES),
      .PFS          (PFS),
      .VFS          (VFS),
      .VF_SHARE     (VF_SHARE),
      .USER_BAR_BITS(USER_BAR_BITS),
      .H2C_LIMITED  (H2C_LIMITED),
      .H2C_MOST     (H2C_MOST)
  ) limits ();

  // --- BAR 0
  logic [STORES-1:0] engine_valid, engine_ready, engine_at, engine_write;
  index_t [STORES-1:0] engine_index;
  words_t [STORES-1:0] engine_word, engine_next;
  logic [SIZES-1:0][15:0] ring_size, buffer_size;
  completion_setting_t setting;
  logic [2:0] status_interval;
  doorbell_event_t doorbell_event;
  logic command_event, prefetch_event, error_interrupt_valid, error_interrupt_ready, msix_valid, msix_ready, msix_done;
  logic read_clearing, c2h_clearing, write_clearing, mm_clearing, status_is_idle, posted_is_idle;
  logic posted_moves;
  logic stop_valid, stop_ready, stop_is_h2c, stop_done;  // of a queue: in all engines
  logic stream_stop_valid, stream_stop_ready, stream_stop_done;  // in those of streams
  logic c2h_stop_valid, c2h_stop_ready, c2h_stop_done, h2c_stop_valid, h2c_stop_ready, h2c_stop_done;
  logic [1:0] mm_run;
  index_t command_qid, stop;
  error_interrupt_t error_interrupt;
  msix_access_t msix;
  logic [31:0] msix_read_data;
  descriptor_error_t [DESCRIPTOR_ERRORS-1:0] descriptor_error;
  logic mailbox_interrupt_valid, mailbox_interrupt_ready, reset_active, drains_causes, causes_drained;
  msi_vector_t mailbox_interrupt;
  logic legacy_enable;
  logic [MAX_PFS-1:0] legacy_clear, legacy_pending;
  ring_error_t [ENGINE_RING_ERRORS-1:0] ring_error;
  qdma_read_pkg::failed_read_t failed_read;
  step_t [2:0] doorbell_step;
  step_t [1:0] fetched, written;
  step_t issued, done_step;
  buffers_t buffers;
  watch_setting_t watch_setting;
  watch_state_t watch_state;
  assign clearing = read_clearing | c2h_clearing | write_clearing | mm_clearing;
  qdma_control #(
      .QUEUES       (QUEUES),
      .PFS          (PFS),
      .VFS          (VFS),
      .MM           (MM),
      .BYPASS       (BYPASS),
      .INLINE       (INLINE),
      .WATCHDOG     (WATCHDOG),
      .VF_SHARE     (VF_SHARE),
      .USER_BAR_BITS(USER_BAR_BITS)
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
      .completion_valid        (answer_valid),
      .completion_ready        (answer_ready),
      .completion              (answer),
      .completion_data         (answer_data),
      .engines_clearing        (clearing),
      .ring_size,
      .buffer_size,
      .completion_setting      (setting),
      .status_interval,
      .mm_run,
      .doorbell_event,
      .command_event,
      .prefetch_event,
      .command_qid,
      .stop_valid,
      .stop_ready,
      .stop_is_h2c,
      .stop,
      .stop_done,
      .status_is_idle,
      .posted_is_idle,
      .posted_moves,
      .flr_in_process,
      .flr_done,
      .reset_active,
      .reset_func              (flr_func),
      .drains_causes,
      .causes_drained,
      .m_axil_user_func,
      .m_axil_user_awaddr,
      .m_axil_user_awvalid,
      .m_axil_user_awready,
      .m_axil_user_wdata,
      .m_axil_user_wstrb,
      .m_axil_user_wvalid,
      .m_axil_user_wready,
      .m_axil_user_bresp,
      .m_axil_user_bvalid,
      .m_axil_user_bready,
      .m_axil_user_araddr,
      .m_axil_user_arvalid,
      .m_axil_user_arready,
      .m_axil_user_rdata,
      .m_axil_user_rresp,
      .m_axil_user_rvalid,
      .m_axil_user_rready,
      .stat_user_refused,
      .msix_valid,
      .msix_ready,
      .msix,
      .msix_done,
      .msix_read_data,
      .mailbox_interrupt_valid,
      .mailbox_interrupt_ready,
      .mailbox_interrupt_func  (mailbox_interrupt.func),
      .mailbox_interrupt_vector(mailbox_interrupt.vector),
      .legacy_enable,
      .legacy_clear,
      .legacy_pending,
      .descriptor_error,
      .ring_error,
      .failed_read,
      .doorbell_step,
      .watch_setting,
      .watch_state,
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

  // --- What streams and memory-mapped transfers share
  logic [3:0] stream_valid, stream_ready, stream_at, stream_write;  // contexts: software in 1:0, hardware in 3:2
  index_t [3:0] stream_index;
  words_t [3:0] stream_next;
  logic [MM_CLIENTS-1:0] mm_request_valid, mm_request_ready, mm_beat_valid, mm_beat_ready;
  read_request_t [MM_CLIENTS-1:0] mm_request;
  read_beat_t [MM_CLIENTS-1:0] mm_beat;
  beat_t [MM_CLIENTS-1:0] mm_beat_data;
  logic [1:0] stream_status_valid, stream_status_ready;
  status_request_t [1:0] stream_status;
  logic stream_payload_valid, stream_payload_ready;
  write_beat_t stream_payload;

  // --- Reads and H2C.  Of each pair, C2H is in 0 and H2C in 1.
  logic [1:0] status_valid, status_ready, writer_valid, writer_ready, writer_at;
  status_request_t [1:0] status;
  logic writer_write, descriptor_valid, descriptor_ready, retire_valid, retire_ready;
  logic query_valid, query_ready, query_done, query_pending, stopping, c2h_flush_valid, c2h_flush_done;
  logic bad_valid, bad_ready, failed_valid, failed_ready;  // C2H queues that were stopped
  status_request_t bad, failed;
  index_t writer_index, query_qid;
  words_t writer_next;
  descriptor_t descriptor;
  retire_t retire;
  context_error_t context_error;
  qdma_read_path #(
      .QUEUES     (QUEUES),
      .MM         (MM),
      .C2H_DEPTH  (C2H_DEPTH),
      .C2H_DEEP   (C2H_DEEP),
      .CREDIT_BITS(CREDIT_BITS),
      .H2C_LIMITED(H2C_LIMITED),
      .H2C_MOST   (H2C_MOST),
      .BYPASS     (BYPASS)
  ) read_path (
      .clk,
      .rst,
      .clearing            (read_clearing),
      .ring_size,
      .max_read_request,
      .credit_limit,
      .doorbell_event,
      .room                (h2c_room),
      .h2c_blocked,
      .packet_valid,
      .packet_ready,
      .packet,
      .packet_data,
      .status_valid        (stream_status_valid[H2C]),
      .status_ready        (stream_status_ready[H2C]),
      .status              (stream_status[H2C]),
      .status_interval,
      .c2h_bad_valid       (bad_valid),
      .c2h_bad_ready       (bad_ready),
      .c2h_bad             (bad),
      .error               (descriptor_error[1:0]),
      .h2c_stop_valid,
      .h2c_stop_ready,
      .h2c_stop            (stop),
      .h2c_stop_done,
      .bypass_out_valid    (bypass_out_valid[BYPASS_H2C_ST:BYPASS_C2H_ST]),
      .bypass_out_ready    (bypass_out_ready[BYPASS_H2C_ST:BYPASS_C2H_ST]),
      .bypass_out          (bypass_out[BYPASS_H2C_ST:BYPASS_C2H_ST]),
      .bypass_in_valid     (bypass_in_valid[BYPASS_H2C_ST:BYPASS_C2H_ST]),
      .bypass_in_ready     (bypass_in_ready[BYPASS_H2C_ST:BYPASS_C2H_ST]),
      .bypass_in           (bypass_in[BYPASS_H2C_ST:BYPASS_C2H_ST]),
      .bypass_marker       (bypass_marker[BYPASS_H2C_ST:BYPASS_C2H_ST]),
      .bypass_stop         (bypass_stop[BYPASS_H2C_ST:BYPASS_C2H_ST]),
      .stat_bypass_dropped (stat_bypass_dropped[BYPASS_H2C_ST:BYPASS_C2H_ST]),
      .c2h_flush_valid,
      .c2h_flush_done,
      .fetched,
      .issued,
      .done_step,
      .c2h_descriptor_valid(descriptor_valid),
      .c2h_descriptor_ready(descriptor_ready),
      .c2h_descriptor      (descriptor),
      .c2h_retire_valid    (retire_valid),
      .c2h_retire_ready    (retire_ready),
      .c2h_retire          (retire),
      .c2h_context_error   (context_error),
      .query_valid,
      .query_ready,
      .query_qid,
      .query_done,
      .query_pending,
      .stopping,
      .mm_request_valid,
      .mm_request_ready,
      .mm_request,
      .mm_beat_valid,
      .mm_beat_ready,
      .mm_beat,
      .mm_beat_data,
      .read_valid,
      .read_ready,
      .read,
      .completion_valid,
      .completion,
      .completion_data,
      .completion_last,
      .stats               (read_stats),
      .failed_read,
      .writer_valid,
      .writer_ready,
      .writer_index,
      .writer_at,
      .writer_write,
      .writer_next,
      .sw_valid            (stream_valid[1:0]),
      .sw_ready            (stream_ready[1:0]),
      .sw_index            (stream_index[1:0]),
      .sw_at               (stream_at[1:0]),
      .sw_word             (engine_word[SEL_SW_H2C:SEL_SW_C2H]),
      .sw_write            (stream_write[1:0]),
      .sw_next             (stream_next[1:0]),
      .hw_valid            (stream_valid[3:2]),
      .hw_ready            (stream_ready[3:2]),
      .hw_index            (stream_index[3:2]),
      .hw_at               (stream_at[3:2]),
      .hw_word             (engine_word[SEL_HW_H2C:SEL_HW_C2H]),
      .hw_write            (stream_write[3:2]),
      .hw_next             (stream_next[3:2])
  );

  // --- C2H
  logic payload_valid, payload_ready, reserve_valid, reserve_ready, room_valid, post_valid, post_ready, invalid_valid;
  logic too_long_valid;
  write_beat_t payload;
  entry_t post;
  room_e room;
  index_t reserve_qid;
  logic reserve_wide;
  qdma_c2h #(
      .QUEUES(QUEUES),
      .DEPTH (C2H_DEPTH),
      .DEEP  (C2H_DEEP),
      .BYPASS(BYPASS),
      .INLINE(INLINE)
  ) c2h (
      .clk,
      .rst,
      .clearing     (c2h_clearing),
      .max_payload,
      .buffer_size,
      .ask_valid,
      .ask_ready,
      .ask,
      .answer_valid (packet_answer_valid),
      .answer_qid   (packet_answer_qid),
      .answer       (packet_answer),
      .buffer_event,
      .buffer_event_qid,
      .beat_valid,
      .beat_ready,
      .beat_data,
      .beat_bytes,
      .beat_last,
      .user,
      .done,
      .stop_valid   (c2h_stop_valid),
      .stop_ready   (c2h_stop_ready),
      .stop,
      .stop_done    (c2h_stop_done),
      .descriptor_valid,
      .descriptor_ready,
      .descriptor,
      .retire_valid,
      .retire_ready,
      .retire,
      .context_error,
      .query_valid,
      .query_ready,
      .query_qid,
      .query_done,
      .query_pending,
      .stopping,
      .flush_valid  (c2h_flush_valid),
      .flush_done   (c2h_flush_done),
      .status_valid (failed_valid),
      .status_ready (failed_ready),
      .status       (failed),
      .context_valid(engine_valid[SEL_PREFETCH]),
      .context_ready(engine_ready[SEL_PREFETCH]),
      .context_index(engine_index[SEL_PREFETCH]),
      .context_at   (engine_at[SEL_PREFETCH]),
      .context_word (engine_word[SEL_PREFETCH][$bits(prefetch_context_t)-1:0]),
      .reserve_valid,
      .reserve_ready,
      .reserve_qid,
      .reserve_wide,
      .room_valid,
      .room,
      .post_valid,
      .post_ready,
      .post,
      .payload_valid(stream_payload_valid),
      .payload_ready(stream_payload_ready),
      .payload      (stream_payload),
      .invalid_valid,
      .too_long_valid,
      .buffers,
      .stats        (admit_stats),
      .stat_mismatched,
      .stat_stopped
  );
  assign ring_error[WRITE_RING_ERRORS] = '{
          invalid_queue: invalid_valid,
          bad_length: too_long_valid,
          qid: packet_answer_qid,
          default: '0
      };
  assign ring_error[WRITE_RING_ERRORS+1] = '{bad_length: done.valid & done.is_mismatched, qid: done.qid, default: '0};

  // --- Stops in the engines of streams, one at a time
  assign c2h_stop_valid = stream_stop_valid & ~stop_is_h2c;
  assign h2c_stop_valid = stream_stop_valid & stop_is_h2c;
  assign stream_stop_ready = stop_is_h2c ? h2c_stop_ready : c2h_stop_ready;
  assign stream_stop_done = c2h_stop_done | h2c_stop_done;

  // --- Memory-mapped transfers
  qdma_mm_path #(
      .QUEUES(QUEUES),
      .MM    (MM),
      .BYPASS(BYPASS)
  ) mm_path (
      .clk,
      .rst,
      .clearing           (mm_clearing),
      .ring_size,
      .max_payload,
      .status_interval,
      .run                (mm_run),
      .doorbell_event,
      .stop_valid,
      .stop_ready,
      .stop_is_h2c,
      .stop,
      .stop_done,
      .stream_stop_valid,
      .stream_stop_ready,
      .stream_stop_done,
      .request_valid      (mm_request_valid),
      .request_ready      (mm_request_ready),
      .request            (mm_request),
      .beat_valid         (mm_beat_valid),
      .beat_ready         (mm_beat_ready),
      .beat               (mm_beat),
      .beat_data          (mm_beat_data),
      .stream_payload_valid,
      .stream_payload_ready,
      .stream_payload,
      .payload_valid,
      .payload_ready,
      .payload,
      .stream_status_valid,
      .stream_status_ready,
      .stream_status,
      .status_valid,
      .status_ready,
      .status,
      .error              (descriptor_error[3:2]),
      .bypass_out_valid   (bypass_out_valid[BYPASS_H2C_MM:BYPASS_C2H_MM]),
      .bypass_out_ready   (bypass_out_ready[BYPASS_H2C_MM:BYPASS_C2H_MM]),
      .bypass_out         (bypass_out[BYPASS_H2C_MM:BYPASS_C2H_MM]),
      .bypass_in_valid    (bypass_in_valid[BYPASS_H2C_MM:BYPASS_C2H_MM]),
      .bypass_in_ready    (bypass_in_ready[BYPASS_H2C_MM:BYPASS_C2H_MM]),
      .bypass_in          (bypass_in[BYPASS_H2C_MM:BYPASS_C2H_MM]),
      .bypass_marker      (bypass_marker[BYPASS_H2C_MM:BYPASS_C2H_MM]),
      .bypass_stop        (bypass_stop[BYPASS_H2C_MM:BYPASS_C2H_MM]),
      .stat_bypass_dropped(stat_bypass_dropped[BYPASS_H2C_MM:BYPASS_C2H_MM]),
      .to_card,
      .from_card,
      .stream_valid,
      .stream_ready,
      .stream_index,
      .stream_at,
      .stream_write,
      .stream_next,
      .context_valid      (engine_valid[3:0]),
      .context_ready      (engine_ready[3:0]),
      .context_index      (engine_index[3:0]),
      .context_at         (engine_at[3:0]),
      .context_word       (engine_word[3:0]),
      .context_write      (engine_write[3:0]),
      .context_next       (engine_next[3:0])
  );

  // --- A source asks again
  logic   ring_room_event;
  index_t ring_room_qid;
  qdma_c2h_reopen reopen (
      .clk,
      .rst,
      .room_valid   (ring_room_event),
      .room_qid     (ring_room_qid),
      .written_valid(prefetch_event),
      .written_qid  (command_qid),
      .stop_valid   (c2h_stop_valid & c2h_stop_ready),
      .stop_qid     (stop),
      .stop_done    (c2h_stop_done),
      .event_valid  (room_event),
      .event_qid    (room_event_qid)
  );

  qdma_merge #(
      .WIDTH($bits(status_request_t))
  ) merge_status (
      .clk,
      .rst,
      .s_valid({bad_valid, failed_valid}),
      .s_ready({bad_ready, failed_ready}),
      .s_data ({bad, failed}),
      .m_valid(stream_status_valid[C2H]),
      .m_ready(stream_status_ready[C2H]),
      .m_data (stream_status[C2H])
  );

  // --- Writes
  logic wheel_armed;
  assign timers_armed = wheel_armed | (WATCHDOG & watch_setting.armed);
  localparam int TIMER_STEPS = 16;  // of the wheel: less than the default tick of 25 cycles
  qdma_write_path #(
      .QUEUES     (QUEUES),
      .TIMER_LANES(QUEUES < 2 * TIMER_STEPS ? 2 : QUEUES / TIMER_STEPS),
      .PFS        (PFS),
      .VFS        (VFS),
      .MM         (MM),
      .INLINE     (INLINE)
  ) write_path (
      .clk,
      .rst,
      .clearing                (write_clearing),
      .timers_armed            (wheel_armed),
      .master_enable,
      .msix_enable,
      .msix_mask,
      .ring_size,
      .setting,
      .doorbell_event,
      .command_valid           (command_event),
      .command_qid,
      .payload_valid,
      .payload_ready,
      .payload,
      .reserve_valid,
      .reserve_ready,
      .reserve_qid,
      .reserve_wide,
      .answer_valid            (room_valid),
      .answer                  (room),
      .room_event              (ring_room_event),
      .room_qid                (ring_room_qid),
      .post_valid,
      .post_ready,
      .post,
      .request_valid           (status_valid),
      .request_ready           (status_ready),
      .request                 (status),
      .status_is_idle,
      .written,
      .error_interrupt_valid,
      .error_interrupt_ready,
      .error_interrupt,
      .reset_active,
      .reset_func              (flr_func),
      .drains_causes,
      .causes_drained,
      .access_valid            (msix_valid),
      .access_ready            (msix_ready),
      .access                  (msix),
      .access_done             (msix_done),
      .mailbox_interrupt_valid,
      .mailbox_interrupt_ready,
      .mailbox_interrupt,
      .legacy_enable,
      .legacy_clear,
      .legacy_pending,
      .intx,
      .user_irq_valid,
      .user_irq,
      .user_irq_ack,
      .user_irq_fail,
      .read_data               (msix_read_data),
      .posted_valid,
      .posted_ready,
      .posted,
      .posted_is_idle,
      .posted_moves,
      .ring_error              (ring_error[WRITE_RING_ERRORS-1:0]),
      .stats                   (write_stats),
      .sw_valid                (writer_valid),
      .sw_ready                (writer_ready),
      .sw_index                (writer_index),
      .sw_at                   (writer_at),
      .sw_word                 (engine_word[SEL_SW_H2C:SEL_SW_C2H]),
      .sw_write                (writer_write),
      .sw_next                 (writer_next),
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

  // --- Watchdog: steps are registered where they are made, or here
  if (WATCHDOG) begin : gen_watchdog
    step_t [STEPS-1:0] steps;
    step_t [6:0] own_q;  // from STEP_GRANTED to STEP_ENTRY, from STEP_STOP on
    always_ff @(posedge clk) begin
      own_q[0] <= '{valid: packet_answer_valid & (packet_answer == C2H_YES), qid: packet_answer_qid, index: '0};
      own_q[1] <= '{
          valid: packet_answer_valid & (packet_answer != C2H_YES),
          qid: packet_answer_qid,
          index: 16'(packet_answer)
      };
      own_q[2] <= '{valid: post_valid & post_ready, qid: post.qid, index: '0};
      own_q[3] <= '{valid: stop_valid & stop_ready, qid: stop, index: 16'(stop_is_h2c)};
      own_q[4] <= '{valid: stop_done, qid: '0, index: '0};
      own_q[5] <= '{
          valid: descriptor_error[H2C].dsc | descriptor_error[H2C].dma,
          qid: descriptor_error[H2C].qid,
          index: 16'd1
      };
      own_q[6] <= '{
          valid: descriptor_error[C2H].dsc | descriptor_error[C2H].dma,
          qid: descriptor_error[C2H].qid,
          index: 16'd0
      };
      if (rst) for (int i = 0; i < 7; i++) own_q[i].valid <= 1'b0;
    end
    always_comb begin
      steps[STEP_READ:STEP_POSTED_H2C] = doorbell_step;
      steps[STEP_FETCHED_H2C:STEP_FETCHED_C2H] = fetched;
      steps[STEP_ISSUED] = issued;
      steps[STEP_DONE] = done_step;
      steps[STEP_ENTRY:STEP_GRANTED] = own_q[2:0];
      steps[STEP_STATUS_H2C] = written[H2C];
      steps[STEP_STATUS_C2H] = written[C2H];
      steps[STEP_STOPPED:STEP_STOP] = own_q[4:3];
      steps[STEP_ERROR] = own_q[5].valid ? own_q[5] : own_q[6];
    end
    qdma_watchdog #(
        .QUEUES   (QUEUES),
        .HELD_BITS($clog2(C2H_DEPTH) + 2)
    ) watchdog (
        .clk,
        .rst,
        .steps,
        .buffers,
        .setting(watch_setting),
        .state  (watch_state)
    );
  end else begin : gen_no_watchdog
    assign watch_state = '{trace: '{kind: STEP_POSTED_H2C, default: '0}, default: '0};
    logic unused_watch;
    assign unused_watch = &{1'b0, watch_setting, doorbell_step, fetched, issued, done_step, buffers, written};
  end

  // --- Kinds that no engine uses, or none writes
  assign {engine_write[SEL_PREFETCH], engine_next[SEL_PREFETCH]} = '0;
  assign {engine_valid[SEL_CREDIT_H2C:SEL_CREDIT_C2H], engine_write[SEL_CREDIT_H2C:SEL_CREDIT_C2H]} = '0;
  assign {engine_index[SEL_CREDIT_H2C:SEL_CREDIT_C2H], engine_next[SEL_CREDIT_H2C:SEL_CREDIT_C2H]} = '0;
  assign {engine_valid[STORE_FMAP], engine_write[STORE_FMAP]} = '0;
  assign {engine_index[STORE_FMAP], engine_next[STORE_FMAP]} = '0;

  logic unused;
  assign unused = &{1'b0, engine_ready, engine_at, engine_word};
endmodule
