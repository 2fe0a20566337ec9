// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The example design: qdma with memory-mapped transfers, a block RAM behind them, and behind its streams what the tools of the
// public driver expect in the user BAR.
//
// Interface: PCIe's configuration and channels as qdma has them.  moves: something is under way between qdma and its user;
// a simulation may not stop the clock, nor while clearing or timers_armed.
//
//   bar_*, host_* ◄─► qdma ─┬─ m_axi_mm ──────► example_ram
//                           ├─ m_axil_user ───► example_user: registers, generator, checker, loop
//                           ├─ H2C, C2H ◄─────►
//                           └─ byp ◄──────────► example_bypass: the loop of descriptors
module qdma_example_card
  import qdma_bypass_pkg::BYPASS_CHANNELS;
#(
    parameter int QUEUES       = 2048,
    parameter int PFS          = 1,
    parameter int VFS          = 0,
    parameter int MEMORY_BYTES = 524288,  // a power of two
    parameter int LOOP_BEATS   = 512      // of the loop's store, a power of two
) (
    input logic clk,
    input logic rst,

    output logic [3:0] intx,  // legacy interrupt of each PF, level
    output logic clearing,
    output logic timers_armed,
    output logic moves,

    // PCIe's configuration, function level reset
    input  logic [  2:0] max_payload,
    input  logic [  2:0] max_read_request,
    input  logic [  9:0] credit_limit,
    input  logic [255:0] master_enable,
    input  logic [255:0] msix_enable,
    input  logic [255:0] msix_mask,
    input  logic [255:0] flr_in_process,
    output logic         flr_done,
    output logic [  7:0] flr_func,

    // Reads and writes of the BARs, and their answers
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

    // Writes and reads of host memory, and completions of the reads
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
    output logic         host_read_valid,
    input  logic         host_read_ready,
    output logic [  7:0] host_read_func,
    output logic [ 63:0] host_read_addr,
    output logic [ 10:0] host_read_dwords,
    output logic [  3:0] host_read_first_be,
    output logic [  3:0] host_read_last_be,
    output logic [  7:0] host_read_tag,
    output logic [  2:0] host_read_tc,
    output logic [  2:0] host_read_attr,
    input  logic         host_completion_valid,
    input  logic [  2:0] host_completion_status,
    input  logic         host_completion_is_poisoned,
    input  logic         host_completion_is_timeout,
    input  logic         host_completion_is_final,
    input  logic [  7:0] host_completion_tag,
    input  logic [ 10:0] host_completion_dwords,
    input  logic [ 12:0] host_completion_byte_count,
    input  logic [  6:0] host_completion_lower_addr,
    input  logic [511:0] host_completion_data,
    input  logic         host_completion_last,

    // Counters of qdma, and packets that the loop has dropped
    output logic [31:0] stat_user_refused,
    output logic [31:0] stat_write_dropped,
    output logic [31:0] stat_entry_refused,
    output logic [31:0] stat_entry_discarded,
    output logic [31:0] stat_interrupt_lost,
    output logic [31:0] stat_user_irq_failed,
    output logic [31:0] stat_read_failed,
    output logic [31:0] stat_completion_unexpected,
    output logic [31:0] stat_c2h_mismatched,
    output logic [31:0] stat_c2h_stopped,
    output logic [31:0] stat_loop_dropped
);
  logic
      axil_awvalid,
      axil_awready,
      axil_wvalid,
      axil_wready,
      axil_bvalid,
      axil_bready,
      axil_arvalid,
      axil_arready,
      axil_rvalid,
      axil_rready;
  logic [31:0] axil_awaddr, axil_wdata, axil_araddr, axil_rdata;
  logic [3:0] axil_wstrb;
  logic [1:0] axil_bresp, axil_rresp;

  logic h2c_tvalid, h2c_tready, h2c_tlast, h2c_tuser_zero_byte, h2c_tuser_err;
  logic [511:0] h2c_tdata;
  logic [ 10:0] h2c_tuser_qid;
  logic [  5:0] h2c_tuser_mty;

  logic
      c2h_ask_valid,
      c2h_ask_ready,
      c2h_ask_has_cmpt,
      c2h_ask_marker,
      c2h_answer_valid,
      c2h_buffer_event,
      c2h_room_event;
  logic [10:0] c2h_ask_qid, c2h_buffer_event_qid, c2h_room_event_qid;
  logic [15:0] c2h_ask_len;
  logic [ 2:0] c2h_answer;
  logic c2h_tvalid, c2h_tready, c2h_tlast, c2h_tuser_zero_byte, c2h_done_valid, c2h_done_marker, c2h_done_stopped;
  logic user_irq_valid, user_irq_ack, user_irq_fail;
  logic [ 7:0] user_irq_func;
  logic [10:0] user_irq_vector;
  logic [511:0] c2h_tdata, cmpt_data;
  logic [5:0] c2h_tuser_mty;
  logic cmpt_user_trig, cmpt_user_format, cmpt_err;
  logic [2:0] cmpt_place;

  // Bypass, a field for each channel
  logic [BYPASS_CHANNELS-1:0]
      byp_out_valid,
      byp_out_ready,
      byp_out_error,
      byp_in_valid,
      byp_in_ready,
      byp_in_sop,
      byp_in_eop,
      byp_in_sdi,
      byp_in_mrkr_req,
      byp_in_no_dma,
      byp_in_error,
      byp_stop_valid;
  logic [8*BYPASS_CHANNELS-1:0] byp_out_func, byp_in_func;
  logic [11*BYPASS_CHANNELS-1:0] byp_out_qid, byp_in_qid, byp_stop_qid;
  logic [16*BYPASS_CHANNELS-1:0] byp_out_cidx, byp_in_cidx;
  logic [28*BYPASS_CHANNELS-1:0] byp_in_len;
  logic [32*BYPASS_CHANNELS-1:0] byp_in_mdata;
  logic [64*BYPASS_CHANNELS-1:0] byp_in_addr, byp_in_card_addr;
  logic [256*BYPASS_CHANNELS-1:0] byp_out_dsc;

  logic mm_awvalid, mm_awready, mm_wlast, mm_wvalid, mm_wready, mm_bvalid, mm_bready;
  logic mm_arvalid, mm_arready, mm_rlast, mm_rvalid, mm_rready;
  logic [63:0] mm_awaddr, mm_araddr, mm_wstrb;
  logic [511:0] mm_wdata, mm_rdata;
  logic [7:0] mm_awlen, mm_arlen;
  logic [3:0] mm_awid, mm_arid, mm_bid, mm_rid;
  logic [1:0] mm_bresp, mm_rresp;

  qdma #(
      .QUEUES       (QUEUES),
      .PFS          (PFS),
      .VFS          (VFS),
      .MM           (1),
      .BYPASS       (1),
      .WATCHDOG     (1),
      .USER_BAR_BITS(19)
  ) dma (
      .h2c_blocked                      (),
      .m_axil_user_func                 (),
      .m_axil_user_awaddr               (axil_awaddr),
      .m_axil_user_awvalid              (axil_awvalid),
      .m_axil_user_awready              (axil_awready),
      .m_axil_user_wdata                (axil_wdata),
      .m_axil_user_wstrb                (axil_wstrb),
      .m_axil_user_wvalid               (axil_wvalid),
      .m_axil_user_wready               (axil_wready),
      .m_axil_user_bresp                (axil_bresp),
      .m_axil_user_bvalid               (axil_bvalid),
      .m_axil_user_bready               (axil_bready),
      .m_axil_user_araddr               (axil_araddr),
      .m_axil_user_arvalid              (axil_arvalid),
      .m_axil_user_arready              (axil_arready),
      .m_axil_user_rdata                (axil_rdata),
      .m_axil_user_rresp                (axil_rresp),
      .m_axil_user_rvalid               (axil_rvalid),
      .m_axil_user_rready               (axil_rready),
      .h2c_room                         ('0),
      .m_axis_h2c_tvalid                (h2c_tvalid),
      .m_axis_h2c_tready                (h2c_tready),
      .m_axis_h2c_tdata                 (h2c_tdata),
      .m_axis_h2c_tlast                 (h2c_tlast),
      .m_axis_h2c_tuser_qid             (h2c_tuser_qid),
      .m_axis_h2c_tuser_port_id         (),
      .m_axis_h2c_tuser_mdata           (),
      .m_axis_h2c_tuser_mty             (h2c_tuser_mty),
      .m_axis_h2c_tuser_zero_byte       (h2c_tuser_zero_byte),
      .m_axis_h2c_tuser_err             (h2c_tuser_err),
      .c2h_answer_qid                   (),
      .s_axis_c2h_tvalid                (c2h_tvalid),
      .s_axis_c2h_tready                (c2h_tready),
      .s_axis_c2h_tdata                 (c2h_tdata),
      .s_axis_c2h_tlast                 (c2h_tlast),
      .s_axis_c2h_tuser_mty             (c2h_tuser_mty),
      .s_axis_c2h_tuser_zero_byte       (c2h_tuser_zero_byte),
      .s_axis_c2h_tuser_cmpt_data       (cmpt_data),
      .s_axis_c2h_tuser_cmpt_user_trig  (cmpt_user_trig),
      .s_axis_c2h_tuser_cmpt_user_format(cmpt_user_format),
      .s_axis_c2h_tuser_cmpt_place      (cmpt_place),
      .s_axis_c2h_tuser_cmpt_err        (cmpt_err),
      .c2h_done_qid                     (),
      .c2h_done_mismatched              (),
      .byp_out_dsc_sz                   (),
      .byp_out_port_id                  (),
      .byp_marker_valid                 (),
      .byp_marker_qid                   (),
      .byp_marker_cidx                  (),
      .byp_marker_error                 (),
      .stat_byp_dropped                 (),
      .m_axi_mm_awaddr                  (mm_awaddr),
      .m_axi_mm_awid                    (mm_awid),
      .m_axi_mm_awlen                   (mm_awlen),
      .m_axi_mm_awsize                  (),
      .m_axi_mm_awburst                 (),
      .m_axi_mm_awcache                 (),
      .m_axi_mm_awprot                  (),
      .m_axi_mm_awvalid                 (mm_awvalid),
      .m_axi_mm_awready                 (mm_awready),
      .m_axi_mm_wdata                   (mm_wdata),
      .m_axi_mm_wstrb                   (mm_wstrb),
      .m_axi_mm_wlast                   (mm_wlast),
      .m_axi_mm_wvalid                  (mm_wvalid),
      .m_axi_mm_wready                  (mm_wready),
      .m_axi_mm_bid                     (mm_bid),
      .m_axi_mm_bresp                   (mm_bresp),
      .m_axi_mm_bvalid                  (mm_bvalid),
      .m_axi_mm_bready                  (mm_bready),
      .m_axi_mm_araddr                  (mm_araddr),
      .m_axi_mm_arid                    (mm_arid),
      .m_axi_mm_arlen                   (mm_arlen),
      .m_axi_mm_arsize                  (),
      .m_axi_mm_arburst                 (),
      .m_axi_mm_arcache                 (),
      .m_axi_mm_arprot                  (),
      .m_axi_mm_arvalid                 (mm_arvalid),
      .m_axi_mm_arready                 (mm_arready),
      .m_axi_mm_rid                     (mm_rid),
      .m_axi_mm_rdata                   (mm_rdata),
      .m_axi_mm_rresp                   (mm_rresp),
      .m_axi_mm_rlast                   (mm_rlast),
      .m_axi_mm_rvalid                  (mm_rvalid),
      .m_axi_mm_rready                  (mm_rready),
      .stat_full_cycles                 (),
      .stat_c2h_granted                 (),
      .stat_c2h_held                    (),
      .stat_c2h_no_buffers              (),
      .stat_c2h_ring_full               (),
      .stat_c2h_invalid                 (),
      .stat_c2h_too_long                (),
      .stat_c2h_hold_cycles             (),
      .*
  );

  example_ram #(
      .BYTES(MEMORY_BYTES)
  ) memory (
      .clk,
      .rst,
      .s_axi_awaddr (mm_awaddr),
      .s_axi_awid   (mm_awid),
      .s_axi_awlen  (mm_awlen),
      .s_axi_awvalid(mm_awvalid),
      .s_axi_awready(mm_awready),
      .s_axi_wdata  (mm_wdata),
      .s_axi_wstrb  (mm_wstrb),
      .s_axi_wlast  (mm_wlast),
      .s_axi_wvalid (mm_wvalid),
      .s_axi_wready (mm_wready),
      .s_axi_bid    (mm_bid),
      .s_axi_bresp  (mm_bresp),
      .s_axi_bvalid (mm_bvalid),
      .s_axi_bready (mm_bready),
      .s_axi_araddr (mm_araddr),
      .s_axi_arid   (mm_arid),
      .s_axi_arlen  (mm_arlen),
      .s_axi_arvalid(mm_arvalid),
      .s_axi_arready(mm_arready),
      .s_axi_rid    (mm_rid),
      .s_axi_rdata  (mm_rdata),
      .s_axi_rresp  (mm_rresp),
      .s_axi_rlast  (mm_rlast),
      .s_axi_rvalid (mm_rvalid),
      .s_axi_rready (mm_rready)
  );

  logic user_moves, bypass_loops, bypass_loops_c2h, bypass_moves;
  example_bypass bypass (
      .loops(bypass_loops),
      .loops_c2h(bypass_loops_c2h),
      .moves(bypass_moves),
      .*
  );

  example_user #(
      .QUEUES    (QUEUES),
      .LOOP_BEATS(LOOP_BEATS)
  ) user (
      .moves                            (user_moves),
      .s_axil_awaddr                    (axil_awaddr),
      .s_axil_awvalid                   (axil_awvalid),
      .s_axil_awready                   (axil_awready),
      .s_axil_wdata                     (axil_wdata),
      .s_axil_wstrb                     (axil_wstrb),
      .s_axil_wvalid                    (axil_wvalid),
      .s_axil_wready                    (axil_wready),
      .s_axil_bresp                     (axil_bresp),
      .s_axil_bvalid                    (axil_bvalid),
      .s_axil_bready                    (axil_bready),
      .s_axil_araddr                    (axil_araddr),
      .s_axil_arvalid                   (axil_arvalid),
      .s_axil_arready                   (axil_arready),
      .s_axil_rdata                     (axil_rdata),
      .s_axil_rresp                     (axil_rresp),
      .s_axil_rvalid                    (axil_rvalid),
      .s_axil_rready                    (axil_rready),
      .s_axis_h2c_tvalid                (h2c_tvalid),
      .s_axis_h2c_tready                (h2c_tready),
      .s_axis_h2c_tdata                 (h2c_tdata),
      .s_axis_h2c_tlast                 (h2c_tlast),
      .s_axis_h2c_tuser_qid             (h2c_tuser_qid),
      .s_axis_h2c_tuser_mty             (h2c_tuser_mty),
      .s_axis_h2c_tuser_zero_byte       (h2c_tuser_zero_byte),
      .s_axis_h2c_tuser_err             (h2c_tuser_err),
      .m_axis_c2h_tvalid                (c2h_tvalid),
      .m_axis_c2h_tready                (c2h_tready),
      .m_axis_c2h_tdata                 (c2h_tdata),
      .m_axis_c2h_tlast                 (c2h_tlast),
      .m_axis_c2h_tuser_mty             (c2h_tuser_mty),
      .m_axis_c2h_tuser_zero_byte       (c2h_tuser_zero_byte),
      .m_axis_c2h_tuser_cmpt_data       (cmpt_data),
      .m_axis_c2h_tuser_cmpt_user_trig  (cmpt_user_trig),
      .m_axis_c2h_tuser_cmpt_user_format(cmpt_user_format),
      .m_axis_c2h_tuser_cmpt_place      (cmpt_place),
      .m_axis_c2h_tuser_cmpt_err        (cmpt_err),
      .*
  );
  assign moves = user_moves | bypass_moves | mm_awvalid | mm_wvalid | mm_bvalid | mm_arvalid | mm_rvalid;
endmodule
