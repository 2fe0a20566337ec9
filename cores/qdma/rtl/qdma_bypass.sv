// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Descriptor bypass of one channel, between its fetch and its engine: descriptors of queues with bypass leave to the user, and
// those that the user provides are executed among those of the fetch.  Without BYPASS it is wires.
//
// Latency: from the fetch to the user 2 cycles, from the user to the engine 5, of a memory-mapped one 6; of the others 1 cycle
// when the engine changes between both.
//
// Interface: channels with valid and ready.  flush is held until flush_done, a cycle: descriptors of its queue do not leave any
// more, none of the user is accepted, and the engine has none; all status of it has been accepted.  By then the fetch may have
// no batch of it under way.  engine_flushed: the engine is done with the descriptor that is_flush.  stop says, for a cycle,
// that the user drops what it has of the queue.
//
// Operation: a batch is retired when all of it is on the way to the user, where its places have been reserved.  So a user that
// accepts nothing delays neither other queues nor commands.
module qdma_bypass
  import qdma_context_pkg::*;
  import qdma_fetch_pkg::*;
  import qdma_bypass_pkg::*;
  import qdma_write_pkg::status_request_t;
#(
    parameter int QUEUES = 2048,
    parameter bit BYPASS = 1'b1,
    parameter bit IS_MM  = 1'b0,
    parameter bit IS_C2H = 1'b0
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
    output logic         retire_valid,
    input  logic         retire_ready,
    output retire_t      retire,

    // The engine
    output logic            descriptor_valid,
    input  logic            descriptor_ready,
    output descriptor_t     descriptor,
    input  logic            done_valid,
    output logic            done_ready,
    input  retire_t         done,
    input  logic            engine_flushed,
    input  logic            request_valid,
    output logic            request_ready,
    input  status_request_t request,
    output logic            status_valid,
    input  logic            status_ready,
    output status_request_t status,

    output logic user_waits,  // a descriptor of the user waits for the engine

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
    typedef enum logic [2:0] {
      IDLE,
      END,     // none of the user is accepted any more
      REMOVE,  // from those on the way to the user
      ENGINE,  // the engine has accepted all that came before
      STATUS   // all status of it is accepted
    } state_e;
    state_e state_q;
    logic remove_done, flush_ready, ended_q, has_status;

    // --- To the user
    logic leaves, others_valid, others_ready, left_valid_q, left_ready, left_accepts, has_left;
    bypass_out_t left;
    retire_t left_q;
    assign has_left = fetched.bypass.is_bypass;
    assign left_accepts = ~left_valid_q | left_ready | ~fetched.is_end;
    assign leaves = fetched_valid & has_left & left_accepts;
    assign others_valid = fetched_valid & ~has_left;
    assign fetched_ready = has_left ? left_accepts : others_ready;
    assign left = '{
            qid: fetched.qid,
            func: fetched.func,
            port_id: fetched.port_id,
            cidx: fetched.index,
            dsc_sz: fetched.dsc_sz,
            has_error: fetched.error != qdma_read_pkg::READ_OK,
            data: fetched.data
        };
    qdma_bypass_out leaving (
        .clk,
        .rst,
        .room,
        .reserve,
        .push_valid  (leaves),
        .push_commit (1'b1),
        .push        (left),
        .push_extra  (fetched_places - 1'b1),
        .out_valid,
        .out_ready,
        .out,
        .remove_valid(state_q == REMOVE),
        .remove_qid  (flush_qid),
        .remove_done
    );
    qdma_merge #(
        .WIDTH($bits(retire_t))
    ) merge_retire (
        .clk,
        .rst,
        .s_valid({left_valid_q, done_valid}),
        .s_ready({left_ready, done_ready}),
        .s_data ({left_q, done}),
        .m_valid(retire_valid),
        .m_ready(retire_ready),
        .m_data (retire)
    );

    // --- From the user
    logic provided_valid, provided_ready, user_valid, user_ready;
    descriptor_t provided, user;
    qdma_bypass_in #(
        .QUEUES(QUEUES),
        .IS_MM (IS_MM),
        .IS_C2H(IS_C2H)
    ) providing (
        .clk,
        .rst,
        .clearing,
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
        .stat_dropped
    );
    if (IS_MM) begin : gen_blocks
      qdma_bypass_blocks blocks (
          .clk,
          .rst,
          .s_valid(provided_valid),
          .s_ready(provided_ready),
          .s      (provided),
          .m_valid(user_valid),
          .m_ready(user_ready),
          .m      (user)
      );
    end else begin : gen_packets
      assign {user_valid, user} = {provided_valid, provided};
      assign provided_ready = user_ready;
    end
    assign user_waits = user_valid;
    qdma_bypass_join join_both (
        .clk,
        .rst,
        .goes_on,
        .read_begins,
        .batch_left   (leaves & fetched.is_end),
        .fetched_valid(others_valid),
        .fetched_ready(others_ready),
        .fetched,
        .user_valid,
        .user_ready,
        .user,
        .descriptor_valid,
        .descriptor_ready,
        .descriptor
    );

    qdma_bypass_status requests (
        .clk,
        .rst,
        .s_valid(request_valid),
        .s_ready(request_ready),
        .s      (request),
        .m_valid(status_valid),
        .m_ready(status_ready),
        .m      (status),
        .qid    (flush_qid),
        .has_qid(has_status)
    );

    // --- A stop
    assign flush_done = (state_q == STATUS) & ~has_status;
    assign stop = '{valid: (state_q == REMOVE) & remove_done, qid: flush_qid};
    always_ff @(posedge clk) begin
      if (left_ready) left_valid_q <= 1'b0;
      if (leaves && fetched.is_end) begin
        left_valid_q <= 1'b1;
        left_q       <= '{kind: RETIRE_LEFT, qid: fetched.qid, read_error: qdma_read_pkg::READ_OK, default: '0};
      end
      case (state_q)
        IDLE:    if (flush_valid) state_q <= END;
        END: begin
          ended_q <= 1'b0;
          if (flush_ready) state_q <= REMOVE;
        end
        REMOVE: begin
          if (engine_flushed) ended_q <= 1'b1;
          if (remove_done) state_q <= ENGINE;
        end
        ENGINE: begin
          if (engine_flushed || ended_q) state_q <= STATUS;
        end
        default: if (!has_status) state_q <= IDLE;
      endcase
      if (rst) begin
        left_valid_q <= 1'b0;
        state_q      <= IDLE;
      end
    end
  end else begin : gen_none
    assign {clearing, room, user_waits, out_valid, out, in_ready, stop, stat_dropped} = '0;
    assign {descriptor_valid, descriptor} = {fetched_valid, fetched};
    assign fetched_ready = descriptor_ready;
    assign {retire_valid, retire} = {done_valid, done};
    assign done_ready = retire_ready;
    assign {status_valid, status} = {request_valid, request};
    assign request_ready = status_ready;
    assign flush_done = 1'b1;
    logic unused;
    assign unused = &{1'b0, clk, rst, reserve, note, goes_on, read_begins, fetched_places, engine_flushed, out_ready,
        in_valid, in, flush_valid, flush_qid};
  end
endmodule
