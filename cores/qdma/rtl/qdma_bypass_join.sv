// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Descriptors of the fetch and of the user, in turn by batch, into one engine.
//
// Latency: none, combinational; 1 cycle when it changes between both.
//
// Interface: valid and ready.  read_begins: a batch is read, for a cycle; batch_left: all of a batch has left to the user.
// goes_on: as qdma_fetch_turn has it.
//
// Operation: a batch that is continued is followed by the next one of the fetch, as long as one may come.
module qdma_bypass_join
  import qdma_fetch_pkg::*;
(
    input logic clk,
    input logic rst,

    input logic goes_on,
    input logic read_begins,
    input logic batch_left,

    input  logic        fetched_valid,
    output logic        fetched_ready,
    input  descriptor_t fetched,
    input  logic        user_valid,
    output logic        user_ready,
    input  descriptor_t user,

    output logic        descriptor_valid,
    input  logic        descriptor_ready,
    output descriptor_t descriptor
);
  logic is_user_q, in_batch, accept, ends, at_boundary, fetched_ends;
  logic [8:0] batches_q;  // that are read, and not accepted whole
  assign descriptor       = is_user_q ? user : fetched;
  assign descriptor_valid = is_user_q ? user_valid : fetched_valid;
  assign fetched_ready    = ~is_user_q & descriptor_ready;
  assign user_ready       = is_user_q & descriptor_ready;
  assign accept           = descriptor_valid & descriptor_ready;
  assign fetched_ends     = fetched_valid & fetched_ready & fetched.is_end;
  assign ends             = accept & descriptor.is_end & (is_user_q | ~fetched.is_continued);

  // in_batch: a batch has begun, or the next one may continue it
  logic begun_q, continued_q;
  assign in_batch    = begun_q | (continued_q & (goes_on | (batches_q != '0)));
  assign at_boundary = ends | (~in_batch & ~descriptor_valid);

  always_ff @(posedge clk) begin
    batches_q <= batches_q + 9'(read_begins) - 9'(fetched_ends) - 9'(batch_left);
    if (accept) begin
      begun_q     <= ~descriptor.is_end;
      continued_q <= ~is_user_q & descriptor.is_end & fetched.is_continued;
    end
    if (at_boundary) is_user_q <= is_user_q ? ~fetched_valid : user_valid;
    if (rst) begin
      batches_q   <= '0;
      is_user_q   <= 1'b0;
      begun_q     <= 1'b0;
      continued_q <= 1'b0;
    end
  end
endmodule
