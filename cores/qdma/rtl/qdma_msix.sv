// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// MSI-X: tables, mask and pending bits of all functions.
//
// Latency: a message is shown 3 cycles after its request was accepted, alone.  An access is done 4 cycles after it was
// accepted.  A vector that becomes free to send is found by a search of at most 7 cycles a function.
//
// Interface: request, access and message have valid and ready; access_done is high for a cycle, with read_data.  A table
// entry has four dwords: address, upper address, data, vector control (bit 0: masked).  is_enabled and is_masked are bits
// of the functions' MSI-X capabilities.  may_write: the function exists, is a bus master and is not being reset.
//
// Operation: mask and pending bits of a function are a word.  A request sends, or sets its pending bit while the vector,
// or its function, is masked, MSI-X is not enabled, or the function may not write.  A request of the user is refused in the
// last two cases; user_done answers it.  Pending bits are searched for, not waited for: whatever frees a
// vector, it is sent.  formal/message_leaves.sv proves that none is lost and none stays.
//
//   cycle | a request            | an access            | a search
//   1     | READ: word of the function; is it free to send; place in the table
//   2     | CHANGE: sent or pending | CHANGE: written   | CHANGE: which vectors can be sent
//   3     | MESSAGE              | ANSWER               | PICK: the lowest, PLACE, ENTRY, then MESSAGE
//
// After a reset all vectors are masked.  First the words are cleared, a cycle a function.  A write of the pending bits, which
// software cannot reach, does the same with one function.
//
// Limits: one operation at a time.
module qdma_msix
  import qdma_tlp_pkg::*;
