// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_c2h_store, for one of two queues with rings of 4 places, with DEEP two in each of its RAMs; any batches, errors, stops and stalls.
//   - the buffers that are taken are those that were stored, each once, in their order
//   - with each credit, and at the end of each batch, the credits are as many as the buffers that were stored
//   - spare places: the end of a batch adds those that it has not used, or takes away its buffers if it has failed; a buffer
//     that is taken adds one; BATCH of them make a batch to be retired
// The RAMs of places are what context_ram_order proves.  Assumes what qdma_fetch and qdma_c2h_admit keep: the descriptors of a
// batch follow each other, no more are stored than there are places, none is taken that has not been stored.  Draining of a
// queue that is stopped is left to the tests.
module store_in_order
  import qdma_tlp_pkg::*;
  import qdma_context_pkg::*;
  import qdma_read_pkg::*;
  import qdma_fetch_pkg::*;
  import qdma_h2c_pkg::*;
  import qdma_write_pkg::status_request_t;
  import qdma_c2h_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1,
    parameter bit DEEP = 1'b0
) (
    input logic clk,               // there is an edge in this step
    input logic rst,
    input logic descriptor_valid,
    input logic qid,
    input logic is_start,
    input logic is_end,
    input logic has_error,
    input logic retire_ready,
    input logic credit_ready,
    input logic status_ready,
    input logic stopping,
    input logic stop_qid,
    input logic take_valid,
    input logic take_qid
);
  localparam logic [2:0] REST = 3'd0;
  localparam logic signed [3:0] BATCH = 4'sd2;
  typedef logic [2:0] number_t;  // of a buffer of queue 0; there are 4 places

  logic clearing, descriptor_ready, retire_valid, credit_valid, status_valid, take_ready, taken_valid;
  descriptor_t descriptor;
  retire_t retire;
  status_request_t status;
  c2h_credit_t credit;
  logic [63:0] taken_addr;
  function_t taken_func;
  number_t stored_q, taken_q, freed_q, credited_q, written;
  logic last_qid_q, reset_q, out_3, drain_done, drain_any;
  logic signed [3:0] spare_q, spare, added;
  logic [1:0] batch_q, batch;  // buffers of the batch that comes
  always_comb begin
    descriptor           = '0;
    descriptor.qid       = index_t'(qid);
    descriptor.is_start  = is_start;
    descriptor.is_end    = is_end;
    descriptor.error     = has_error ? READ_ABORTED : READ_OK;
    descriptor.data[2:0] = stored_q;
  end
  qdma_c2h_store #(
      .QUEUES(2),
      .DEPTH (DEEP ? 2 : 4),
      .DEEP  (32'(DEEP)),
      .BATCH (2)
  ) dut (
      .clk,
      .rst,
      .clearing,
      .descriptor_valid,
      .descriptor_ready,
      .descriptor,
      .retire_valid,
      .retire_ready,
      .retire,
      .context_error('0),
      .status_valid,
      .status_ready,
      .status,
      .stopping,
      .stop_qid     (index_t'(stop_qid)),
      .credit_valid,
      .credit_ready,
      .credit,
      .drain_valid  (1'b0),
      .drain_done,
      .drain_any,
      .take_valid,
      .take_ready,
      .take_qid     (index_t'(take_qid)),
      .taken_valid,
      .taken_addr,
      .taken_func
  );

  logic accept, ours, stored, take, in_1, in_2, out_1, out_2;
  number_t credited;
  assign accept   = descriptor_valid & descriptor_ready;
  assign ours     = accept & ~qid;
  assign stored   = ours & dut.stores;
  assign take     = take_valid & take_ready & ~take_qid;
  assign in_1     = dut.wr_counts.port_1_q[0] & ~dut.wr_counts.addr_1_q[0] & dut.arrival_1_q.stores;
  assign in_2     = dut.wr_counts.port_2_q[0] & ~dut.wr_counts.addr_2_q[0] & dut.arrival_2_q.stores;
  assign out_1    = dut.rd_counts.port_1_q[0] & ~dut.rd_counts.addr_1_q[0];
  assign out_2    = dut.rd_counts.port_2_q[0] & ~dut.rd_counts.addr_2_q[0];
  assign batch    = (dut.first_q ? 2'd0 : batch_q) + 2'(accept & dut.stores);
  assign added    = dut.walk_at ? 4'sd1 : dut.end_2_q.spare;
  assign spare    = spare_q + added;
  assign written  = stored_q - number_t'(in_1) - number_t'(in_2);
  assign credited = credited_q + (ours && dut.arrival.has_credit ? dut.arrival.credit.buffers[2:0] : '0);
  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q <= 1'b1;
    if (accept) last_qid_q <= qid;
    if (accept) batch_q <= batch;
    out_3 <= dut.walk_at & ~dut.rd_id[0];
    if ((dut.walk_at | dut.end_at) && !dut.rd_id[0]) spare_q <= spare - (spare >= BATCH ? BATCH : 4'sd0);
    stored_q   <= stored_q + number_t'(stored);
    taken_q    <= taken_q + number_t'(take);
    freed_q    <= freed_q + number_t'(out_3);
    credited_q <= credited;
    if (rst) begin
      stored_q   <= '0;
      taken_q    <= '0;
      freed_q    <= '0;
      credited_q <= '0;
      batch_q    <= '0;
      spare_q    <= '0;
      out_3      <= 1'b0;
    end
  end

  logic [3:0][2:0] words;  // where the buffers of queue 0 are
  if (DEEP) begin : gen_deep
    assign words = {
      dut.places.gen_deep.more_buffers.ram[1][2:0],
      dut.places.gen_deep.more_buffers.ram[0][2:0],
      dut.places.buffers.ram[1][2:0],
      dut.places.buffers.ram[0][2:0]
    };
  end else begin : gen_alike
    assign words = {
      dut.places.buffers.ram[3][2:0],
      dut.places.buffers.ram[2][2:0],
      dut.places.buffers.ram[1][2:0],
      dut.places.buffers.ram[0][2:0]
    };
  end

  number_t place;
  always_comb begin
    place = '0;
    if (!reset_q) assume (rst);
    if (!dut.first_q) assume (qid == last_qid_q);
    if (dut.first_q ? 1'b0 : batch_q == 2'd1) assume (is_end);  // of a batch of two that were stored
    if (number_t'(stored_q - freed_q) >= 3'd4) assume (!(descriptor_valid && !qid));
    if (written == taken_q) assume (!(take_valid && !take_qid));

    if (reset_q) begin
      // --- The claim
      if (out_3) assert (taken_valid && taken_addr[2:0] == freed_q);
      if (ours && (is_end || dut.arrival.has_credit)) begin
        assert (credited == number_t'(stored_q + number_t'(stored)));
      end
      if (accept) assert (dut.arrival.is_end == is_end && dut.arrival.is_failed == dut.fails);
      if (accept && is_end) assert (dut.arrival.spare == (dut.fails ? 4'sd0 : BATCH) - $signed({2'b0, batch}));
      if ((dut.walk_at | dut.end_at) && !dut.rd_id[0]) assert (dut.frees_batch == (spare >= BATCH));
      if (!(dut.walk_at | dut.end_at)) assert (!dut.frees_batch);
      assert (dut.credits_used <= 5'd16 && dut.ends_used <= 5'd16);
      assert (dut.retires.failed_used <= 6'd32 && dut.retires.ended_used <= 6'd32);

      if (INVARIANTS) begin
        assert (number_t'(stored_q - freed_q) <= 3'd4);
        assert (number_t'(taken_q - freed_q) <= number_t'(written - freed_q));
        assert (number_t'(written - freed_q) <= number_t'(stored_q - freed_q));
        assert (number_t'(taken_q - freed_q) == number_t'(out_1) + number_t'(out_2) + number_t'(out_3));
        assert (dut.wr_counts.words_q[0] == written);
        assert (dut.rd_counts.words_q[0][2:0] == number_t'(taken_q - number_t'(out_1) - number_t'(out_2)));
        assert ($signed(dut.rd_counts.words_q[0][6:3]) == spare_q);
        if (!dut.first_q)
          assert (dut.batch_q == batch_q);
          else assert (dut.batch_q == '0);
        if (dut.wr_counts.port_1_q[0]) assert (dut.arrival_1_q.qid == index_t'(dut.wr_counts.addr_1_q));
        if (dut.wr_counts.port_2_q[0]) assert (dut.arrival_2_q.qid == index_t'(dut.wr_counts.addr_2_q));
        if (in_1) assert (dut.arrival_1_q.addr[2:0] == number_t'(stored_q - 3'd1));
        if (in_2) assert (dut.arrival_2_q.addr[2:0] == written);
        for (int i = 0; i < 4; i++) begin
          place = freed_q + number_t'(out_3) + number_t'(i);
          if (number_t'(i) < number_t'(written - freed_q - number_t'(out_3))) begin
            assert (words[place[1:0]] == place);
          end
        end
        if (dut.first_q || last_qid_q)
          assert (credited_q == stored_q);
          else assert (number_t'(stored_q - credited_q) == dut.count_q);
        assert (dut.count_q < 3'd4);
        if (dut.first_q) assert (dut.count_q == '0);
        // What is accepted finds room.
        // may_* are a cycle late.
        if (dut.may_credit) assert (dut.credits_used <= 5'd10);
        if (dut.may_fail) assert (dut.retires.failed_used <= 6'd26);
        if (dut.may_end) assert (dut.ends_used <= 5'd10);
        if (dut.retires.may_end) assert (dut.retires.ended_used <= 6'd26);
        assert (dut.credits_used + 5'(dut.wr_counts.port_1_q[0]) + 5'(dut.wr_counts.port_2_q[0]) <= 5'd14);
        assert (dut.retires.failed_used + 6'(dut.wr_counts.port_1_q[0]) + 6'(dut.wr_counts.port_2_q[0]) <= 6'd30);
        assert (dut.ends_used + 5'(dut.wr_counts.port_1_q[0]) + 5'(dut.wr_counts.port_2_q[0]) <= 5'd14);
        assert (dut.retires.ended_used + 6'(|dut.rd_counts.port_1_q) + 6'(|dut.rd_counts.port_2_q) <= 6'd30);
        assert (!dut.error_q.valid);
        assert (dut.drain_q == REST && !dut.wr_counts.port_1_q[1] && !dut.wr_counts.port_2_q[1]);
        assert (!dut.rd_counts.port_1_q[1] && !dut.rd_counts.port_2_q[1]);
        assert ($onehot0(dut.rd_counts.port_1_q) && $onehot0(dut.rd_counts.port_2_q));
        if (out_3) assert (taken_valid);
      end
    end
  end

  logic unused;
  assign unused = &{1'b0, clearing, retire, retire_valid, status, status_valid, credit, credit_valid, taken_addr,
      taken_func,
      drain_done, drain_any};
endmodule
