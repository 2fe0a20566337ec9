// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A queue's turn of one direction: looks at its contexts, reads the next batch of its ring, and counts batches that are
// retired.
//
// Latency: read_valid 6 cycles after a turn begins, if the RAMs of the contexts are idle; the next turn can begin as soon
// as the read is accepted.  A retirement takes 4 cycles.
//
// Interface: a turn begins in a cycle with turn_valid and turn_ready; it needs may_start, which says that there are places
// for a batch of BYTES.  All are its own until `unused` says how many it has not used, once a turn.  The read is held
// until it is accepted.  again asks for another turn of this queue, and is held until it is accepted.  A query waits until
// no status waits: so the queue has none any more.
//
// Operation: one thing at a time; what is retired comes first, so that a turn that waits stops nobody.  A batch ends at
// pidx, at the end of the ring, or at a multiple of its full size, whichever is first, so its read begins at a boundary of
// BYTES wherever the ring does.  The hardware context is changed in a second access, and only if its cidx is what the
// first one has seen: a command of the driver that comes between the two is not overwritten.  It is asked for two cycles
// before it is known what it will change, since its word comes two cycles later; a turn that changes nothing only reads.
// Nothing else begins before it is done.
//
// A queue with an error is disabled: err_dsc or err_dma, and qen is cleared.  `status` reports the error
// of a context; the user of the descriptors reports the others.  The error of a batch that was under way when a command
// has cleared the hardware context is not that of the queue which has been set up since.
//
// Chains: a batch may end within a chain of descriptors, and the packet of a chain is in one piece.  Who uses the
// descriptors then gives the batch back as rewound.  The index goes back to the begin of the chain, nothing of the queue is
// fetched until all that is under way has been dropped, and from then on a turn of this queue goes on up to the pidx that
// it began with, batch after batch.  A driver posts chains whole, so these turns end with chains.  A queue that is stopped
// or disabled meanwhile ends its turn where it is: the next batch does not continue the one before (is_continuing).
//
// Memory-mapped: a batch that ends within a descriptor is rewound to that (is_part).  Then one batch of the queue is under
// way at a time, until one ends with a descriptor: so no others of it are dropped at the next such end, and the next batch is
// there before the turns of the others are over.  A queue that is being stopped begins its next descriptor at its first byte.
//
//   what the turn finds                                 | what it does
//   queue not enabled, or stopped, or nothing posted,   | nothing: a doorbell makes it active again
//     or of another fetch (HAS_OTHER)                   |
//   enabled again while it is still being stopped       | tries again
//   PENDING batches of the queue are under way, or it is| evt_pnd: active again with the next that is retired; a turn
//     to be rewound                                     |   that goes on tries again
//   an index beyond the ring, a base that is not        | stops the queue with err_dsc, and reports it
//     aligned to the descriptors, descriptors that are  |
//     not in DSC_SIZES, the other is_mm, bypass without |
//     BYPASS                                            |
//   bypass, and no room for a batch on the way to the   | tries again
//     user, or another queue's turn is not over there   |
//   else                                                | reads; cidx, crd_use, fetch_pnd, dsc_pnd, idl_stp_b
//
// Bypass: descriptors leave to the user, so a batch needs room on that way, which is reserved with its read.  All that a turn
// of streaming H2C began with leaves in one piece, without other queues of that way between (qdma_bypass_lock): so does a
// packet.
//
// Limits: fetch credits do not hold a turn back (fcrd_en): they are counted in crd_use.
module qdma_fetch_turn
  import qdma_context_pkg::*;
  import qdma_pkg::*;
  import qdma_tlp_pkg::*;
  import qdma_read_pkg::*;
  import qdma_fetch_pkg::*;
  import qdma_bypass_pkg::*;
  import qdma_write_pkg::status_request_t;
