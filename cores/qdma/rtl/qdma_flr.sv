// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Resets one function after another (FLR): when it is done, nothing of the function is on its way or will be, until its
// contexts are set up again.
//
// Latency: some 60 cycles a queue of the core, DRAIN_STEPS, and what is under way: docs/flr.md.
//
// Interface: ask is for a cycle, from a register; asked has a bit a function until it is done.  in_process has a bit a function
// from the PCIe block; done is for a cycle then, and the bit falls within RELEASE_CYCLES.  is_active says that `func` is being
// reset: the write arbiter drops its TLPs, BAR 0 ignores its accesses, qdma_interrupt its causes.  hold stops BAR 0 before the
// next access: the context commands of this block are carried out by qdma_command, between those of software.
//
// Operation: the mailbox is cleaned, the function map cleared.  Each context that names the function, or is of a queue in its
// map, is cleared by a command, as a driver would: so qdma_stop_queue stops the queues, and is waited for.  What is left is in
// the pipelines of the writers: they are drained, by a pause of the channel, or by as many steps as they can hold; then the
// causes of interrupts, and the bits of MSI-X.
module qdma_flr
  import qdma_context_pkg::*;
  import qdma_tlp_pkg::*;
  import qdma_pkg::*;
#(
    parameter int QUEUES = 2048
) (
    input logic clk,
    input logic rst,

    input  logic                          ask_valid,
    input  function_t                     ask_func,
    output logic      [MAX_FUNCTIONS-1:0] asked,
    input  logic      [MAX_FUNCTIONS-1:0] in_process,
    output logic                          done,

    output logic      is_active,
    output function_t func,

    // BAR 0, between its accesses
    output logic hold,
    input  logic bar_is_idle,

    // Context commands
    output logic             start,
    output logic       [3:0] sel,
    output operation_e       op,
    output index_t           index,
    input  logic             command_busy,
    input  logic             read_valid,
    input  words_t           read_data,

    // Mailbox
    output logic clean_valid,
    input  logic clean_ready,
    input  logic clean_done,

    // The function's mask and pending bits of MSI-X
    output logic mask_valid,
    input  logic mask_ready,
    input  logic mask_done,

    // What is under way
    input  logic stops_busy,
    input  logic status_is_idle,
    input  logic posted_is_idle,
    input  logic posted_moves,
    output logic drains_causes,
    input  logic causes_drained
);
  localparam int QUIET_CYCLES = 255;  // more than from one TLP of the writers to the next
  localparam int DRAIN_STEPS = 4095;  // beats and idle cycles: more than what is in all of them, docs/flr.md
  localparam int LAST_STEPS = 64;  // more than are in the arbiter, and one of qdma_interrupt before it
  localparam int RELEASE_CYCLES = 255;
  localparam int SWEEP_BITS = 12;
  typedef enum logic [4:0] {
    IDLE,
    BEGIN,  // no access of BAR 0 is under way
    CLEAN,
    CLEANED,
    MAP,
    MAP_CLEAR,
    LOOK,  // does a context name the function?
    CLEAR,
    RING,
    RING_CLEAR,
    STOPS,
    DRAIN,
    CAUSES,
    MASK,
    MASKED,
    LAST_DRAIN,
    RELEASE
  } state_e;
  typedef enum logic [1:0] {
    SW_C2H,
    SW_H2C,
    COMPLETION
  } kind_e;
  state_e state_q;
  kind_e kind_q;
  logic [1:0] part_q;  // of the contexts of a kind
  logic [10:0] sweep_q;  // queue, or interrupt ring
  fmap_context_t map_q;
  logic is_port_q;
  function_t scan_q;

  // --- Whose turn it is: looked for one after another
  logic is_asked_q, is_in_process_q;

  // --- A command: BAR 0 is held, the command runs, BAR 0 has a turn
  typedef enum logic [1:0] {
    HOLD,
    RUN,
    REST
  } command_e;
  command_e command_q;
  words_t   word_q;
  logic is_command, command_ends;
  assign is_command = state_q inside {MAP, MAP_CLEAR, LOOK, CLEAR, RING, RING_CLEAR};
  assign start = is_command & (command_q == HOLD) & hold & bar_is_idle;
  assign command_ends = command_q == REST;
  assign index = state_q inside {MAP, MAP_CLEAR} ? index_t'(func) : sweep_q;
  assign op = state_q inside {MAP_CLEAR, CLEAR, RING_CLEAR} ? OP_CLEAR : OP_READ;
  always_comb begin
    case (state_q)
      MAP, MAP_CLEAR:   sel = SEL_FMAP;
      RING, RING_CLEAR: sel = SEL_INTERRUPT;
      default: begin
        case ({
          kind_q, part_q
        })
          {SW_C2H, 2'd0} : sel = SEL_SW_C2H;
          {SW_C2H, 2'd1} : sel = SEL_HW_C2H;
          {SW_C2H, 2'd2} : sel = SEL_CREDIT_C2H;
          {SW_C2H, 2'd3} : sel = SEL_PREFETCH;
          {SW_H2C, 2'd0} : sel = SEL_SW_H2C;
          {SW_H2C, 2'd1} : sel = SEL_HW_H2C;
          {SW_H2C, 2'd2} : sel = SEL_CREDIT_H2C;
          default: sel = SEL_COMPLETION;
        endcase
      end
    endcase
  end

  // --- What a context says
  sw_context_t sw;
  completion_context_t completion;
  interrupt_context_t ring;
  logic [10:0] relative;
  logic in_map, names_it, is_last_queue, is_last_part;
  assign sw            = word_q;
  assign completion    = word_q[$bits(completion_context_t)-1:0];
  assign ring          = word_q[$bits(interrupt_context_t)-1:0];
  assign relative      = sweep_q - map_q.qid_base;
  assign in_map        = (sweep_q >= map_q.qid_base) & (12'(relative) < map_q.qid_max);
  assign names_it      = (kind_q == COMPLETION ? completion.fnc_id : sw.fnc) == 12'(func);
  assign is_last_queue = 32'(sweep_q) == QUEUES - 1;
  always_comb begin
    case (kind_q)
      SW_C2H:  is_last_part = part_q == 2'd3;
      SW_H2C:  is_last_part = part_q == 2'd2;
      default: is_last_part = 1'b1;
    endcase
  end

  // --- Drains
  logic [SWEEP_BITS-1:0] steps_q;
  logic [7:0] quiet_q;
  logic is_drained, is_quiet;
  assign is_quiet      = status_is_idle & posted_is_idle;
  assign is_drained    = (32'(steps_q) == DRAIN_STEPS) | (32'(quiet_q) == QUIET_CYCLES);

  assign is_active     = state_q > BEGIN;
  assign clean_valid   = state_q == CLEAN;
  assign mask_valid    = (state_q == MASK) & hold & bar_is_idle;
  assign drains_causes = state_q == CAUSES;
  assign done          = (state_q == RELEASE) & (steps_q == '0);

  always_ff @(posedge clk) begin
    is_asked_q      <= asked[scan_q];
    is_in_process_q <= in_process[scan_q];
    if (ask_valid) asked[ask_func] <= 1'b1;
    if (read_valid && is_command) word_q <= read_data;
    steps_q <= posted_moves | posted_is_idle ? steps_q + 1'b1 : steps_q;
    quiet_q <= is_quiet ? quiet_q + 1'b1 : '0;

    case (command_q)
      HOLD: if (start) command_q <= RUN;
      RUN: if (!command_busy && !hold) command_q <= REST;
      default: command_q <= HOLD;
    endcase
    // The hold falls with the command, so that BAR 0 can go on; `busy` follows start by a cycle.
    hold <= (is_command & (command_q == HOLD) & ~start) | (state_q == BEGIN) | (state_q inside {MASK, MASKED})
            | (hold & (command_q == RUN) & command_busy) | start;

    case (state_q)
      IDLE: begin
        scan_q <= scan_q + 1'b1;
        func   <= scan_q - 1'b1;  // the bits are of the cycle before
        if (is_asked_q || is_in_process_q) begin
          state_q   <= BEGIN;
          is_port_q <= is_in_process_q;
        end
      end
      BEGIN: begin
        command_q <= HOLD;
        if (hold && bar_is_idle) state_q <= CLEAN;
      end
      CLEAN: if (clean_ready) state_q <= CLEANED;
      CLEANED: if (clean_done) state_q <= MAP;
      MAP:
      if (command_ends) begin
        map_q   <= word_q[$bits(fmap_context_t)-1:0];
        state_q <= MAP_CLEAR;
      end
      MAP_CLEAR:
      if (command_ends) begin
        state_q <= LOOK;
        kind_q  <= SW_C2H;
        part_q  <= '0;
        sweep_q <= '0;
      end
      LOOK:
      if (command_ends) begin
        if (in_map || (names_it && word_q != '0)) state_q <= CLEAR;
        else if (kind_q != COMPLETION) kind_q <= kind_e'(kind_q + 1'b1);
        else begin
          kind_q  <= SW_C2H;
          sweep_q <= is_last_queue ? '0 : sweep_q + 1'b1;
          if (is_last_queue) state_q <= RING;
        end
      end
      CLEAR:
      if (command_ends) begin
        part_q <= part_q + 1'b1;
        if (is_last_part) begin
          part_q  <= '0;
          state_q <= LOOK;
          kind_q  <= kind_e'(kind_q + 1'b1);
          if (kind_q == COMPLETION) begin
            kind_q  <= SW_C2H;
            sweep_q <= is_last_queue ? '0 : sweep_q + 1'b1;
            if (is_last_queue) state_q <= RING;
          end
        end
      end
      RING:
      if (command_ends) begin
        if (ring.valid && ring.func == 12'(func)) state_q <= RING_CLEAR;
        else begin
          sweep_q <= sweep_q + 1'b1;
          if (32'(sweep_q) == INTERRUPT_RINGS - 1) state_q <= STOPS;
        end
      end
      RING_CLEAR:
      if (command_ends) begin
        sweep_q <= sweep_q + 1'b1;
        state_q <= 32'(sweep_q) == INTERRUPT_RINGS - 1 ? STOPS : RING;
      end
      STOPS: begin
        steps_q <= '0;
        quiet_q <= '0;
        if (!stops_busy) state_q <= DRAIN;
      end
      DRAIN: if (is_drained) state_q <= CAUSES;
      CAUSES: if (causes_drained) state_q <= MASK;
      MASK: if (mask_valid && mask_ready) state_q <= MASKED;
      MASKED: begin
        steps_q <= '0;
        quiet_q <= '0;
        if (mask_done) state_q <= LAST_DRAIN;
      end
      LAST_DRAIN:
      if (is_drained || 32'(steps_q) == LAST_STEPS) begin
        state_q     <= RELEASE;
        steps_q     <= '0;
        asked[func] <= 1'b0;
      end
      default: begin  // RELEASE
        steps_q <= steps_q + 1'b1;
        if (!is_port_q || (32'(steps_q) > 4 && !in_process[func]) || 32'(steps_q) == RELEASE_CYCLES) begin
          state_q <= IDLE;
          scan_q <= func + 1'b1;
          is_asked_q <= 1'b0;
          is_in_process_q <= 1'b0;
        end
      end
    endcase
    if (rst) begin
      state_q         <= IDLE;
      command_q       <= HOLD;
      hold            <= 1'b0;
      asked           <= '0;
      scan_q          <= '0;
      is_asked_q      <= 1'b0;
      is_in_process_q <= 1'b0;
    end
  end

  logic unused;
  assign unused = &{1'b0, sw, completion, ring, word_q, map_q};
endmodule
