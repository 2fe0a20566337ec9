// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// qdma_completion with the RAM of its contexts, for tests.  `command_*` writes a whole context, as the indirect command
// does; `door_*` writes CIDX and modes, as qdma_doorbell does; `seen` is the context of seen_qid, by a port of its own.
module qdma_completion_bench
  import qdma_context_pkg::*;
  import qdma_tlp_pkg::*;
  import qdma_pkg::*;
  import qdma_write_pkg::*;
#(
    parameter int QUEUES = 64,
    parameter int SLOTS = 64,
    parameter int TIMER_LANES = 8,
    parameter bit INLINE = 1'b1
) (
    input logic clk,
    input logic rst,

    output logic clearing,

    input logic [15:0][15:0] ring_size,
    input logic [15:0][15:0] count_threshold,
    input logic [15:0][15:0] timer_ticks,
    input logic [31:0]       tick_cycles,
    input logic [15:0]       coalesce_cycles,
    input logic [ 6:0][ 8:0] colour_place,
    input logic [ 6:0][ 8:0] error_place,

    input  logic         command_valid,
    output logic         command_ready,
    input  logic [ 10:0] command_qid,
    input  logic         command_read,
    input  logic [191:0] command_word,
    output logic         read_valid,
    output logic [191:0] read_word,
    input  logic         door_valid,
    output logic         door_ready,
    input  logic [ 10:0] door_qid,
    input  logic [ 31:0] door_data,

    input  logic        reserve_valid,
    output logic        reserve_ready,
    input  logic [10:0] reserve_qid,
    input  logic        reserve_wide,
    output logic        answer_valid,
    output logic [10:0] answer_qid,
    output logic [ 1:0] answer,
    output logic        room_event,
    output logic [10:0] room_qid,

    input  logic         post_valid,
    output logic         post_ready,
    input  logic [ 10:0] post_qid,
    input  logic         post_trigger,
    input  logic         post_format,
    input  logic [  2:0] post_place,
    input  logic         post_error,
    input  logic         post_used,
    input  logic [ 15:0] post_length,
    input  logic [511:0] post_user,

    input  logic         channel_is_idle,
    output logic         completion_valid,
    input  logic         completion_ready,
    output logic         completion_last,
    output logic [  7:0] completion_func,
    output logic [ 63:0] completion_addr,
    output logic [ 10:0] completion_dwords,
    output logic [511:0] completion_data,
    output logic         status_valid,
    input  logic         status_ready,
    output logic [  7:0] status_func,
    output logic [ 63:0] status_addr,
    output logic [ 10:0] status_dwords,
    output logic [ 63:0] status_data,
    output logic         cause_valid,
    input  logic         cause_ready,
    output logic [ 72:0] cause,

    output logic        refused_valid,
    output logic [10:0] refused_qid,
    output logic        refused_full,
    output logic        cidx_error,
    output logic [10:0] cidx_error_qid,
    output logic [31:0] stat_refused,
    output logic [31:0] stat_discarded,
    output logic [63:0] stat_full_cycles,
    output logic        stat_full_end,
    output logic [10:0] stat_full_end_qid,
    output logic [31:0] stat_full_end_cycles
);
  localparam int ID_BITS = $clog2(QUEUES);
  typedef logic [ID_BITS-1:0] id_t;
  write_beat_t completion, status;
  interrupt_cause_t the_cause;
  entry_t post;
  room_e the_answer;
  doorbell_event_t doorbell_event;
  logic context_valid, context_ready, context_at, context_write, contexts_clearing, blocks_clearing;
  index_t context_index;
  words_t context_next;
  completion_context_t at_word, door_next;
  id_t at_qid;
  logic [2:0] ready, at;
  logic [31:0] door_1_q, door_2_q;
  logic [1:0] read_q;
  logic [1:0][191:0] word_q;

  assign post = '{
          qid: post_qid,
          is_user_trigger: post_trigger,
          has_user_format: post_format,
          place: post_place,
          has_error: post_error,
          has_used_descriptor: post_used,
          length: post_length,
          user: post_user
      };
  assign completion_last = completion.last;
  assign completion_func = completion.header.func;
  assign completion_addr = completion.header.addr;
  assign completion_dwords = completion.header.dwords;
  assign completion_data = completion.data;
  assign status_func = status.header.func;
  assign status_addr = status.header.addr;
  assign status_dwords = status.header.dwords;
  assign status_data = status.data[63:0];
  assign cause = the_cause;
  assign answer = the_answer;
  assign clearing = contexts_clearing | blocks_clearing;
  assign command_ready = ready[0];
  assign door_ready = ready[1];
  assign context_ready = ready[2];
  assign context_at = at[2];

  always_comb begin
    door_next      = at_word;
    door_next.cidx = door_2_q[15:0];
    if (at_word.full_upd) begin
      door_next.cnter_ix     = door_2_q[19:16];
      door_next.timer_ix     = door_2_q[23:20];
      door_next.trig_mode    = door_2_q[26:24];
      door_next.en_stat_desc = door_2_q[27];
      door_next.en_int       = door_2_q[28];
    end
  end

  always_ff @(posedge clk) begin
    door_1_q       <= door_data;
    door_2_q       <= door_1_q;
    read_q         <= {read_q[0], command_read};
    word_q         <= {word_q[0], command_word};
    doorbell_event <= '{valid: at[1] & at_word.valid, kind: DOORBELL_COMPLETION, qid: index_t'(at_qid)};
    read_valid     <= at[0] & read_q[1];
    read_word      <= at_word;
    if (rst) begin
      doorbell_event.valid <= 1'b0;
      read_valid           <= 1'b0;
    end
  end

  qdma_context_ram #(
      .WIDTH($bits(completion_context_t)),
      .DEPTH(QUEUES),
      .PORTS(3)
  ) contexts (
      .clk,
      .rst,
      .clearing (contexts_clearing),
      .req_valid({context_valid, door_valid, command_valid}),
      .req_ready(ready),
      .req_addr ({id_t'(context_index), id_t'(door_qid), id_t'(command_qid)}),
      .at,
      .at_addr  (at_qid),
      .at_word,
      .write    ({context_write, at_word.valid, ~read_q[1]}),
      .next     ({context_next[191:0], door_next, word_q[1]})
  );

  qdma_completion #(
      .QUEUES     (QUEUES),
      .SLOTS      (SLOTS),
      .TIMER_LANES(TIMER_LANES),
      .INLINE     (INLINE)
  ) dut (
      .clk,
      .rst,
      .clearing(blocks_clearing),
      .ring_size,
      .count_threshold,
      .timer_ticks,
      .tick_cycles,
      .coalesce_cycles,
      .colour_place,
      .error_place,
      .doorbell_event,
      .command_valid(at[0] & ~read_q[1]),
      .command_qid(index_t'(at_qid)),
      .reserve_valid,
      .reserve_ready,
      .reserve_qid,
      .reserve_wide,
      .answer_valid,
      .answer_qid,
      .answer(the_answer),
      .room_event,
      .room_qid,
      .post_valid,
      .post_ready,
      .post,
      .channel_is_idle,
      .completion_valid,
      .completion_ready,
      .completion,
      .status_valid,
      .status_ready,
      .status,
      .cause_valid,
      .cause_ready,
      .cause(the_cause),
      .refused_valid,
      .refused_qid,
      .refused_full,
      .cidx_error,
      .cidx_error_qid,
      .stat_refused,
      .stat_discarded,
      .stat_full_cycles,
      .stat_full_end,
      .stat_full_end_qid,
      .stat_full_end_cycles,
      .context_valid,
      .context_ready,
      .context_index,
      .context_at,
      .context_word(words_t'(at_word)),
      .context_write,
      .context_next
  );

  bind qdma_completion axis_checker #(
      .WIDTH($bits(completion))
  ) check_completion (
      .clk,
      .rst,
      .valid  (completion_valid),
      .ready  (completion_ready),
      .payload(completion)
  );
  bind qdma_completion axis_checker #(
      .WIDTH($bits(status))
  ) check_status (
      .clk,
      .rst,
      .valid  (status_valid),
      .ready  (status_ready),
      .payload(status)
  );
  bind qdma_completion axis_checker #(
      .WIDTH($bits(cause))
  ) check_cause (
      .clk,
      .rst,
      .valid  (cause_valid),
      .ready  (cause_ready),
      .payload(cause)
  );
  bind qdma_id_queue axis_checker #(
      .WIDTH($bits(pop_id))
  ) check_pop (
      .clk,
      .rst,
      .valid  (pop_valid),
      .ready  (pop_ready),
      .payload(pop_id)
  );
  bind qdma_completion_ring axis_checker #(
      .WIDTH(11)
  ) check_flush (
      .clk,
      .rst,
      .valid  (context_valid),
      .ready  (context_ready),
      .payload(context_index)
  );

  logic unused;
  assign unused = &{1'b0, completion.header, status, context_index, context_next, door_qid, command_qid};
endmodule
