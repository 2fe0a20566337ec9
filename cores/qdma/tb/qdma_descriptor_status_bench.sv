// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// qdma_descriptor_status with the RAMs of the software contexts, C2H in 0, H2C in 1.  `command_*` writes a context and
// reads the old one, `door_*` writes PIDX and arms, as qdma_doorbell does.
module qdma_descriptor_status_bench
  import qdma_context_pkg::*;
  import qdma_pkg::*;
  import qdma_write_pkg::*;
#(
    parameter int QUEUES = 16
) (
    input logic clk,
    input logic rst,

    output logic clearing,

    input logic [15:0][15:0] ring_size,

    input  logic         command_valid,
    output logic         command_ready,
    input  logic         command_is_c2h,
    input  logic [ 10:0] command_qid,
    input  logic [255:0] command_word,
    output logic         old_valid,
    output logic [255:0] old_word,
    input  logic         door_valid,
    output logic         door_ready,
    input  logic         door_is_c2h,
    input  logic [ 10:0] door_qid,
    input  logic [ 16:0] door_data,

    input  logic        request_valid,
    output logic        request_ready,
    input  logic [10:0] request_qid,
    input  logic        request_is_c2h,
    input  logic [15:0] request_cidx,
    input  logic [15:0] request_pidx,
    input  logic        request_error_descriptor,
    input  logic        request_error_dma,
    input  logic        request_interrupt,

    output logic        write_valid,
    input  logic        write_ready,
    output logic [ 7:0] write_func,
    output logic [63:0] write_addr,
    output logic [10:0] write_dwords,
    output logic [63:0] write_data,
    output logic        cause_valid,
    input  logic        cause_ready,
    output logic [72:0] cause
);
  localparam int ID_BITS = $clog2(QUEUES);
  typedef logic [ID_BITS-1:0] id_t;
  write_beat_t write;
  interrupt_cause_t the_cause;
  logic blocks_clearing, context_write;
  logic [1:0] rams_clearing, context_valid, context_ready, context_at;
  index_t context_index;
  words_t [1:0] context_word;
  words_t context_next;
  logic [1:0][2:0] ready, at;
  id_t [1:0] at_qid;
  sw_context_t [1:0] word, door_next;
  logic [1:0][16:0] door_q;
  logic [1:0][255:0] word_q;
  doorbell_event_t doorbell_event;
  assign clearing      = blocks_clearing | (|rams_clearing);
  assign write_func    = write.header.func;
  assign write_addr    = write.header.addr;
  assign write_dwords  = write.header.dwords;
  assign write_data    = write.data[63:0];
  assign cause         = the_cause;
  assign command_ready = command_is_c2h ? ready[0][0] : ready[1][0];
  assign door_ready    = door_is_c2h ? ready[0][1] : ready[1][1];

  for (genvar i = 0; i < 2; i++) begin : gen_rams
    logic is_mine, is_my_door;
    assign is_mine          = command_valid & (command_is_c2h == (i == 0));
    assign is_my_door       = door_valid & (door_is_c2h == (i == 0));
    assign context_ready[i] = ready[i][2];
    assign context_at[i]    = at[i][2];
    assign context_word[i]  = word[i];
    always_comb begin
      door_next[i]         = word[i];
      door_next[i].pidx    = door_q[1][15:0];
      door_next[i].irq_arm = word[i].irq_arm | door_q[1][16];
    end
    qdma_context_ram #(
        .WIDTH($bits(sw_context_t)),
        .DEPTH(QUEUES),
        .PORTS(3)
    ) contexts (
        .clk,
        .rst,
        .clearing (rams_clearing[i]),
        .req_valid({context_valid[i], is_my_door, is_mine}),
        .req_ready(ready[i]),
        .req_addr ({id_t'(context_index), id_t'(door_qid), id_t'(command_qid)}),
        .at       (at[i]),
        .at_addr  (at_qid[i]),
        .at_word  (word[i]),
        .write    ({context_write, 2'b11}),
        .next     ({context_next, door_next[i], word_q[1]})
    );
  end
  always_ff @(posedge clk) begin
    door_q <= {door_q[0], door_data};
    word_q <= {word_q[0], command_word};
    old_valid <= at[0][0] | at[1][0];
    old_word <= at[0][0] ? word[0] : word[1];
    doorbell_event <= '{
        valid: at[0][1] | at[1][1],
        kind: at[0][1] ? DOORBELL_C2H : DOORBELL_H2C,
        qid: index_t'(at[0][1] ? at_qid[0] : at_qid[1])
    };
    if (rst) {doorbell_event.valid, old_valid} <= '0;
  end

  qdma_descriptor_status #(
      .QUEUES(QUEUES)
  ) dut (
      .clk,
      .rst,
      .clearing(blocks_clearing),
      .written(),
      .ring_size,
      .request_valid,
      .request_ready,
      .request_qid,
      .request_is_c2h,
      .request_cidx,
      .request_pidx,
      .request_bypass(1'b0),
      .request_error_descriptor,
      .request_error_dma,
      .request_interrupt,
      .doorbell_event,
      .write_valid,
      .write_ready,
      .write,
      .cause_valid,
      .cause_ready,
      .cause(the_cause),
      .context_valid,
      .context_ready,
      .context_index,
      .context_at,
      .context_word,
      .context_write,
      .context_next
  );
  bind qdma_descriptor_status axis_checker #(
      .WIDTH($bits(write))
  ) check_write (
      .clk,
      .rst,
      .valid  (write_valid),
      .ready  (write_ready),
      .payload(write)
  );
  bind qdma_descriptor_status axis_checker #(
      .WIDTH($bits(cause))
  ) check_cause (
      .clk,
      .rst,
      .valid  (cause_valid),
      .ready  (cause_ready),
      .payload(cause)
  );

  logic unused;
  assign unused = &{1'b0, write, context_index, door_qid, command_qid};
endmodule
