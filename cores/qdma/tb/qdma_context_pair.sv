// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// For benches: the stores of a direction's software (0) and hardware (1) contexts, with an engine and the driver's
// commands beside it.
module qdma_context_pair
  import qdma_context_pkg::*;
  import qdma_pkg::*;
  import qdma_fetch_pkg::*;
#(
    parameter int QUEUES = 16
) (
    input logic clk,
    input logic rst,

    output logic clearing,

    // The driver's commands
    input  logic   command_valid,
    output logic   command_ready,
    input  logic   command_is_hw,
    input  logic   command_is_write,
    input  index_t command_qid,
    input  words_t command_data,
    input  words_t command_mask,
    output logic   command_at,
    output words_t command_word,

    // The engine
    input  logic   [1:0] store_valid,
    output logic   [1:0] store_ready,
    input  index_t       store_index,
    output logic   [1:0] store_at,
    output words_t [1:0] store_word,
    input  logic   [1:0] store_write,
    input  words_t [1:0] store_next
);
  logic [1:0] store_clearing, command_to, command_took, command_ats;
  words_t [1:0] command_words;
  logic [1:0][1:0] ready, at;
  assign clearing = |store_clearing;
  assign command_to = {command_valid & command_is_hw, command_valid & ~command_is_hw};
  assign command_ready = |command_took;
  assign command_at = |command_ats;
  assign command_word = command_ats[1] ? command_words[1] : command_words[0];

  for (genvar i = 0; i < 2; i++) begin : gen_stores
    qdma_context_store #(
        .SHOWN(i == 0 ? words_t'(SW_STORED) : words_t'(HW_STORED)),
        .OWN(i == 0 ? '0 : words_t'(HW_OWN)),
        .VALID(i == 0 ? words_t'(SW_VALID) : '0),
        .HELD(i == 0 ? '0 : words_t'(HW_HELD)),
        .DRAINS(i == 0 ? '0 : words_t'(HW_DRAINS)),
        .DEPTH(QUEUES)
    ) store (
        .clk,
        .rst,
        .clearing     (store_clearing[i]),
        .command_valid(command_to[i]),
        .command_ready(command_took[i]),
        .command_index(command_qid),
        .command_op   (command_is_write ? OP_WRITE : OP_READ),
        .command_data,
        .command_mask,
        .command_at   (command_ats[i]),
        .command_word (command_words[i]),
        .req_valid    ({store_valid[i], 1'b0}),
        .req_ready    (ready[i]),
        .req_index    ({store_index, index_t'(0)}),
        .at           (at[i]),
        .at_word      (store_word[i]),
        .write        ({store_write[i], 1'b0}),
        .next         ({store_next[i], words_t'(0)})
    );
    assign {store_ready[i], store_at[i]} = {ready[i][1], at[i][1]};
  end
endmodule
