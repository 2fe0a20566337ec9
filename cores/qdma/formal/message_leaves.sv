// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_msix, for any requests, any accesses, and masks that come and go at any time.
//   - a request of a vector that is there is sent, or its pending bit is set: none is lost
//   - one of the user is refused if MSI-X was off, or the function could not write, one cycle before: neither is done then;
//     each request of the user, and no other, has one answer, which says so
//   - a message is sent for a request or a pending bit, and takes it: never twice; never if the vector was masked, its
//     function masked, not able to write, or MSI-X off when it was looked at, one cycle before a request is decided, two before a search picks
//   - a pending bit whose vector may be sent is found within a bounded number of operations, whatever the others do
// Watches a vector of its own choice.
module message_leaves
  import qdma_tlp_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1,
    parameter int FUNCTIONS  = 2
) (
    input logic                 clk,              // there is an edge in this step
    input logic                 rst,
    input logic [FUNCTIONS-1:0] is_enabled,
    input logic [FUNCTIONS-1:0] is_masked,
    input logic [FUNCTIONS-1:0] may_write,
    input logic                 request_valid,
    input logic                 request_func,
    input logic                 request_vector,
    input logic                 request_is_user,
    input logic                 access_valid,
    input logic                 access_write,
    input logic                 access_func,
    input logic                 access_vector,
    input logic [          1:0] access_dword,
    input logic                 access_masks,
    input logic                 message_ready,
    input logic                 watched_const,    // function
    input logic                 vector_const
);
  localparam logic [3:0] CLEAR = 4'd0, IDLE = 4'd1, READ = 4'd2, CHANGE = 4'd3, PICK = 4'd5, MESSAGE = 4'd8;
  localparam logic [1:0] IS_REQUEST = 2'd0, IS_ACCESS = 2'd1, IS_SEARCH = 2'd2;
  // Two searches of each function and one more to go on, and another operation after each
  localparam logic [4:0] OPERATIONS = 5'd10;

  logic request_ready, access_ready, access_done, message_valid, lost, user_done, user_is_accepted;
  logic [31:0] read_data, message_data;
  function_t message_func;
  logic [63:0] message_addr;
  qdma_msix #(
      .FUNCTIONS (FUNCTIONS),
      .PFS       (1),
      .PF_VECTORS(2),
      .VF_VECTORS(2)
  ) dut (
      .clk,
      .rst,
      .is_enabled,
      .is_masked,
      .may_write,
      .request_valid,
      .request_ready,
      .request_func  (8'(request_func)),
      .request_vector(11'(request_vector)),
      .request_is_user,
      .lost,
      .user_done,
      .user_is_accepted,
      .access_valid,
      .access_ready,
      .access_write,
      .access_pending(1'b0),
      .access_func   (8'(access_func)),
      .access_vector (5'(access_vector)),
      .access_dword,
      .access_data   (32'(access_masks)),
      .access_strobe (4'b0001),
      .access_done,
      .read_data,
      .message_valid,
      .message_ready,
      .message_func,
      .message_addr,
      .message_data
  );

  // --- Reference of the watched vector
  logic func_q, vector_q, reset_q, pending_q, unmasked_q, is_mine, is_my_pick, is_my_request, may_send;
  logic free_1_q, free_2_q;  // the function was free to send one, two cycles ago
  logic able_1_q;  // it was a function that may write and has MSI-X
  logic is_user_q, is_refused;  // of the request that is being decided
  logic answer_q, answer_mine_q, answer_accepts_q;
  logic [4:0] operations_q;  // since it may be sent
  assign is_mine       = dut.func_q == 8'(func_q);
  assign is_my_pick    = dut.state_q == PICK && is_mine && dut.first_vector == 5'(vector_q);
  assign is_my_request = dut.state_q == CHANGE && dut.kind_q == IS_REQUEST && is_mine && dut.vector_q == 5'(vector_q);
  assign is_refused    = is_user_q && !able_1_q;
  assign may_send      = pending_q && unmasked_q && free_1_q;
  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q  <= 1'b1;
    func_q   <= func_q;
    vector_q <= vector_q;
    able_1_q <= is_enabled[func_q] && may_write[func_q];
    free_1_q <= is_enabled[func_q] && may_write[func_q] && !is_masked[func_q];
    free_2_q <= free_1_q;
    if (request_valid && request_ready) is_user_q <= request_is_user;
    answer_q         <= dut.state_q == CHANGE && dut.kind_q == IS_REQUEST && is_user_q;
    answer_mine_q    <= is_my_request;
    answer_accepts_q <= !is_refused;
    if (is_my_request) pending_q <= pending_q | (~dut.sends & ~is_refused);
    if (is_my_pick) pending_q <= 1'b0;
    if (dut.state_q == CHANGE && dut.kind_q == IS_ACCESS && dut.write_q && is_mine && dut.vector_q == 5'(vector_q)
        && dut.dword_q == 2'd3)
      unmasked_q <= ~dut.data_q[0];
    if (!may_send) operations_q <= '0;
    else if (dut.state_q == CHANGE) operations_q <= operations_q + 1'b1;
    if (rst) begin
      func_q       <= watched_const;
      vector_q     <= vector_const;
      answer_q     <= 1'b0;
      able_1_q     <= 1'b0;
      pending_q    <= 1'b0;
      unmasked_q   <= 1'b0;
      operations_q <= '0;
      free_1_q     <= 1'b0;
      free_2_q     <= 1'b0;
    end
  end

  logic [63:0] mine, other;
  assign mine  = dut.words.ram[func_q];
  assign other = dut.words.ram[!func_q];

  // Searches, and operations, until the watched vector is found
  logic [4:0] searches, left;
  logic may_go_first;
  assign searches = (dut.search_q == func_q ? 5'd0 : 5'(other[0]) + 5'(other[1]) + 5'd1)
                    + 5'(mine[0] & vector_q) + 5'd1;
  assign may_go_first = dut.state_q inside {READ, CHANGE} ? dut.kind_q != IS_SEARCH : dut.was_search_q;
  // A search that picks has been counted, and takes a pending bit: its own, or one before it.
  assign left = 5'(searches << 1) - (dut.state_q == PICK ? 5'd2 : 5'(!may_go_first));

  always_comb begin
    if (!reset_q) assume (rst);
    // What may be sent stays so until it has been: masks that come and go start the count again (operations_q), and a
    // second vector of a function is sent as often as it is asked for, so requests for others end.
    if (may_send && operations_q != '0) assume (!(dut.state_q == CHANGE && dut.kind_q == IS_REQUEST && !is_my_request));

    if (reset_q) begin
      // --- The claim
      assert (operations_q <= OPERATIONS);
      if (is_my_request && dut.sends) assert (unmasked_q && free_1_q);
      if (is_my_request && is_refused)
        assert (!dut.sends && dut.word_next.pending[vector_q] == pending_q);
        else if (is_my_request && !dut.sends) assert (dut.word_next.pending[vector_q]);
      assert (user_done == answer_q);
      if (user_done && answer_mine_q) assert (user_is_accepted == answer_accepts_q);
      assert (!lost);
      if (is_my_pick) assert (pending_q && unmasked_q && free_2_q);
      if (dut.state_q != CLEAR) assert (mine[32'(vector_q)] == pending_q && mine[32+32'(vector_q)] == unmasked_q);
      if (dut.state_q == IDLE && pending_q) assert (dut.is_any_pending_q);

      if (INVARIANTS) begin
        assert (dut.state_q <= MESSAGE);
        if (dut.state_q == CLEAR) begin
          assert (!pending_q && !unmasked_q && operations_q == '0);
          if (dut.search_q == 1'b1) assert (dut.words.ram[0] == '0);
        end else begin
          assert (mine[31:2] == '0 && other[31:2] == '0);
        end
        if (dut.state_q != CLEAR && dut.state_q != IDLE) begin
          assert (dut.kind_q <= IS_SEARCH && dut.func_q < 8'd2);
          assert (dut.kind_q == IS_SEARCH || dut.vector_q < 5'd2);
          assert (dut.kind_q == IS_SEARCH || dut.has_vector);
          if (dut.kind_q == IS_ACCESS) assert (dut.strobe_q == 4'b0001 && !dut.pending_read_q);
        end
        if (dut.state_q == CHANGE || dut.state_q == PICK) assert (dut.word == dut.words.ram[dut.func_q[0]]);
        if (dut.state_q == CHANGE && is_mine) assert (dut.is_free_q == free_1_q && dut.is_able_q == able_1_q);
        if ((dut.state_q == READ || dut.state_q == CHANGE) && dut.kind_q == IS_REQUEST)
          assert (dut.is_user_q == is_user_q);
        if (dut.state_q == CHANGE && dut.kind_q != IS_SEARCH) assert (dut.vector_bit_q == 32'd1 << dut.vector_q);
        if (dut.state_q == READ || dut.state_q == CHANGE || dut.state_q == PICK) begin
          if (dut.kind_q == IS_SEARCH) assert (dut.func_q == 8'(dut.search_q));
          assert (dut.was_search_q == (dut.kind_q == IS_SEARCH));
        end
        if (dut.state_q == PICK) begin
          assert (dut.kind_q == IS_SEARCH && dut.candidates_q != '0);
          assert (dut.candidates_q == (dut.word.pending & dut.word.unmasked));
          if (is_mine) assert (free_2_q);
        end
        if (pending_q) assert (dut.is_any_pending_q);
        if (pending_q && operations_q != '0) assert (operations_q + left <= OPERATIONS);
        assert (operations_q <= OPERATIONS);
      end
    end
  end

  logic unused;
  assign unused = &{1'b0, access_done, access_ready, message_valid, read_data, message_data,
      message_func, message_addr};
endmodule
