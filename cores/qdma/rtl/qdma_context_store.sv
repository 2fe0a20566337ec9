// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The contexts of one kind: a qdma_context_ram, the four operations of indirect commands on it, and two other ports, for
// doorbells and for the engines.
//
// Latency: as qdma_context_ram.  A command waits for at most two operations of the others.
//
// Interface: words are as the contract has them, word 0 in bits 31:0, with what is the engines' own after it.  Only the
// bits in SHOWN and OWN are kept; commands see SHOWN, the other ports both.  No command changes the bits in HELD: they count
// what an engine has under way.  `clear` sets those in DRAINS while any of HELD is set.
module qdma_context_store
  import qdma_context_pkg::*;
#(
    parameter words_t SHOWN = '1,
    parameter words_t OWN = '0,
    parameter words_t VALID = '0,  // what `invalidate` clears
    parameter words_t HELD = '0,
    parameter words_t DRAINS = '0,
    parameter int DEPTH = 2048
) (
    input logic clk,
    input logic rst,

    output logic clearing,

    // Indirect command: accepted with valid and ready; at: its result is in the RAM
    input  logic       command_valid,
    output logic       command_ready,
    input  index_t     command_index,
    input  operation_e command_op,
    input  words_t     command_data,
    input  words_t     command_mask,
    output logic       command_at,
    output words_t     command_word,   // before the operation

    // Doorbells in 0, engines in 1, as qdma_context_ram
    input  logic   [1:0] req_valid,
    output logic   [1:0] req_ready,
    input  index_t [1:0] req_index,
    output logic   [1:0] at,
    output words_t       at_word,
    input  logic   [1:0] write,
    input  words_t [1:0] next
);
  localparam words_t KEPT = SHOWN | OWN;
  localparam int KEPT_BITS = $clog2({1'b0, KEPT} + 1'b1);  // up to the highest bit that is kept
  localparam int ADDR_WIDTH = $clog2(DEPTH);
  typedef logic [KEPT_BITS-1:0] kept_t;
  typedef logic [ADDR_WIDTH-1:0] addr_t;

  kept_t kept_word;
  words_t command_next, written;
  assign written = command_mask & SHOWN & ~HELD;
  always_comb begin
    case (command_op)
      OP_CLEAR:      command_next = (at_word & HELD) | ((at_word & HELD) != '0 ? DRAINS : '0);
      OP_WRITE:      command_next = (at_word & ~written) | (command_data & written);
      OP_INVALIDATE: command_next = at_word & ~VALID;
      default:       command_next = at_word;
    endcase
  end

  assign at_word = words_t'(kept_word);
  assign command_word = at_word & SHOWN;

  addr_t at_addr;
  qdma_context_ram #(
      .WIDTH(KEPT_BITS),
      .DEPTH(DEPTH),
      .PORTS(3)
  ) contexts (
      .clk,
      .rst,
      .clearing,
      .req_valid({req_valid, command_valid}),
      .req_ready({req_ready, command_ready}),
      .req_addr ({addr_t'(req_index[1]), addr_t'(req_index[0]), addr_t'(command_index)}),
      .at       ({at, command_at}),
      .at_addr,
      .at_word  (kept_word),
      .write    ({write, command_op != OP_READ}),
      .next     ({kept_t'(next[1] & KEPT), kept_t'(next[0] & KEPT), kept_t'(command_next & KEPT)})
  );

  logic unused;
  assign unused = &{1'b0, at_addr, req_index, command_index, command_next, next};
endmodule
