// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Between qdma and the UltraScale+ integrated block for PCI Express at 512 bits (PG213).
//
// Latency: that of the four blocks: RQ 1 cycle, RC 3, CQ 2, CC 1.
//
// Interface: on one side the block's ports, by their names, on the other the TLP channels and the configuration of qdma.
//
// The block is to be set up so: 512 bits, dword-aligned, RQ straddled, RC straddled with 4 TLPs, CQ and CC not;
// tags by the user, 256 of them; parity off; MSI-X with an external table: interrupts are writes of memory.
module qdma_usp_adapter
  import qdma_tlp_pkg::*;
  import qdma_write_pkg::write_beat_t;
  import qdma_usp_pkg::*;
(
    input logic clk,
    input logic rst,

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

    // Its legacy interrupt, and as qdma has it
    output logic [3:0] cfg_interrupt_int,
    output logic [3:0] cfg_interrupt_pending,
    input  logic       cfg_interrupt_sent,
    input  logic [3:0] intx,

    // Its function level resets
    input  logic [  3:0] cfg_flr_in_process,
    output logic [  3:0] cfg_flr_done,
    input  logic [251:0] cfg_vf_flr_in_process,
    output logic [  7:0] cfg_vf_flr_func_num,
    output logic         cfg_vf_flr_done,

    // Function level resets, as qdma has them
    output logic [255:0] flr_in_process,
    input  logic         flr_done,
    input  logic [  7:0] flr_func,

    // Configuration, as qdma has it
    output logic [  2:0] max_payload,
    output logic [  2:0] max_read_request,
    output logic [255:0] master_enable,
    output logic [255:0] msix_enable,
    output logic [255:0] msix_mask,

    // TLP channels of qdma: requests to the BARs
    output logic         bar_request_valid,
    input  logic         bar_request_ready,
    output logic         bar_request_is_write,
    output logic [  7:0] bar_request_func,
    output logic [  2:0] bar_request_bar,
    output logic [ 31:0] bar_request_addr,
    output logic [ 10:0] bar_request_dwords,
    output logic [  3:0] bar_request_first_be,
    output logic [  3:0] bar_request_last_be,
    output logic [ 15:0] bar_request_requester,
    output logic [  9:0] bar_request_tag,
    output logic [  2:0] bar_request_tc,
    output logic [  2:0] bar_request_attr,
    output logic [511:0] bar_request_data,
    output logic         bar_request_last,

    // Answers to reads of the BARs, one beat each
    input  logic         bar_answer_valid,
    output logic         bar_answer_ready,
    input  logic [  2:0] bar_answer_status,
    input  logic [  7:0] bar_answer_func,
    input  logic [  4:0] bar_answer_dwords,
    input  logic [ 12:0] bar_answer_byte_count,
    input  logic [  6:0] bar_answer_lower_addr,
    input  logic [ 15:0] bar_answer_requester,
    input  logic [  9:0] bar_answer_tag,
    input  logic [  2:0] bar_answer_tc,
    input  logic [  2:0] bar_answer_attr,
    input  logic [511:0] bar_answer_data,

    // Writes of host memory
    input  logic         host_write_valid,
    output logic         host_write_ready,
    input  logic [  7:0] host_write_func,
    input  logic [ 63:0] host_write_addr,
    input  logic [ 10:0] host_write_dwords,
    input  logic [  3:0] host_write_first_be,
    input  logic [  3:0] host_write_last_be,
    input  logic [  2:0] host_write_tc,
    input  logic [  2:0] host_write_attr,
    input  logic [511:0] host_write_data,
    input  logic         host_write_last,

    // Reads of host memory
    input  logic        host_read_valid,
    output logic        host_read_ready,
    input  logic [ 7:0] host_read_func,
    input  logic [63:0] host_read_addr,
    input  logic [10:0] host_read_dwords,
    input  logic [ 3:0] host_read_first_be,
    input  logic [ 3:0] host_read_last_be,
    input  logic [ 7:0] host_read_tag,
    input  logic [ 2:0] host_read_tc,
    input  logic [ 2:0] host_read_attr,

    // Their completions
    output logic         host_completion_valid,
    output logic [  2:0] host_completion_status,
    output logic         host_completion_is_poisoned,
    output logic         host_completion_is_timeout,
    output logic         host_completion_is_final,
    output logic [  7:0] host_completion_tag,
    output logic [ 10:0] host_completion_dwords,
    output logic [ 12:0] host_completion_byte_count,
    output logic [  6:0] host_completion_lower_addr,
    output logic [511:0] host_completion_data,
    output logic         host_completion_last,

    // Counters: requests that were neither a read nor a write of memory and wanted no answer; errors of the block's own RAM;
    // answers that left though a request before them had not come through the block in time
    output logic [31:0] stat_request_dropped,
    output logic [31:0] stat_discontinued,
    output logic [31:0] stat_answer_expired
);
  target_request_t request;
  target_completion_t answer;
  write_beat_t posted;
  read_t read;
  completion_t completion;
  logic dropped, discontinued, expired, ordered_valid, ordered_ready;

  // --- Configuration: PFs first.  Status of a PF: bit 2 is bus master enable, of a VF bit 1
  localparam int PFS = 4, VFS = 252;
  assign max_payload      = 3'(cfg_max_payload);
  assign max_read_request = cfg_max_read_req;
  assign msix_enable      = {cfg_interrupt_msix_vf_enable, cfg_interrupt_msix_enable};
  assign msix_mask        = {cfg_interrupt_msix_vf_mask, cfg_interrupt_msix_mask};
  always_comb begin
    for (int i = 0; i < PFS; i++) master_enable[i] = cfg_function_status[4*i+2];
    for (int i = 0; i < VFS; i++) master_enable[PFS+i] = cfg_vf_status[2*i+1];
  end

  // --- Legacy interrupt: all PFs have INTA.  Bit 3 of a PF's status is its interrupt disable.  A change is shown until the block has
  // sent its message
  logic inta, inta_waits_q;
  always_comb begin
    inta = 1'b0;
    for (int i = 0; i < PFS; i++) inta |= intx[i] & ~cfg_function_status[4*i+3];
  end
  always_ff @(posedge clk) begin
    cfg_interrupt_pending <= intx;
    if (!inta_waits_q) begin
      cfg_interrupt_int[0] <= inta;
      inta_waits_q         <= inta ^ cfg_interrupt_int[0];
    end else if (cfg_interrupt_sent) begin
      inta_waits_q <= 1'b0;
    end
    cfg_interrupt_int[3:1] <= '0;
    if (rst) begin
      cfg_interrupt_int <= '0;
      inta_waits_q      <= 1'b0;
    end
  end

  // --- Function level resets: the block hears of it when RQ has taken what it had before
  localparam int RQ_BEATS = 8;  // more than qdma_usp_rq holds
  logic flr_waits_q;
  logic [3:0] flr_beats_q;
  logic flr_ends;
  assign flr_in_process = {cfg_vf_flr_in_process, cfg_flr_in_process};
  assign flr_ends       = flr_waits_q & (32'(flr_beats_q) == RQ_BEATS);
  always_ff @(posedge clk) begin
    flr_waits_q <= (flr_done & flr_in_process[flr_func]) | (flr_waits_q & ~flr_ends);
    if (!flr_waits_q) flr_beats_q <= '0;
    else if (s_axis_rq_tready || !s_axis_rq_tvalid) flr_beats_q <= flr_beats_q + 1'b1;
    if (flr_done) cfg_vf_flr_func_num <= flr_func;
    cfg_vf_flr_done <= flr_ends & (cfg_vf_flr_func_num >= 8'(PFS));
    for (int i = 0; i < PFS; i++) cfg_flr_done[i] <= flr_ends & (cfg_vf_flr_func_num == 8'(i));
    if (rst) flr_waits_q <= 1'b0;
  end

  // --- RQ
  assign posted = '{
          last: host_write_last,
          header: '{
              func: host_write_func,
              addr: host_write_addr,
              dwords: host_write_dwords,
              first_be: host_write_first_be,
              last_be: host_write_last_be,
              tc: host_write_tc,
              attr: host_write_attr
          },
          data: host_write_data
      };
  assign read = '{
          func: host_read_func,
          addr: host_read_addr,
          dwords: host_read_dwords,
          first_be: host_read_first_be,
          last_be: host_read_last_be,
          tag: host_read_tag,
          tc: host_read_tc,
          attr: host_read_attr
      };
  assign s_axis_rq_tkeep = '1;  // boundaries are in tuser
  assign s_axis_rq_tlast = 1'b0;
  localparam int COUNT_BITS = 10;
  logic [COUNT_BITS-1:0] begun;
  qdma_usp_rq #(
      .COUNT_BITS(COUNT_BITS)
  ) rq (
      .clk,
      .rst,
      .begun,
      .posted_valid(host_write_valid),
      .posted_ready(host_write_ready),
      .posted,
      .read_valid  (host_read_valid),
      .read_ready  (host_read_ready),
      .read,
      .s_axis_rq_tvalid,
      .s_axis_rq_tready,
      .s_axis_rq_tdata,
      .s_axis_rq_tuser
  );

  // --- RC
  assign host_completion_status      = completion.status;
  assign host_completion_is_poisoned = completion.is_poisoned;
  assign host_completion_is_timeout  = completion.is_timeout;
  assign host_completion_is_final    = completion.is_final;
  assign host_completion_tag         = completion.tag;
  assign host_completion_dwords      = completion.dwords;
  assign host_completion_byte_count  = completion.byte_count;
  assign host_completion_lower_addr  = completion.lower_addr;
  qdma_usp_rc rc (
      .clk,
      .rst,
      .m_axis_rc_tvalid,
      .m_axis_rc_tready,
      .m_axis_rc_tdata,
      .m_axis_rc_tuser,
      .completion_valid(host_completion_valid),
      .completion,
      .completion_data (host_completion_data),
      .completion_last (host_completion_last),
      .discontinued
  );

  // --- CQ: non-posted requests wait there as others do
  assign pcie_cq_np_req        = 2'b11;
  assign bar_request_is_write  = request.is_write;
  assign bar_request_func      = request.func;
  assign bar_request_bar       = request.bar;
  assign bar_request_addr      = request.addr;
  assign bar_request_dwords    = request.dwords;
  assign bar_request_first_be  = request.first_be;
  assign bar_request_last_be   = request.last_be;
  assign bar_request_requester = request.transaction.requester;
  assign bar_request_tag       = request.transaction.tag;
  assign bar_request_tc        = request.transaction.tc;
  assign bar_request_attr      = request.transaction.attr;
  qdma_usp_cq cq (
      .clk,
      .rst,
      .m_axis_cq_tvalid,
      .m_axis_cq_tready,
      .m_axis_cq_tdata,
      .m_axis_cq_tlast,
      .m_axis_cq_tuser,
      .request_valid(bar_request_valid),
      .request_ready(bar_request_ready),
      .request,
      .request_data (bar_request_data),
      .request_last (bar_request_last),
      .dropped
  );

  // --- CC
  assign answer = '{
          status: status_e'(bar_answer_status),
          func: bar_answer_func,
          dwords: bar_answer_dwords,
          byte_count: bar_answer_byte_count,
          lower_addr: bar_answer_lower_addr,
          transaction: '{
              requester: bar_answer_requester,
              tag: bar_answer_tag,
              tc: bar_answer_tc,
              attr: bar_answer_attr
          }
      };
  assign s_axis_cc_tuser = '0;
  qdma_usp_order #(
      .COUNT_BITS(COUNT_BITS)
  ) order (
      .clk,
      .rst,
      .begun,
      .seq_num_valid({pcie_rq_seq_num_vld1, pcie_rq_seq_num_vld0}),
      .seq_num      ({pcie_rq_seq_num1, pcie_rq_seq_num0}),
      .answer_valid (bar_answer_valid),
      .answer_ready (bar_answer_ready),
      .ordered_valid,
      .ordered_ready,
      .expired
  );
  qdma_usp_cc cc (
      .clk,
      .rst,
      .answer_valid(ordered_valid),
      .answer_ready(ordered_ready),
      .answer,
      .answer_data (bar_answer_data),
      .s_axis_cc_tvalid,
      .s_axis_cc_tready,
      .s_axis_cc_tdata,
      .s_axis_cc_tkeep,
      .s_axis_cc_tlast
  );

  always_ff @(posedge clk) begin
    if (dropped) stat_request_dropped <= stat_request_dropped + 1'b1;
    if (discontinued) stat_discontinued <= stat_discontinued + 1'b1;
    if (expired) stat_answer_expired <= stat_answer_expired + 1'b1;
    if (rst) begin
      stat_request_dropped <= '0;
      stat_discontinued    <= '0;
      stat_answer_expired  <= '0;
    end
  end

  logic unused;
  assign unused = &{1'b0, cfg_function_status, cfg_vf_status, m_axis_rc_tkeep, m_axis_rc_tlast, m_axis_cq_tkeep};
endmodule
