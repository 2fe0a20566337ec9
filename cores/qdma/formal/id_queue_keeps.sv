// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_id_queue, with a RAM that does what context_ram_order proves (abstract/qdma_context_ram.sv), for any pushes
// and any pops.
//   - what has been pushed and not popped is in the queue, once: nothing is lost, nothing waits for a later push
//   - a pop has all flags that were pushed since the last pop of its id, and no others
//   - the queue never overflows
//   - while an id is in the queue, something is shown, or is on its way: it goes on by itself
// Assumes that pushes are at least 3 cycles apart.
module id_queue_keeps #(
    parameter bit INVARIANTS = 1'b1,
    parameter int IDS = 4,
    parameter int FLAGS = 2
) (
    input logic                   clk,         // there is an edge in this step
    input logic                   rst,
    input logic                   push_valid,
    input logic [$clog2(IDS)-1:0] push_id,
    input logic [      FLAGS-1:0] push_flags,
    input logic                   pop_ready
);
  localparam int ID_BITS = $clog2(IDS);
  localparam logic [2:0] EMPTY = 3'd0, HEAD = 3'd1, REQUEST = 3'd2, FLAGGED = 3'd3, SHOWN = 3'd4;  // of the module
  typedef logic [ID_BITS-1:0] id_t;
  logic clearing, pop_valid;
  id_t pop_id;
  logic [FLAGS-1:0] pop_flags;
  qdma_id_queue #(
      .IDS  (IDS),
      .FLAGS(FLAGS)
  ) dut (
      .*
  );

  // --- Reference: flags that have been pushed and not been read by a pop; the read is where pops and pushes take turns
  logic [IDS-1:0][FLAGS-1:0] pending_flags_q;
  logic [1:0] apart_q;
  logic reset_q, taken;
  logic [FLAGS-1:0] taken_flags_q;
  assign taken = dut.at[1];
  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q <= 1'b1;
    apart_q <= push_valid ? 2'd2 : apart_q == '0 ? '0 : apart_q - 1'b1;
    if (dut.at[0]) pending_flags_q[dut.at_id] <= pending_flags_q[dut.at_id] | dut.flags_2_q;
    if (taken) begin
      taken_flags_q              <= pending_flags_q[dut.at_id];
      pending_flags_q[dut.at_id] <= '0;
    end
    if (rst) begin
      pending_flags_q <= '0;
      apart_q <= '0;
    end
  end

  logic [ID_BITS:0] copies;
  always_comb begin
    copies = '0;
    if (!reset_q) assume (rst);
    if (push_valid) assume (apart_q == '0 && push_flags != '0 && !clearing);
    if (dut.waiting_q && !dut.ready[0]) assume (!push_valid);

    if (reset_q) begin
      // --- The claim
      if (pop_valid) assert (pop_flags != '0 && pop_flags == taken_flags_q);
      assert (!dut.enqueue || dut.count_q < (ID_BITS + 1)'(IDS));
      for (int id = 0; id < IDS; id++) begin
        copies = '0;
        for (int k = 0; k < IDS; k++) begin
          if ((ID_BITS + 1)'(k) < dut.count_q && dut.ids.ram[id_t'(dut.read_q+id_t'(k))] == id_t'(id))
            copies = copies + 1'b1;
        end
        if (dut.state_q == HEAD && dut.head_id == id_t'(id)) copies = copies + 1'b1;
        if ((dut.state_q == REQUEST || dut.state_q == FLAGGED) && dut.pop_id == id_t'(id)) copies = copies + 1'b1;
        assert (copies == (ID_BITS + 1)'(pending_flags_q[id] != '0));
        if (pending_flags_q[id] != '0) assert (dut.count_q != '0 || dut.state_q != EMPTY);
      end

      if (INVARIANTS) begin
        assert (pending_flags_q == dut.flags.words_q);
        assert (id_t'(dut.write_q - dut.read_q) == id_t'(dut.count_q) && dut.count_q <= (ID_BITS + 1)'(IDS));
        assert (dut.state_q <= SHOWN);
        assert ((dut.state_q == FLAGGED) == (dut.flags.port_1_q[1] || dut.flags.port_2_q[1]));
        assert (dut.flags.port_1_q != 2'b11 && dut.flags.port_2_q != 2'b11);
        if (dut.flags.port_1_q[1]) assert (dut.flags.addr_1_q == dut.pop_id && !dut.flags.port_2_q[1]);
        if (dut.flags.port_2_q[1]) assert (dut.flags.addr_2_q == dut.pop_id);
        if (dut.flags.port_1_q[0]) assert (dut.flags_1_q != '0);
        if (dut.flags.port_2_q[0]) assert (dut.flags_2_q != '0);
        if (dut.waiting_q) assert (dut.waiting_flags_q != '0);
        if (dut.state_q == SHOWN) assert (pop_flags == taken_flags_q && pop_flags != '0);
        if (clearing) begin
          assert (pending_flags_q == '0 && dut.count_q == '0 && dut.state_q == EMPTY);
          assert (dut.flags.port_1_q == '0 && dut.flags.port_2_q == '0);
        end
      end
    end
  end
endmodule