#(
    parameter int FUNCTIONS = 256,
    parameter int PFS = 4,
    parameter int PF_VECTORS = 32,  // at most 32
    parameter int VF_VECTORS = 8
) (
    input logic clk,
    input logic rst,

    // Of each function's capability
    input logic [FUNCTIONS-1:0] is_enabled,
    input logic [FUNCTIONS-1:0] is_masked,
    input logic [FUNCTIONS-1:0] may_write,

    // An interrupt
    input  logic             request_valid,
    output logic             request_ready,
    input  function_t        request_func,
    input  logic      [10:0] request_vector,
    input  logic             request_is_user,
    output logic             lost,             // no such vector, and not of the user: for a cycle
    output logic             user_done,        // a request of the user is decided: for a cycle
    output logic             user_is_accepted, // with it: sent, or pending; else refused

    // Software's access to table and pending bits
    input  logic             access_valid,
    output logic             access_ready,
    input  logic             access_write,
    input  logic             access_pending,  // the pending bits, else the table
    input  function_t        access_func,
    input  logic      [ 4:0] access_vector,
    input  logic      [ 1:0] access_dword,    // of the entry
    input  logic      [31:0] access_data,
    input  logic      [ 3:0] access_strobe,
    output logic             access_done,
    output logic      [31:0] read_data,

    // A message: a write of a dword
    output logic             message_valid,
    input  logic             message_ready,
    output function_t        message_func,
    output logic      [63:0] message_addr,
    output logic      [31:0] message_data
);
  localparam int ENTRIES = PFS * PF_VECTORS + (FUNCTIONS - PFS) * VF_VECTORS;
  localparam int ENTRY_BITS = $clog2(ENTRIES);
  localparam int FUNC_BITS = $clog2(FUNCTIONS);
  localparam int MAX_VECTORS = 32;
  typedef logic [FUNC_BITS-1:0] func_t;
  typedef logic [MAX_VECTORS-1:0] bits_t;
  typedef enum logic [3:0] {
    CLEAR,   // words are set to 0
    IDLE,
    READ,    // the function's word is on its way
    CHANGE,  // it is there: what becomes of it
    ANSWER,  // of an access
    PICK,    // a search has found vectors that can be sent
    PLACE,   // the place of its entry is worked out
    ENTRY,   // the table's entry is on its way
    MESSAGE
  } state_e;
  typedef enum logic [1:0] {
    IS_REQUEST,
    IS_ACCESS,
    IS_SEARCH
  } kind_e;
  typedef struct packed {
    bits_t unmasked;
    bits_t pending;
  } word_t;

  state_e state_q;
  kind_e kind_q;
  function_t func_q;
  func_t search_q;
  logic [4:0] vector_q, first_vector;
  word_t word, word_next;
  bits_t candidates, candidates_q, first, may_send;
  bits_t vector_bit_q;  // of the vector, if it is there
  logic is_free_q, is_able_q, is_user_q, is_refused, unused_single, sends, write_word, is_control, has_vector;
  logic [ 3:0] strobe_q;
  logic [31:0] data_q;
  logic [ 1:0] dword_q;
  logic write_q, pending_read_q;
  logic is_any_pending_q;  // since the reset one had to wait: the search goes on

  // --- Where an entry is
  function automatic logic [ENTRY_BITS-1:0] place(input function_t func, input logic [4:0] vector);
    if (int'(func) < PFS) return ENTRY_BITS'(int'(func) * PF_VECTORS + int'(vector));
    return ENTRY_BITS'(PFS * PF_VECTORS + (int'(func) - PFS) * VF_VECTORS + int'(vector));
  endfunction
  function automatic logic exists(input function_t func, input logic [10:0] vector);
    return int'(func) < FUNCTIONS && vector < (int'(func) < PFS ? 11'(PF_VECTORS) : 11'(VF_VECTORS));
  endfunction

  // --- What is next: requests, accesses and the search take turns.
  logic was_request_q, was_search_q, is_search_turn, takes_request, takes_access, takes_search;
  assign is_search_turn = is_any_pending_q & ~was_search_q;
  assign takes_request = (state_q == IDLE) & ~is_search_turn & request_valid & ~(access_valid & was_request_q);
  assign takes_access = (state_q == IDLE) & ~is_search_turn & access_valid & ~takes_request;
  assign takes_search = (state_q == IDLE) & is_any_pending_q & (is_search_turn | (~request_valid & ~access_valid));
  assign request_ready = takes_request;
  assign access_ready = takes_access;

  // --- What becomes of the word.  Whether the function is free to send, and the vector's bit, are of the cycle before.
  assign is_control = dword_q == 2'd3;
  assign is_refused = is_user_q & ~(is_able_q & has_vector);
  assign may_send = word.unmasked & {MAX_VECTORS{is_free_q}};
  assign candidates = word.pending & may_send;
  assign write_word = ((state_q == CHANGE) & (kind_q != IS_SEARCH)) | (state_q == PICK);
  always_comb begin
    word_next = word;
    sends     = 1'b0;
    case (kind_q)
      IS_REQUEST: begin
        sends             = |(vector_bit_q & may_send);
        word_next.pending = word.pending | (vector_bit_q & ~may_send & ~{MAX_VECTORS{is_refused}});
      end
      IS_ACCESS: begin
        if (write_q && pending_read_q) word_next = '0;
        if (write_q && !pending_read_q && is_control && strobe_q[0]) begin
          word_next.unmasked = data_q[0] ? word.unmasked & ~vector_bit_q : word.unmasked | vector_bit_q;
        end
      end
      default: word_next.pending = word.pending & ~first;
    endcase
  end
  qdma_first #(
      .WIDTH(MAX_VECTORS)
  ) found (
      .bits     (candidates_q),
      .first,
      .index    (first_vector),
      .is_single(unused_single)
  );

  ram_sdp #(
      .WIDTH($bits(word_t)),
      .DEPTH(FUNCTIONS)
  ) words (
      .clk,
      .wr_en  (write_word | (state_q == CLEAR)),
      .wr_addr(state_q == CLEAR ? search_q : func_t'(func_q)),
      .wr_data(state_q == CLEAR ? '0 : word_next),
      .rd_en  (state_q == READ),
      .rd_addr(func_t'(func_q)),
      .rd_data(word)
  );

  // --- Table: bytes of three dwords.  An entry is there three cycles after its vector is in vector_q.
  logic [ENTRY_BITS-1:0] entry_place_q;
  logic [2:0][31:0] entry;
  logic table_write;
  assign table_write = (state_q == CHANGE) & (kind_q == IS_ACCESS) & write_q & ~pending_read_q & has_vector;
  for (genvar i = 0; i < 12; i++) begin : gen_bytes
    ram_sdp #(
        .WIDTH(8),
        .DEPTH(ENTRIES)
    ) bytes (
        .clk,
        .wr_en  (table_write & (dword_q == 2'(i / 4)) & strobe_q[i%4]),
        .wr_addr(entry_place_q),
        .wr_data(data_q[8*(i%4)+:8]),
        .rd_en  (1'b1),
        .rd_addr(entry_place_q),
        .rd_data(entry[i/4][8*(i%4)+:8])
    );
  end

  assign message_valid = state_q == MESSAGE;
  assign message_func  = func_q;
  assign message_addr  = {entry[1], entry[0]};
  assign message_data  = entry[2];

  always_ff @(posedge clk) begin
    access_done   <= 1'b0;
    lost          <= 1'b0;
    user_done     <= 1'b0;
    is_able_q     <= is_enabled[func_t'(func_q)] & may_write[func_t'(func_q)];
    is_free_q     <= is_enabled[func_t'(func_q)] & may_write[func_t'(func_q)] & ~is_masked[func_t'(func_q)];
    vector_bit_q  <= has_vector ? bits_t'(1) << vector_q : '0;
    entry_place_q <= place(func_q, vector_q);
    case (state_q)
      CLEAR: begin
        search_q <= search_q + 1'b1;
        if (search_q == func_t'(FUNCTIONS - 1)) state_q <= IDLE;
      end
      IDLE: begin
        if (takes_request || takes_access || takes_search) begin
          state_q      <= READ;
          was_search_q <= takes_search;
        end
        if (takes_request) begin
          kind_q        <= IS_REQUEST;
          func_q        <= request_func;
          vector_q      <= request_vector[4:0];
          has_vector    <= exists(request_func, request_vector);
          is_user_q     <= request_is_user;
          was_request_q <= 1'b1;
        end else if (takes_access) begin
          kind_q         <= IS_ACCESS;
          func_q         <= access_func;
          vector_q       <= access_vector;
          has_vector     <= exists(access_func, 11'(access_vector));
          dword_q        <= access_dword;
          data_q         <= access_data;
          strobe_q       <= access_strobe;
          write_q        <= access_write;
          pending_read_q <= access_pending;
          was_request_q  <= 1'b0;
        end else begin
          kind_q <= IS_SEARCH;
          func_q <= function_t'(search_q);
        end
      end
      READ:    state_q <= CHANGE;
      CHANGE: begin
        candidates_q <= candidates;
        case (kind_q)
          IS_REQUEST: begin
            state_q          <= sends ? MESSAGE : IDLE;
            lost             <= ~has_vector & ~is_user_q;
            user_done        <= is_user_q;
            user_is_accepted <= ~is_refused;
            if (has_vector && !sends && !is_refused) is_any_pending_q <= 1'b1;
          end
          IS_ACCESS: state_q <= ANSWER;
          default: begin
            // A function that has one more is searched again.
            state_q <= |candidates ? PICK : IDLE;
            if (candidates == '0) search_q <= search_q == func_t'(FUNCTIONS - 1) ? '0 : search_q + 1'b1;
          end
        endcase
      end
      ANSWER: begin
        state_q     <= IDLE;
        access_done <= 1'b1;
        if (pending_read_q) read_data <= word.pending;
        else if (!has_vector) read_data <= '0;
        else read_data <= is_control ? {31'b0, ~word.unmasked[vector_q]} : entry[dword_q];
      end
      PICK: begin
        state_q  <= PLACE;
        vector_q <= first_vector;
      end
      PLACE:   state_q <= ENTRY;
      ENTRY:   state_q <= MESSAGE;
      default: if (message_ready) state_q <= IDLE;
    endcase
    if (rst) begin
      state_q          <= CLEAR;
      search_q         <= '0;
      access_done      <= 1'b0;
      lost             <= 1'b0;
      user_done        <= 1'b0;
      was_request_q    <= 1'b0;
      was_search_q     <= 1'b0;
      is_any_pending_q <= 1'b0;
    end
  end

  logic unused;
  assign unused = &{1'b0, unused_single};
endmodule
