// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Slots in which the entries of a ring wait until they leave as one write.
//
// Latency: a beat of entries is shown 1 cycle after its emission, alone (qdma_completion_leave).  An emission may come 1 cycle
// after its last entry.
//
// Interface: entry_*, discard_* and emission have no ready.  slot_room and emission_room promise what may be under way:
// UNDER_WAY operations.  completion, status and cause have valid and ready.
//
// Operation: a slot is flushed (flush_*) when it is the one open longest and
//   - the channel has nothing to do, or
//   - it has been open for coalesce_cycles, and for BUSY_CYCLES, since the channel has been busy all the time, or
//   - free slots are all but used up.
// While they run short, an entry that opens a slot leaves at once (is_short): so the slots that are open gather.
module qdma_completion_slots
  import qdma_context_pkg::*;
  import qdma_tlp_pkg::*;
  import qdma_write_pkg::*;
#(
    parameter int SLOTS = 128,
    parameter int BUSY_CYCLES = 500,  // that a slot may be open while the channel is busy, at least
    parameter int PLACES = 7  // of colour and error, C2H_CMPT_FORMAT
) (
    input logic clk,
    input logic rst,

    input logic [PLACES-1:0][8:0] colour_place,
    input logic [PLACES-1:0][8:0] error_place,
    input logic [      15:0]      coalesce_cycles,
    input logic                   is_idle,

    output logic       slot_room,
    output logic       is_short,
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
  // In qdma_completion_ring five, one that is accepted, one before the promise follows, one to spare
  localparam int UNDER_WAY = 8;
  localparam int SLOT_BITS = $clog2(SLOTS);
  localparam int LANES = 8;
  typedef logic [SLOT_BITS-1:0] slot_t;

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
    is_short     <= free_count_q < (SLOT_BITS + 1)'(3 * UNDER_WAY);
    if (rst) begin
      freed_q      <= 1'b0;
      slot_taken_q <= 1'b0;
      slot_room    <= 1'b0;
      is_short     <= 1'b0;
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

  logic [SLOT_BITS:0] read_addr;
  beat_t read_data;
  logic read_en, read_second;
  logic [7:0] read_slot;
  for (genvar i = 0; i < LANES; i++) begin : gen_lanes
    ram_sdp #(
        .WIDTH(64),
        .DEPTH(2 * SLOTS)
    ) entries (
        .clk,
        .wr_en  (entry_valid & enables[i]),
        .wr_addr({slot_t'(entry_slot), 1'(entry_place >> (2'd3 - entry_size))}),
        .wr_data(aligned[64*i+:64]),
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
  logic [15:0] cycle_q, most_q;
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
  assign is_old = 16'(cycle_q - oldest.since) >= most_q;
  assign short_of_slots = free_count_q < (SLOT_BITS + 1)'(UNDER_WAY + UNDER_WAY / 2)
                          | opened_count_q >= (SLOT_BITS + 2)'(SLOTS + SLOTS / 2);
  // Shown from registers: an operation takes long to choose.
  logic wish_q, load;
  assign load = (wish_q | is_idle) & oldest_valid & open_q[oldest.slot] & ~flush_valid;
  assign pops = oldest_valid & (~open_q[oldest.slot] | load);
  always_ff @(posedge clk) begin
    cycle_q <= cycle_q + 1'b1;
    most_q  <= coalesce_cycles > 16'(BUSY_CYCLES) ? coalesce_cycles : 16'(BUSY_CYCLES);
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
  logic beat_done;
  logic [7:0] done_slot;
  // One slot is freed a cycle: a discarded one waits for a cycle without a write's end.
  logic discard_q;
  slot_t discard_slot_q;
  assign freed      = beat_done | discard_q;
  assign freed_slot = beat_done ? slot_t'(done_slot) : discard_slot_q;
  assign read_addr  = {slot_t'(read_slot), read_second};
  qdma_completion_leave #(
      .DEPTH    (SLOTS / 2),
      .UNDER_WAY(UNDER_WAY)
  ) leave (
      .clk,
      .rst,
      .emission_room,
      .emission_valid,
      .emission,
      .is_empty,
      .read_en,
      .read_slot,
      .read_second,
      .read_data,
      .written     (beat_done),
      .written_slot(done_slot),
      .completion_valid,
      .completion_ready,
      .completion,
      .status_valid,
      .status_ready,
      .status,
      .cause_valid,
      .cause_ready,
      .cause
  );

  always_ff @(posedge clk) begin
    if (!beat_done) discard_q <= 1'b0;
    if (discard_valid) begin
      discard_q      <= 1'b1;
      discard_slot_q <= slot_t'(discard_slot);
    end
    if (rst) discard_q <= 1'b0;
  end

`ifndef SYNTHESIS
  list_fits :
  assert property (@(posedge clk) disable iff (rst) puts |-> fits);
`endif

  logic unused;
  assign unused = &{1'b0, unused_single, fits, entry, entry_slot, discard_slot, flush_slot, emission, read_slot,
      done_slot};
endmodule
