// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The prefetch store: buffers of each queue, fetched ahead of its packets.
//
// Latency: a buffer can be reserved about 9 cycles after its descriptor has come; take to taken 3 cycles; one of each a cycle.
//
// Interface: descriptors and retire as qdma_fetch has them, with at most DEPTH / BATCH batches of a queue under way, of
// queues 0 to DEEP - 1 twice as many.  take
// has valid and ready, and is only made of buffers that were reserved.  credit says how many have come.
//
// Operation: each queue has a ring of DEPTH places of its own, the first DEEP queues one of twice as many.  So nothing is evicted, and no queue waits for a place that
// another one holds.  A batch is retired as soon as its BATCH places are free, whichever they are: so a queue whose driver
// posts single buffers fills its ring, too.  For this the store keeps `spare` of each queue: the places of the batches that
// have come and are not retired, without the buffers that are there.  The end of a batch of n buffers adds BATCH - n, a
// buffer that is taken adds 1, a batch that is retired takes BATCH away.
//
// A batch whose read has failed is retired at once, with what follows of the queue, up to a batch before which nothing of
// the queue was under way.  Descriptors of a queue that is being stopped are dropped.
//
// Bypass: a batch that has left to the user is a descriptor that is_flush, with its places that are free; those of its buffers
// are kept.  A buffer that the user returns is a batch by itself, which has its place.  If it is not stored, the place is free.
//
// Limits: after a failed batch the places of its buffers are not counted until they are taken.  A driver that lets the queue
// go on without disabling it first may lose buffers.
module qdma_c2h_store
  import qdma_tlp_pkg::*;
  import qdma_context_pkg::*;
  import qdma_read_pkg::*;
  import qdma_fetch_pkg::*;
  import qdma_h2c_pkg::*;
  import qdma_write_pkg::status_request_t;
  import qdma_c2h_pkg::*;
