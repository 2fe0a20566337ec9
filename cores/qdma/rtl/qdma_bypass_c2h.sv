// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Descriptor bypass of streaming C2H (cached): buffers of queues with bypass leave to the user, and come back into the
// prefetch store.  Without BYPASS it is wires.
//
// Latency: a batch can be accepted by the user 5 cycles after its last descriptor has come, in the store 13 cycles after the
// user has provided one; of others 1 cycle when the store changes between both.
//
// Interface: channels with valid and ready.  flush is held until flush_done, a cycle: descriptors of its queue do not leave any
// more, none of the user is accepted, and the store has released the places of those that did not come back.  stop says, for a
// cycle, that the user drops what it has of the queue.
//
// Operation: a buffer that has left keeps its place in the store, so the fetch has no more of them under way than the store
// can hold, and a batch is retired as without bypass.  `away` counts the buffers of each queue that have left: no more come
// back.  What does not, because its queue is stopped, is reported to the store as places that are free.
module qdma_bypass_c2h
  import qdma_tlp_pkg::*;
  import qdma_context_pkg::*;
  import qdma_read_pkg::*;
  import qdma_fetch_pkg::*;
  import qdma_bypass_pkg::*;
  import qdma_mm_pkg::mm_descriptor_t;
  import qdma_c2h_pkg::C2H_BATCH_BYTES;
