// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Doorbells: finds the queue through the function map, checks it and the index, and updates the context.
//
// Latency: alone, event is 6 cycles after the access is accepted; a doorbell of an interrupt ring, which needs no map,
// 4 cycles.  One doorbell at a time: done in the last of these cycles.
//
// Interface: valid is high for a cycle, and access is stable until done.  event, the errors and done last for a cycle.
// event has no ready: its receiver keeps a bit a queue.
//
// Operation: a doorbell is refused, and an error of its sender, if
//   - it is written in part                                                  qspc_unmapped
//   - its queue is not among those of its function, or not built             qid_range
//   - PIDX: the queue is not enabled, or the index is not within the ring    pidx_error
//   - CIDX of a completion ring: it is not valid, or the index not within it cidx_error
//   - CIDX of an interrupt ring: it is not valid, of another function, or the index is not within it   qid_range
// The PIDX of a queue that an error has stopped does not move; its arm lets the interrupt of this error go.
// The last slot of a descriptor or completion ring is its status: a ring of size N has indices 0 to N - 2.
// Reads give PIDX and arm, or CIDX and modes of the completion ring, as they were written; 0 for an interrupt ring.
//
// Limits: a CIDX is not held against PIDX here.
module qdma_doorbell
  import qdma_context_pkg::*;
  import qdma_pkg::*;
