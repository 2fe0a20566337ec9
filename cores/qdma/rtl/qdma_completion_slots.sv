// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Slots in which the entries of a ring wait until they leave as one write, and the way out: writes, status, interrupts.
//
// Latency: a beat of entries is shown 3 cycles after its emission was accepted, alone.  A write of up to 64 bytes takes 2
// cycles, of up to 128 bytes 3, a status 1, an interrupt 1.
//
// Interface: entry_*, discard_* and emission have no ready.  slot_room and emission_room promise what may be under way:
// UNDER_WAY operations.  completion, status and cause have valid and ready.
//
// Operation: an emission's parts go one after another, each when the one before has been accepted: entries, then the
// status that counts them, then the interrupt.  A slot is flushed (flush_*) when it is the one open longest and
//   - the channel has nothing to do, or
//   - it has been open for coalesce_cycles, or
//   - free slots run short
module qdma_completion_slots
  import qdma_context_pkg::*;
  import qdma_tlp_pkg::*;
  import qdma_write_pkg::*;
#(
    parameter int SLOTS = 128,
    parameter int PLACES = 7  // of colour and error, C2H_CMPT_FORMAT
) (
    input logic clk,
    input logic rst,

    input logic [PLACES-1:0][8:0] colour_place,
    input logic [PLACES-1:0][8:0] error_place,
    input logic [      15:0]      coalesce_cycles,
    input logic                   is_idle,

    output logic       slot_room,
    output logic [7:0] new_slot,
    input  logic       slot_taken,

    input logic         entry_valid,
    input logic         entry_opens,
    input logic   [7:0] entry_slot,
    input logic   [3:0] entry_place,
    input logic   [1:0] entry_size,
    input logic         entry_colour,
    input entry_t       entry,
    input logic         discard_valid,
    input logic   [7:0] discard_slot,

    output logic         flush_valid,
    input  logic         flush_ready,
    output index_t       flush_qid,
    output logic   [7:0] flush_slot,

    output logic      emission_room,
    input  logic      emission_valid,
    input  emission_t emission,
    output logic      is_empty,        // no emission waits

    output logic             completion_valid,
    input  logic             completion_ready,
    output write_beat_t      completion,
    output logic             status_valid,
    input  logic             status_ready,
    output write_beat_t      status,
    output logic             cause_valid,
    input  logic             cause_ready,
    output interrupt_cause_t cause
);
  // In qdma_completion_ring six, one that is accepted, one before the promise follows
  localparam int UNDER_WAY = 8;
  localparam int SLOT_BITS = $clog2(SLOTS);
  localparam int LANES = 8;
  localparam int EMISSIONS = SLOTS / 2;
  typedef logic [SLOT_BITS-1:0] slot_t;
  typedef logic [$clog2(EMISSIONS)-1:0] emission_index_t;

  // --- Free slots
  logic [SLOTS-1:0] free_q, open_q, first;
  logic [SLOT_BITS:0] free_count_q;
  slot_t new_slot_q, first_slot;
  logic freed, freed_q, slot_taken_q, unused_single;
  slot_t freed_slot;
  assign new_slot = 8'(new_slot_q);
  // new_slot_q is not in free_q.
  qdma_first #(
      .WIDTH(SLOTS)
  ) free (
      .bits     (free_q),
      .first,
      .index    (first_slot),
      .is_single(unused_single)
  );

  always_ff @(posedge clk) begin
    if (slot_taken) begin
      new_slot_q <= first_slot;
      free_q     <= free_q & ~first;
    end
    if (freed) free_q[freed_slot] <= 1'b1;
    freed_q      <= freed;
    slot_taken_q <= slot_taken;
    free_count_q <= free_count_q + (SLOT_BITS + 1)'(freed_q) - (SLOT_BITS + 1)'(slot_taken_q);
    slot_room    <= free_count_q >= (SLOT_BITS + 1)'(UNDER_WAY);
    if (rst) begin
      freed_q      <= 1'b0;
      slot_taken_q <= 1'b0;
      slot_room    <= 1'b0;
      new_slot_q   <= '0;
      free_q       <= {{SLOTS - 1{1'b1}}, 1'b0};
      free_count_q <= (SLOT_BITS + 1)'(SLOTS);
    end
  end

  // --- Entries
  beat_t shaped, aligned;
  logic [8:0] colour_at, error_at;
  logic [LANES-1:0] enables;
  assign colour_at = colour_place[entry.place];
  assign error_at  = error_place[entry.place];
  always_comb begin
    shaped = entry.user;
    if (entry.has_user_format) begin
      shaped[colour_at] = entry_colour;
      shaped[error_at]  = entry.has_error;
      shaped[0]         = 1'b1;
    end else begin
      shaped[19:0] = {entry.length, entry.has_used_descriptor, entry.has_error, entry_colour, 1'b0};
    end
    case (entry_size)
      2'd0: begin
        aligned = {8{shaped[63:0]}};
        enables = LANES'(1) << entry_place[2:0];
      end
      2'd1: begin
        aligned = {4{shaped[127:0]}};
        enables = LANES'(3) << {entry_place[1:0], 1'b0};
      end
      2'd2: begin
        aligned = {2{shaped[255:0]}};
        enables = LANES'(15) << {entry_place[0], 2'b0};
      end
      default: begin
        aligned = shaped;
        enables = '1;
      end
    endcase
  end

  logic [SLOT_BITS:0] write_addr_q, read_addr;
  logic [LANES-1:0] write_q;
  beat_t write_data_q, read_data;
  always_ff @(posedge clk) begin
    write_q      <= entry_valid ? enables : '0;
    write_data_q <= aligned;
    write_addr_q <= {slot_t'(entry_slot), 1'(entry_place >> (2'd3 - entry_size))};
    if (rst) write_q <= '0;
  end
  logic read_en;
  for (genvar i = 0; i < LANES; i++) begin : gen_lanes
    ram_sdp #(
        .WIDTH(64),
        .DEPTH(2 * SLOTS)
    ) entries (
        .clk,
        .wr_en  (write_q[i]),
        .wr_addr(write_addr_q),
        .wr_data(write_data_q[64*i+:64]),
        .rd_en  (read_en),
        .rd_addr(read_addr),
        .rd_data(read_data[64*i+:64])
    );
  end

  // --- Which slot has been open longest.  A slot can be in the list twice: then it is flushed earlier than it must.
  localparam int OPENED = 2 * SLOTS;
  typedef struct packed {
    slot_t slot;
    index_t qid;
    logic [15:0] since;
  } opened_t;
  opened_t stored, oldest;
  logic [SLOT_BITS+1:0] opened_count_q;
  logic [15:0] cycle_q;
  logic puts, fits, stored_valid, stored_ready, oldest_valid, is_old, pops, short_of_slots;
  assign puts = entry_valid & entry_opens;
  qdma_fifo #(
      .WIDTH($bits(opened_t)),
      .DEPTH(OPENED)
  ) opened (
      .clk,
      .rst,
      .wr_valid(puts),
      .wr_ready(fits),
      .wr_data ({slot_t'(entry_slot), entry.qid, cycle_q}),
      .rd_valid(stored_valid),
      .rd_ready(stored_ready),
      .rd_data (stored)
  );
  // A block RAM is slow, and the slot is looked up.
  axis_register #(
      .WIDTH($bits(opened_t))
  ) next_opened (
      .clk,
      .rst,
      .s_data (stored),
      .s_valid(stored_valid),
      .s_ready(stored_ready),
      .m_data (oldest),
      .m_valid(oldest_valid),
      .m_ready(pops)
  );
  assign is_old = 16'(cycle_q - oldest.since) >= coalesce_cycles;
  assign short_of_slots = free_count_q < (SLOT_BITS + 1)'(2 * UNDER_WAY)
                          | opened_count_q >= (SLOT_BITS + 2)'(SLOTS + SLOTS / 2);
  // Shown from registers: an operation takes long to choose.
  logic wish_q, load;
  assign load = (wish_q | is_idle) & oldest_valid & open_q[oldest.slot] & ~flush_valid;
  assign pops = oldest_valid & (~open_q[oldest.slot] | load);
  always_ff @(posedge clk) begin
    cycle_q <= cycle_q + 1'b1;
    if (load) begin
      flush_qid  <= oldest.qid;
      flush_slot <= 8'(oldest.slot);
    end
    flush_valid <= load | (flush_valid & ~flush_ready);
    wish_q <= ~pops & (wish_q | (oldest_valid & (is_old | short_of_slots)));
    opened_count_q <= opened_count_q + (SLOT_BITS + 2)'(puts) - (SLOT_BITS + 2)'(pops);
    if (emission_valid && emission.has_write) open_q[slot_t'(emission.slot)] <= 1'b0;
    if (discard_valid) open_q[slot_t'(discard_slot)] <= 1'b0;
    if (puts) open_q[slot_t'(entry_slot)] <= 1'b1;
    if (rst) begin
      cycle_q        <= '0;
      wish_q         <= 1'b0;
      flush_valid    <= 1'b0;
      open_q         <= '0;
      opened_count_q <= '0;
    end
  end

  // --- Way out
  typedef enum logic [2:0] {
    HEAD,      // nothing yet
    FIRST,     // the first beat of the entries is there
    SECOND,
    STATUS,
    INTERRUPT
  } state_e;
  state_e state_q, after_write, after_status;
  emission_t emissions[EMISSIONS];
  emission_t head;
  emission_index_t tail_q, head_q;
  logic [$clog2(EMISSIONS):0] waiting_q, waiting;
  logic done, beat_done, has_second;
  // One slot is freed a cycle: a discarded one waits for a cycle without a write's end.
  logic  discard_q;
  slot_t discard_slot_q;
  assign head         = emissions[head_q];
  assign is_empty     = waiting_q == '0;
  assign waiting      = waiting_q + ($clog2(EMISSIONS) + 1)'(emission_valid);
  assign has_second   = head.bytes > 8'd64;
  assign after_status = head.has_interrupt ? INTERRUPT : HEAD;
  assign after_write  = head.has_status ? STATUS : after_status;

  assign beat_done    = completion_valid & completion_ready & completion.last;
  assign freed        = beat_done | discard_q;
  assign freed_slot   = beat_done ? slot_t'(head.slot) : discard_slot_q;
  assign read_en      = (state_q == HEAD) | completion_ready;
  assign read_addr    = {slot_t'(head.slot), state_q != HEAD};

  always_comb begin
    completion_valid = state_q inside {FIRST, SECOND};
    completion = '{
        last: state_q == SECOND | ~has_second,
        header: write_header(head.cause.func[7:0], head.addr[63:2], 11'(head.bytes >> 2)),
        data: read_data
    };
    status_valid = state_q == STATUS;
    status = '{
        last: 1'b1,
        header: write_header(head.cause.func[7:0], head.status_addr[63:2], 11'd2),
        data: beat_t'(head.cause.status)
    };
    cause_valid = state_q == INTERRUPT;
    cause = head.cause;
    done = 1'b0;
    case (state_q)
      HEAD:          done = ~is_empty & ~head.has_write & ~head.has_status & ~head.has_interrupt;
      FIRST, SECOND: done = beat_done & (after_write == HEAD);
      STATUS:        done = status_ready & (after_status == HEAD);
      default:       done = cause_ready;
    endcase
  end

  always_ff @(posedge clk) begin
    case (state_q)
      HEAD:    if (!is_empty) state_q <= head.has_write ? FIRST : after_write;
      FIRST:   if (completion_ready) state_q <= has_second ? SECOND : after_write;
      SECOND:  if (completion_ready) state_q <= after_write;
      STATUS:  if (status_ready) state_q <= after_status;
      default: if (cause_ready) state_q <= HEAD;
    endcase
    if (emission_valid) begin
      emissions[tail_q] <= emission;
      tail_q            <= tail_q + 1'b1;
    end
    if (done) head_q <= head_q + 1'b1;
    emission_room <= waiting_q <= ($clog2(EMISSIONS) + 1)'(EMISSIONS - UNDER_WAY);
    waiting_q     <= done ? waiting - 1'b1 : waiting;  // done comes late

    if (!beat_done) discard_q <= 1'b0;
    if (discard_valid) begin
      discard_q      <= 1'b1;
      discard_slot_q <= slot_t'(discard_slot);
    end
    if (rst) begin
      state_q   <= HEAD;
      tail_q    <= '0;
      head_q    <= '0;
      waiting_q <= '0;
      discard_q <= 1'b0;
      emission_room <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  list_fits :
  assert property (@(posedge clk) disable iff (rst) puts |-> fits);
`endif

  logic unused;
  assign unused = &{1'b0, unused_single, fits, entry, entry_slot, discard_slot, flush_slot, emission};
endmodule
