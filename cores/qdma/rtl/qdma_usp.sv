// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// qdma with the adapter of the UltraScale+ integrated block for PCI Express: its ports are those of the block, by their
// names, and those of qdma for packets.
module qdma_usp
  import qdma_bypass_pkg::BYPASS_CHANNELS;
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
    // Lines of 64 bytes of completions that the block holds: it has room for 256 headers, and a line may come by itself
    parameter int COMPLETION_LINES = 256
) (
    input logic clk,
    input logic rst,

    output logic clearing,

    // The PCIe block's streams, with tuser as qdma_usp_pkg has it.  RQ and RC are straddled: tkeep and tlast say nothing
    output logic         s_axis_rq_tvalid,
    input  logic         s_axis_rq_tready,
    output logic [511:0] s_axis_rq_tdata,
    output logic [ 15:0] s_axis_rq_tkeep,
    output logic         s_axis_rq_tlast,
    output logic [136:0] s_axis_rq_tuser,
    input  logic [  5:0] pcie_rq_seq_num0,
    input  logic         pcie_rq_seq_num_vld0,
    input  logic [  5:0] pcie_rq_seq_num1,
    input  logic         pcie_rq_seq_num_vld1,
    input  logic         m_axis_rc_tvalid,
    output logic         m_axis_rc_tready,
    input  logic [511:0] m_axis_rc_tdata,
    input  logic [ 15:0] m_axis_rc_tkeep,
    input  logic         m_axis_rc_tlast,
    input  logic [160:0] m_axis_rc_tuser,
    input  logic         m_axis_cq_tvalid,
    output logic         m_axis_cq_tready,
    input  logic [511:0] m_axis_cq_tdata,
    input  logic [ 15:0] m_axis_cq_tkeep,
    input  logic         m_axis_cq_tlast,
    input  logic [182:0] m_axis_cq_tuser,
    output logic         s_axis_cc_tvalid,
    input  logic         s_axis_cc_tready,
    output logic [511:0] s_axis_cc_tdata,
    output logic [ 15:0] s_axis_cc_tkeep,
    output logic         s_axis_cc_tlast,
    output logic [ 80:0] s_axis_cc_tuser,
    output logic [  1:0] pcie_cq_np_req,

    // Its configuration: of each PF 4 bits of status, of each VF 2
    input logic [  1:0] cfg_max_payload,
    input logic [  2:0] cfg_max_read_req,
    input logic [ 15:0] cfg_function_status,
    input logic [503:0] cfg_vf_status,
    input logic [  3:0] cfg_interrupt_msix_enable,
    input logic [  3:0] cfg_interrupt_msix_mask,
    input logic [251:0] cfg_interrupt_msix_vf_enable,
    input logic [251:0] cfg_interrupt_msix_vf_mask,

    // Its legacy interrupt
    output logic [3:0] cfg_interrupt_int,
    output logic [3:0] cfg_interrupt_pending,
    input  logic       cfg_interrupt_sent,

    // Its function level resets
    input  logic [  3:0] cfg_flr_in_process,
    output logic [  3:0] cfg_flr_done,
    input  logic [251:0] cfg_vf_flr_in_process,
    output logic [  7:0] cfg_vf_flr_func_num,
    output logic         cfg_vf_flr_done,

    // Interrupts of the user: held until ack (its message is sent, or pending) or fail, each for a cycle
    input  logic        user_irq_valid,
    input  logic [ 7:0] user_irq_func,
    input  logic [10:0] user_irq_vector,
    output logic        user_irq_ack,
    output logic        user_irq_fail,

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

    // H2C packets; mty: bytes of the last beat that are empty
    output logic         m_axis_h2c_tvalid,
    input  logic         m_axis_h2c_tready,
    output logic [511:0] m_axis_h2c_tdata,
    output logic         m_axis_h2c_tlast,
    output logic [ 10:0] m_axis_h2c_tuser_qid,
    output logic [  2:0] m_axis_h2c_tuser_port_id,
    output logic [ 31:0] m_axis_h2c_tuser_mdata,
    output logic [  5:0] m_axis_h2c_tuser_mty,
    output logic         m_axis_h2c_tuser_zero_byte,
    output logic         m_axis_h2c_tuser_err,

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
    output logic [31:0] stat_c2h_stopped,

    // Counters: requests that were neither a read nor a write of memory and wanted no answer; errors of the block's own RAM;
    // answers that left though a request before them had not come through the block in time
    output logic [31:0] stat_request_dropped,
    output logic [31:0] stat_discontinued,
    output logic [31:0] stat_answer_expired
);
  // --- TLP channels and configuration, by the names of qdma's ports
  logic [2:0] max_payload, max_read_request;
  logic [255:0] master_enable, msix_enable, msix_mask, flr_in_process;
  logic flr_done;
  logic [7:0] flr_func;
  logic [3:0] intx;
  logic
      bar_request_valid,
      bar_request_ready,
      bar_request_is_write,
      bar_request_last,
      bar_answer_valid,
      bar_answer_ready,
      host_write_valid,
      host_write_ready,
      host_write_last,
      host_read_valid,
      host_read_ready,
      host_completion_valid,
      host_completion_is_poisoned,
      host_completion_is_timeout,
      host_completion_is_final,
      host_completion_last;
  logic [7:0] bar_request_func, bar_answer_func, host_write_func, host_completion_tag;
  logic [2:0]
      bar_request_bar,
      bar_request_tc,
      bar_request_attr,
      bar_answer_status,
      bar_answer_tc,
      bar_answer_attr,
      host_write_tc,
      host_write_attr,
      host_completion_status;
  logic [31:0] bar_request_addr;
  logic [10:0] bar_request_dwords, host_write_dwords, host_completion_dwords;
  logic [3:0] bar_request_first_be, bar_request_last_be, host_write_first_be, host_write_last_be;
  logic [15:0] bar_request_requester, bar_answer_requester;
  logic [9:0] bar_request_tag, bar_answer_tag;
  logic [511:0] bar_request_data, bar_answer_data, host_write_data, host_completion_data;
  logic [4:0] bar_answer_dwords;
  logic [12:0] bar_answer_byte_count, host_completion_byte_count;
  logic [6:0] bar_answer_lower_addr, host_completion_lower_addr;
  logic [63:0] host_write_addr;
  logic [7:0] host_read_func, host_read_tag;
  logic [63:0] host_read_addr;
  logic [10:0] host_read_dwords;
  logic [3:0] host_read_first_be, host_read_last_be;
  logic [2:0] host_read_tc, host_read_attr;

  qdma_usp_adapter adapter (.*);
  qdma #(
      .QUEUES       (QUEUES),
      .PFS          (PFS),
      .VFS          (VFS),
      .MM           (MM),
      .BYPASS       (BYPASS),
      .INLINE       (INLINE),
      .WATCHDOG     (WATCHDOG),
      .VF_SHARE     (VF_SHARE),
      .USER_BAR_BITS(USER_BAR_BITS)
  ) dma (
      .credit_limit(10'(COMPLETION_LINES)),
      .h2c_room('0),
      .timers_armed(),
      .h2c_blocked(),
      .*
  );
endmodule
