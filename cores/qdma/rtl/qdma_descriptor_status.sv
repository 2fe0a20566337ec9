// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Status of descriptor rings, in their last slot, and their interrupts.
//
// Latency: a status is shown 6 cycles after its request was accepted, alone; the cause of an interrupt follows when the
// status has been accepted.
//
// Interface: request, write and cause have valid and ready.  doorbell_event has no ready; those of descriptor rings are
// at least 3 cycles apart.  context_* are the engine's ports of the software contexts, C2H in 0, H2C in 1.
//
// Operation: a request writes {PIDX, CIDX, error} if the ring's context wants it.  An interrupt is sent if it is armed,
// and takes the arm away; else irq_req keeps it until a doorbell arms it again.  One that was kept leaves the arm: software
// may have seen its status before the doorbell, and would wait for the next one in vain.  Both are bits of the context, and
// each operation looks at both: an interrupt that waits never meets an arm.  formal/armed_fires.sv proves it.
//
// Limits: one request at a time.
module qdma_descriptor_status
  import qdma_context_pkg::*;
  import qdma_pkg::*;
  import qdma_write_pkg::*;
#(
    parameter int QUEUES = 2048,
    parameter bit MM = 1'b0  // memory-mapped transfers are there
) (
    input logic clk,
    input logic rst,

    output logic clearing,
    output logic is_idle,   // no request is under way

    input logic [SIZES-1:0][15:0] ring_size,

    // Indices as the engine has them
    input  logic          request_valid,
    output logic          request_ready,
    input  index_t        request_qid,
    input  logic          request_is_c2h,
    input  logic   [15:0] request_cidx,
    input  logic   [15:0] request_pidx,
    input  logic          request_bypass,            // its PIDX is that of the context
    input  logic          request_error_descriptor,
    input  logic          request_error_dma,
    input  logic          request_interrupt,

    // PIDX has moved: it may have armed the interrupt
    input doorbell_event_t doorbell_event,

    // To the host
    output logic             write_valid,
    input  logic             write_ready,
    output write_beat_t      write,
    output logic             cause_valid,
    input  logic             cause_ready,
    output interrupt_cause_t cause,

    output qdma_watch_pkg::step_t [1:0] written,  // for a cycle: C2H, H2C

    // Software contexts
    output logic   [1:0] context_valid,
    input  logic   [1:0] context_ready,
    output index_t       context_index,
    input  logic   [1:0] context_at,
    input  words_t [1:0] context_word,
    output logic         context_write,
    output words_t       context_next
);
  localparam int ID_BITS = $clog2(QUEUES) + 1;
  typedef enum logic [2:0] {
    IDLE,
    CONTEXT,  // waits for the RAM
    RESULT,
    SIZE,     // the ring's size is looked up
    ADDRESS,
    WRITE,
    CAUSE
  } state_e;
  state_e state_q;
  logic is_request_q, is_bypass_q, is_c2h_q, interrupts_q, error_descriptor_q, error_dma_q, writes_q, fires_q;
  index_t qid_q;
  logic [15:0] cidx_q, pidx_q, size_q;
  logic [63:0] addr_q;
  sw_context_t was, next, seen_q;

  // --- Doorbells
  logic pop_valid, pop_ready, unused_flag, is_descriptor;
  logic [ID_BITS-1:0] pop_id;
  assign is_descriptor = doorbell_event.valid & (doorbell_event.kind inside {DOORBELL_H2C, DOORBELL_C2H});
  qdma_id_queue #(
      .IDS  (2 * QUEUES),
      .FLAGS(1)
  ) doorbells (
      .clk,
      .rst,
      .clearing,
      .push_valid(is_descriptor),
      .push_id   ({doorbell_event.kind == DOORBELL_C2H, (ID_BITS - 1)'(doorbell_event.qid)}),
      .push_flags(1'b1),
      .pop_valid,
      .pop_ready,
      .pop_id,
      .pop_flags (unused_flag)
  );

  assign is_idle = state_q == IDLE;

  // CIDX of the last request, for an interrupt that a doorbell lets go
  logic [15:0] last_cidx;
  ram_sdp #(
      .WIDTH(16),
      .DEPTH(2 * QUEUES)
  ) cidx_of_last (
      .clk,
      .wr_en  (request_ready),
      .wr_addr({request_is_c2h, (ID_BITS - 1)'(request_qid)}),
      .wr_data(request_cidx),
      .rd_en  (1'b1),
      .rd_addr(pop_id),
      .rd_data(last_cidx)
  );

  // Doorbells and requests take turns.
  logic was_doorbell_q;
  assign pop_ready     = (state_q == IDLE) & ~clearing & pop_valid & ~(request_valid & was_doorbell_q);
  assign request_ready = (state_q == IDLE) & ~clearing & request_valid & ~pop_ready;

  // --- The interrupt: what waits and what is armed meet here.
  logic at, wants, fires;
  logic [1:0] context_valid_1_q;
  assign at    = |(context_at & context_valid_1_q);
  assign was   = is_c2h_q ? context_word[0] : context_word[1];
  assign wants = (is_request_q & interrupts_q) | was.irq_req;
  assign fires = wants & was.irq_arm & was.irq_en;
  always_comb begin
    next = was;
    if (was.irq_en) begin
      next.irq_req = wants & ~was.irq_arm;
      if (fires && is_request_q && interrupts_q) next.irq_arm = 1'b0;
    end
    if (is_request_q && (error_descriptor_q || error_dma_q)) next.err_wb_sent = 1'b1;
  end
  logic is_aligned;
  assign is_aligned = (seen_q.dsc_base[5:0] & ((6'd8 << seen_q.dsc_sz) - 6'd1)) == '0;

  assign context_valid = state_q == CONTEXT ? {~is_c2h_q, is_c2h_q} : '0;
  assign context_index = qid_q;
  assign context_write = at;
  assign context_next = words_t'(next);

  always_ff @(posedge clk) begin
    case (state_q)
      IDLE: begin
        if (pop_ready) begin
          is_request_q   <= 1'b0;
          is_c2h_q       <= pop_id[ID_BITS-1];
          qid_q          <= index_t'(pop_id[ID_BITS-2:0]);
          cidx_q         <= last_cidx;
          state_q        <= CONTEXT;
          was_doorbell_q <= 1'b1;
        end else if (request_ready) begin
          is_request_q       <= 1'b1;
          is_bypass_q        <= request_bypass;
          is_c2h_q           <= request_is_c2h;
          qid_q              <= request_qid;
          cidx_q             <= request_cidx;
          pidx_q             <= request_pidx;
          error_descriptor_q <= request_error_descriptor;
          error_dma_q        <= request_error_dma;
          interrupts_q       <= request_interrupt;
          state_q            <= CONTEXT;
          was_doorbell_q     <= 1'b0;
        end
      end
      CONTEXT: begin
        context_valid_1_q <= context_valid;
        if (|(context_valid & context_ready)) state_q <= RESULT;
      end
      RESULT: begin
        seen_q   <= was;
        writes_q <= is_request_q & was.wbk_en;
        fires_q  <= fires;
        if (!is_request_q || is_bypass_q) pidx_q <= was.pidx;
        if (at) state_q <= is_request_q | fires ? SIZE : IDLE;
      end
      SIZE: begin
        size_q  <= ring_size[seen_q.rng_sz];
        state_q <= ADDRESS;
      end
      ADDRESS: begin
        addr_q <= seen_q.dsc_base + (64'(size_q - 16'd1) << (3'd3 + 3'(seen_q.dsc_sz)));
        // A ring without a place for it has no status, nor one that is not aligned to its descriptors.
        if (writes_q && size_q != '0 && is_aligned) state_q <= WRITE;
        else state_q <= fires_q ? CAUSE : IDLE;
      end
      WRITE:   if (write_ready) state_q <= fires_q ? CAUSE : IDLE;
      default: if (cause_ready) state_q <= IDLE;
    endcase
    if (rst) begin
      state_q           <= IDLE;
      was_doorbell_q    <= 1'b0;
      context_valid_1_q <= '0;
    end
  end

  logic [1:0] error_bits;
  assign error_bits = is_request_q ? {error_dma_q, error_descriptor_q} : {seen_q.err_dma, seen_q.err_dsc};

  // The status of a stream has one error, 1: of a descriptor or of its data (PG302; 2 and 3 are reserved).  That of a
  // memory-mapped queue has two bits: 0 of the data, 1 of the descriptor.
  logic is_mm;
  logic [1:0] written_error;
  assign is_mm = MM & seen_q.is_mm;
  assign written_error = {is_mm & error_descriptor_q, error_dma_q | (error_descriptor_q & ~is_mm)};
  assign write_valid = state_q == WRITE;
  assign write = '{
          last: 1'b1,
          header: write_header(seen_q.fnc[7:0], addr_q[63:2], 11'd2),
          data: 512'({pidx_q, cidx_q, 14'b0, written_error})
      };
  always_ff @(posedge clk) begin
    for (int i = 0; i < 2; i++) begin
      written[i] <= '{valid: write_valid & write_ready & (is_c2h_q == (i == 0)), qid: qid_q, index: cidx_q};
    end
    if (rst) {written[0].valid, written[1].valid} <= '0;
  end

  assign cause_valid = state_q == CAUSE;
  assign cause = '{
          qid: qid_q,
          is_c2h: is_c2h_q,
          func: seen_q.fnc,
          is_aggregated: seen_q.int_aggr,
          vector: seen_q.vec,
          status: {error_bits, 2'b0, 1'b0, cidx_q, pidx_q}
      };

  logic unused;
  assign unused = &{1'b0, addr_q[1:0], doorbell_event, context_word, unused_flag, seen_q};
endmodule
