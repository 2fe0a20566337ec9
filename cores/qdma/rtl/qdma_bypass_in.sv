// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Descriptors of the user, of one channel, to those of the engine: each packet in one piece, or each descriptor by itself.
//
// Latency: 5 cycles of a packet's last descriptor; a descriptor in each cycle.
//
// Interface: in, descriptor and flush have valid and ready.  flush_valid with flush_qid is held until flush_ready, a cycle:
// a descriptor that is_flush comes after all that was accepted before, and those of the queue are dropped from then on.
//
//   what comes                                        | what goes on
//   a queue that is not live, or does not exist       | nothing: it is dropped, and counted
//   the rest of a packet whose queue is live no more  | nothing, and what there was of the packet is dropped
//   has_error, a wrong function, an index beyond the  | an error, which stops the queue
//     ring, of a stream no_dma without SOP and EOP,   |
//     65536 bytes, no SOP where a packet begins       |
//   another queue within a packet; more than PACKET   | the packet ends with an error, which stops its queue
//     descriptors of a packet; SOP within a packet, EOP |
//     without SOP                                     |
//
// Operation: a FIFO, in which a packet becomes visible with its last descriptor: a user that pauses within a packet delays
// nobody else.  Each packet is a batch for the engine.
module qdma_bypass_in
  import qdma_tlp_pkg::*;
  import qdma_context_pkg::*;
  import qdma_read_pkg::*;
  import qdma_fetch_pkg::*;
  import qdma_h2c_pkg::*;
  import qdma_mm_pkg::*;
  import qdma_bypass_pkg::*;
