// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_completion_leave, with 4 emissions, for any of them, any stalls, and resets at any time.
//   - emissions leave in order; of each the entries, then the status, then the interrupt, once each, and none is left out
//   - the beats of a write are those of its slot; `written` names it with the last of them
//   - what is shown stays until it is accepted; nothing waits for more than a cycle in which nothing is shown, and a write
//     that is there follows a write without one; an emission that comes while none waits is shown in the next cycle
// Assumes that no more come than there is room for, and a RAM as the slots have it.
module leave_in_order
  import qdma_tlp_pkg::*;
  import qdma_write_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1
) (
    input logic       clk,               // there is an edge in this step
    input logic       rst,
    input logic       emission_valid,
    input logic       has_write,
    input logic       has_status,
    input logic       has_interrupt,
    input logic       has_two,           // beats
    input logic [1:0] slot,
    input logic       completion_ready,
    input logic       status_ready,
    input logic       cause_ready
);
  localparam logic [2:0] HEAD = 3'd0, FIRST = 3'd1, SECOND = 3'd2, STATUS = 3'd3, INTERRUPT = 3'd4;
  typedef struct packed {
    logic has_write;
    logic has_status;
    logic has_interrupt;
    logic has_two;
    logic [1:0] slot;
  } wish_t;
  // What of the first emission has left
  typedef struct packed {
    logic beat;
    logic write;
    logic status;
  } left_t;

  emission_t emission;
  logic emission_room, is_empty, read_en, read_second, written, completion_valid, status_valid, cause_valid, reset_q;
  logic [7:0] read_slot, written_slot;
  beat_t read_data;
  write_beat_t completion, status;
  interrupt_cause_t cause;
  logic [2:0] in_q, out_q, waiting;  // numbers of emissions
  logic  [2:0] word_q;  // of the RAM: slot and half
  wish_t [3:0] wishes_q;
  wish_t came, first, second;
  left_t left_q;
  logic accepts_write, ends, shown_q, quiet_q, must_follow_q, alone_q;
  logic [2:0] valid, valid_q;
  always_comb begin
    emission                  = '0;
    emission.has_write        = has_write;
    emission.has_status       = has_status;
    emission.has_interrupt    = has_interrupt;
    emission.slot             = 8'(slot);
    emission.bytes            = has_two ? 8'd128 : 8'd64;
    emission.addr[9:7]        = in_q;
    emission.status_addr[9:7] = in_q;
    emission.cause.qid        = 11'(in_q);
  end
  assign read_data = beat_t'(word_q);
  qdma_completion_leave #(
      .DEPTH    (4),
      .UNDER_WAY(1)
  ) dut (
      .*
  );

  assign waiting       = in_q - out_q;
  assign came          = {has_write, has_status, has_interrupt, has_two, slot};
  assign first         = waiting == '0 ? came : wishes_q[out_q[1:0]];
  assign second        = wishes_q[2'(out_q[1:0]+2'd1)];
  assign valid         = {cause_valid, status_valid, completion_valid};
  assign accepts_write = completion_valid & completion_ready;
  assign ends          = accepts_write & completion.last;
  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q <= 1'b1;
    if (read_en) word_q <= {read_slot[1:0], read_second};
    if (emission_valid) begin
      wishes_q[in_q[1:0]] <= came;
      in_q                <= in_q + 1'b1;
    end
    if (accepts_write) left_q.beat <= 1'b1;
    if (ends) left_q.write <= 1'b1;
    if (status_valid && status_ready) left_q.status <= 1'b1;
    if (dut.done) begin
      out_q  <= out_q + 1'b1;
      left_q <= '0;
    end
    shown_q       <= |(valid & ~{cause_ready, status_ready, completion_ready});
    valid_q       <= valid;
    quiet_q       <= (waiting != '0) & (valid == '0) & ~dut.done;
    alone_q       <= emission_valid & (waiting == '0) & ~dut.done;
    must_follow_q <= ends & ~first.has_status & ~first.has_interrupt & (waiting > 3'd1) & second.has_write;
    if (rst) begin
      in_q          <= '0;
      out_q         <= '0;
      left_q        <= '0;
      shown_q       <= 1'b0;
      quiet_q       <= 1'b0;
      must_follow_q <= 1'b0;
      alone_q       <= 1'b0;
    end
  end

  logic [2:0] number;
  always_comb begin
    number = '0;
    if (!reset_q) assume (rst);
    if (reset_q) begin
      if (waiting == 3'd4) assume (!emission_valid);

      // --- The claim
      assert ($onehot0(valid));
      if (valid != '0) assert (waiting != '0);
      if (completion_valid) begin
        assert (first.has_write && !left_q.write && completion.header.addr[9:7] == out_q);
        assert (completion.data == beat_t'({first.slot, left_q.beat}));
        assert (completion.last == (left_q.beat | ~first.has_two));
      end
      if (status_valid) begin
        assert (first.has_status && !left_q.status && (left_q.write || !first.has_write));
        assert (status.header.addr[9:7] == out_q);
      end
      if (cause_valid) begin
        assert (first.has_interrupt && (left_q.write || !first.has_write) && (left_q.status || !first.has_status));
        assert (cause.qid == 11'(out_q));
      end
      if (dut.done) begin
        assert (waiting != '0 || emission_valid);
        if (first.has_write) assert (left_q.write || ends);
        if (first.has_status) assert (left_q.status || (status_valid && status_ready));
        if (first.has_interrupt) assert (cause_valid && cause_ready);
      end
      assert (written == ends);
      if (written) assert (written_slot == 8'(first.slot));
      if (shown_q) assert (valid == valid_q);
      if (quiet_q) assert (valid != '0 || dut.done);
      if (must_follow_q) assert (completion_valid);
      if (alone_q) assert (valid != '0);
      assert (is_empty == (waiting == '0));

      if (INVARIANTS) begin
        assert (waiting <= 3'd4 && dut.waiting_q == waiting);
        assert (dut.head_q == out_q[1:0] && dut.tail_q == in_q[1:0]);
        for (int i = 0; i < 4; i++) begin
          number = out_q + 3'(2'(2'(i) - out_q[1:0]));
          if (3'(2'(2'(i) - out_q[1:0])) < waiting) begin
            assert (dut.emissions[i].has_write == wishes_q[i].has_write);
            assert (dut.emissions[i].has_status == wishes_q[i].has_status);
            assert (dut.emissions[i].has_interrupt == wishes_q[i].has_interrupt);
            assert (dut.emissions[i].slot == 8'(wishes_q[i].slot));
            assert (dut.emissions[i].bytes == (wishes_q[i].has_two ? 8'd128 : 8'd64));
            assert (dut.emissions[i].addr[9:7] == number && dut.emissions[i].status_addr[9:7] == number);
            assert (dut.emissions[i].cause.qid == 11'(number));
          end
        end
        assert (dut.state_q <= INTERRUPT);
        if (dut.state_q == HEAD)
          assert (left_q == '0);
          else assert (waiting != '0);
        if (dut.state_q == FIRST) assert (first.has_write && left_q == '0 && word_q == {first.slot, 1'b0});
        if (dut.state_q == SECOND) begin
          assert (first.has_write && first.has_two && left_q == 3'b100 && word_q == {first.slot, 1'b1});
        end
        if (dut.state_q == STATUS) assert (first.has_status && left_q[1:0] == {first.has_write, 1'b0});
        if (dut.state_q == INTERRUPT) begin
          assert (first.has_interrupt && left_q[1:0] == {first.has_write, first.has_status});
        end
        if (shown_q) assert (valid_q == valid);
      end
    end
  end

  logic unused;
  assign unused = &{1'b0, emission_room, read_slot, completion, status, cause};
endmodule
