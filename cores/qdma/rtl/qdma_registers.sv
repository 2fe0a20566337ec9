// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The registers of physical functions (../regs/README.md), with the logs and the interrupt of errors.
//
// Latency: of the generated block, an access is answered in the cycle after it is accepted, or the next.
//
// Interface: AXI4-Lite; SLVERR where there is no register, and for a write of what can only be read.
module qdma_registers
  import qdma_context_pkg::*;
  import qdma_tlp_pkg::*;
  import qdma_pkg::*;
#(
    parameter int QUEUES = 2048,
    parameter int PFS = 4,
    parameter int VFS = 252,
    parameter bit MM = 1'b0,  // memory-mapped transfers are there
    parameter bit BYPASS = 1'b0,  // descriptor bypass is there
    parameter bit INLINE = 1'b0,  // inline receive is there
    parameter bit WATCHDOG = 1'b0  // the watchdog is there
) (
    input logic clk,
    input logic rst,

    input  logic [12:0] s_axil_awaddr,
    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic [31:0] s_axil_wdata,
    input  logic [ 3:0] s_axil_wstrb,
    input  logic        s_axil_wvalid,
    output logic        s_axil_wready,
    output logic [ 1:0] s_axil_bresp,
    output logic        s_axil_bvalid,
    input  logic        s_axil_bready,
    input  logic [12:0] s_axil_araddr,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready,

    input function_t func,  // whose access is under way

    // PCIe's configuration: 128 << n bytes
    input logic [2:0] max_payload,
    input logic [2:0] max_read_request,

    output logic                [SIZES-1:0][15:0] ring_size,
    output logic                [SIZES-1:0][15:0] buffer_size,         // of C2H, bytes
    output completion_setting_t                   completion_setting,
    output logic                [      2:0]       status_interval,     // of H2C, 4 << n descriptors
    output logic                [      1:0]       mm_run,              // C2H in 0, H2C in 1

    // Context commands
    output logic                  command_start,
    output logic           [ 3:0] command_sel,
    output operation_e            command_op,
    output logic           [12:0] command_index,
    output words_t                command_data,
    output words_t                command_mask,
    input  logic                  command_read_valid,
    input  words_t                command_read_data,
    input  command_error_t        command_error,
    input  logic                  command_busy,        // a stop goes on

    // Errors, for a cycle
    input target_error_t                                       target_error,
    input pidx_error_t                                         pidx_error,
    input descriptor_error_t           [DESCRIPTOR_ERRORS-1:0] descriptor_error,  // C2H is even, H2C odd
    input ring_error_t                 [ ENGINE_RING_ERRORS:0] ring_error,        // 0: of doorbells
    input qdma_read_pkg::failed_read_t                         failed_read,

    output qdma_watch_pkg::watch_setting_t watch_setting,
    input  qdma_watch_pkg::watch_state_t   watch_state,

    // Legacy interrupt: a bit of each PF; clear for a cycle
    output logic               legacy_enable,
    output logic [MAX_PFS-1:0] legacy_clear,
    input  logic [MAX_PFS-1:0] legacy_pending,

    output logic             error_interrupt_valid,
    input  logic             error_interrupt_ready,
    output error_interrupt_t error_interrupt
);
  localparam logic [3:0] TARGET_REGISTERS = 4'd1, TARGET_DOORBELLS = 4'd2;

  qdma_regs_pkg::qdma_regs__in_t in;
  qdma_regs_pkg::qdma_regs__out_t out;

  target_error_t target_log;
  descriptor_log_t descriptor_log;
  ring_error_t ring_errors, ring_log;
  qdma_read_pkg::failed_read_t read_log;
  logic [15:0] dsc_errors;  // this cycle's, by sub-type
  descriptor_error_t any_descriptor_error;
  error_interrupt_t setting;
  logic [31:0] trq_status, dsc_status, c2h_status, status;
  logic armed, disarm;
  logic [15:0] coalesce_cycles;

  // --- Leaves, live
  always_comb begin
    trq_status                    = '0;
    trq_status[TRQ_CSR_UNMAPPED]  = out.GLBL_TRQ_ERR_STS.csr_unmapped.value;
    trq_status[TRQ_VF_ACCESS]     = out.GLBL_TRQ_ERR_STS.vf_access_err.value;
    trq_status[TRQ_QSPC_UNMAPPED] = out.GLBL_TRQ_ERR_STS.qspc_unmapped.value;
    trq_status[TRQ_QID_RANGE]     = out.GLBL_TRQ_ERR_STS.qid_range.value;
    dsc_status                    = '0;
    dsc_status[DSC_POISON]        = out.GLBL_DSC_ERR_STS.poison.value;
    dsc_status[DSC_UR_CA]         = out.GLBL_DSC_ERR_STS.ur_ca.value;
    dsc_status[DSC_BCNT]          = out.GLBL_DSC_ERR_STS.bcnt.value;
    dsc_status[DSC_TIMEOUT]       = out.GLBL_DSC_ERR_STS.timeout.value;
    dsc_status[DSC_DMA]           = out.GLBL_DSC_ERR_STS.dma.value;
    dsc_status[DSC_DSC]           = out.GLBL_DSC_ERR_STS.dsc.value;
    c2h_status                    = '0;
    c2h_status[C2H_BAD_LENGTH]    = out.C2H_ERR_STAT.len_mismatch.value;
    c2h_status[C2H_NO_INTERRUPT]  = out.C2H_ERR_STAT.msi_int_fail.value;
    c2h_status[C2H_INVALID_QUEUE] = out.C2H_ERR_STAT.wrb_inv_q_err.value;
    c2h_status[C2H_FULL]          = out.C2H_ERR_STAT.wrb_qfull_err.value;
    c2h_status[C2H_CIDX]          = out.C2H_ERR_STAT.wrb_cidx_err.value;
    status                        = '0;
    status[2]                     = |(dsc_status & out.GLBL_DSC_ERR_MSK.mask.value);
    status[3]                     = |(trq_status & out.GLBL_TRQ_ERR_MSK.mask.value);
    status[8]                     = |(c2h_status & out.C2H_ERR_MASK.mask.value);
    status[9]                     = out.GLBL_ERR_STAT.ind_ctxt_cmd_index.value;
    status[10]                    = out.GLBL_ERR_STAT.ind_ctxt_cmd_selector.value;
  end

  always_comb begin
    ring_errors = '0;
    for (int i = 0; i <= ENGINE_RING_ERRORS; i++) ring_errors |= ring_error[i];
    any_descriptor_error = '0;
    dsc_errors = '0;
    for (int i = 0; i < DESCRIPTOR_ERRORS; i++) begin
      any_descriptor_error |= descriptor_error[i];
      dsc_errors[descriptor_error[i].sub_type] |= descriptor_error[i].dsc | descriptor_error[i].dma;
    end
  end

  assign setting = '{
          host_id: out.GLBL_ERR_INT.host_id.value,
          dis_intr_on_vf: out.GLBL_ERR_INT.dis_intr_on_vf.value,
          en_coal: out.GLBL_ERR_INT.en_coal.value,
          vec: out.GLBL_ERR_INT.vec.value,
          func: out.GLBL_ERR_INT.func.value
      };
  assign armed = out.GLBL_ERR_INT.arm.value;

  qdma_errors errors (
      .clk,
      .rst,
      .target_error,
      .pidx_error,
      .descriptor_error,
      .ring_error,
      .failed_read,
      .trq_any        (|trq_status),
      .dsc_any        (|dsc_status),
      .c2h_any        (|c2h_status),
      .target_log,
      .descriptor_log,
      .read_log,
      .ring_log,
      .pending        (|(status & out.GLBL_ERR_MASK.mask.value)),
      .armed,
      .disarm,
      .setting,
      .interrupt_valid(error_interrupt_valid),
      .interrupt_ready(error_interrupt_ready),
      .interrupt      (error_interrupt)
  );

  // --- What the registers show
  always_comb begin
    in.CFG_BLK_PCIE_MAX_PLD_SIZE.issued.next = max_payload;
    in.CFG_BLK_PCIE_MAX_PLD_SIZE.prog.next = max_payload;
    in.CFG_BLK_PCIE_MAX_READ_REQ_SIZE.issued.next = max_read_request;
    in.CFG_BLK_PCIE_MAX_READ_REQ_SIZE.prog.next = max_read_request;
    in.GLBL2_PF_BARLITE_INT.map.next = '0;
    in.GLBL2_PF_BARLITE_EXT.map.next = '0;
    for (int i = 0; i < PFS; i++) begin
      in.GLBL2_PF_BARLITE_INT.map.next[6*i+:6] = 6'(1 << BAR_CONFIG);
      in.GLBL2_PF_BARLITE_EXT.map.next[6*i+:6] = 6'(1 << BAR_USER);
    end
    in.GLBL2_CHANNEL_INST.h2c_eng.next           = 4'(MM);
    in.GLBL2_CHANNEL_INST.c2h_eng.next           = 4'(MM);
    in.GLBL2_CHANNEL_MDMA.h2c_eng.next           = 4'(MM);
    in.GLBL2_CHANNEL_MDMA.c2h_eng.next           = 4'(MM);
    in.C2H_MM_STATUS.run.next                    = MM & mm_run[0];
    in.H2C_MM_STATUS.run.next                    = MM & mm_run[1];
    in.GLBL2_CHANNEL_CAP.multiq_max.next         = 12'(QUEUES);
    in.GLBL2_CHANNEL_FUNC_RET.function_id.next   = func;
    in.GLBL2_MISC_CAP.mailbox.next               = VFS > 0;
    in.GLBL2_MISC_CAP.engine_mode.next           = BYPASS ? 2'd0 : 2'd2;
    in.GLBL2_MISC_CAP.inline_receive.next        = INLINE;

    in.GLBL_ERR_STAT.err_dsc.next                = status[2];
    in.GLBL_ERR_STAT.err_trq.next                = status[3];
    in.GLBL_ERR_STAT.err_c2h_st.next             = status[8];
    in.GLBL_ERR_STAT.ind_ctxt_cmd_index.hwset    = command_error.bad_index;
    in.GLBL_ERR_STAT.ind_ctxt_cmd_selector.hwset = command_error.bad_selector;
    in.GLBL_ERR_INT.arm.hwclr                    = disarm;

    in.GLBL_TRQ_ERR_STS.csr_unmapped.hwset       = target_error.csr_unmapped;
    in.GLBL_TRQ_ERR_STS.vf_access_err.hwset      = target_error.vf_access;
    in.GLBL_TRQ_ERR_STS.qspc_unmapped.hwset      = target_error.qspc_unmapped;
    in.GLBL_TRQ_ERR_STS.qid_range.hwset          = target_error.qid_range;
    in.GLBL_TRQ_ERR_LOG.address.next             = target_log.addr;
    in.GLBL_TRQ_ERR_LOG.func.next                = 10'(target_log.func);
    in.GLBL_TRQ_ERR_LOG.target.next              = '0;
    if (target_log.csr_unmapped || target_log.vf_access) in.GLBL_TRQ_ERR_LOG.target.next = TARGET_REGISTERS;
    if (target_log.qspc_unmapped || target_log.qid_range) in.GLBL_TRQ_ERR_LOG.target.next = TARGET_DOORBELLS;

    in.GLBL_DSC_ERR_STS.poison.hwset             = dsc_errors[DSC_POISON];
    in.GLBL_DSC_ERR_STS.ur_ca.hwset              = dsc_errors[DSC_UR_CA];
    in.GLBL_DSC_ERR_STS.bcnt.hwset               = dsc_errors[DSC_BCNT];
    in.GLBL_DSC_ERR_STS.timeout.hwset            = dsc_errors[DSC_TIMEOUT];
    in.GLBL_DSC_ERR_STS.dma.hwset                = any_descriptor_error.dma;
    in.GLBL_DSC_ERR_STS.dsc.hwset                = pidx_error.valid | any_descriptor_error.dsc;
    in.GLBL_DSC_ERR_LOG0.qid.next                = 13'(descriptor_log.qid);
    in.GLBL_DSC_ERR_LOG0.sel.next                = descriptor_log.is_c2h;
    in.GLBL_DSC_ERR_LOG0.valid.next              = |dsc_status;
    in.GLBL_DSC_ERR_LOG1.err_type.next           = descriptor_log.kind;
    in.GLBL_DSC_ERR_LOG1.sub_type.next           = descriptor_log.sub_type;
    in.GLBL_DSC_ERR_LOG1.cidx.next               = descriptor_log.cidx;
    in.GLBL_DSC_ERR_LOG2.new_pidx.next           = descriptor_log.new_pidx;
    in.GLBL_DSC_ERR_LOG2.old_pidx.next           = descriptor_log.old_pidx;

    in.READ_ERR_LOG0.valid.next                  = read_log.valid;
    in.READ_ERR_LOG0.qid.next                    = 13'(read_log.qid);
    in.READ_ERR_LOG0.client.next                 = read_log.client;
    in.READ_ERR_LOG0.error.next                  = read_log.error;
    in.READ_ERR_LOG1.tag.next                    = read_log.tag;
    in.READ_ERR_LOG1.func.next                   = read_log.func;
    in.READ_ERR_LOG2.address_low.next            = read_log.addr[31:0];
    in.READ_ERR_LOG3.address_high.next           = read_log.addr[63:32];

    in.GLBL2_SYSTEM_ID.watchdog.next             = WATCHDOG;
    in.PROGRESS_H2C.issued.next                  = watch_state.issued;
    in.PROGRESS_H2C.done.next                    = watch_state.done;
    in.PROGRESS_STATUS.written.next              = watch_state.written;
    in.PROGRESS_C2H.held.next                    = watch_state.held;
    in.WATCHDOG_CTL.armed.hwclr                  = watch_state.freezes | ~WATCHDOG;
    in.WATCHDOG_TICK.clocks.next                 = WATCHDOG ? 16'(8 * QUEUES) : '0;
    in.WATCHDOG_STATUS.qid.next                  = 13'(watch_state.qid);
    in.WATCHDOG_STATUS.events.next               = watch_state.events;
    in.WATCHDOG_STATUS.is_c2h.next               = watch_state.is_c2h;
    in.WATCHDOG_STATUS.frozen.next               = watch_state.frozen;
    in.WATCHDOG_EVENT.index.next                 = watch_state.trace.index;
    in.WATCHDOG_EVENT.qid.next                   = watch_state.trace.qid;
    in.WATCHDOG_EVENT.kind.next                  = watch_state.trace.kind;
    in.WATCHDOG_EVENT.lost.next                  = watch_state.trace.lost;
    in.WATCHDOG_CYCLE.cycle.next                 = watch_state.trace.cycle;

    in.GLBL_INTERRUPT_CFG.lgcy_intr_pending.next = 1'b0;
    for (int i = 0; i < MAX_PFS; i++) begin
      if (func == function_t'(i)) in.GLBL_INTERRUPT_CFG.lgcy_intr_pending.next = legacy_pending[i];
    end

    in.C2H_ERR_STAT.len_mismatch.hwset  = ring_errors.bad_length;
    in.C2H_ERR_STAT.msi_int_fail.hwset  = ring_errors.no_interrupt;
    in.C2H_ERR_STAT.wrb_inv_q_err.hwset = ring_errors.invalid_queue;
    in.C2H_ERR_STAT.wrb_qfull_err.hwset = ring_errors.is_full;
    in.C2H_ERR_STAT.wrb_cidx_err.hwset  = ring_errors.bad_cidx;
    in.C2H_FIRST_ERR_QID.qid.next       = 13'(ring_log.qid);
    in.C2H_FIRST_ERR_QID.err_type.next  = '0;
    if (ring_log.bad_length) in.C2H_FIRST_ERR_QID.err_type.next = 5'(C2H_BAD_LENGTH);
    if (ring_log.bad_cidx) in.C2H_FIRST_ERR_QID.err_type.next = 5'(C2H_CIDX);
    if (ring_log.is_full) in.C2H_FIRST_ERR_QID.err_type.next = 5'(C2H_FULL);
    if (ring_log.invalid_queue) in.C2H_FIRST_ERR_QID.err_type.next = 5'(C2H_INVALID_QUEUE);
    if (ring_log.no_interrupt) in.C2H_FIRST_ERR_QID.err_type.next = 5'(C2H_NO_INTERRUPT);

    in.IND_CTXT_CMD.busy.next = command_busy;
    for (int i = 0; i < CONTEXT_WORDS; i++) begin
      in.IND_CTXT_DATA[i].data.we   = command_read_valid;
      in.IND_CTXT_DATA[i].data.next = command_read_data[32*i+:32];
    end
  end

  // --- What they set
  always_comb begin
    for (int i = 0; i < CONTEXT_WORDS; i++) begin
      command_data[32*i+:32] = out.IND_CTXT_DATA[i].data.value;
      command_mask[32*i+:32] = out.IND_CTXT_MASK[i].mask.value;
    end
    for (int i = 0; i < SIZES; i++) begin
      ring_size[i]                          = out.GLBL_RNG_SZ[i].ring_size.value;
      buffer_size[i]                        = out.C2H_BUF_SZ[i].size.value;
      completion_setting.count_threshold[i] = out.C2H_CNT_TH[i].threshold.value;
      completion_setting.timer_ticks[i]     = out.C2H_TIMER_CNT[i].count.value;
    end
    completion_setting.tick_cycles     = out.C2H_INT_TIMER_TICK.ticks.value;
    completion_setting.coalesce_cycles = coalesce_cycles;
    for (int i = 0; i < FORMATS; i++) begin
      completion_setting.colour_place[i] = 9'(out.C2H_CMPT_FORMAT[i].color_loc.value);
      completion_setting.error_place[i]  = 9'(out.C2H_CMPT_FORMAT[i].desc_err_loc.value);
    end
  end
  qdma_product #(
      .WIDTH(12),
      .RESULT_WIDTH(16)
  ) coalesce (
      .clk,
      .rst,
      .a      (out.C2H_WRB_COAL_CFG.tick_val.value),
      .b      (out.C2H_WRB_COAL_CFG.tick_cnt.value),
      .product(coalesce_cycles)
  );
  // A write that leaves it armed arms it; swmod comes the cycle before the value.
  logic watch_written_q;
  always_ff @(posedge clk) watch_written_q <= out.WATCHDOG_CTL.armed.swmod & ~rst;
  assign watch_setting = '{
          qid: out.PROGRESS_QUEUE.qid.value,
          arm: watch_written_q & out.WATCHDOG_CTL.armed.value,
          armed: out.WATCHDOG_CTL.armed.value,
          limit: out.WATCHDOG_LIMIT.ticks.value,
          filters: out.WATCHDOG_CTL.filters.value,
          filter_qid: out.WATCHDOG_CTL.filter_qid.value,
          entry: out.WATCHDOG_ENTRY.entry.value
      };
  // A pending bit that was 1, and is 0 after a write, has been cleared: it follows legacy_pending again in the next cycle.
  logic legacy_written_q;
  assign legacy_enable = out.GLBL_INTERRUPT_CFG.en_lgcy_intr.value;
  always_ff @(posedge clk) begin
    legacy_written_q <= out.GLBL_INTERRUPT_CFG.lgcy_intr_pending.swmod
                        & out.GLBL_INTERRUPT_CFG.lgcy_intr_pending.value & ~rst;
  end
  always_comb begin
    for (int i = 0; i < MAX_PFS; i++) begin
      legacy_clear[i] = legacy_written_q & ~out.GLBL_INTERRUPT_CFG.lgcy_intr_pending.value & (func == function_t'(i));
    end
  end
  assign status_interval = out.GLBL_DSC_CFG.wb_acc_int.value;
  assign mm_run = {out.H2C_MM_CTL.run.value, out.C2H_MM_CTL.run.value};
  assign command_start = out.IND_CTXT_CMD.op.swmod;
  assign command_sel = out.IND_CTXT_CMD.sel.value;
  assign command_op = operation_e'(out.IND_CTXT_CMD.op.value);
  assign command_index = out.IND_CTXT_CMD.qid.value;

  qdma_regs regs (
      .clk,
      .rst,
      .s_axil_awaddr,
      .s_axil_awprot('0),
      .s_axil_awvalid,
      .s_axil_awready,
      .s_axil_wdata,
      .s_axil_wstrb,
      .s_axil_wvalid,
      .s_axil_wready,
      .s_axil_bresp,
      .s_axil_bvalid,
      .s_axil_bready,
      .s_axil_araddr,
      .s_axil_arprot('0),
      .s_axil_arvalid,
      .s_axil_arready,
      .s_axil_rdata,
      .s_axil_rresp,
      .s_axil_rvalid,
      .s_axil_rready,
      .hwif_in      (in),
      .hwif_out     (out)
  );

  logic unused;
  assign unused = &{1'b0, any_descriptor_error, dsc_errors};
endmodule