#(
    parameter int QUEUES = 2048,
    parameter bit IS_MM  = 1'b0,
    parameter bit IS_C2H = 1'b0,
    parameter int DEPTH  = 256,   // a power of two
    parameter int PACKET = 128    // descriptors of a packet, at most; less than DEPTH
) (
    input logic clk,
    input logic rst,

    output logic clearing,

    input bypass_note_t note,

    input  logic       in_valid,
    output logic       in_ready,
    input  bypass_in_t in,

    input  logic   flush_valid,
    output logic   flush_ready,
    input  index_t flush_qid,

    output logic        descriptor_valid,
    input  logic        descriptor_ready,
    output descriptor_t descriptor,

    output logic [31:0] stat_dropped
);
  localparam int BITS = $clog2(DEPTH);
  typedef logic [BITS:0] ptr_t;
  typedef logic [$clog2(QUEUES)-1:0] slot_t;

  // What the FIFO keeps of a descriptor
  typedef struct packed {
    index_t qid;
    function_t func;
    logic [2:0] port_id;
    logic [15:0] index;
    logic [15:0] cidx;  // the index after it
    logic [4:0] ring_most;
    logic is_start;
    logic is_end;  // of its packet
    logic has_error;
    logic wants_status;
    logic wants_marker;
    logic no_dma;
    logic is_sop;
    logic is_eop;
    logic [31:0] metadata;
    logic [27:0] bytes;
    logic [63:0] card;
    logic [63:0] host;
  } entry_t;

  typedef enum logic [2:0] {
    IDLE,
    END,     // the queue is live no more
    SETTLE,  // what was accepted before is in the FIFO
    WAIT,    // until the engine has got that
    FLUSH
  } state_e;
  state_e state_q;
  logic [1:0] settle_q;

  // --- A: is the queue live?
  bypass_in_t a_q, b_q;
  logic a_valid_q, b_valid_q, a_moves, b_moves, b_first_q, is_live, is_first, exists, accepts;
  assign in_ready = (~a_valid_q | a_moves) & (state_q != SETTLE) & ~clearing;
  assign a_moves  = ~b_valid_q | b_moves;
  assign exists   = 32'(a_q.qid) < QUEUES;
  assign accepts  = a_valid_q & a_moves & is_live & exists;

  function_t func;
  logic [2:0] port_id;
  logic [15:0] last;
  logic end_ready;
  qdma_bypass_queues #(
      .QUEUES(QUEUES)
  ) queues (
      .clk,
      .rst,
      .clearing,
      .note,
      .end_valid(state_q == END),
      .end_ready,
      .end_qid  (flush_qid),
      .qid      (slot_t'(a_q.qid)),
      .is_live,
      .is_first,
      .used     (accepts & is_first),
      .read_en  (a_moves),
      .func,
      .port_id,
      .last
  );

  // --- B: into the FIFO
  ptr_t wr_ptr_q, commit_ptr_q, rd_ptr_q, flush_ptr_q, used;
  logic open_q, is_bad, cuts, b_ends, open_ends, write, commit, has_room, discards;
  logic has_ended_q;  // a queue that is live no more: in the cycle before
  index_t ended_q;
  logic [$clog2(PACKET):0] count_q;  // of the open packet
  entry_t open_entry_q, entry, taken;
  logic [15:0] after;
  assign used = wr_ptr_q - rd_ptr_q;
  assign has_room = ~used[BITS];
  assign after = b_q.cidx + 1'b1;
  assign is_bad = b_q.has_error | (b_q.func != func) | (b_q.cidx >= last)
                  | (~IS_MM & ((b_q.bytes[27:16] != '0) | (~open_q & ~b_q.is_sop)
                               | (b_q.no_dma & ~(b_q.is_sop & b_q.is_eop))));
  assign cuts = b_valid_q & open_q & (b_q.qid != open_entry_q.qid);  // the packet of another queue
  assign b_ends = has_ended_q & (b_q.qid == ended_q);
  assign open_ends = has_ended_q & open_q & (open_entry_q.qid == ended_q);
  assign write = b_valid_q & has_room & ~b_ends & ~open_ends;
  assign b_moves = b_ends | (has_room & ~cuts & ~open_ends);
  always_comb begin
    entry = '{
        qid: b_q.qid,
        func: func,
        port_id: port_id,
        index: b_q.cidx < last ? b_q.cidx : '0,  // no status has one that the ring does not have
        cidx: after == last ? '0 : after,
        ring_most: last > 16'd32 ? 5'd31 : 5'(last - 16'd1),
        is_start: b_first_q | (open_q & open_entry_q.is_start),  // of the whole packet
        is_end: IS_MM | b_q.is_eop | is_bad | (open_q & b_q.is_sop) | (32'(count_q) == PACKET - 1),
        has_error: is_bad,
        wants_status: b_q.wants_status,
        wants_marker: b_q.wants_marker,
        no_dma: b_q.no_dma,
        is_sop: b_q.is_sop,
        is_eop: b_q.is_eop,
        metadata: b_q.metadata,
        bytes: b_q.bytes,
        card: b_q.card,
        host: b_q.host
    };
    if (cuts) begin
      entry        = open_entry_q;
      entry.is_sop = 1'b0;
      entry.is_eop = 1'b0;
      entry.is_end = 1'b1;
    end
  end
  assign commit = write & entry.is_end;
  assign discards = open_ends | ((state_q == SETTLE) & (&settle_q) & open_q & (open_entry_q.qid == flush_qid) & ~write);

  // --- Out of it
  logic fetch, may_load, at_flush, is_flush_q, valid_q;
  assign may_load = ~valid_q | descriptor_ready;
  assign at_flush = (state_q == WAIT) & (rd_ptr_q == flush_ptr_q);
  assign fetch = (rd_ptr_q != commit_ptr_q) & may_load & ~at_flush & (state_q != FLUSH);
  assign flush_ready = (state_q == FLUSH) & may_load;
  ram_sdp #(
      .WIDTH($bits(entry_t)),
      .DEPTH(DEPTH)
  ) words (
      .clk,
      .wr_en  (write),
      .wr_addr(wr_ptr_q[BITS-1:0]),
      .wr_data(entry),
      .rd_en  (fetch),
      .rd_addr(rd_ptr_q[BITS-1:0]),
      .rd_data(taken)
  );

  always_ff @(posedge clk) begin
    has_ended_q <= note.valid & ~note.is_live;
    ended_q     <= note.qid;
    if (a_moves) a_valid_q <= 1'b0;
    if (in_valid && in_ready) begin
      a_valid_q <= 1'b1;
      a_q       <= in;
    end
    if (a_moves) begin
      b_valid_q <= accepts;
      b_q       <= a_q;
      b_first_q <= is_first;
      if (a_valid_q && !accepts) stat_dropped <= stat_dropped + 1'b1;
    end
    if (write) begin
      wr_ptr_q     <= wr_ptr_q + 1'b1;
      open_entry_q <= entry;
      open_q       <= ~entry.is_end;
      count_q      <= entry.is_end ? '0 : count_q + 1'b1;
    end
    if (commit) commit_ptr_q <= wr_ptr_q + 1'b1;
    if (discards) begin
      wr_ptr_q <= commit_ptr_q;
      open_q   <= 1'b0;
      count_q  <= '0;
    end
    if (fetch) rd_ptr_q <= rd_ptr_q + 1'b1;
    if (may_load) begin
      valid_q    <= fetch | (state_q == FLUSH);
      is_flush_q <= state_q == FLUSH;
    end

    case (state_q)
      IDLE: if (flush_valid) state_q <= END;
      END: begin
        settle_q <= '0;
        if (end_ready) state_q <= SETTLE;
      end
      // Two descriptors may be on their way; a packet of the queue that is open is discarded.
      SETTLE: begin
        if (!(&settle_q)) settle_q <= settle_q + 2'(a_moves);
        flush_ptr_q <= commit_ptr_q;
        if ((&settle_q) && !write && !discards) state_q <= WAIT;
      end
      WAIT:    if (at_flush) state_q <= FLUSH;
      default: if (flush_ready) state_q <= IDLE;
    endcase
    if (rst) begin
      a_valid_q    <= 1'b0;
      b_valid_q    <= 1'b0;
      open_q       <= 1'b0;
      count_q      <= '0;
      wr_ptr_q     <= '0;
      commit_ptr_q <= '0;
      rd_ptr_q     <= '0;
      valid_q      <= 1'b0;
      state_q      <= IDLE;
      stat_dropped <= '0;
    end
  end

  // --- As the fetch would provide it
  h2c_descriptor_t h2c;
  mm_descriptor_t  mm;
  assign h2c = '{
          addr: taken.host,
          reserved_flags: '0,
          is_eop: taken.is_eop,
          is_sop: taken.is_sop,
          bytes: taken.bytes[15:0],
          metadata: taken.metadata
      };
  assign mm = '{
          dst: IS_C2H ? taken.host : taken.card,
          bytes: taken.no_dma ? '0 : taken.bytes,
          src: IS_C2H ? taken.card : taken.host,
          default: '0
      };
  assign descriptor_valid = valid_q;
  always_comb begin
    descriptor = '{
        qid: taken.qid,
        func: taken.func,
        port_id: taken.port_id,
        wbk_en: 1'b1,  // the writer of status looks into the context
        irq_en: 1'b1,
        wbi_chk: taken.wants_status,
        wbi_intvl_en: 1'b0,
        ring_most: taken.ring_most,
        pidx: taken.cidx,
        index: taken.index,
        cidx: taken.cidx,
        is_start: taken.is_start,
        is_end: taken.is_end,
        is_continued: 1'b0,
        is_continuing: 1'b0,
        error: taken.has_error ? READ_ABORTED : READ_OK,
        bypass: '{is_bypass: 1'b1, no_dma: taken.no_dma, wants_marker: taken.wants_marker, is_flush: 1'b0},
        dsc_sz: '0,
        data: IS_MM ? DESCRIPTOR_BITS'(mm) : DESCRIPTOR_BITS'(h2c)
    };
    if (is_flush_q) begin
      descriptor = '{
          qid: flush_qid,
          is_end: 1'b1,
          bypass: '{is_bypass: 1'b1, is_flush: 1'b1, default: '0},
          error: READ_OK,
          default: '0
      };
    end
  end
endmodule
