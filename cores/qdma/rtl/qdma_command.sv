// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Carries out the indirect context commands.
//
// Latency: busy is high from the cycle after start for 4 to 6 cycles, 1 for a command that is refused, whatever the
// engines do: formal/command_in_time.sv proves it.  The contract asks for 64.
//
// Interface: the fields of the command are stable while busy.  At its end, read_valid writes the data registers after a
// read, and error says why a command was refused.  A read that is refused gives 0.
module qdma_command
  import qdma_context_pkg::*;
  import qdma_pkg::*;
#(
    parameter int QUEUES = 2048,
    parameter int FUNCTIONS = 256
) (
    input logic clk,
    input logic rst,

    input  logic              start,
    input  logic       [ 3:0] sel,
    input  operation_e        op,
    input  logic       [12:0] index,
    output logic              busy,

    output logic           read_valid,
    output words_t         read_data,
    output command_error_t error,

    output logic   [STORES-1:0] command_valid,
    input  logic   [STORES-1:0] command_ready,
    output index_t              command_index,
    input  logic   [STORES-1:0] command_at,
    input  words_t [STORES-1:0] command_word
);
  typedef enum logic [1:0] {
    IDLE,
    CHECK,    // the command's register has its new value
    REQUEST,  // waits for the RAM
    RESULT    // the operation is on its way
  } state_e;
  state_e state_q;
  logic [STORES-1:0] store;
  logic [12:0] limit;

  always_comb begin
    store = '0;
    if (sel < 4'(STORE_FMAP)) store[sel] = 1'b1;
    if (sel == SEL_FMAP) store[STORE_FMAP] = 1'b1;
    case (sel)
      SEL_INTERRUPT: limit = 13'(INTERRUPT_RINGS);
      SEL_FMAP:      limit = 13'(FUNCTIONS);
      default:       limit = 13'(QUEUES);
    endcase
  end

  logic refused, is_read;
  assign error.bad_selector = (state_q == CHECK) & (store == '0);
  assign error.bad_index    = (state_q == CHECK) & (store != '0) & (index >= limit);
  assign refused            = error.bad_selector | error.bad_index;
  assign is_read            = op == OP_READ;
  assign busy               = state_q != IDLE;
  assign command_valid      = state_q == REQUEST ? store : '0;
  assign command_index      = index_t'(index);
  assign read_valid         = is_read & (refused | |command_at);

  always_comb begin
    read_data = '0;
    for (int i = 0; i < STORES; i++) if (command_at[i]) read_data |= command_word[i];
  end

  always_ff @(posedge clk) begin
    case (state_q)
      IDLE:    if (start) state_q <= CHECK;
      CHECK:   state_q <= refused ? IDLE : REQUEST;
      REQUEST: if (|(command_valid & command_ready)) state_q <= RESULT;
      default: if (|command_at) state_q <= IDLE;
    endcase
    if (rst) state_q <= IDLE;
  end

`ifndef SYNTHESIS
  localparam int LIMIT = 64;  // of the contract, cycles
  logic [6:0] busy_cycles_q;
  always_ff @(posedge clk) busy_cycles_q <= rst || !busy ? '0 : busy_cycles_q + 1'b1;
  in_time :
  assert property (@(posedge clk) disable iff (rst) busy |-> busy_cycles_q < 7'(LIMIT))
  else $error("qdma_command: a command is not done within %0d cycles", LIMIT);
  one_at_a_time :
  assert property (@(posedge clk) disable iff (rst) start |-> !busy)
  else $error("qdma_command: a command while another one is busy");
`endif
endmodule
