// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The user's interrupts: one request at a time to qdma_msix, and its answer.
//
// Latency: the request is shown 1 cycle after irq_valid, the answer 1 cycle after done.  Alone, the message is shown 5 cycles
// after irq_valid, the answer 6.
//
// Interface: the user holds irq_valid with function and vector until ack or fail, each for a cycle.  Another interrupt may be
// valid from the next cycle on.  ack: its message will be sent, or its pending bit is set, because vector or function is
// masked.  fail: no such vector or function, MSI-X off, no bus master, or a reset of the function; nothing of it remains.
// request has valid and ready; done and is_accepted come from qdma_msix when it has decided.
//
// Operation: function and vector are taken when irq_valid is seen; a user that does not hold them has its answer all the same.
// formal/user_irq_answered.sv proves that each has one request and one answer.
//
// Limits: a function that stalls the channel to the host delays the interrupts of all.
module qdma_user_interrupt
  import qdma_tlp_pkg::*;
(
    input logic clk,
    input logic rst,

    // The user
    input  logic             irq_valid,
    input  function_t        irq_func,
    input  logic      [10:0] irq_vector,
    output logic             irq_ack,
    output logic             irq_fail,

    // To qdma_msix, and its decision
    output logic             request_valid,
    input  logic             request_ready,
    output function_t        request_func,
    output logic      [10:0] request_vector,
    input  logic             done,
    input  logic             is_accepted,

    output logic [31:0] stat_failed
);
  typedef enum logic [1:0] {
    IDLE,
    REQUEST,  // shown to qdma_msix
    DECISION  // it has accepted it
  } state_e;
  state_e state_q;
  assign request_valid = state_q == REQUEST;

  always_ff @(posedge clk) begin
    irq_ack  <= 1'b0;
    irq_fail <= 1'b0;
    case (state_q)
      IDLE:
      // In the cycle of an answer irq_valid is still that of the interrupt that has been answered.
      if (irq_valid && !irq_ack && !irq_fail) begin
        state_q        <= REQUEST;
        request_func   <= irq_func;
        request_vector <= irq_vector;
      end
      REQUEST: if (request_ready) state_q <= DECISION;
      default:
      if (done) begin
        state_q  <= IDLE;
        irq_ack  <= is_accepted;
        irq_fail <= ~is_accepted;
      end
    endcase
    if (irq_fail) stat_failed <= stat_failed + 1'b1;
    if (rst) begin
      state_q     <= IDLE;
      irq_ack     <= 1'b0;
      irq_fail    <= 1'b0;
      stat_failed <= '0;
    end
  end
endmodule
