// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Logs of the first errors, and the error interrupt.
//
// Latency: a log has its error 1 cycle after it; the interrupt follows the masked state by 1 cycle.
//
// Operation: a log keeps the first error since its leaf's status was last 0; the leaf has its bit in the cycle after the
// error, as the log.  The log of reads keeps the first one that has failed since the status of descriptor rings was cleared:
// its queue is stopped later, and may be another than that of the descriptor log.  The interrupt is level-driven: it fires while it is armed and a masked cause is there, and takes
// the arm away.  So an error that comes while another one is being cleared fires when it is armed again.
//
// Interface: interrupt_valid is held, with interrupt, until interrupt_ready.
module qdma_errors
  import qdma_pkg::*;
(
    input logic clk,
    input logic rst,

    input target_error_t                             target_error,
    input pidx_error_t                               pidx_error,
    input descriptor_error_t [DESCRIPTOR_ERRORS-1:0] descriptor_error,  // C2H is even, H2C odd
    input ring_error_t       [ ENGINE_RING_ERRORS:0] ring_error,

    input qdma_read_pkg::failed_read_t failed_read,

    // Registers
    input  logic                        trq_any,         // the leaf's status is not 0
    input  logic                        dsc_any,
    input  logic                        c2h_any,
    output target_error_t               target_log,
    output descriptor_log_t             descriptor_log,
    output qdma_read_pkg::failed_read_t read_log,
    output ring_error_t                 ring_log,
    input  logic                        pending,         // a masked cause
    input  logic                        armed,
    output logic                        disarm,
    input  error_interrupt_t            setting,

    output logic             interrupt_valid,
    input  logic             interrupt_ready,
    output error_interrupt_t interrupt
);
  logic target_hit, dsc_any_q;
  logic [ENGINE_RING_ERRORS:0] ring_hit;
  assign target_hit = target_error.csr_unmapped | target_error.vf_access | target_error.qspc_unmapped
                      | target_error.qid_range;
  assign disarm = armed & pending & ~interrupt_valid;
  always_comb begin
    for (int i = 0; i <= ENGINE_RING_ERRORS; i++) begin
      ring_hit[i] = ring_error[i].bad_cidx | ring_error[i].is_full | ring_error[i].invalid_queue
                    | ring_error[i].no_interrupt | ring_error[i].bad_length;
    end
  end

  always_ff @(posedge clk) begin
    if (target_hit && !trq_any) target_log <= target_error;
    // Of several in one cycle, a doorbell's goes first, then C2H.
    if (!dsc_any) begin
      if (pidx_error.valid) begin
        descriptor_log <= '{
            kind: 5'(DSC_DSC),
            sub_type: '0,
            cidx: '0,
            is_c2h: pidx_error.is_c2h,
            qid: pidx_error.qid,
            old_pidx: pidx_error.old_pidx,
            new_pidx: pidx_error.new_pidx
        };
      end else begin
        for (int i = DESCRIPTOR_ERRORS - 1; i >= 0; i--) begin
          if (descriptor_error[i].dsc || descriptor_error[i].dma) begin
            descriptor_log <= '{
                kind: descriptor_error[i].dsc ? 5'(DSC_DSC) : 5'(DSC_DMA),
                sub_type: descriptor_error[i].sub_type,
                cidx: descriptor_error[i].cidx,
                is_c2h: i % 2 == 0,
                qid: descriptor_error[i].qid,
                default: '0
            };
          end
        end
      end
    end
    // A read fails before its queue is stopped: the log is open from the clearing of the leaf on.
    dsc_any_q <= dsc_any;
    if (failed_read.valid && (!read_log.valid || (dsc_any_q && !dsc_any))) read_log <= failed_read;
    else if (dsc_any_q && !dsc_any) read_log.valid <= 1'b0;
    if (!c2h_any) begin
      for (int i = ENGINE_RING_ERRORS; i >= 0; i--) if (ring_hit[i]) ring_log <= ring_error[i];
    end
    if (interrupt_ready) interrupt_valid <= 1'b0;
    if (disarm) begin
      interrupt_valid <= 1'b1;
      interrupt       <= setting;
    end
    if (rst) begin
      target_log      <= '0;
      descriptor_log  <= '0;
      ring_log        <= '0;
      read_log        <= '0;
      dsc_any_q       <= 1'b0;
      interrupt_valid <= 1'b0;
    end
  end
endmodule
