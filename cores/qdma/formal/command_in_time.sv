// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_command, for any command, and RAMs that do what context_ram_order proves of them: a request waits for at
// most two others, and `at` comes 2 cycles after it was accepted.
//   - a command is done within 6 cycles, whatever engines and doorbells do
//   - it makes one operation, on the RAM of its selector, or is refused with one cause and makes none
//   - the data registers are written once, after a read, and by nothing else
// Assumes that the command stands still while busy, and that none comes meanwhile.
module command_in_time
  import qdma_context_pkg::*;
  import qdma_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1,
    parameter int QUEUES = 128,
    parameter int FUNCTIONS = 256
) (
    input logic                    clk,    // there is an edge in this step
    input logic                    rst,
    input logic                    start,
    input logic       [       3:0] sel,
    input operation_e              op,
    input logic       [      12:0] index,
    input logic       [STORES-1:0] grant
);
  localparam logic [1:0] IDLE = 2'd0, CHECK = 2'd1, REQUEST = 2'd2, RESULT = 2'd3;  // of the module
  localparam logic [2:0] LIMIT = 3'd6;
  localparam logic [1:0] OTHERS = 2'd2;  // PORTS - 1 of qdma_context_ram

  logic busy, read_valid;
  words_t read_data;
  command_error_t error;
  logic [STORES-1:0] command_valid, command_ready, command_at, waiting_q;
  index_t command_index;
  words_t [STORES-1:0] command_word;
  assign command_ready = grant & command_valid;
  assign command_word  = '0;
  qdma_command #(
      .QUEUES   (QUEUES),
      .FUNCTIONS(FUNCTIONS)
  ) dut (
      .*
  );

  logic reset_q, was_busy_q, was_start_q;
  logic [2:0] cycles_q;  // of this command
  logic [1:0] wait_q, operations_q, refusals_q, reads_q;
  logic [3:0] sel_q;
  operation_e op_q;
  logic [12:0] index_q;
  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q      <= 1'b1;
    was_busy_q   <= busy;
    was_start_q  <= start;
    sel_q        <= sel;
    op_q         <= op;
    index_q      <= index;
    waiting_q    <= command_ready;
    command_at   <= waiting_q;
    cycles_q     <= busy ? cycles_q + 1'b1 : '0;
    wait_q       <= command_valid != '0 && command_ready == '0 ? wait_q + 1'b1 : '0;
    operations_q <= busy ? operations_q + 2'(command_ready != '0) : '0;
    refusals_q   <= busy ? refusals_q + 2'(error.bad_index) + 2'(error.bad_selector) : '0;
    reads_q      <= busy ? reads_q + 2'(read_valid) : '0;
    if (rst) begin
      was_busy_q   <= 1'b0;
      was_start_q  <= 1'b0;
      waiting_q    <= '0;
      command_at   <= '0;
      cycles_q     <= '0;
      wait_q       <= '0;
      operations_q <= '0;
      refusals_q   <= '0;
      reads_q      <= '0;
    end
  end

  logic [12:0] limit;
  logic known;
  assign known = sel <= 4'd8 || sel == 4'd12;
  assign limit = sel == 4'd8 || sel == 4'd12 ? 13'd256 : 13'(QUEUES);

  always_comb begin
    if (!reset_q) assume (rst);
    if (busy) assume (!start);
    if (was_busy_q) assume (sel == sel_q && op == op_q && index == index_q);
    if (command_valid != '0 && wait_q == OTHERS) assume (command_ready != '0);

    if (reset_q) begin
      // --- The claim
      assert (cycles_q < LIMIT || !busy);
      assert ((command_valid & (command_valid - 1'b1)) == '0);
      if (command_valid != '0) begin
        assert (known && index < limit && 13'(command_index) == index);
        assert (sel == 4'd12 ? command_valid[9] : command_valid[sel]);
      end
      if (was_busy_q && !busy) begin
        assert (operations_q + refusals_q == 2'd1 && refusals_q[0] == (!known || index_q >= limit));
        assert (reads_q == 2'(op_q == OP_READ));
      end
      if (read_valid) assert (busy);
      if (error != '0) assert (busy);
      if (was_start_q) assert (busy);

      if (INVARIANTS) begin
        assert (dut.state_q == IDLE || busy);
        if (!busy) assert (waiting_q == '0 && command_at == '0 && wait_q == '0);
        if (busy && !was_busy_q) assert (dut.state_q == CHECK && cycles_q == '0);
        case (dut.state_q)
          CHECK: begin
            assert (cycles_q == '0 && operations_q == '0 && refusals_q == '0 && reads_q == '0 && wait_q == '0);
            assert (waiting_q == '0 && command_at == '0 && !was_busy_q);
          end
          REQUEST: begin
            assert (cycles_q == 3'd1 + 3'(wait_q) && wait_q <= OTHERS && waiting_q == '0 && command_at == '0);
            assert (operations_q == '0 && refusals_q == '0 && reads_q == '0 && known && index < limit && was_busy_q);
          end
          RESULT: begin
            assert ((waiting_q != '0) != (command_at != '0) && wait_q == '0 && was_busy_q);
            assert (cycles_q <= (waiting_q != '0 ? 3'd4 : 3'd5));
            assert (operations_q == 2'd1 && refusals_q == '0 && reads_q == '0 && known && index < limit);
          end
          default: ;
        endcase
      end
    end
  end
endmodule
