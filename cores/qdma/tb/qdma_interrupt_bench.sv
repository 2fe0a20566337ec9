// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// qdma_interrupt and qdma_vectors with the RAM of interrupt rings, for tests.  `command_*` writes a ring's context, `door_*`
// its CIDX, as qdma_doorbell does.
module qdma_interrupt_bench
  import qdma_context_pkg::*;
  import qdma_tlp_pkg::*;
  import qdma_pkg::*;
  import qdma_write_pkg::*;
#(
    parameter int QUEUES = 32,
    parameter int FUNCTIONS = 8,
    parameter int PFS = 4
) (
    input logic clk,
    input logic rst,

    output logic clearing,

    input  logic [ 1:0]       cause_valid,
    output logic [ 1:0]       cause_ready,
    input  logic [ 1:0][72:0] cause,
    input  logic              error_valid,
    output logic              error_ready,
    input  logic [28:0]       error,

    input  logic         command_valid,
    output logic         command_ready,
    input  logic [  7:0] command_ring,
    input  logic [127:0] command_word,
    input  logic         door_valid,
    output logic         door_ready,
    input  logic [  7:0] door_ring,
    input  logic [ 11:0] door_cidx,

    input  logic [FUNCTIONS-1:0] is_enabled,
    input  logic [FUNCTIONS-1:0] is_masked,
    input  logic [FUNCTIONS-1:0] may_write,
    input  logic                 mailbox_valid,
    output logic                 mailbox_ready,
    input  logic [          7:0] mailbox_func,
    input  logic [         10:0] mailbox_vector,
    input  logic                 user_irq_valid,
    input  logic [          7:0] user_irq_func,
    input  logic [         10:0] user_irq_vector,
    output logic                 user_irq_ack,
    output logic                 user_irq_fail,
    output logic [         31:0] stat_user_irq_failed,
    input  logic                 access_valid,
    output logic                 access_ready,
    input  logic                 access_write,
    input  logic                 access_pending,
    input  logic [          7:0] access_func,
    input  logic [          4:0] access_vector,
    input  logic [          1:0] access_dword,
    input  logic [         31:0] access_data,
    input  logic [          3:0] access_strobe,
    output logic                 access_done,
    output logic [         31:0] read_data,

    input  logic       reset_active,
    input  logic [7:0] reset_func,
    input  logic       drains_causes,
    output logic       causes_drained,

    output logic        write_valid,
    input  logic        write_ready,
    output logic [ 7:0] write_func,
    output logic [63:0] write_addr,
    output logic [10:0] write_dwords,
    output logic [63:0] write_data,

    output logic        lost,
    output logic [10:0] lost_qid,
    output logic [31:0] stat_lost,
    output logic        no_vector
);
  write_beat_t write;
  logic request_valid, request_ready, message_valid, message_ready, rams_clearing, blocks_clearing;
  function_t request_func, message_func;
  logic [10:0] request_vector;
  logic [63:0] message_addr;
  logic [31:0] message_data;
  msix_access_t msix_access;
  assign msix_access = '{
          is_write: access_write,
          is_pending: access_pending,
          func: access_func,
          vector: access_vector,
          dword: access_dword,
          data: access_data,
          strobe: access_strobe
      };
  logic context_valid, context_write;
  index_t context_index;
  words_t context_next;
  interrupt_state_t word, door_next;
  logic [7:0] at_ring;
  logic [2:0] ready, at;
  logic [1:0][11:0] cidx_q;
  logic [1:0][127:0] word_q;
  doorbell_event_t doorbell_event;
  assign clearing      = rams_clearing | blocks_clearing;
  assign command_ready = ready[0];
  assign door_ready    = ready[1];
  assign write_func    = write.header.func;
  assign write_addr    = write.header.addr;
  assign write_dwords  = write.header.dwords;
  assign write_data    = write.data[63:0];
  always_comb begin
    door_next      = word;
    door_next.cidx = cidx_q[1];
  end
  always_ff @(posedge clk) begin
    cidx_q         <= {cidx_q[0], door_cidx};
    word_q         <= {word_q[0], command_word};
    doorbell_event <= '{valid: at[1], kind: DOORBELL_INTERRUPT, qid: 11'(at_ring)};
    if (rst) doorbell_event.valid <= 1'b0;
  end

  qdma_context_ram #(
      .WIDTH($bits(interrupt_state_t)),
      .DEPTH(INTERRUPT_RINGS),
      .PORTS(3)
  ) contexts (
      .clk,
      .rst,
      .clearing (rams_clearing),
      .req_valid({context_valid, door_valid, command_valid}),
      .req_ready(ready),
      .req_addr ({context_index[7:0], door_ring, command_ring}),
      .at,
      .at_addr  (at_ring),
      .at_word  (word),
      .write    ({context_write, 2'b11}),
      .next     ({context_next[139:0], door_next, {12'b0, word_q[1]}})
  );

  qdma_interrupt #(
      .QUEUES(QUEUES)
  ) dut (
      .clk,
      .rst,
      .clearing(blocks_clearing),
      .cause_valid,
      .cause_ready,
      .cause,
      .error_valid,
      .error_ready,
      .error,
      .doorbell_event,
      .reset_active,
      .reset_func,
      .drains_causes,
      .causes_drained,
      .request_valid,
      .request_ready,
      .request_func,
      .request_vector,
      .message_valid,
      .message_ready,
      .message_func,
      .message_addr,
      .message_data,
      .write_valid,
      .write_ready,
      .write,
      .lost,
      .lost_qid,
      .stat_lost,
      .context_valid,
      .context_ready(ready[2]),
      .context_index,
      .context_at(at[2]),
      .context_word(words_t'(word)),
      .context_write,
      .context_next
  );
  qdma_vectors #(
      .PFS(PFS),
      .VFS(FUNCTIONS - MAX_PFS)
  ) vectors (
      .clk,
      .rst,
      .is_enabled,
      .is_masked,
      .may_write,
      .request_valid,
      .request_ready,
      .request         ({request_func, request_vector}),
      .mailbox_valid,
      .mailbox_ready,
      .mailbox_vector  ({mailbox_func, mailbox_vector}),
      .user_valid      (user_irq_valid),
      .user_vector     ({user_irq_func, user_irq_vector}),
      .user_ack        (user_irq_ack),
      .user_fail       (user_irq_fail),
      .legacy_enable   (1'b0),
      .legacy_clear    ('0),
      .legacy_pending  (),
      .intx            (),
      .posted_is_idle  (1'b1),
      .posted_moves    (1'b0),
      .reset_active    (1'b0),
      .reset_func      ('0),
      .access_valid,
      .access_ready,
      .access          (msix_access),
      .access_done,
      .read_data,
      .message_valid,
      .message_ready,
      .message_func,
      .message_addr,
      .message_data,
      .lost            (no_vector),
      .stat_user_failed(stat_user_irq_failed)
  );

  bind qdma_interrupt axis_checker #(
      .WIDTH($bits(write))
  ) check_write (
      .clk,
      .rst,
      .valid  (write_valid),
      .ready  (write_ready),
      .payload(write)
  );
  bind qdma_msix axis_checker #(
      .WIDTH(8 + 64 + 32)
  ) check_message (
      .clk,
      .rst,
      .valid  (message_valid),
      .ready  (message_ready),
      .payload({message_func, message_addr, message_data})
  );
  bind qdma_msix axis_checker #(
      .WIDTH(20)
  ) check_request (
      .clk,
      .rst,
      .valid  (request_valid),
      .ready  (request_ready),
      .payload({request_func, request_vector, request_is_user})
  );

  logic unused;
  assign unused = &{1'b0, write, context_index, context_next};
endmodule