#(
    parameter int QUEUES = 2048,
    parameter bit BYPASS = 1'b1
) (
    input logic clk,
    input logic rst,

    output logic clearing,

    // The fetch
    output logic         room,
    input  places_t      reserve,
    input  bypass_note_t note,
    input  logic         goes_on,
    input  logic         read_begins,
    input  logic         fetched_valid,
    output logic         fetched_ready,
    input  descriptor_t  fetched,
    input  places_t      fetched_places,

    // The store
    output logic        descriptor_valid,
    input  logic        descriptor_ready,
    output descriptor_t descriptor,

    // The user
    output logic                out_valid,
    input  logic                out_ready,
    output bypass_out_t         out,
    input  logic                in_valid,
    output logic                in_ready,
    input  bypass_in_t          in,
    output bypass_stop_t        stop,
    output logic         [31:0] stat_dropped,

    // A queue that is stopped
    input  logic   flush_valid,
    output logic   flush_done,
    input  index_t flush_qid
);
  if (BYPASS) begin : gen_bypass
    localparam int BATCH = C2H_BATCH_BYTES / 8;
    localparam int AWAY_BITS = 10;
    localparam int RETURNS = 16, UNDER_WAY = 4;
    typedef logic [$clog2(QUEUES)-1:0] slot_t;
    typedef logic [AWAY_BITS-1:0] away_t;
    typedef logic [$clog2(BATCH):0] count_t;

    typedef enum logic [2:0] {
      IDLE,
      END,     // none of the user is accepted any more
      PASS,    // those before are in the store
      REMOVE,  // from those on the way to the user
      SWEEP,   // how many are away
      SWEPT,
      REPORT,  // of those to the store, BATCH at a time
      DONE
    } state_e;
    state_e state_q;
    logic clearing_queues, clearing_away, remove_done, flush_ready, passed;
    assign clearing = clearing_queues | clearing_away;

    // --- To the user: with the last one of a batch they are counted, the store is notified, and they leave
    logic has_left, counted_q, counts, others_valid, others_ready, pushes;
    count_t left_q, left, left_1_q, left_2_q;
    descriptor_t others;
    assign has_left = fetched.bypass.is_bypass;
    assign left = left_q + 1'b1;
    assign others_valid = fetched_valid & (~has_left | (fetched.is_end & counted_q));
    assign pushes = fetched_valid & has_left & (~fetched.is_end | (counted_q & others_ready));
    assign fetched_ready = has_left ? pushes : others_ready;
    always_comb begin
      others = fetched;
      if (has_left) begin
        others.bypass.is_flush = 1'b1;
        others.error           = READ_OK;
        others.data            = DESCRIPTOR_BITS'(count_t'(BATCH) - left);
      end
    end
    qdma_bypass_out leaving (
        .clk,
        .rst,
        .room,
        .reserve,
        .push_valid(pushes),
        .push_commit(fetched.is_end),
        .push(
        '{
            qid: fetched.qid,
            func: fetched.func,
            port_id: fetched.port_id,
            cidx: fetched.index,
            dsc_sz: fetched.dsc_sz,
            has_error: fetched.error != READ_OK,
            data: fetched.data
        }
        ),
        .push_extra(fetched_places - 1'b1),
        .out_valid,
        .out_ready,
        .out,
        .remove_valid(state_q == REMOVE),
        .remove_qid(flush_qid),
        .remove_done
    );

    // --- From the user
    logic provided_valid, provided_ready, is_flush, may_return, returns, sweeps;
    logic [31:0] stat_refused;
    logic [ 1:0] returning_q;  // on the way to the FIFO of returned ones
    descriptor_t provided, provided_1_q, provided_2_q;
    qdma_bypass_in #(
        .QUEUES(QUEUES),
        .IS_MM (1'b1),
        .IS_C2H(1'b1)
    ) providing (
        .clk,
        .rst,
        .clearing        (clearing_queues),
        .note,
        .in_valid,
        .in_ready,
        .in,
        .flush_valid     (state_q == END),
        .flush_ready,
        .flush_qid,
        .descriptor_valid(provided_valid),
        .descriptor_ready(provided_ready),
        .descriptor      (provided),
        .stat_dropped    (stat_refused)
    );
    assign is_flush = provided.bypass.is_flush;

    // --- Those that are away: more, one less, none
    logic [2:0] away_valid, away_ready, away_at, away_write;
    away_t [2:0] away_next;
    away_t away;
    slot_t away_slot;
    assign counts = fetched_valid & has_left & fetched.is_end & ~counted_q;
    assign away_valid = {state_q == SWEEP, provided_valid & ~is_flush & may_return, counts};
    assign sweeps = (state_q == SWEEP) & away_ready[2];
    assign returns = provided_valid & ~is_flush & may_return & away_ready[1];
    assign away_write = {1'b1, away != '0, 1'b1};
    assign away_next = {away_t'(0), away_t'(away - 1'b1), away_t'(away + away_t'(left_2_q))};
    qdma_context_ram #(
        .WIDTH(AWAY_BITS),
        .DEPTH(QUEUES),
        .PORTS(3)
    ) aways (
        .clk,
        .rst,
        .clearing (clearing_away),
        .req_valid(away_valid),
        .req_ready(away_ready),
        .req_addr ({slot_t'(flush_qid), slot_t'(provided.qid), slot_t'(fetched.qid)}),
        .at       (away_at),
        .at_addr  (away_slot),
        .at_word  (away),
        .write    (away_write),
        .next     (away_next)
    );

    // --- One that was away is of a batch for the store that has no end of its own
    typedef struct packed {
      index_t qid;
      function_t func;
      logic [4:0] ring_most;
      logic [15:0] index;
      logic [15:0] cidx;
      logic is_start;
      read_error_e error;
      logic [63:0] addr;
    } returned_t;
    returned_t front, returned, to_return;  // the oldest in the FIFO, and the one before it
    mm_descriptor_t mm;
    logic front_valid, front_ready, returned_valid, returned_ready, returned_fits, report_valid, user_valid, user_ready;
    logic [1:0] group_q;
    logic is_group_end;
    logic [$clog2(RETURNS):0] returned_used;
    descriptor_t user;
    assign mm = mm_descriptor_t'(provided_2_q.data);
    assign to_return = '{
            qid: provided_2_q.qid,
            func: provided_2_q.func,
            ring_most: provided_2_q.ring_most,
            index: provided_2_q.index,
            cidx: provided_2_q.cidx,
            is_start: provided_2_q.is_start,
            error: provided_2_q.error,
            addr: mm.dst
        };
    assign may_return = returned_used < ($clog2(RETURNS) + 1)'(RETURNS - UNDER_WAY);
    assign passed = provided_valid & is_flush & ~front_valid & ~returned_valid & ~returning_q[0] & ~returning_q[1];
    assign provided_ready = is_flush ? passed : returns;
    qdma_small_fifo #(
        .WIDTH($bits(returned_t)),
        .DEPTH(RETURNS)
    ) returned_ones (
        .clk,
        .rst,
        .wr_valid(away_at[1] & (away != '0)),
        .wr_ready(returned_fits),
        .wr_data (to_return),
        .rd_valid(front_valid),
        .rd_ready(front_ready),
        .rd_data (front),
        .used    (returned_used)
    );

    // Four of a queue that follow each other are one batch, since the store counts four at a time.  An error ends one, as in
    // the fetch.
    assign front_ready = ~returned_valid | returned_ready;
    assign is_group_end = ~(front_valid & (front.qid == returned.qid) & ~front.is_start) | (&group_q)
                          | (returned.error != READ_OK);

    // --- What does not come back
    away_t  report_q;
    count_t report_count;
    assign report_valid = state_q == REPORT;
    assign report_count = report_q < away_t'(BATCH) ? count_t'(report_q) : count_t'(BATCH);
    assign user_valid = report_valid | returned_valid;
    assign returned_ready = user_ready & ~report_valid;
    always_comb begin
      user = '{
          qid: returned.qid,
          func: returned.func,
          wbk_en: 1'b1,  // the writer of status looks into the context
          irq_en: 1'b1,
          ring_most: returned.ring_most,
          index: returned.index,
          cidx: returned.cidx,
          pidx: returned.cidx,
          is_start: returned.is_start,
          is_end: is_group_end,
          error: returned.error,
          bypass: '{is_bypass: 1'b1, default: '0},
          data: DESCRIPTOR_BITS'(returned.addr),
          default: '0
      };
      if (report_valid) begin
        user = '{
            qid: flush_qid,
            is_end: 1'b1,
            error: READ_OK,
            bypass: '{is_bypass: 1'b1, is_flush: 1'b1, default: '0},
            data: DESCRIPTOR_BITS'(report_count),
            default: '0
        };
      end
    end
    qdma_bypass_join join_both (
        .clk,
        .rst,
        .goes_on,
        .read_begins,
        .batch_left   (1'b0),
        .fetched_valid(others_valid),
        .fetched_ready(others_ready),
        .fetched      (others),
        .user_valid,
        .user_ready,
        .user,
        .descriptor_valid,
        .descriptor_ready,
        .descriptor
    );

    // --- A stop
    logic [31:0] extra_q;
    assign stat_dropped = stat_refused + extra_q;
    assign flush_done = state_q == DONE;
    assign stop = '{valid: (state_q == REMOVE) & remove_done, qid: flush_qid};
    always_ff @(posedge clk) begin
      if (front_ready) begin
        returned_valid <= front_valid;
        returned       <= front;
      end
      if (returned_valid && returned_ready) group_q <= is_group_end ? '0 : group_q + 1'b1;
      provided_1_q <= provided;
      provided_2_q <= provided_1_q;
      left_1_q     <= left;
      left_2_q     <= left_1_q;
      returning_q  <= {returning_q[0], returns};
      if (away_at[1] && away == '0) extra_q <= extra_q + 1'b1;
      if (counts && away_ready[0]) counted_q <= 1'b1;
      if (pushes) begin
        left_q <= fetched.is_end ? '0 : left;
        if (fetched.is_end) counted_q <= 1'b0;
      end
      case (state_q)
        IDLE:   if (flush_valid) state_q <= END;
        END:    if (flush_ready) state_q <= PASS;
        PASS:   if (passed) state_q <= REMOVE;
        REMOVE: if (remove_done) state_q <= SWEEP;
        SWEEP:  if (sweeps) state_q <= SWEPT;
        SWEPT: begin
          report_q <= away;
          if (away_at[2]) state_q <= away == '0 ? DONE : REPORT;
        end
        REPORT: begin
          if (user_ready) begin
            report_q <= report_q - away_t'(report_count);
            if (report_q <= away_t'(BATCH)) state_q <= DONE;
          end
        end
        default: state_q <= IDLE;
      endcase
      if (rst) begin
        state_q        <= IDLE;
        returned_valid <= 1'b0;
        group_q        <= '0;
        counted_q      <= 1'b0;
        left_q         <= '0;
        returning_q    <= '0;
        extra_q        <= '0;
      end
    end

`ifndef SYNTHESIS
    returned_fit :
    assert property (@(posedge clk) disable iff (rst) away_at[1] |-> returned_fits)
    else $error("qdma_bypass_c2h: a buffer has no place");
`endif

    logic unused;
    assign unused = &{1'b0, away_at[0], away_slot, returned_fits, provided_2_q, mm, fetched};
  end else begin : gen_none
    assign {clearing, room, out_valid, out, in_ready, stop, stat_dropped} = '0;
    assign {descriptor_valid, descriptor} = {fetched_valid, fetched};
    assign fetched_ready = descriptor_ready;
    assign flush_done = 1'b1;
    logic unused;
    assign unused = &{1'b0, clk, rst, reserve, note, goes_on, read_begins, fetched_places, out_ready, in_valid, in,
        flush_valid, flush_qid};
  end
endmodule