#(
    parameter int QUEUES = 2048,
    parameter int DEPTH = 128,  // places of a queue, a power of two, at most 128
    parameter int DEEP = 0,  // queues 0 to DEEP - 1 have twice as many; a power of two, or 0
    parameter int BATCH = C2H_BATCH_BYTES / 8,  // descriptors of a batch, at most; a power of two
    parameter bit BYPASS = 1'b0  // buffers come from the user, too
) (
    input logic clk,
    input logic rst,

    output logic clearing,

    input  logic            descriptor_valid,
    output logic            descriptor_ready,
    input  descriptor_t     descriptor,
    output logic            retire_valid,
    input  logic            retire_ready,
    output retire_t         retire,
    input  context_error_t  context_error,
    output logic            status_valid,
    input  logic            status_ready,
    output status_request_t status,

    output qdma_watch_pkg::buffers_t buffers,

    input logic   stopping,
    input index_t stop_qid,

    output logic        credit_valid,
    input  logic        credit_ready,
    output c2h_credit_t credit,

    // Takes all buffers of the queue that is being stopped
    input  logic drain_valid,
    output logic drain_done,
    output logic drain_any,    // with drain_done: there were some

    input  logic             take_valid,
    output logic             take_ready,
    input  index_t           take_qid,
    output logic             taken_valid,
    output logic      [63:0] taken_addr,
    output function_t        taken_func
);
  localparam int ID_BITS = $clog2(QUEUES);
  localparam int PLACE_BITS = $clog2(DEPTH) + (DEEP > 0 ? 1 : 0);
  localparam int CREDITS = 16, ENDS = 16, UNDER_WAY = 6;
  localparam int CREDIT = 4;  // buffers at a time: a packet need not wait for the end of a batch
  typedef logic [ID_BITS-1:0] id_t;
  typedef logic [PLACE_BITS:0] count_t;  // of buffers, from the begin of time
  typedef logic signed [PLACE_BITS+1:0] spare_t;  // places; less than 0 after a failed batch

  typedef enum logic [2:0] {
    REST,
    LOOK,    // how many have come
    LOOKED,
    TAKE,    // one in each cycle
    LEAVE
  } drain_e;
  drain_e drain_q;

  // --- Arrival: what becomes of a descriptor
  logic first_q, dropping_q, was_dropping, drops, fails, is_stopped, stores, accept, place_ready, has_room;
  logic credits_now;
  logic [2:0] count_q, count;  // buffers without a credit
  logic [$clog2(BATCH):0] batch_q, batch;  // buffers of this batch
  logic begins_q, begins;
  logic [$clog2(CREDITS):0] credits_used;
  logic [$clog2(ENDS):0] ends_used;
  logic is_user, is_flush, sets;
  assign is_flush = BYPASS & descriptor.bypass.is_flush;
  assign is_user = BYPASS & descriptor.bypass.is_bypass & ~is_flush;
  assign sets = accept & ~is_flush & (fails | (first_q & descriptor.is_start));  // the queue's bit
  assign drops = first_q ? was_dropping & ~descriptor.is_start : dropping_q;
  assign is_stopped = stopping & (descriptor.qid == stop_qid);
  assign fails = ~drops & ~is_stopped & ~is_flush & (descriptor.error != READ_OK);
  assign stores = ~drops & ~is_stopped & ~is_flush & (descriptor.error == READ_OK);
  assign begins = first_q ? descriptor.is_start : begins_q;
  assign count = count_q + 3'(stores);
  assign batch = batch_q + ($clog2(BATCH) + 1)'(stores);
  assign credits_now = (stores & (count == 3'(CREDIT))) | (descriptor.is_end & (fails | (count != '0)));
  // These are a cycle late, and three more are on their way.
  logic may_credit, may_fail, may_end;
  always_ff @(posedge clk) begin
    may_credit <= credits_used < ($clog2(CREDITS) + 1)'(CREDITS - UNDER_WAY);
    may_end    <= ends_used < ($clog2(ENDS) + 1)'(ENDS - UNDER_WAY);
    if (rst) {may_credit, may_end} <= '0;
  end
  // Only one that fails needs the status, but whether it does is looked up.
  assign has_room = may_credit & may_fail & may_end & ~status_valid;
  assign descriptor_ready = has_room & place_ready;
  assign accept = descriptor_valid & descriptor_ready;

  qdma_queue_bits #(
      .QUEUES(QUEUES)
  ) dropping (
      .clk,
      .qid      (id_t'(descriptor.qid)),
      .value    (was_dropping),
      .write    (sets),
      .write_qid(id_t'(descriptor.qid)),
      .next     (fails)
  );
  // --- Its place
  typedef struct packed {
    index_t qid;
    function_t func;
    logic [63:0] addr;
    logic is_end;
    logic stores;
    c2h_credit_t credit;
    logic has_credit;
    logic is_failed;
    logic is_user;
    read_error_e read_error;
    logic [15:0] index;
    spare_t spare;  // with is_end
  } arrival_t;
  arrival_t arrival, arrival_1_q, arrival_2_q;
  spare_t free_places;
  logic place_at, place_clearing, take_clearing, take_at, looks_ready, looked_at, drain_at;
  count_t wr_count, rd_count, drain_to_q;
  logic [PLACE_BITS-1:0] wr_place, rd_place;
  id_t wr_id, rd_id;
  always_comb begin
    free_places = (fails ? '0 : spare_t'(BATCH)) - spare_t'({1'b0, batch});
    if (is_user) free_places = spare_t'(1);
    if (is_flush) free_places = spare_t'({1'b0, descriptor.data[$clog2(BATCH):0]});
  end
  assign arrival = '{
          qid: descriptor.qid,
          func: descriptor.func,
          addr: descriptor.data[63:0],
          is_end: is_user ? ~stores : descriptor.is_end,
          stores: stores,
          credit: '{
              qid: descriptor.qid,
              buffers: 8'(count),
              ring_most: descriptor.ring_most,
              fails: fails,
              begins: begins
          },
          has_credit: credits_now,
          is_failed: fails,
          is_user: is_user,
          read_error: is_user ? READ_OK : descriptor.error,
          index: descriptor.index,
          spare: free_places
      };
  qdma_context_ram #(
      .WIDTH(PLACE_BITS + 1),
      .DEPTH(QUEUES),
      .PORTS(2)
  ) wr_counts (
      .clk,
      .rst,
      .clearing (place_clearing),
      .req_valid({drain_q == LOOK, descriptor_valid & has_room}),
      .req_ready({looks_ready, place_ready}),
      .req_addr ({id_t'(stop_qid), id_t'(descriptor.qid)}),
      .at       ({looked_at, place_at}),
      .at_addr  (wr_id),
      .at_word  (wr_count),
      .write    ({1'b0, arrival_2_q.stores}),
      .next     ({wr_count, count_t'(wr_count + 1'b1)})
  );
  assign wr_place = wr_count[PLACE_BITS-1:0];
  assign clearing = place_clearing | take_clearing;

  always_ff @(posedge clk) begin
    arrival_1_q <= arrival;
    arrival_2_q <= arrival_1_q;
    if (status_ready) status_valid <= 1'b0;
    if (accept) begin
      first_q    <= descriptor.is_end;
      dropping_q <= drops | fails;
      begins_q   <= begins;
      count_q    <= credits_now ? '0 : count;
      batch_q    <= descriptor.is_end ? '0 : batch;
      if (fails) begin
        status_valid <= descriptor.wbk_en | descriptor.irq_en;
        status <= '{
            qid: descriptor.qid,
            is_c2h: 1'b1,
            func: descriptor.func,
            cidx: descriptor.index,
            pidx: descriptor.pidx,
            is_bypass: is_user,
            err_dsc: 1'b0,
            err_dma: 1'b1,
            wants_status: descriptor.wbk_en,
            wants_interrupt: descriptor.irq_en
        };
      end
    end
    if (rst) begin
      first_q      <= 1'b1;
      count_q      <= '0;
      batch_q      <= '0;
      status_valid <= 1'b0;
    end
  end

  // --- Buffers that have come; a ring that the fetch has stopped
  context_error_t error_q;
  logic has_credit, credits_ready;
  assign has_credit = place_at & arrival_2_q.has_credit;
  qdma_small_fifo #(
      .WIDTH($bits(c2h_credit_t)),
      .DEPTH(CREDITS)
  ) credits (
      .clk,
      .rst,
      .wr_valid(has_credit | error_q.valid),
      .wr_ready(credits_ready),
      .wr_data (has_credit ? arrival_2_q.credit : {error_q.qid, 8'd0, 5'd0, 1'b1, 1'b0}),
      .rd_valid(credit_valid),
      .rd_ready(credit_ready),
      .rd_data (credit),
      .used    (credits_used)
  );
  always_ff @(posedge clk) begin
    if (!has_credit) error_q.valid <= 1'b0;
    if (context_error.valid) error_q <= context_error;
    if (rst) error_q.valid <= 1'b0;
  end

  // --- The rings
  qdma_c2h_places #(
      .QUEUES(QUEUES),
      .DEPTH (DEPTH),
      .DEEP  (DEEP)
  ) places (
      .clk,
      .wr_en  (place_at & arrival_2_q.stores),
      .wr_id,
      .wr_place,
      .wr_data(arrival_2_q.addr),
      .rd_en  (take_at),
      .rd_id,
      .rd_place,
      .rd_data(taken_addr)
  );
  ram_sdp #(
      .WIDTH($bits(function_t)),
      .DEPTH(QUEUES)
  ) functions (
      .clk,
      .wr_en  (place_at & arrival_2_q.stores),
      .wr_addr(wr_id),
      .wr_data(arrival_2_q.func),
      .rd_en  (take_at),
      .rd_addr(rd_id),
      .rd_data(taken_func)
  );

  // --- Ends of batches
  typedef struct packed {
    id_t id;
    spare_t spare;
  } batch_end_t;
  logic end_valid, end_ready, ends_ready;
  batch_end_t batch_end, end_1_q, end_2_q;
  qdma_small_fifo #(
      .WIDTH($bits(batch_end_t)),
      .DEPTH(ENDS)
  ) ends (
      .clk,
      .rst,
      .wr_valid(place_at & arrival_2_q.is_end),
      .wr_ready(ends_ready),
      .wr_data ({id_t'(arrival_2_q.qid), arrival_2_q.spare}),
      .rd_valid(end_valid),
      .rd_ready(end_ready),
      .rd_data (batch_end),
      .used    (ends_used)
  );
  always_ff @(posedge clk) begin
    end_1_q <= batch_end;
    end_2_q <= end_1_q;
  end

  // --- Take
  typedef struct packed {
    spare_t spare;
    count_t count;
  } taken_t;
  logic rd_ready, may_take, walk_at, end_at, drains, is_empty, frees_batch;
  taken_t rd_word, rd_next;
  spare_t spare;
  assign take_ready = may_take & rd_ready;
  qdma_context_ram #(
      .WIDTH($bits(taken_t)),
      .DEPTH(QUEUES),
      .PORTS(3)
  ) rd_counts (
      .clk,
      .rst,
      .clearing (take_clearing),
      .req_valid({end_valid & may_take, (drain_q == TAKE) & may_take, take_valid & may_take}),
      .req_ready({end_ready, drains, rd_ready}),
      .req_addr ({batch_end.id, id_t'(stop_qid), id_t'(take_qid)}),
      .at       ({end_at, drain_at, walk_at}),
      .at_addr  (rd_id),
      .at_word  (rd_word),
      .write    ({end_at, {2{take_at}}}),
      .next     ({3{rd_next}})
  );
  assign rd_count    = rd_word.count;
  assign rd_place    = rd_count[PLACE_BITS-1:0];
  assign is_empty    = rd_count == drain_to_q;
  assign take_at     = walk_at | (drain_at & ~is_empty);
  assign spare       = rd_word.spare + (end_at ? end_2_q.spare : spare_t'(1));
  assign frees_batch = (take_at | end_at) & (spare >= spare_t'(BATCH));
  always_comb begin
    rd_next.spare = spare - (spare >= spare_t'(BATCH) ? spare_t'(BATCH) : '0);
    rd_next.count = rd_count + count_t'(take_at);
  end

  // --- How many are stored, and how many have been taken
  always_ff @(posedge clk) begin
    buffers.stored <= '{
        valid: place_at & arrival_2_q.stores,
        qid: arrival_2_q.qid,
        index: 16'(count_t'(wr_count + 1'b1))
    };
    buffers.taken <= '{valid: take_at, qid: 11'(rd_id), index: 16'(rd_next.count)};
    if (rst) {buffers.stored.valid, buffers.taken.valid} <= '0;
  end

  // --- Drain: how many have come, then takes until there are no more
  always_ff @(posedge clk) begin
    taken_valid <= walk_at;
    drain_done  <= (drain_q == TAKE) & drain_at & is_empty;
    case (drain_q)
      REST:
      if (drain_valid) begin
        drain_q   <= LOOK;
        drain_any <= 1'b0;
      end
      LOOK: if (looks_ready) drain_q <= LOOKED;
      LOOKED: begin
        drain_to_q <= wr_count;
        if (looked_at) drain_q <= TAKE;
      end
      TAKE: begin
        if (drain_at && !is_empty) drain_any <= 1'b1;
        if (drain_at && is_empty) drain_q <= LEAVE;
      end
      default: if (!drain_valid) drain_q <= REST;  // takes on their way find nothing
    endcase
    if (rst) begin
      taken_valid <= 1'b0;
      drain_done  <= 1'b0;
      drain_q     <= REST;
    end
  end

  // --- Batches whose places are free, and those that have failed
  qdma_c2h_retire #(
      .QUEUES   (QUEUES),
      .UNDER_WAY(UNDER_WAY),
      .BYPASS   (BYPASS)
  ) retires (
      .clk,
      .rst,
      .bit_write   (sets),
      .bit_id      (id_t'(descriptor.qid)),
      .bit_fails   (fails),
      .ended_valid (frees_batch),
      .ended_id    (rd_id),
      .may_end     (may_take),
      .failed_valid(place_at & arrival_2_q.is_failed),
      .failed_qid  (arrival_2_q.qid),
      .failed_user (arrival_2_q.is_user),
      .failed_error(arrival_2_q.read_error),
      .failed_cidx (arrival_2_q.index),
      .may_fail,
      .retire_valid,
      .retire_ready,
      .retire
  );

`ifndef SYNTHESIS
  int held[QUEUES];  // buffers
  always_ff @(posedge clk) begin
    if (place_at && arrival_2_q.stores) held[wr_id] <= held[wr_id] + 1;
    if (take_at) held[rd_id] <= held[rd_id] - 1;
    if (place_at && arrival_2_q.stores && take_at && wr_id == rd_id) held[wr_id] <= held[wr_id];
    if (rst) for (int i = 0; i < QUEUES; i++) held[i] <= 0;
  end
  places_fit :
  assert property (@(posedge clk) disable iff (rst) place_at && arrival_2_q.stores |->
                   held[wr_id] < (int'(wr_id) < DEEP ? 2 * DEPTH : DEPTH))
  else $error("qdma_c2h_store: a buffer has no place");
  credits_fits :
  assert property (@(posedge clk) disable iff (rst) has_credit | error_q.valid |-> credits_ready);
  ends_fits :
  assert property (@(posedge clk) disable iff (rst) place_at & arrival_2_q.is_end |-> ends_ready);
`endif

  logic unused;
  assign unused = &{1'b0, drains, credits_ready, ends_ready, descriptor, take_qid, arrival_2_q, end_2_q.id, error_q};
endmodule