#(
    parameter bit IS_C2H = 1'b0,
    parameter bit IS_MM = 1'b0,  // serves queues with is_mm, else those without
    parameter bit HAS_OTHER = 1'b0,  // another fetch of this direction serves the others
    parameter logic [3:0] DSC_SIZES = 4'b0111,  // a bit for each dsc_sz that is served
    parameter int BYTES = BATCH_BYTES,  // of a batch, at most: 64 to BATCH_BYTES
    parameter int PENDING = MAX_PENDING,  // batches of a queue that are under way, at most
    parameter int DEEP = 0,  // of queues 0 to DEEP - 1 twice as many, if MAX_PENDING allows it
    parameter bit BYPASS = 1'b0  // serves queues with bypass, too
) (
    input logic clk,
    input logic rst,

    input logic [SIZES-1:0][15:0] ring_size,

    input  logic    turn_valid,
    output logic    turn_ready,
    input  index_t  turn_qid,
    input  logic    may_start,
    output logic    starts,        // a turn begins, or goes on: it has the places of a batch
    output logic    unused_valid,
    output places_t unused_places,

    input  logic    retire_valid,
    output logic    retire_ready,
    input  retire_t retire,

    input  logic   query_valid,
    output logic   query_ready,
    input  index_t query_qid,
    output logic   query_done,
    output logic   query_pending,
    input  logic   stopping,       // query_qid is being stopped

    output logic            status_valid,
    input  logic            status_ready,
    output status_request_t status,

    output logic   again_valid,
    input  logic   again_ready,
    output index_t again_qid,

    output logic          read_valid,
    input  logic          read_ready,
    output read_request_t read,

    output context_error_t context_error,

    // Bypass: room for a batch on the way to the user, descriptors that are reserved there, what is known of queues
    input  logic         bypass_room,
    output places_t      bypass_reserve,
    output bypass_note_t bypass_note,
    output logic         goes_on,         // a batch that continues the last one may come

    // Software and hardware context of this direction, as qdma_context_ram has them
    output logic        sw_valid,
    input  logic        sw_ready,
    input  logic        sw_at,
    input  sw_context_t sw_word,
    output logic        sw_write,
    output sw_context_t sw_next,
    output logic        hw_valid,
    input  logic        hw_ready,
    input  logic        hw_at,
    input  hw_context_t hw_word,
    output logic        hw_write,
    output hw_context_t hw_next,
    output index_t      store_index
);
  typedef enum logic [2:0] {
    IDLE,
    LOOK,  // both contexts are on their way
    COUNT,  // how many are posted, up to the end of the ring; the second access is asked for
    CUT,  // what is the batch
    MOVE,  // the hardware context is changed
    STOP,  // the software context gets err_dsc
    RETIRE,  // both contexts are changed
    QUERY  // what is under way
  } state_e;
  state_e state_q;

  logic sw_asks_q, hw_asks_q, sw_open_q, hw_open_q;  // asks: not accepted yet; open: not done yet
  retire_t retire_q;
  index_t qid_q;
  sw_context_t sw_q;
  hw_context_t hw_q;
  logic accesses_done, may_turn;
  logic going_on_q, continued_q;  // going_on_q: the next turn continues this one
  logic [15:0] turn_pidx_q;  // up to which it does
  index_t turn_qid_q;
  assign accesses_done = (~sw_open_q | sw_at) & (~hw_open_q | hw_at);

  logic is_idle;  // an access of a turn that changed nothing may still be open
  assign is_idle = (state_q == IDLE) & ~hw_open_q & ~again_valid;
  assign retire_ready = is_idle;
  assign query_ready = is_idle & ~retire_valid & ~status_valid;
  assign may_turn = is_idle & ~retire_valid & ~query_valid & ~read_valid & ~status_valid & may_start;
  assign turn_ready = may_turn & ~going_on_q;

  // A turn asks for both contexts in the cycle in which it begins, and goes on with that until it is accepted.
  index_t next_qid;
  assign next_qid = going_on_q ? turn_qid_q : turn_qid;
  assign sw_valid = sw_asks_q | starts;
  assign hw_valid = hw_asks_q | starts;
  assign store_index = sw_asks_q | hw_asks_q ? qid_q : next_qid;

  // --- COUNT: the ring has indices 0 to last_q - 1, the slot at last_q is its status
  logic [15:0] last_q, to_pidx_q, to_end_q;
  logic no_ring_q, beyond_q, bad_q, in_order_q, enabled_q, has_posted_q, stopping_q, is_other;
  assign is_other = sw_q.is_mm != IS_MM;
  logic [4:0] most_q;
  places_t full, to_cut_q;

  // --- Bypass
  logic is_bypass, barred_q, lock_is_other, lock_is_own, lock_sets, lock_ends;
  logic [15:0] lock_pidx;
  index_t lock_qid;
  assign is_bypass = BYPASS & sw_q.bypass;
  assign goes_on   = BYPASS & (going_on_q | read_valid);
  always_comb begin
    case (sw_q.dsc_sz)
      2'd0:    full = places_t'(BYTES / 8);
      2'd1:    full = places_t'(BYTES / 16);
      default: full = places_t'(BYTES / 32);
    endcase
  end

  // --- CUT
  logic [15:0] posted;
  places_t count, count_q;
  logic more, more_q, wraps_q, waits_q, moved;
  logic [15:0] after, next_cidx_q;
  assign posted = in_order_q ? to_pidx_q : to_end_q;
  assign count  = posted < 16'(to_cut_q) ? places_t'(posted) : to_cut_q;
  assign more   = (posted > 16'(to_cut_q)) | (~in_order_q & (sw_q.pidx != '0));
  assign after  = hw_q.cidx + 16'(count);
  assign moved  = (hw_word.cidx != hw_q.cidx) | (hw_word.is_draining & ~hw_q.is_draining);

  assign starts = may_turn & (going_on_q | turn_valid);

  // --- What the contexts become
  logic [3:0] pending, most_pending;
  logic was_draining, rewinds, fails, comes_again;
  assign was_draining = hw_word.is_draining;
  assign rewinds = retire_q.is_rewound & ~was_draining;
  assign fails = (retire_q.err_dsc | retire_q.err_dma) & ~was_draining;
  assign comes_again = ((pending == '0) & (was_draining | rewinds)) | (hw_word.evt_pnd & ~was_draining);
  assign pending = hw_word.fetch_pnd - 4'(!(BYPASS && retire_q.kind == RETIRE_ERROR));
  if (DEEP > 0) begin : gen_deep
    assign most_pending = 32'(qid_q) < DEEP ? 4'(2 * PENDING < MAX_PENDING ? 2 * PENDING : MAX_PENDING) : 4'(PENDING);
  end else begin : gen_alike
    assign most_pending = 4'(PENDING);
  end
  always_comb begin
    sw_next         = sw_word;  // written with an error only
    sw_next.qen     = 1'b0;
    sw_next.err_dsc = sw_word.err_dsc | (state_q == STOP) | retire_q.err_dsc;
    sw_next.err_dma = sw_word.err_dma | ((state_q == RETIRE) & retire_q.err_dma);
    // What the user provides may fail when a command has disabled the queue.
    if (BYPASS && state_q == RETIRE && retire_q.kind == RETIRE_ERROR && !sw_word.qen) sw_next = sw_word;
    hw_next = hw_word;
    if (state_q == STOP) begin
      hw_next.idl_stp_b = hw_word.fetch_pnd != '0;
    end else if (state_q == QUERY) begin
      hw_next.is_part = 1'b0;
    end else if (state_q == RETIRE) begin
      hw_next.fetch_pnd = pending;
      hw_next.dsc_pnd   = pending != '0;
      hw_next.evt_pnd   = hw_word.evt_pnd & ~comes_again;
      hw_next.idl_stp_b = hw_word.idl_stp_b & ~(retire_q.is_stopped & ~was_draining & (pending == '0));
      if (rewinds) hw_next.cidx = retire_q.index;
      hw_next.has_chains  = hw_word.has_chains | (rewinds & ~retire_q.is_held & ~IS_MM);
      hw_next.is_part     = IS_MM & (was_draining ? hw_word.is_part : retire_q.is_rewound);
      hw_next.is_draining = (was_draining | rewinds) & (pending != '0);
    end else if (waits_q) begin
      hw_next.evt_pnd = 1'b1;
    end else begin
      hw_next.cidx      = next_cidx_q;
      hw_next.crd_use   = hw_word.crd_use + (sw_q.fcrd_en ? 16'(count_q) : '0);
      hw_next.fetch_pnd = hw_word.fetch_pnd + 1'b1;
      hw_next.dsc_pnd   = 1'b1;
      hw_next.idl_stp_b = 1'b1;
      hw_next.evt_pnd   = 1'b0;
    end
  end
  assign lock_sets = (state_q == MOVE) & hw_at & is_bypass & ~moved & ~waits_q;
  assign lock_ends = ((state_q == CUT) & (~has_posted_q | stopping_q | beyond_q | bad_q))
                     | ((state_q == QUERY) & hw_at) | (lock_sets & ~more_q);
  if (BYPASS && !IS_C2H && !IS_MM) begin : gen_lock
    qdma_bypass_lock lock (
        .clk,
        .rst,
        .qid     (qid_q),
        .looks   (state_q == COUNT),
        .sets    (lock_sets),
        .pidx    (sw_q.pidx),
        .ends    (lock_ends),
        .is_other(lock_is_other),
        .is_own  (lock_is_own),
        .own_qid (lock_qid),
        .own_pidx(lock_pidx)
    );
  end else begin : gen_no_lock
    assign {lock_is_other, lock_is_own, lock_qid, lock_pidx} = '0;
    logic unused_lock;
    assign unused_lock = &{1'b0, lock_sets, lock_ends, bypass_room, enabled_q};
  end

  assign sw_write = (state_q == STOP) | (state_q == RETIRE);
  assign hw_write = (state_q == STOP) | (state_q == RETIRE) | (IS_MM & (state_q == QUERY))
                    | ((state_q == MOVE) & ~moved & ~(waits_q & going_on_q & ~is_bypass));

  logic [2:0] shift;  // of the size of a descriptor
  batch_t batch;
  assign shift = 3'd3 + 3'(sw_q.dsc_sz);
  assign batch = '{
          func: function_t'(sw_q.fnc),
          port_id: sw_q.port_id,
          wbk_en: sw_q.wbk_en,
          irq_en: sw_q.irq_en,
          wbi_chk: sw_q.wbi_chk,
          wbi_intvl_en: sw_q.wbi_intvl_en,
          ring_most: is_bypass ? '0 : most_q,
          pidx: sw_q.pidx,
          dsc_sz: sw_q.dsc_sz,
          count: count_q,
          wraps: wraps_q,
          is_start: (hw_q.fetch_pnd == '0) & ~going_on_q,
          is_continued: continued_q,
          is_continuing: IS_MM ? hw_q.is_part : going_on_q,
          qid: qid_q,
          index: hw_q.cidx
      };

  always_ff @(posedge clk) begin
    if (again_ready) again_valid <= 1'b0;
    if (read_ready) read_valid <= 1'b0;
    if (status_ready) status_valid <= 1'b0;
    context_error <= '0;
    unused_valid  <= 1'b0;
    query_done    <= 1'b0;
    bypass_note   <= '0;

    // --- Accesses of contexts
    sw_asks_q <= sw_valid & ~sw_ready;
    hw_asks_q <= hw_valid & ~hw_ready;
    if (sw_at) sw_open_q <= 1'b0;
    if (hw_at) hw_open_q <= 1'b0;

    case (state_q)
      IDLE: begin
        retire_q <= '0;
        if (retire_valid && retire_ready) begin
          state_q   <= RETIRE;
          qid_q     <= retire.qid;
          retire_q  <= retire;
          hw_asks_q <= 1'b1;
          hw_open_q <= 1'b1;
        end else if (query_valid && query_ready) begin
          state_q   <= QUERY;
          qid_q     <= query_qid;
          hw_asks_q <= 1'b1;
          hw_open_q <= 1'b1;
        end else if (starts) begin
          state_q <= LOOK;
          qid_q <= next_qid;
          sw_open_q <= 1'b1;
          hw_open_q <= 1'b1;
        end
      end
      LOOK: begin
        if (sw_at) begin
          sw_q <= sw_word;
          if (going_on_q) sw_q.pidx <= turn_pidx_q;
          else if (lock_is_own && sw_word.bypass) sw_q.pidx <= lock_pidx;
          last_q    <= ring_size[sw_word.rng_sz] - 16'd1;
          no_ring_q <= ring_size[sw_word.rng_sz] == '0;
        end
        if (hw_at) hw_q <= hw_word;
        if (accesses_done) begin
          state_q   <= COUNT;
          hw_asks_q <= 1'b1;
          hw_open_q <= 1'b1;
        end
      end
      COUNT: begin
        to_pidx_q <= sw_q.pidx - hw_q.cidx;
        to_end_q <= last_q - hw_q.cidx;
        in_order_q <= sw_q.pidx >= hw_q.cidx;
        beyond_q <= no_ring_q | (sw_q.pidx >= last_q) | (hw_q.cidx >= last_q);
        bad_q        <= (is_bypass ? &sw_q.dsc_sz : ~DSC_SIZES[sw_q.dsc_sz]) | is_other | (sw_q.bypass & ~BYPASS)
                        | ((sw_q.dsc_base[4:0] & (5'(6'd8 << sw_q.dsc_sz) - 5'd1)) != '0);
        most_q <= last_q > 16'd32 ? 5'd31 : 5'(last_q - 16'd1);
        stopping_q <= stopping & (query_qid == qid_q);
        barred_q <= is_bypass & (~bypass_room | lock_is_other);
        enabled_q <= sw_q.qen & ~sw_q.err_dsc & ~sw_q.err_dma & ~(HAS_OTHER & is_other);
        has_posted_q <= sw_q.qen & ~sw_q.err_dsc & ~sw_q.err_dma & (sw_q.pidx != hw_q.cidx) & ~(HAS_OTHER & is_other);
        to_cut_q <= full - (places_t'(hw_q.cidx[5:0]) & (full - 1'b1));
        state_q <= CUT;
      end
      CUT: begin
        count_q     <= count;
        next_cidx_q <= after == last_q ? '0 : after;
        wraps_q     <= after == last_q;
        more_q      <= more;
        waits_q     <= (hw_q.fetch_pnd == most_pending) | (hw_q.is_part & (hw_q.fetch_pnd != '0)) | hw_q.is_draining;
        continued_q <= hw_q.has_chains & more & ~is_bypass;
        if (BYPASS && is_bypass && enabled_q && !stopping_q && !beyond_q && !bad_q) begin
          bypass_note <= '{
              valid: 1'b1,
              is_live: 1'b1,
              qid: qid_q,
              func: function_t'(sw_q.fnc),
              port_id: sw_q.port_id,
              last: last_q
          };
        end
        // Of one that is disabled within its turn, the user may have a part of a packet.
        if (BYPASS && lock_is_own && !enabled_q) bypass_note <= '{valid: 1'b1, qid: qid_q, default: '0};
        if (!has_posted_q || stopping_q) begin
          state_q       <= IDLE;
          going_on_q    <= 1'b0;
          again_valid   <= has_posted_q | lock_is_own;
          unused_valid  <= 1'b1;
          unused_places <= places_t'(BYTES / 8);
        end else if (beyond_q || bad_q) begin
          state_q       <= STOP;
          going_on_q    <= 1'b0;
          sw_asks_q     <= 1'b1;
          sw_open_q     <= 1'b1;
          context_error <= '{valid: 1'b1, cidx: hw_q.cidx, qid: qid_q};
          unused_valid  <= 1'b1;
          unused_places <= places_t'(BYTES / 8);
        end else if (barred_q) begin
          // The queue whose turn is not over is next, so those that wait for it do not slow it down.
          state_q       <= IDLE;
          going_on_q    <= lock_is_other;
          turn_qid_q    <= lock_qid;
          turn_pidx_q   <= lock_pidx;
          again_valid   <= 1'b1;
          unused_valid  <= 1'b1;
          unused_places <= places_t'(BYTES / 8);
        end else begin
          state_q <= MOVE;
        end
      end
      MOVE:
      if (hw_at) begin
        state_q       <= IDLE;
        unused_valid  <= 1'b1;
        unused_places <= waits_q || moved ? places_t'(BYTES / 8) : places_t'(BYTES / 8) - count_q;
        // A doorbell while the turn was not over has been seen with the PIDX of its begin.
        again_valid   <= moved | (more_q & ~waits_q & ~continued_q) | (lock_is_own & ~waits_q);
        going_on_q    <= ~moved & (waits_q ? going_on_q & ~is_bypass : continued_q);
        turn_pidx_q   <= sw_q.pidx;
        turn_qid_q    <= qid_q;
        read_valid    <= ~moved & ~waits_q;
      end
      STOP:
      if (accesses_done) begin
        state_q <= IDLE;
        status_valid <= sw_q.wbk_en | sw_q.irq_en;
        status <= '{
            qid: qid_q,
            is_c2h: IS_C2H,
            func: function_t'(sw_q.fnc),
            cidx: hw_q.cidx,
            pidx: sw_q.pidx,
            is_bypass: 1'b0,
            err_dsc: 1'b1,
            err_dma: 1'b0,
            wants_status: sw_q.wbk_en,
            wants_interrupt: sw_q.irq_en
        };
      end
      QUERY:
      if (hw_at) begin
        query_done    <= 1'b1;
        query_pending <= hw_word.fetch_pnd != '0;
        state_q       <= IDLE;
      end
      default: begin  // RETIRE
        if (hw_at) begin
          again_valid <= comes_again;
          sw_asks_q   <= fails;
          sw_open_q   <= fails;
          if (!fails) state_q <= IDLE;
        end
        if (sw_at) state_q <= IDLE;
        if (retire_q.is_held && qid_q == turn_qid_q) going_on_q <= 1'b0;
        if (BYPASS && retire_q.kind == RETIRE_ERROR) bypass_note <= '{valid: 1'b1, qid: qid_q, default: '0};
      end
    endcase

    if (state_q == MOVE) begin
      read <= '{
          qid: qid_q,
          func: function_t'(sw_q.fnc),
          addr: sw_q.dsc_base + (64'(hw_q.cidx) << shift),
          bytes: 16'(count_q) << shift,
          cookie: cookie_t'(batch)
      };
    end
    if (rst) begin
      state_q       <= IDLE;
      again_valid   <= 1'b0;
      going_on_q    <= 1'b0;
      read_valid    <= 1'b0;
      sw_asks_q     <= 1'b0;
      hw_asks_q     <= 1'b0;
      sw_open_q     <= 1'b0;
      hw_open_q     <= 1'b0;
      context_error <= '0;
      unused_valid  <= 1'b0;
      query_done    <= 1'b0;
      status_valid  <= 1'b0;
    end
  end
  assign again_qid = qid_q;
  assign bypass_reserve = lock_sets ? count_q : '0;

`ifndef SYNTHESIS
  counted :
  assert property (@(posedge clk) disable iff (rst)
    state_q == RETIRE && hw_at && retire_q.kind != RETIRE_ERROR |-> hw_word.fetch_pnd != '0)
  else $error("qdma_fetch_turn: a batch is retired that is not under way");
`endif

  logic unused;
  assign unused = &{1'b0, retire_q.qid, retire_q.read_error, sw_q, hw_q};
endmodule
