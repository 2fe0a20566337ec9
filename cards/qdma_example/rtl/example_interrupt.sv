// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Interrupts of the user, as the registers of the example design ask for them.
//
// Latency: user_irq_valid 1 cycle after request, 2 after a write of mask or vector.
//
// Interface: request is held until clear.  written: mask or vector has been written, with the new value in the next cycle.
// user_irq_* is the port of qdma.  moves: an interrupt is not answered yet.
//
// Operation: function and vector are those of the cycle in which an interrupt begins.  Writes of mask and vector while one is
// not answered raise one more, not one each: a read of the vector register returns the bits of all.
module example_interrupt (
    input  logic clk,
    input  logic rst,
    output logic moves,

    // Registers
    input  logic        request,
    output logic        clear,
    output logic        failed,   // of the last answer
    input  logic [ 7:0] func,
    input  logic [ 4:0] vector,
    input  logic        written,
    input  logic [31:0] bits,     // those that raise an interrupt

    // To qdma
    output logic        user_irq_valid,
    output logic [ 7:0] user_irq_func,
    output logic [10:0] user_irq_vector,
    input  logic        user_irq_ack,
    input  logic        user_irq_fail
);
  logic written_q, raised_q, is_request_q, is_answered, begins;
  assign is_answered = user_irq_valid & (user_irq_ack | user_irq_fail);
  assign begins      = ~user_irq_valid & (request | raised_q);
  assign clear       = is_answered & is_request_q;
  assign moves       = user_irq_valid | request | raised_q | written_q;

  always_ff @(posedge clk) begin
    written_q <= written;
    if (written_q && |bits) raised_q <= 1'b1;
    else if (begins && !request) raised_q <= 1'b0;
    if (begins) begin
      user_irq_valid  <= 1'b1;
      user_irq_func   <= func;
      user_irq_vector <= 11'(vector);
      is_request_q    <= request;
    end
    if (is_answered) begin
      user_irq_valid <= 1'b0;
      failed         <= user_irq_fail;
    end
    if (rst) begin
      user_irq_valid <= 1'b0;
      written_q      <= 1'b0;
      raised_q       <= 1'b0;
      failed         <= 1'b0;
    end
  end
endmodule
