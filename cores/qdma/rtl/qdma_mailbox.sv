// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Mailbox of all functions: messages of 32 words from each VF to its PF and back, one each way at a time.
//
// Latency: an access is done 5 cycles after it was accepted, alone.  An interrupt is offered at most 40 cycles after its cause
// if the one before has been accepted, and no reset is under way.
//
// Interface: access, clean and interrupt have valid and ready; access_done is high for a cycle, with read_data and refused.
// clean empties what a function that is reset has: clean_done is high for a cycle.  After a reset, `clearing` is high while
// the RAM of the functions is cleared.
//
// Operation: one operation at a time.  Words are in a block RAM, what else belongs to a function is a word of another.  VFs
// whose message waits are in a queue of their PF, each at most once: so the first is served first, and one that sends
// without an end keeps none from its turn.  An id in the queue whose message is gone is dropped when it comes to the front.
//   An event (a message, an acknowledgement, a write of 1 to ENABLE) puts its function into another queue; its turn sends an
// interrupt if it is enabled and there is a cause: a message to be received, of a PF also an acknowledgement.  So an interrupt
// that is enabled with a cause pending is sent at once, and each event of one that is enabled has a turn after it.
//
//   LOOK   RAMs are read
//   READ   their words are there
//   ACT    qdma_mailbox_access says what is to be written
//   SWEEP  clean: the next function
module qdma_mailbox
  import qdma_tlp_pkg::*;
  import qdma_pkg::*;
  import qdma_mailbox_pkg::*;