#(
    parameter int QUEUES = 2048
) (
    input logic clk,
    input logic rst,

    input  logic           valid,
    input  access_t        access,
    input  logic           is_vf,
    output logic           done,
    output logic    [31:0] read_data,

    input logic [SIZES-1:0][15:0] ring_size,

    output doorbell_event_t             event_out,
    output target_error_t               target_error,
    output pidx_error_t                 pidx_error,
    output ring_error_t                 cidx_error,
    output qdma_watch_pkg::step_t [2:0] steps,         // H2C, C2H, completion

    output logic   [STORES-1:0] store_valid,
    input  logic   [STORES-1:0] store_ready,
    output index_t              store_index,
    input  logic   [STORES-1:0] store_at,
    input  words_t [STORES-1:0] word,
    output logic                store_write,
    output words_t              store_next
);
  localparam int ENTRIES_BITS = 9;  // 512 entries of an interrupt ring in a page

  typedef enum logic [2:0] {
    IDLE,
    MAP,     // waits for the RAM of the function map
    MAPPED,  // the map is on its way
    UPDATE,  // waits for the RAM of the context
    RESULT,  // the context is on its way
    DONE
  } state_e;
  state_e state_q;
  doorbell_e kind;
  fmap_context_t map;
  index_t relative, qid_q;
  logic in_map, partial, is_interrupt, asks_map;
  logic [STORES-1:0] context_store, context_store_q;

  assign kind         = doorbell_e'(access.addr[3:2]);
  assign is_interrupt = kind == DOORBELL_INTERRUPT;
  assign relative     = is_vf ? index_t'(access.addr[11:4]) : access.addr[14:4];
  assign partial      = access.is_write & (access.strobe != '1);

  // --- Queue
  logic [12:0] qid;
  assign map      = word[STORE_FMAP][$bits(fmap_context_t)-1:0];
  assign qid      = {2'b0, map.qid_base} + {2'b0, relative};
  assign in_map   = (12'(relative) < map.qid_max) & (qid < 13'(QUEUES));
  assign asks_map = (state_q == MAP) | ((state_q == IDLE) & valid & ~partial & ~is_interrupt);
  always_comb begin
    context_store = '0;
    case (kind)
      DOORBELL_INTERRUPT: context_store[STORE_INTERRUPT] = 1'b1;
      DOORBELL_H2C:       context_store[SEL_SW_H2C] = 1'b1;
      DOORBELL_C2H:       context_store[SEL_SW_C2H] = 1'b1;
      default:            context_store[SEL_COMPLETION] = 1'b1;
    endcase
    store_valid = '0;
    store_valid[STORE_FMAP] = asks_map;
    if (state_q == UPDATE) store_valid = context_store_q;
  end
  assign store_index = state_q inside {IDLE, MAP} ? index_t'(access.func) : qid_q;

  // --- Context
  sw_context_t sw, sw_next;
  completion_context_t cmpt, cmpt_next;
  interrupt_state_t intr, intr_next;
  logic [15:0] index;
  logic in_ring, good, at, is_stopped;
  assign sw = kind == DOORBELL_H2C ? word[SEL_SW_H2C] : word[SEL_SW_C2H];
  assign cmpt = word[SEL_COMPLETION][$bits(completion_context_t)-1:0];
  assign intr = word[STORE_INTERRUPT][$bits(interrupt_state_t)-1:0];
  assign index = access.data[15:0];
  assign in_ring = {1'b0, index} + 17'd1 < {1'b0, ring_size[kind==DOORBELL_COMPLETION?cmpt.qsize_ix : sw.rng_sz]};

  assign is_stopped = ~sw.qen & (sw.err_dsc | sw.err_dma);
  always_comb begin
    sw_next = sw;
    if (!is_stopped) sw_next.pidx = index;
    sw_next.irq_arm = sw.irq_arm | access.data[16];

    cmpt_next       = cmpt;
    cmpt_next.cidx  = index;
    if (cmpt.full_upd) begin
      cmpt_next.cnter_ix     = access.data[19:16];
      cmpt_next.timer_ix     = access.data[23:20];
      cmpt_next.trig_mode    = access.data[26:24];
      cmpt_next.en_stat_desc = access.data[27];
      cmpt_next.en_int       = access.data[28];
    end

    intr_next      = intr;
    intr_next.cidx = index[11:0];
    case (kind)
      DOORBELL_INTERRUPT: begin
        good = intr.ring.valid & (intr.ring.func == 12'(access.func))
               & (index[15:ENTRIES_BITS] <= 7'(intr.ring.page_size));
        store_next = words_t'(intr_next);
      end
      DOORBELL_COMPLETION: begin
        good       = cmpt.valid & in_ring;
        store_next = words_t'(cmpt_next);
      end
      default: begin
        good       = is_stopped | (sw.qen & in_ring);
        store_next = words_t'(sw_next);
      end
    endcase
  end
  assign at          = (state_q == RESULT) & |(store_at & context_store_q);
  assign store_write = at & access.is_write & good;

  // --- An index that has moved: of H2C only where the watchdog knows how far the packets are
  logic is_watched;
  assign is_watched = ~is_stopped & ~sw.is_mm & ~sw.bypass & (index != sw.pidx);
  always_ff @(posedge clk) begin
    for (int i = 0; i < 3; i++) steps[i] <= '{valid: 1'b0, qid: qid_q, index: index};
    steps[0].valid <= store_write & (kind == DOORBELL_H2C) & is_watched;
    steps[1].valid <= store_write & (kind == DOORBELL_C2H);
    steps[2].valid <= store_write & (kind == DOORBELL_COMPLETION);
    if (rst) for (int i = 0; i < 3; i++) steps[i].valid <= 1'b0;
  end

  logic out_of_map, bad_interrupt;
  assign out_of_map    = (state_q == MAPPED) & store_at[STORE_FMAP] & ~in_map;
  assign bad_interrupt = at & is_interrupt & ~good;
  assign done          = state_q == DONE;

  always_ff @(posedge clk) begin
    target_error <= '{
        qspc_unmapped: valid & partial,
        qid_range: out_of_map | bad_interrupt,
        func: access.func,
        addr: access.addr[16:0],
        default: '0
    };
    pidx_error <= '{
        valid: at & access.is_write & ~good & (kind inside {DOORBELL_H2C, DOORBELL_C2H}),
        is_c2h: kind == DOORBELL_C2H,
        qid: qid_q,
        old_pidx: sw.pidx,
        new_pidx: index
    };
    cidx_error <= '{
        bad_cidx: at & access.is_write & (kind == DOORBELL_COMPLETION) & cmpt.valid & ~in_ring,
        invalid_queue: at & access.is_write & (kind == DOORBELL_COMPLETION) & ~cmpt.valid,
        qid: qid_q,
        default: '0
    };
    event_out <= '{valid: store_write, kind: kind, qid: qid_q};
    context_store_q <= context_store;

    case (state_q)
      IDLE: begin
        read_data <= '0;
        qid_q     <= index_t'(access.data[23:16]);
        if (valid) begin
          if (partial || (is_interrupt && !access.is_write)) state_q <= DONE;
          else if (is_interrupt) state_q <= UPDATE;
          else state_q <= store_ready[STORE_FMAP] ? MAPPED : MAP;
        end
      end
      MAP: if (store_ready[STORE_FMAP]) state_q <= MAPPED;
      MAPPED: begin
        qid_q <= qid[10:0];
        if (store_at[STORE_FMAP]) state_q <= in_map ? UPDATE : DONE;
      end
      UPDATE: if (|(store_valid & store_ready)) state_q <= RESULT;
      RESULT: begin
        if (kind == DOORBELL_COMPLETION)
          read_data <= {3'b0, cmpt.en_int, cmpt.en_stat_desc, cmpt.trig_mode, cmpt.timer_ix, cmpt.cnter_ix, cmpt.cidx};
        else read_data <= {15'b0, sw.irq_arm, sw.pidx};
        if (at) state_q <= DONE;
      end
      default: state_q <= IDLE;
    endcase
    if (rst) begin
      state_q      <= IDLE;
      target_error <= '0;
      pidx_error   <= '0;
      cidx_error   <= '0;
      event_out    <= '0;
    end
  end

  logic unused;
  assign unused = &{1'b0, word, access};
endmodule
