// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of qdma_descriptor_status, with a RAM that does what context_ram_order proves: for any requests and any doorbells
// of one ring that arm or do not,
//   - an interrupt that waits never meets an arm: while nothing is under way, irq_req and irq_arm are not both set
//   - each interrupt that was asked for has been sent, or waits in irq_req; one that did not wait takes the arm
//   - no interrupt is sent without an arm, or without having been asked for since the one before
//   - the first that is asked for after a doorbell that arms is sent at once, whatever was sent in between
// Doorbells do what qdma_doorbell does; both come at any time.
module armed_fires
  import qdma_context_pkg::*;
  import qdma_tlp_pkg::*;
  import qdma_pkg::*;
  import qdma_write_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1
) (
    input logic clk,                // there is an edge in this step
    input logic rst,
    input logic request_valid,
    input logic request_interrupt,
    input logic door_valid,
    input logic door_arms,
    input logic write_ready,
    input logic cause_ready
);
  localparam logic [2:0] IDLE = 3'd0, CONTEXT = 3'd1, RESULT = 3'd2, SIZE = 3'd3;
  localparam logic [2:0] ADDRESS = 3'd4, WRITE = 3'd5, CAUSE = 3'd6;
  localparam int QUEUES = 2;

  logic clearing, request_ready, write_valid, cause_valid, context_write;
  write_beat_t write;
  interrupt_cause_t cause;
  logic [1:0] context_valid, context_ready, context_at;
  index_t context_index;
  words_t [1:0] context_word;
  words_t context_next;
  doorbell_event_t doorbell_event;
  sw_context_t sw, sw_next, word;

  // --- The context of the one ring, H2C 0: two bits of it change; the rest stands as the ring's settings
  logic arm_q, held_q, engine_1_q, engine_2_q, door_1_q, door_2_q;
  logic [2:0] apart_q;
  always_comb begin
    word         = '0;
    word.irq_en  = 1'b1;
    word.irq_arm = arm_q;
    word.irq_req = held_q;
  end
  assign sw            = word;
  assign sw_next       = context_next;
  assign context_word  = {words_t'(sw), words_t'(0)};
  assign context_ready = {context_valid[1], 1'b0};
  assign context_at    = {engine_2_q, 1'b0};

  qdma_descriptor_status #(
      .QUEUES(QUEUES)
  ) dut (
      .clk,
      .rst,
      .clearing,
      .ring_size               ('0),
      .request_valid,
      .request_ready,
      .request_qid             ('0),
      .request_is_c2h          (1'b0),
      .request_cidx            ('0),
      .request_pidx            ('0),
      .request_bypass          (1'b0),
      .request_error_descriptor(1'b0),
      .request_error_dma       (1'b0),
      .request_interrupt,
      .doorbell_event,
      .write_valid,
      .write_ready,
      .write,
      .cause_valid,
      .cause_ready,
      .cause,
      .context_valid,
      .context_ready,
      .context_index,
      .context_at,
      .context_word,
      .context_write,
      .context_next
  );

  logic reset_q, asked_q, armed_q, promised_q, asks, event_pending;
  assign asks = dut.is_request_q & dut.interrupts_q;
  initial reset_q = 1'b0;
  always_ff @(posedge clk) begin
    reset_q        <= 1'b1;
    engine_1_q     <= context_valid[1];
    engine_2_q     <= engine_1_q;
    doorbell_event <= '{valid: door_valid, kind: DOORBELL_H2C, qid: '0};
    apart_q        <= door_valid ? 3'd4 : apart_q == '0 ? '0 : apart_q - 1'b1;
    // A doorbell takes effect in its own cycle: the RAM takes one operation a cycle.
    if (door_valid && door_arms) arm_q <= 1'b1;
    if (engine_2_q && context_write) begin
      arm_q  <= sw_next.irq_arm;
      held_q <= sw_next.irq_req;
    end
    // Reference: asked for and not sent; armed and not used; armed and nothing asked for since
    if (engine_2_q) begin
      if (dut.fires) asked_q <= 1'b0;
      else if (asks) asked_q <= 1'b1;
      if (dut.fires && asks) armed_q <= 1'b0;
      if (asks) promised_q <= 1'b0;
    end
    if (door_valid && door_arms) {armed_q, promised_q} <= 2'b11;
    if (rst) begin
      engine_1_q           <= 1'b0;
      engine_2_q           <= 1'b0;
      doorbell_event.valid <= 1'b0;
      apart_q              <= '0;
      arm_q                <= 1'b0;
      held_q               <= 1'b0;
      asked_q              <= 1'b0;
      armed_q              <= 1'b0;
      promised_q           <= 1'b0;
    end
  end

  // A doorbell whose look at the context is still to come
  assign event_pending = doorbell_event.valid | dut.doorbells.waiting_q | dut.doorbells.flags.port_1_q[0]
                         | dut.doorbells.flags.port_2_q[0] | (dut.doorbells.flags.words_q[0] != '0)
                         | (dut.doorbells.state_q == 3'd4)
                         | ((dut.state_q == CONTEXT || dut.state_q == RESULT) && !dut.is_request_q);

  always_comb begin
    if (!reset_q) assume (rst);
    if (door_valid) assume (apart_q == '0 && !engine_2_q && !clearing);
    if (dut.doorbells.waiting_q && !dut.doorbells.ready[0]) assume (!doorbell_event.valid && !door_valid);

    if (reset_q) begin
      // --- The claim
      if (!event_pending) assert (!(arm_q && held_q));
      assert (held_q == asked_q && arm_q == armed_q);
      if (engine_2_q && dut.fires) assert (armed_q && (asked_q || asks));
      if (engine_2_q && asks && promised_q) assert (dut.fires);
      if (cause_valid) assert (dut.fires_q);

      if (INVARIANTS) begin
        if (promised_q) assert (arm_q);
        assert (engine_1_q == (dut.state_q == RESULT && !engine_2_q));
        assert (!(engine_1_q && engine_2_q));
        if (engine_1_q || engine_2_q) assert (dut.state_q == RESULT && dut.context_valid_1_q == 2'b10);
        if (dut.state_q == CONTEXT || dut.state_q == RESULT) assert (!dut.is_c2h_q);
        if (dut.state_q == CAUSE) assert (dut.fires_q);
        assert (dut.state_q <= CAUSE);
        if (doorbell_event.valid) assert (doorbell_event.kind == DOORBELL_H2C && doorbell_event.qid == '0);
        // The queue of ids, as id_queue_keeps proves: only id 0 is ever pushed.
        assert (dut.doorbells.flags.words_q[3:1] == '0);
        assert (dut.doorbells.waiting_id_q == '0 || !dut.doorbells.waiting_q);
        if (dut.doorbells.flags.port_1_q[0]) assert (dut.doorbells.flags.addr_1_q == '0);
        if (dut.doorbells.flags.port_2_q[0]) assert (dut.doorbells.flags.addr_2_q == '0);
        if (dut.doorbells.flags.port_1_q[0]) assert (dut.doorbells.flags_1_q != '0);
        if (dut.doorbells.flags.port_2_q[0]) assert (dut.doorbells.flags_2_q != '0);
        if (dut.doorbells.waiting_q) assert (dut.doorbells.waiting_flags_q != '0);
        for (int k = 0; k < 4; k++) begin
          if (3'(k) < dut.doorbells.count_q) assert (dut.doorbells.ids.ram[2'(dut.doorbells.read_q+2'(k))] == '0);
        end
        if (dut.doorbells.state_q == 3'd1) assert (dut.doorbells.head_id == '0);
        if (dut.doorbells.state_q >= 3'd2) assert (dut.doorbells.pop_id == '0);
        assert (dut.doorbells.state_q <= 3'd4);
        assert ((dut.doorbells.state_q == 3'd3)
                == (dut.doorbells.flags.port_1_q[1] || dut.doorbells.flags.port_2_q[1]));
        assert (dut.doorbells.flags.port_1_q != 2'b11 && dut.doorbells.flags.port_2_q != 2'b11);
        if (dut.doorbells.flags.port_1_q[1])
          assert (dut.doorbells.flags.addr_1_q == '0 && !dut.doorbells.flags.port_2_q[1]);
        if (dut.doorbells.flags.port_2_q[1]) assert (dut.doorbells.flags.addr_2_q == '0);
        assert (4'(dut.doorbells.count_q) + 4'(dut.doorbells.state_q inside {3'd1, 3'd2, 3'd3})
                == 4'(dut.doorbells.flags.words_q[0] != '0));
        assert (2'(dut.doorbells.write_q - dut.doorbells.read_q) == 2'(dut.doorbells.count_q));
        if (clearing) begin
          assert (dut.doorbells.count_q == '0 && dut.doorbells.state_q == '0 && !engine_1_q && !engine_2_q);
          assert (dut.doorbells.flags.words_q == '0 && dut.doorbells.flags.port_1_q == '0);
          assert (dut.doorbells.flags.port_2_q == '0 && !dut.doorbells.waiting_q && dut.state_q == IDLE);
        end
      end
    end
  end

  logic unused;
  assign unused = &{1'b0, write, cause, write_valid, context_index, request_ready};
endmodule
