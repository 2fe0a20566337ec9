// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Logs of the first errors, and the error interrupt.
//
// Latency: a log has its error 1 cycle after it; the interrupt follows the masked state by 1 cycle.
//
// Operation: a log keeps the first error since its leaf's status was last 0; the leaf has its bit in the cycle after the
// error, as the log.  The interrupt is level-driven: it fires while it is armed and a masked cause is there, and takes
// the arm away.  So an error that comes while another one is being cleared fires when it is armed again.
//
// Interface: interrupt_valid is held, with interrupt, until interrupt_ready.
module qdma_errors
  import qdma_pkg::*;
(
    input logic clk,
    input logic rst,

    input target_error_t target_error,
    input pidx_error_t   pidx_error,
    input cidx_error_t   cidx_error,

    // Registers
    input  logic             trq_any,     // the leaf's status is not 0
    input  logic             dsc_any,
    input  logic             c2h_any,
    output target_error_t    target_log,
    output pidx_error_t      pidx_log,
    output cidx_error_t      cidx_log,
    input  logic             pending,     // a masked cause
    input  logic             armed,
    output logic             disarm,
    input  error_interrupt_t setting,

    output logic             interrupt_valid,
    input  logic             interrupt_ready,
    output error_interrupt_t interrupt
);
  logic target_hit, cidx_hit;
  assign target_hit = target_error.csr_unmapped | target_error.vf_access | target_error.qspc_unmapped
                      | target_error.qid_range;
  assign cidx_hit = cidx_error.bad_cidx | cidx_error.invalid_queue;
  assign disarm = armed & pending & ~interrupt_valid;

  always_ff @(posedge clk) begin
    if (target_hit && !trq_any) target_log <= target_error;
    if (pidx_error.valid && !dsc_any) pidx_log <= pidx_error;
    if (cidx_hit && !c2h_any) cidx_log <= cidx_error;
    if (interrupt_ready) interrupt_valid <= 1'b0;
    if (disarm) begin
      interrupt_valid <= 1'b1;
      interrupt       <= setting;
    end
    if (rst) begin
      target_log      <= '0;
      pidx_log        <= '0;
      cidx_log        <= '0;
      interrupt_valid <= 1'b0;
    end
  end
endmodule
