// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The legacy interrupt of physical functions: a pending bit of each, and its wire INTA.
//
// Latency: pending 2 cycles after the request at the least; the wire a cycle after pending.
//
// Interface: request has valid and ready, and is of a PF.  enable: the wires may be asserted.  clear has a bit of each PF, for a
// cycle.  intx is level.
//
// Operation: writes that were accepted by the arbiter before the request have left it when the bit is set: after as many beats
// as it holds, or when it is idle.  So software that reads the bit as 1 finds the status before it in its memory: the answer
// to the read passes no write.  A request in the cycle of a clear is kept.  A function level reset clears the bit.
//
// Limits: one request at a time; while the channel to the host stands still the next one waits.
module qdma_legacy
  import qdma_tlp_pkg::*;
  import qdma_pkg::*;
(
    input logic clk,
    input logic rst,

    input  logic      request_valid,
    output logic      request_ready,
    input  function_t request_func,

    input logic posted_is_idle,  // the arbiter and its channel
    input logic posted_moves,    // the oldest beat has left the arbiter, in the cycle before

    input  logic                    enable,
    input  logic      [MAX_PFS-1:0] clear,
    input  logic                    reset_active,
    input  function_t               reset_func,
    output logic      [MAX_PFS-1:0] pending,
    output logic      [MAX_PFS-1:0] intx
);
  localparam int ARBITER_BEATS = 3;
  typedef logic [$clog2(MAX_PFS)-1:0] pf_t;
  logic waits_q, sets;
  logic [1:0] beats_q;
  pf_t func_q;
  assign request_ready = ~waits_q;
  assign sets = waits_q & (posted_is_idle | (32'(beats_q) == ARBITER_BEATS));

  always_ff @(posedge clk) begin
    if (request_valid && request_ready) begin
      waits_q <= 1'b1;
      beats_q <= '0;
      func_q  <= pf_t'(request_func);
    end else if (sets || (reset_active && reset_func == function_t'(func_q))) begin
      waits_q <= 1'b0;
    end else if (posted_moves) begin
      beats_q <= beats_q + 1'b1;
    end
    for (int i = 0; i < MAX_PFS; i++) begin
      if (clear[i]) pending[i] <= 1'b0;
      if (sets && func_q == pf_t'(i)) pending[i] <= 1'b1;
      if (reset_active && reset_func == function_t'(i)) pending[i] <= 1'b0;
    end
    intx <= pending & {MAX_PFS{enable}};
    if (rst) begin
      waits_q <= 1'b0;
      pending <= '0;
      intx    <= '0;
    end
  end

  logic unused;
  assign unused = &{1'b0, request_func};
endmodule
