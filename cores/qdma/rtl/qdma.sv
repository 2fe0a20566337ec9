// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The QDMA with flat ports: qdma_core, whose channels are structures of qdma_tlp_pkg, for tools and adapters without them.
//
// Latency: 29 cycles and two host reads from the TLP of a doorbell to the first beat of its H2C packet, on an idle engine;
// 5 cycles from the first beat of a C2H packet of 64 bytes to its write, 12 from its last beat to that of its entry.
// docs/top.md has what each part takes.
//
// Interface: each channel has valid and ready; what it shows is held until it is accepted.  Completions have no ready: they
// are always accepted.  Data begin in byte 0 of the beat that shows the header; `last` is the last beat of a TLP.
// A C2H packet is asked for, and sent when the answer is c2h_answer_e's C2H_YES, in the order of these answers.
// After a reset no packet may be asked for while `clearing` is high.
//
// Limits: ../README.md says what is not built yet.
module qdma
  import qdma_h2c_pkg::*;
  import qdma_c2h_pkg::*;
  import qdma_read_pkg::read_stats_t;
  import qdma_tlp_pkg::*;
  import qdma_mm_pkg::*;
  import qdma_bypass_pkg::*;
  import qdma_write_pkg::*;
#(
    parameter int QUEUES = 2048,
    parameter int PFS = 4,
    parameter int VFS = 252,
    parameter int MM = 0,  // memory-mapped transfers
    parameter int BYPASS = 0,  // descriptor bypass
    parameter int INLINE = 0,  // inline receive
    parameter int WATCHDOG = 0,  // progress of queues, and a watchdog
    parameter int VF_SHARE = (VFS + PFS - 1) / PFS,  // VFs of a PF; the first ones are those of PF 0
    parameter int USER_BAR_BITS = 19,  // of an address in the user BAR
    parameter int H2C_LIMITED = 0,  // queues 0 to H2C_LIMITED - 1: a packet is fetched only while h2c_room has it
    parameter int H2C_MOST = 248  // beats of the longest packet that is held until there is room
) (
    input logic clk,
    input logic rst,

    output logic clearing,
    output logic timers_armed,  // a timer of a completion ring is armed, or was shortly before; or the watchdog is
    output logic h2c_blocked,   // an H2C packet waits for room

    // PCIe's configuration: maximum payload and read request 128 << n bytes; lines of 64 bytes of completions that the PCIe
    // block holds; bus master enable, MSI-X enable and function mask, a bit a function
    input logic [  2:0] max_payload,
    input logic [  2:0] max_read_request,
    input logic [  9:0] credit_limit,
    input logic [255:0] master_enable,
    input logic [255:0] msix_enable,
    input logic [255:0] msix_mask,

    // Function level reset of the PCIe block: a bit a function until flr_done, a cycle with flr_func
    input  logic [255:0] flr_in_process,
    output logic         flr_done,
    output logic [  7:0] flr_func,

    // Interrupts of the user: held until ack (its message is sent, or pending) or fail, each for a cycle
    input  logic        user_irq_valid,
    input  logic [ 7:0] user_irq_func,
    input  logic [10:0] user_irq_vector,
    output logic        user_irq_ack,
    output logic        user_irq_fail,

    // Legacy interrupt: INTA of each PF, level
    output logic [3:0] intx,

    // Reads and writes of the BARs
    input  logic         bar_request_valid,
    output logic         bar_request_ready,
    input  logic         bar_request_is_write,
    input  logic [  7:0] bar_request_func,
    input  logic [  2:0] bar_request_bar,
    input  logic [ 31:0] bar_request_addr,
    input  logic [ 10:0] bar_request_dwords,
    input  logic [  3:0] bar_request_first_be,
    input  logic [  3:0] bar_request_last_be,
    input  logic [ 15:0] bar_request_requester,
    input  logic [  9:0] bar_request_tag,
    input  logic [  2:0] bar_request_tc,
    input  logic [  2:0] bar_request_attr,
    input  logic [511:0] bar_request_data,
    input  logic         bar_request_last,

    // Answers to reads of the BARs, one beat each
    output logic         bar_answer_valid,
    input  logic         bar_answer_ready,
    output logic [  2:0] bar_answer_status,
    output logic [  7:0] bar_answer_func,
    output logic [  4:0] bar_answer_dwords,
    output logic [ 12:0] bar_answer_byte_count,
    output logic [  6:0] bar_answer_lower_addr,
    output logic [ 15:0] bar_answer_requester,
    output logic [  9:0] bar_answer_tag,
    output logic [  2:0] bar_answer_tc,
    output logic [  2:0] bar_answer_attr,
    output logic [511:0] bar_answer_data,

    // Accesses of the user BAR, AXI4-Lite; the function whose BAR it is
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

    // Writes of host memory
    output logic         host_write_valid,
    input  logic         host_write_ready,
    output logic [  7:0] host_write_func,
    output logic [ 63:0] host_write_addr,
    output logic [ 10:0] host_write_dwords,
    output logic [  3:0] host_write_first_be,
    output logic [  3:0] host_write_last_be,
    output logic [  2:0] host_write_tc,
    output logic [  2:0] host_write_attr,
    output logic [511:0] host_write_data,
    output logic         host_write_last,

    // Reads of host memory
    output logic        host_read_valid,
    input  logic        host_read_ready,
    output logic [ 7:0] host_read_func,
    output logic [63:0] host_read_addr,
    output logic [10:0] host_read_dwords,
    output logic [ 3:0] host_read_first_be,
    output logic [ 3:0] host_read_last_be,
    output logic [ 7:0] host_read_tag,
    output logic [ 2:0] host_read_tc,
    output logic [ 2:0] host_read_attr,

    // Their completions
    input logic         host_completion_valid,
    input logic [  2:0] host_completion_status,
    input logic         host_completion_is_poisoned,
    input logic         host_completion_is_timeout,
    input logic         host_completion_is_final,
    input logic [  7:0] host_completion_tag,
    input logic [ 10:0] host_completion_dwords,
    input logic [ 12:0] host_completion_byte_count,
    input logic [  6:0] host_completion_lower_addr,
    input logic [511:0] host_completion_data,
    input logic         host_completion_last,

    // H2C packets; mty: bytes of the last beat that are empty.  room: beats of each limited queue, from registers
    input  logic [10*(H2C_LIMITED > 0 ? H2C_LIMITED : 1)-1:0] h2c_room,
    output logic                                              m_axis_h2c_tvalid,
    input  logic                                              m_axis_h2c_tready,
    output logic [                                     511:0] m_axis_h2c_tdata,
    output logic                                              m_axis_h2c_tlast,
    output logic [                                      10:0] m_axis_h2c_tuser_qid,
    output logic [                                       2:0] m_axis_h2c_tuser_port_id,
    output logic [                                      31:0] m_axis_h2c_tuser_mdata,
    output logic [                                       5:0] m_axis_h2c_tuser_mty,
    output logic                                              m_axis_h2c_tuser_zero_byte,
    output logic                                              m_axis_h2c_tuser_err,

    // C2H packets are asked for; the answer is c2h_answer_e.  One that is held is asked for again after an event of its queue:
    // it has buffers, or its completion ring has room
    input  logic        c2h_ask_valid,
    output logic        c2h_ask_ready,
    input  logic [10:0] c2h_ask_qid,
    input  logic [15:0] c2h_ask_len,
    input  logic        c2h_ask_has_cmpt,
    input  logic        c2h_ask_marker,
    output logic        c2h_answer_valid,
    output logic [10:0] c2h_answer_qid,
    output logic [ 2:0] c2h_answer,
    output logic        c2h_buffer_event,
    output logic [10:0] c2h_buffer_event_qid,
    output logic        c2h_room_event,
    output logic [10:0] c2h_room_event_qid,

    // Those that were granted; tuser_cmpt_* with the last beat: what their entry has besides length and colour
    input  logic         s_axis_c2h_tvalid,
    output logic         s_axis_c2h_tready,
    input  logic [511:0] s_axis_c2h_tdata,
    input  logic         s_axis_c2h_tlast,
    input  logic [  5:0] s_axis_c2h_tuser_mty,
    input  logic         s_axis_c2h_tuser_zero_byte,
    input  logic [511:0] s_axis_c2h_tuser_cmpt_data,
    input  logic         s_axis_c2h_tuser_cmpt_user_trig,
    input  logic         s_axis_c2h_tuser_cmpt_user_format,
    input  logic [  2:0] s_axis_c2h_tuser_cmpt_place,
    input  logic         s_axis_c2h_tuser_cmpt_err,

    // Each packet that has left, in order, for a cycle: the response to a marker, too
    output logic        c2h_done_valid,
    output logic [10:0] c2h_done_qid,
    output logic        c2h_done_marker,
    output logic        c2h_done_mismatched,
    output logic        c2h_done_stopped,

    // The card's memory, AXI4: written by memory-mapped H2C, read by memory-mapped C2H.  Idle without MM
    output logic [ 63:0] m_axi_mm_awaddr,
    output logic [  3:0] m_axi_mm_awid,
    output logic [  7:0] m_axi_mm_awlen,
    output logic [  2:0] m_axi_mm_awsize,
    output logic [  1:0] m_axi_mm_awburst,
    output logic [  3:0] m_axi_mm_awcache,
    output logic [  2:0] m_axi_mm_awprot,
    output logic         m_axi_mm_awvalid,
    input  logic         m_axi_mm_awready,
    output logic [511:0] m_axi_mm_wdata,
    output logic [ 63:0] m_axi_mm_wstrb,
    output logic         m_axi_mm_wlast,
    output logic         m_axi_mm_wvalid,
    input  logic         m_axi_mm_wready,
    input  logic [  3:0] m_axi_mm_bid,
    input  logic [  1:0] m_axi_mm_bresp,
    input  logic         m_axi_mm_bvalid,
    output logic         m_axi_mm_bready,
    output logic [ 63:0] m_axi_mm_araddr,
    output logic [  3:0] m_axi_mm_arid,
    output logic [  7:0] m_axi_mm_arlen,
    output logic [  2:0] m_axi_mm_arsize,
    output logic [  1:0] m_axi_mm_arburst,
    output logic [  3:0] m_axi_mm_arcache,
    output logic [  2:0] m_axi_mm_arprot,
    output logic         m_axi_mm_arvalid,
    input  logic         m_axi_mm_arready,
    input  logic [  3:0] m_axi_mm_rid,
    input  logic [511:0] m_axi_mm_rdata,
    input  logic [  1:0] m_axi_mm_rresp,
    input  logic         m_axi_mm_rlast,
    input  logic         m_axi_mm_rvalid,
    output logic         m_axi_mm_rready,

    // Descriptor bypass, of each channel: memory-mapped C2H and H2C, streaming C2H and H2C.  Descriptors of queues with
    // bypass leave here, and come back, or others, to be executed; addr is that of the host.  A status (sdi) and a marker
    // response are those of a descriptor that is done.  stop: the user drops what it has of this queue.  Idle without BYPASS
    output logic [BYPASS_CHANNELS-1:0] byp_out_valid,
    input logic [BYPASS_CHANNELS-1:0] byp_out_ready,
    output logic [256*BYPASS_CHANNELS-1:0] byp_out_dsc,
    output logic [2*BYPASS_CHANNELS-1:0] byp_out_dsc_sz,
    output logic [11*BYPASS_CHANNELS-1:0] byp_out_qid,
    output logic [8*BYPASS_CHANNELS-1:0] byp_out_func,
    output logic [3*BYPASS_CHANNELS-1:0] byp_out_port_id,
    output logic [16*BYPASS_CHANNELS-1:0] byp_out_cidx,
    output logic [BYPASS_CHANNELS-1:0] byp_out_error,
    input logic [BYPASS_CHANNELS-1:0] byp_in_valid,
    output logic [BYPASS_CHANNELS-1:0] byp_in_ready,
    input logic [64*BYPASS_CHANNELS-1:0] byp_in_addr,
    input logic [64*BYPASS_CHANNELS-1:0] byp_in_card_addr,
    input logic [28*BYPASS_CHANNELS-1:0] byp_in_len,
    input logic [BYPASS_CHANNELS-1:0] byp_in_sop,
    input logic [BYPASS_CHANNELS-1:0] byp_in_eop,
    input logic [BYPASS_CHANNELS-1:0] byp_in_sdi,
    input logic [BYPASS_CHANNELS-1:0] byp_in_mrkr_req,
    input logic [BYPASS_CHANNELS-1:0] byp_in_no_dma,
    input logic [BYPASS_CHANNELS-1:0] byp_in_error,
    input logic [11*BYPASS_CHANNELS-1:0] byp_in_qid,
    input logic [8*BYPASS_CHANNELS-1:0] byp_in_func,
    input logic [16*BYPASS_CHANNELS-1:0] byp_in_cidx,
    input logic [32*BYPASS_CHANNELS-1:0] byp_in_mdata,
    output logic [BYPASS_CHANNELS-1:0] byp_marker_valid,
    output logic [11*BYPASS_CHANNELS-1:0] byp_marker_qid,
    output logic [16*BYPASS_CHANNELS-1:0] byp_marker_cidx,
    output logic [BYPASS_CHANNELS-1:0] byp_marker_error,
    output logic [BYPASS_CHANNELS-1:0] byp_stop_valid,
    output logic [11*BYPASS_CHANNELS-1:0] byp_stop_qid,
    output logic [32*BYPASS_CHANNELS-1:0] stat_byp_dropped,

    // Counters: accesses that the user refused; TLPs of functions that are no bus master; entries refused, and dropped by a command; interrupts without a
    // ring; interrupts of the user that failed; cycles in which rings were full; reads that have failed, completions of no read; C2H packets by answer, cycles in
    // which queues had no buffers, packets of another length than was said, packets of queues that were stopped
    output logic [31:0] stat_user_refused,
    output logic [31:0] stat_write_dropped,
    output logic [31:0] stat_entry_refused,
    output logic [31:0] stat_entry_discarded,
    output logic [31:0] stat_interrupt_lost,
    output logic [31:0] stat_user_irq_failed,
    output logic [63:0] stat_full_cycles,
    output logic [31:0] stat_read_failed,
    output logic [31:0] stat_completion_unexpected,
    output logic [31:0] stat_c2h_granted,
    output logic [31:0] stat_c2h_held,
    output logic [31:0] stat_c2h_no_buffers,
    output logic [31:0] stat_c2h_ring_full,
    output logic [31:0] stat_c2h_invalid,
    output logic [31:0] stat_c2h_too_long,
    output logic [63:0] stat_c2h_hold_cycles,
    output logic [31:0] stat_c2h_mismatched,
    output logic [31:0] stat_c2h_stopped
);
  if (!(MM inside {0, 1})) begin : gen_bad_mm
    $error("qdma: MM must be 0 or 1");
  end
  if (!(BYPASS inside {0, 1})) begin : gen_bad_bypass
    $error("qdma: BYPASS must be 0 or 1");
  end
  if (!(INLINE inside {0, 1})) begin : gen_bad_inline
    $error("qdma: INLINE must be 0 or 1");
  end
  if (!(WATCHDOG inside {0, 1})) begin : gen_bad_watchdog
    $error("qdma: WATCHDOG must be 0 or 1");
  end

  target_request_t request;
  target_completion_t answer;
  write_beat_t posted;
  read_t read;
  completion_t completion;
  h2c_beat_t packet;
  c2h_ask_t ask;
  c2h_answer_e packet_answer;
  c2h_user_t user;
  c2h_done_t done;
  c2h_admit_stats_t admit_stats;
  axi_to_card_t to_card;
  axi_from_card_t from_card;
  read_stats_t read_stats;
  write_stats_t write_stats;
  logic [BYPASS_CHANNELS-1:0] bypass_out_valid, bypass_out_ready, bypass_in_valid, bypass_in_ready;
  bypass_out_t [BYPASS_CHANNELS-1:0] bypass_out;
  bypass_in_t [BYPASS_CHANNELS-1:0] bypass_in;
  bypass_marker_t [BYPASS_CHANNELS-1:0] bypass_marker;
  bypass_stop_t [BYPASS_CHANNELS-1:0] bypass_stop;
  logic [BYPASS_CHANNELS-1:0][31:0] stat_bypass_dropped;
  qdma_bypass_flat bypass (.*);

  assign request = '{
          is_write: bar_request_is_write,
          func: bar_request_func,
          bar: bar_request_bar,
          addr: bar_request_addr,
          dwords: bar_request_dwords,
          first_be: bar_request_first_be,
          last_be: bar_request_last_be,
          transaction: '{
              requester: bar_request_requester,
              tag: bar_request_tag,
              tc: bar_request_tc,
              attr: bar_request_attr
          }
      };
  assign bar_answer_status = answer.status;
  assign bar_answer_func = answer.func;
  assign bar_answer_dwords = answer.dwords;
  assign bar_answer_byte_count = answer.byte_count;
  assign bar_answer_lower_addr = answer.lower_addr;
  assign bar_answer_requester = answer.transaction.requester;
  assign bar_answer_tag = answer.transaction.tag;
  assign bar_answer_tc = answer.transaction.tc;
  assign bar_answer_attr = answer.transaction.attr;

  assign host_write_func = posted.header.func;
  assign host_write_addr = posted.header.addr;
  assign host_write_dwords = posted.header.dwords;
  assign host_write_first_be = posted.header.first_be;
  assign host_write_last_be = posted.header.last_be;
  assign host_write_tc = posted.header.tc;
  assign host_write_attr = posted.header.attr;
  assign host_write_data = posted.data;
  assign host_write_last = posted.last;

  assign host_read_func = read.func;
  assign host_read_addr = read.addr;
  assign host_read_dwords = read.dwords;
  assign host_read_first_be = read.first_be;
  assign host_read_last_be = read.last_be;
  assign host_read_tag = read.tag;
  assign host_read_tc = read.tc;
  assign host_read_attr = read.attr;
  assign completion = '{
          status: status_e'(host_completion_status),
          is_poisoned: host_completion_is_poisoned,
          is_timeout: host_completion_is_timeout,
          is_final: host_completion_is_final,
          tag: host_completion_tag,
          dwords: host_completion_dwords,
          byte_count: host_completion_byte_count,
          lower_addr: host_completion_lower_addr
      };

  assign m_axis_h2c_tlast = packet.is_eop;
  assign m_axis_h2c_tuser_qid = packet.qid;
  assign m_axis_h2c_tuser_port_id = packet.port_id;
  assign m_axis_h2c_tuser_mdata = packet.metadata;
  assign m_axis_h2c_tuser_zero_byte = packet.bytes == '0;
  assign m_axis_h2c_tuser_mty = 6'(7'd64 - packet.bytes);
  assign m_axis_h2c_tuser_err = packet.is_error;

  assign ask = '{qid: c2h_ask_qid, bytes: c2h_ask_len, has_completion: c2h_ask_has_cmpt, is_marker: c2h_ask_marker};
  assign c2h_answer = packet_answer;
  assign user = '{
          is_user_trigger: s_axis_c2h_tuser_cmpt_user_trig,
          has_user_format: s_axis_c2h_tuser_cmpt_user_format,
          place: s_axis_c2h_tuser_cmpt_place,
          has_error: s_axis_c2h_tuser_cmpt_err,
          data: s_axis_c2h_tuser_cmpt_data
      };
  assign c2h_done_valid = done.valid;
  assign c2h_done_qid = done.qid;
  assign c2h_done_marker = done.is_marker;
  assign c2h_done_mismatched = done.is_mismatched;
  assign c2h_done_stopped = done.is_stopped;

  assign stat_write_dropped = write_stats.dropped;
  assign stat_entry_refused = write_stats.refused;
  assign stat_entry_discarded = write_stats.discarded;
  assign stat_interrupt_lost = write_stats.lost;
  assign stat_user_irq_failed = write_stats.user_failed;
  assign stat_full_cycles = write_stats.full_cycles;
  assign stat_c2h_granted = admit_stats.granted;
  assign stat_c2h_held = admit_stats.held;
  assign stat_c2h_no_buffers = admit_stats.no_buffers;
  assign stat_c2h_ring_full = admit_stats.ring_full;
  assign stat_c2h_invalid = admit_stats.invalid;
  assign stat_c2h_too_long = admit_stats.too_long;
  assign stat_c2h_hold_cycles = admit_stats.hold_cycles;

  qdma_core #(
      .QUEUES       (QUEUES),
      .PFS          (PFS),
      .VFS          (VFS),
      .MM           (1'(MM)),
      .BYPASS       (1'(BYPASS)),
      .INLINE       (1'(INLINE)),
      .WATCHDOG     (1'(WATCHDOG)),
      .VF_SHARE     (VF_SHARE),
      .USER_BAR_BITS(USER_BAR_BITS),
      .H2C_LIMITED  (H2C_LIMITED),
      .H2C_MOST     (H2C_MOST)
  ) core (
      .clk,
      .rst,
      .clearing,
      .timers_armed,
      .max_payload,
      .max_read_request,
      .credit_limit,
      .master_enable,
      .msix_enable,
      .msix_mask,
      .flr_in_process,
      .flr_done,
      .flr_func,
      .user_irq_valid,
      .user_irq           ('{func: user_irq_func, vector: user_irq_vector}),
      .user_irq_ack,
      .user_irq_fail,
      .intx,
      .request_valid      (bar_request_valid),
      .request_ready      (bar_request_ready),
      .request,
      .request_data       (bar_request_data),
      .request_last       (bar_request_last),
      .answer_valid       (bar_answer_valid),
      .answer_ready       (bar_answer_ready),
      .answer,
      .answer_data        (bar_answer_data),
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
      .posted_valid       (host_write_valid),
      .posted_ready       (host_write_ready),
      .posted,
      .read_valid         (host_read_valid),
      .read_ready         (host_read_ready),
      .read,
      .completion_valid   (host_completion_valid),
      .completion,
      .completion_data    (host_completion_data),
      .completion_last    (host_completion_last),
      .h2c_room,
      .h2c_blocked,
      .packet_valid       (m_axis_h2c_tvalid),
      .packet_ready       (m_axis_h2c_tready),
      .packet,
      .packet_data        (m_axis_h2c_tdata),
      .ask_valid          (c2h_ask_valid),
      .ask_ready          (c2h_ask_ready),
      .ask,
      .packet_answer_valid(c2h_answer_valid),
      .packet_answer_qid  (c2h_answer_qid),
      .packet_answer,
      .buffer_event       (c2h_buffer_event),
      .buffer_event_qid   (c2h_buffer_event_qid),
      .room_event         (c2h_room_event),
      .room_event_qid     (c2h_room_event_qid),
      .beat_valid         (s_axis_c2h_tvalid),
      .beat_ready         (s_axis_c2h_tready),
      .beat_data          (s_axis_c2h_tdata),
      .beat_bytes         (s_axis_c2h_tuser_zero_byte ? 7'd0 : 7'd64 - 7'(s_axis_c2h_tuser_mty)),
      .beat_last          (s_axis_c2h_tlast),
      .user,
      .done,
      .bypass_out_valid,
      .bypass_out_ready,
      .bypass_out,
      .bypass_in_valid,
      .bypass_in_ready,
      .bypass_in,
      .bypass_marker,
      .bypass_stop,
      .stat_bypass_dropped,
      .to_card,
      .from_card,
      .read_stats,
      .write_stats,
      .admit_stats,
      .stat_mismatched    (stat_c2h_mismatched),
      .stat_stopped       (stat_c2h_stopped)
  );

  // --- The card's memory: one ID, beats of 64 bytes, addresses that increase
  localparam logic [2:0] SIZE_64 = 3'd6;
  localparam logic [1:0] INCR = 2'b01;
  localparam logic [3:0] CACHE = 4'b0011;  // bufferable, and a converter of widths may change it
  assign {m_axi_mm_awid, m_axi_mm_awprot, m_axi_mm_arid, m_axi_mm_arprot} = '0;
  assign {m_axi_mm_awcache, m_axi_mm_arcache} = {2{CACHE}};
  assign {m_axi_mm_awaddr, m_axi_mm_awlen} = {to_card.aw.addr, 8'(to_card.aw.len)};
  assign {m_axi_mm_awsize, m_axi_mm_awburst} = {SIZE_64, INCR};
  assign {m_axi_mm_awvalid, m_axi_mm_wvalid} = {to_card.aw_valid, to_card.w_valid};
  assign {m_axi_mm_wdata, m_axi_mm_wstrb, m_axi_mm_wlast} = {to_card.w.data, to_card.w.strb, to_card.w.last};
  assign {m_axi_mm_araddr, m_axi_mm_arlen} = {to_card.ar.addr, 8'(to_card.ar.len)};
  assign {m_axi_mm_arsize, m_axi_mm_arburst, m_axi_mm_arvalid} = {SIZE_64, INCR, to_card.ar_valid};
  assign {m_axi_mm_bready, m_axi_mm_rready} = {to_card.b_ready, to_card.r_ready};
  assign from_card = '{
          aw_ready: m_axi_mm_awready,
          w_ready: m_axi_mm_wready,
          b_valid: m_axi_mm_bvalid,
          b_resp: m_axi_mm_bresp,
          ar_ready: m_axi_mm_arready,
          r_valid: m_axi_mm_rvalid,
          r: '{last: m_axi_mm_rlast, resp: m_axi_mm_rresp, data: m_axi_mm_rdata}
      };

  // --- Reads that have failed, of whatever kind, two at a time: chunks[0] are those that have not
  logic [2:0][31:0] failed_q;
  always_ff @(posedge clk) begin
    failed_q[0]      <= read_stats.chunks[1] + read_stats.chunks[2];
    failed_q[1]      <= read_stats.chunks[3] + read_stats.chunks[4];
    failed_q[2]      <= failed_q[0] + read_stats.chunks[5];
    stat_read_failed <= failed_q[1] + failed_q[2];
  end
  assign stat_completion_unexpected = read_stats.unexpected;

  logic unused;
  assign unused = &{1'b0, packet.is_sop, read_stats, m_axi_mm_bid, m_axi_mm_rid};
endmodule
