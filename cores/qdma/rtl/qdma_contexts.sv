// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// All contexts: a qdma_context_store for each kind, in the order of qdma_context_pkg.
//
// Latency: as qdma_context_ram.
//
// Interface: each kind has its own ports and takes an operation a cycle, whatever the others do.  The word of a port in
// the cycle with `at` is word[store] for all three.
module qdma_contexts
  import qdma_context_pkg::*;
#(
    parameter int QUEUES = 2048,
    parameter int FUNCTIONS = 256
) (
    input logic clk,
    input logic rst,

    output logic clearing,  // after a reset: nothing is accepted

    // Indirect commands
    input  logic       [STORES-1:0] command_valid,
    output logic       [STORES-1:0] command_ready,
    input  index_t                  command_index,
    input  operation_e              command_op,
    input  words_t                  command_data,
    input  words_t                  command_mask,
    output logic       [STORES-1:0] command_at,
    output words_t     [STORES-1:0] command_word,

    // Doorbells
    input  logic   [STORES-1:0] doorbell_valid,
    output logic   [STORES-1:0] doorbell_ready,
    input  index_t              doorbell_index,
    output logic   [STORES-1:0] doorbell_at,
    input  logic                doorbell_write,
    input  words_t              doorbell_next,

    // Engines
    input  logic   [STORES-1:0] engine_valid,
    output logic   [STORES-1:0] engine_ready,
    input  index_t [STORES-1:0] engine_index,
    output logic   [STORES-1:0] engine_at,
    input  logic   [STORES-1:0] engine_write,
    input  words_t [STORES-1:0] engine_next,

    output words_t [STORES-1:0] word
);
  logic [STORES-1:0] store_clearing;
  assign clearing = |store_clearing;

  for (genvar i = 0; i < STORES; i++) begin : gen_stores
    qdma_context_store #(
        .SHOWN(store_shown(i)),
        .OWN(store_own(i)),
        .VALID(store_valid_bit(i)),
        .HELD(store_held(i)),
        .DRAINS(store_drains(i)),
        .DEPTH(i == STORE_FMAP ? FUNCTIONS : i == STORE_INTERRUPT ? INTERRUPT_RINGS : QUEUES)
    ) store (
        .clk,
        .rst,
        .clearing     (store_clearing[i]),
        .command_valid(command_valid[i]),
        .command_ready(command_ready[i]),
        .command_index,
        .command_op,
        .command_data,
        .command_mask,
        .command_at   (command_at[i]),
        .command_word (command_word[i]),
        .req_valid    ({engine_valid[i], doorbell_valid[i]}),
        .req_ready    ({engine_ready[i], doorbell_ready[i]}),
        .req_index    ({engine_index[i], doorbell_index}),
        .at           ({engine_at[i], doorbell_at[i]}),
        .at_word      (word[i]),
        .write        ({engine_write[i], doorbell_write}),
        .next         ({engine_next[i], doorbell_next})
    );
  end
endmodule