#(
    parameter int PFS   = 4,
    parameter int VFS   = 252,
    parameter int SHARE = 63    // VFs of a PF, the first ones of PF 0
) (
    input logic clk,
    input logic rst,

    output logic clearing,

    input  logic                   access_valid,
    output logic                   access_ready,
    input  mailbox_access_t        access,
    output logic                   access_done,
    output logic            [31:0] read_data,
    output logic                   refused,

    // A function that is reset: its inbox, its interrupt, its acknowledgements, words that it has not sent
    input  logic      clean_valid,
    output logic      clean_ready,
    input  function_t clean_func,
    output logic      clean_done,

    output logic             interrupt_valid,
    input  logic             interrupt_ready,
    output function_t        interrupt_func,
    output logic      [10:0] interrupt_vector
);
  localparam int FUNC_BITS = $clog2(MAX_PFS + VFS);
  localparam int PF_BITS = 2;
  typedef logic [FUNC_BITS-1:0] func_t;
  typedef enum logic [2:0] {
    CLEAR,
    IDLE,
    LOOK,
    READ,
    ACT,
    SWEEP
  } state_e;
  typedef enum logic [1:0] {
    IS_ACCESS,
    IS_SENDER,  // is the message of the first in a PF's queue still there?
    IS_EVENT,
    IS_CLEAN
  } kind_e;
  state_e state_q;
  kind_e kind_q;
  mailbox_access_t access_q;
  func_t index_q;  // of the function whose word is looked at
  logic [PF_BITS-1:0] pf_q;  // of the pair, or whose queue is looked at
  logic is_pf_q, has_link_q;
  function_t clean_func_q;

  // --- Of the PFs
  logic [MAX_PFS-1:0][11:0] target_q;
  logic [MAX_PFS-1:0][7:0] count_q;  // messages that wait
  logic [MAX_PFS-1:0] has_sender_q;  // the first in the queue has been looked at
  logic [MAX_PFS-1:0][ACK_WORDS-1:0] acks_q;  // words that are not 0
  logic [MAX_PFS-1:0] pop_valid, pop_ready, push_sender, settled, queue_clearing, unused_flag;
  logic [MAX_PFS-1:0][FUNC_BITS-1:0] sender;
  for (genvar i = 0; i < PFS; i++) begin : gen_senders
    qdma_id_queue #(
        .IDS  (2 ** FUNC_BITS),
        .FLAGS(1)
    ) senders (
        .clk,
        .rst,
        .clearing  (queue_clearing[i]),
        .push_valid(push_sender[i]),
        .push_id   (index_q),
        .push_flags(1'b1),
        .pop_valid (pop_valid[i]),
        .pop_ready (pop_ready[i]),
        .pop_id    (sender[i]),
        .pop_flags (unused_flag[i])
    );
    assign settled[i] = has_sender_q[i] | (count_q[i] == '0);
  end
  for (genvar i = PFS; i < MAX_PFS; i++) begin : gen_absent
    assign {pop_valid[i], settled[i], queue_clearing[i], unused_flag[i], sender[i]} = '0;
  end

  // --- Events
  logic events_clearing, push_event, event_valid, event_ready, unused_event_flag;
  func_t push_event_func, event_func;
  qdma_id_queue #(
      .IDS  (2 ** FUNC_BITS),
      .FLAGS(1)
  ) events (
      .clk,
      .rst,
      .clearing  (events_clearing),
      .push_valid(push_event),
      .push_id   (push_event_func),
      .push_flags(1'b1),
      .pop_valid (event_valid),
      .pop_ready (event_ready),
      .pop_id    (event_func),
      .pop_flags (unused_event_flag)
  );
  assign clearing = (state_q == CLEAR) | events_clearing | (|queue_clearing);

  // --- What is next.  A PF's access waits until its first sender is settled.
  logic access_is_pf, owns_target, looks, takes_access, takes_event, takes_sender;
  logic [PF_BITS-1:0] access_pf, look_pf;
  function_t access_vf;
  logic [11:0] access_target;
  assign access_is_pf = int'(access.func) < MAX_PFS;
  assign access_pf = access_is_pf ? PF_BITS'(access.func) : PF_BITS'(parent(access.func, SHARE));
  assign access_target = target_q[access_pf];
  assign owns_target = has_vf(access_target, VFS) & (parent(access_target[7:0], SHARE) == access.func);
  assign access_vf = access_is_pf ? access_target[7:0] : access.func;
  always_comb begin
    looks   = 1'b0;
    look_pf = '0;
    for (int i = 0; i < MAX_PFS; i++) begin
      if (pop_valid[i] && !has_sender_q[i]) begin
        looks   = 1'b1;
        look_pf = PF_BITS'(i);
      end
    end
  end
  logic is_free;
  assign is_free = (state_q == IDLE) & ~clearing;
  assign takes_sender = is_free & looks;
  assign clean_ready = is_free & ~looks;
  assign takes_event = is_free & ~looks & ~clean_valid & event_valid & ~interrupt_valid;
  assign takes_access = is_free & ~looks & ~clean_valid & ~takes_event & access_valid
                        & (~access_is_pf | settled[access_pf]);
  assign access_ready = takes_access;
  assign event_ready = takes_event;

  // --- RAMs
  mailbox_link_t link, link_q, link_next, access_link_next;
  logic [31:0] word, word_q, ack_word, ack_word_q, ack_now, ack_next;
  logic writes_link, writes_word, writes_acks;
  logic is_to_vf;
  logic [$clog2(ACK_WORDS)-1:0] ack_index;
  ram_sdp #(
      .WIDTH($bits(mailbox_link_t)),
      .DEPTH(2 ** FUNC_BITS)
  ) links (
      .clk,
      .wr_en  (writes_link | (state_q == CLEAR)),
      .wr_addr(index_q),
      .wr_data(state_q == CLEAR ? '0 : link_next),
      .rd_en  (state_q == LOOK),
      .rd_addr(index_q),
      .rd_data(link)
  );
  // A PF's inbox has what its VFs have sent, a VF's what its PF has.
  assign is_to_vf = is_pf_q ^ ~access_q.offset[10];
  ram_sdp #(
      .WIDTH(32),
      .DEPTH(2 ** FUNC_BITS * 2 * WORDS)
  ) words (
      .clk,
      .wr_en  (writes_word),
      .wr_addr({is_to_vf, index_q, access_q.offset[6:2]}),
      .wr_data(access_q.data),
      .rd_en  (state_q == LOOK),
      .rd_addr({is_to_vf, index_q, access_q.offset[6:2]}),
      .rd_data(word)
  );
  ram_sdp #(
      .WIDTH(32),
      .DEPTH(2 ** PF_BITS * ACK_WORDS)
  ) acks (
      .clk,
      .wr_en  (writes_acks),
      .wr_addr({pf_q, ack_index}),
      .wr_data(ack_next),
      .rd_en  (state_q == LOOK),
      .rd_addr({pf_q, ack_index}),
      .rd_data(ack_word)
  );

  // --- What an access does
  logic answer_refused, access_writes_link, access_writes_word, writes_target, clears_acks, sends, receives, arms;
  logic [31:0] answer;
  qdma_mailbox_access decide (
      .access     (access_q),
      .is_pf      (is_pf_q),
      .has_link   (has_link_q),
      .link       (link_q),
      .word       (word_q),
      .ack_word   (ack_now),
      .target     (target_q[pf_q]),
      .has_sender (has_sender_q[pf_q]),
      .sender     (8'(sender[pf_q])),
      .has_acks   (|acks_q[pf_q]),
      .read_data  (answer),
      .refused    (answer_refused),
      .writes_link(access_writes_link),
      .link_next  (access_link_next),
      .writes_word(access_writes_word),
      .writes_target,
      .clears_acks,
      .sends,
      .receives,
      .arms
  );

  // --- What a clean does with the word of a function
  logic clean_is_pf, clean_writes, is_last;
  mailbox_link_t clean_link_next;
  assign clean_is_pf = int'(clean_func_q) < MAX_PFS;
  assign is_last     = &index_q;
  qdma_mailbox_clean #(
      .VFS  (VFS),
      .SHARE(SHARE)
  ) decide_clean (
      .func       (clean_func_q),
      .index      (function_t'(index_q)),
      .link       (link_q),
      .writes_link(clean_writes),
      .link_next  (clean_link_next)
  );

  // --- What is written
  logic acts, acts_access, acts_clean, is_first_received, cause;
  logic [31:0] ack_bit;
  assign acts        = state_q == ACT;
  assign acts_access = acts & (kind_q == IS_ACCESS);
  assign acts_clean  = acts & (kind_q == IS_CLEAN);
  assign writes_link = (acts_access & access_writes_link) | (acts_clean & clean_writes);
  assign link_next   = kind_q == IS_CLEAN ? clean_link_next : access_link_next;
  assign writes_word = acts_access & access_writes_word;
  assign ack_bit     = 32'd1 << 5'(index_q);
  always_comb begin
    ack_index = ($clog2(ACK_WORDS))'(8'(index_q) >> 5);
    if (is_pf_q) ack_index = access_q.offset[4:2];
    ack_now  = acks_q[pf_q][ack_index] ? ack_word_q : '0;
    ack_next = is_pf_q ? ack_now & ~access_q.data : ack_now | ack_bit;
  end
  assign writes_acks = acts_access & (clears_acks | (receives & ~is_pf_q));
  assign push_event  = acts_access & (sends | receives | arms);
  always_comb begin
    push_event_func = func_t'(pf_q);
    if (is_pf_q) push_event_func = index_q;  // of the target, or its own
    if (arms) push_event_func = func_t'(access_q.func);
  end
  assign is_first_received = acts_access & is_pf_q & receives & has_sender_q[pf_q] & (sender[pf_q] == index_q);
  assign cause = int'(index_q) < MAX_PFS ? (count_q[pf_q] != '0) | (|acks_q[pf_q]) : link_q.is_posted;
  always_comb begin
    push_sender = '0;
    pop_ready = '0;
    push_sender[pf_q] = acts_access & ~is_pf_q & sends;
    pop_ready[pf_q] = is_first_received | (acts & (kind_q == IS_SENDER) & ~link_q.is_sent);
  end

  always_ff @(posedge clk) begin
    access_done <= acts_access;
    read_data   <= answer;
    refused     <= answer_refused;
    clean_done  <= 1'b0;
    link_q      <= link;
    word_q      <= word;
    ack_word_q  <= ack_word;
    if (interrupt_ready) interrupt_valid <= 1'b0;

    case (state_q)
      CLEAR: begin
        index_q <= index_q + 1'b1;
        if (is_last) state_q <= IDLE;
      end
      IDLE: begin
        if (takes_sender) begin
          state_q <= LOOK;
          kind_q  <= IS_SENDER;
          pf_q    <= look_pf;
          index_q <= sender[look_pf];
        end else if (clean_valid && clean_ready) begin
          state_q      <= LOOK;
          kind_q       <= IS_CLEAN;
          clean_func_q <= clean_func;
          pf_q         <= PF_BITS'(clean_func);
          index_q      <= '0;
        end else if (takes_event) begin
          state_q <= LOOK;
          kind_q  <= IS_EVENT;
          pf_q    <= PF_BITS'(event_func);
          index_q <= event_func;
        end else if (takes_access) begin
          state_q <= LOOK;
          kind_q <= IS_ACCESS;
          access_q <= access;
          is_pf_q <= access_is_pf;
          pf_q <= access_pf;
          has_link_q <= ~access_is_pf | owns_target;
          index_q <= func_t'(access_is_pf && access.offset inside {REG_VECTOR, REG_ENABLE} ? access.func : access_vf);
        end
      end
      LOOK: state_q <= READ;
      READ: state_q <= ACT;
      ACT: begin
        state_q <= kind_q == IS_CLEAN ? SWEEP : IDLE;
        case (kind_q)
          IS_ACCESS: begin
            if (writes_target) target_q[pf_q] <= access_q.data[11:0];
            if (sends && !is_pf_q) count_q[pf_q] <= count_q[pf_q] + 1'b1;
            if (receives && is_pf_q) count_q[pf_q] <= count_q[pf_q] - 1'b1;
            if (is_first_received) has_sender_q[pf_q] <= 1'b0;
          end
          IS_SENDER: has_sender_q[pf_q] <= link_q.is_sent;
          IS_EVENT: begin
            interrupt_valid  <= link_q.is_enabled & cause;
            interrupt_func   <= function_t'(index_q);
            interrupt_vector <= 11'(link_q.vector);
          end
          default: begin
            if (clean_is_pf) begin
              target_q[pf_q]     <= '0;
              count_q[pf_q]      <= '0;
              has_sender_q[pf_q] <= 1'b0;
              acks_q[pf_q]       <= '0;
            end
          end
        endcase
        if (writes_acks) acks_q[pf_q][ack_index] <= |ack_next;
      end
      default: begin  // SWEEP: an interrupt of the function is on its way to its table, or gone
        if (!is_last) begin
          state_q <= LOOK;
          index_q <= index_q + 1'b1;
        end else if (!interrupt_valid || interrupt_func != clean_func_q) begin
          state_q    <= IDLE;
          clean_done <= 1'b1;
        end
      end
    endcase
    if (rst) begin
      state_q         <= CLEAR;
      index_q         <= '0;
      access_done     <= 1'b0;
      clean_done      <= 1'b0;
      interrupt_valid <= 1'b0;
      target_q        <= '0;
      count_q         <= '0;
      has_sender_q    <= '0;
      acks_q          <= '0;
    end
  end

`ifndef SYNTHESIS
  if (VFS > PFS * SHARE) begin : gen_check
    $error("qdma_mailbox: VFs without a PF");
  end
  counted :
  assert property (@(posedge clk) disable iff (rst) acts_access && is_pf_q && receives |-> count_q[pf_q] != '0)
  else $error("qdma_mailbox: a message is received that was not counted");
`endif

  logic unused;
  assign unused = &{1'b0, access_vf, unused_event_flag};
endmodule
