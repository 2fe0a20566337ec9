// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A queue of ids for the proofs of blocks that use it: what is shown is free.  The proof says what may be shown.
module qdma_id_queue #(
    parameter int IDS   = 2048,
    parameter int FLAGS = 1
) (
    input logic clk,
    input logic rst,

    output logic clearing,

    input logic                   push_valid,
    input logic [$clog2(IDS)-1:0] push_id,
    input logic [      FLAGS-1:0] push_flags,

    output logic                   pop_valid,
    input  logic                   pop_ready,
    output logic [$clog2(IDS)-1:0] pop_id,
    output logic [      FLAGS-1:0] pop_flags
);
  assign clearing = 1'b0;
  logic unused;
  assign unused = &{1'b0, clk, rst, push_valid, push_id, push_flags, pop_ready};
endmodule
