// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Puts parts of lines one after the other: packets whose beats begin in byte 0 and are full up to the end.
//
// Latency: 1 cycle of a part that is not rotated, while no other is on its way; else 4.  A part in each cycle, but for a last
// part that fills one beat and begins another: 2 cycles.
//
// Interface: bytes offset to offset + bytes - 1 of data are the packet's; an end may have none.  `side` is of the packet.
// With HAS_START its first byte is put at `start`; the bytes of its first beat are counted from byte 0 all the same.
//
// Operation: a part is rotated to where the packet has got to, in three steps of 4:1 multiplexers: by bytes, by dwords, by
// 16 bytes.  What does not fill a beat stays in a register.  A part that begins where its beat does, or its packet, and is
// there already goes past the three steps while they are empty.
module qdma_align
  import qdma_tlp_pkg::*;
#(
    parameter int SIDE_BITS = 8,
    parameter bit HAS_START = 1'b0
) (
    input logic clk,
    input logic rst,

    input  logic                  part_valid,
    output logic                  part_ready,
    input  beat_t                 part_data,
    input  logic  [          5:0] part_start,   // 0 unless HAS_START
    input  logic  [          5:0] part_offset,
    input  logic  [          6:0] part_bytes,
    input  logic                  part_eop,
    input  logic                  part_error,
    input  logic  [SIDE_BITS-1:0] part_side,

    output logic                  beat_valid,
    input  logic                  beat_ready,
    output beat_t                 beat_data,
    output logic  [          6:0] beat_bytes,
    output logic                  beat_sop,
    output logic                  beat_eop,
    output logic                  beat_error,
    output logic  [SIDE_BITS-1:0] beat_side
);
  localparam int BYTES = BEAT_BITS / 8;

  typedef struct packed {
    logic valid;
    logic [5:0] place;  // where the part begins in the beat
    logic emits;  // a beat is full, or ends
    logic [6:0] bytes;  // of that beat
    logic eop;
    logic error;
    logic [SIDE_BITS-1:0] side;
  } step_t;

  // --- Cycle 0: where it goes
  logic go, spills, spilled_q, begun_q;  // spilled_q: the end of a packet is in the register, and to be a beat
  logic error_q;
  logic [SIDE_BITS-1:0] side_q;  // of that packet
  logic [5:0] place_q, place;
  logic [6:0] total;
  step_t step;
  assign go         = ~beat_valid | beat_ready;
  assign total      = {1'b0, place} + part_bytes;
  assign spills     = part_eop & (total > 7'(BYTES));
  assign part_ready = go & ~spilled_q;
  always_comb begin
    step = '{
        valid: part_valid,
        place: place,
        emits: part_eop | (total >= 7'(BYTES)),
        bytes: total >= 7'(BYTES) ? 7'(BYTES) : total,
        eop: part_eop & ~spills,
        error: part_error & ~spills,
        side: part_side
    };
    if (spilled_q) begin
      step = '{
          valid: 1'b1,
          place: place_q,
          emits: 1'b1,
          bytes: {1'b0, place_q},
          eop: 1'b1,
          error: error_q,
          side: side_q
      };
    end
  end

  // Where the part goes: at its packet's begin, or after the part before.  begins: it is the first one of its beat
  logic begins;
  if (HAS_START) begin : gen_start
    logic inside_q;
    assign place  = inside_q ? place_q : part_start;
    assign begins = ~inside_q | (place_q == '0);
    always_ff @(posedge clk) begin
      if (part_valid && part_ready) inside_q <= ~part_eop;
      if (rst) inside_q <= 1'b0;
    end
  end else begin : gen_no_start
    logic unused_start;
    assign place = place_q;
    assign begins = place_q == '0;
    assign unused_start = &{1'b0, part_start};
  end

  // --- Cycles 1, 2, 3: rotated
  function automatic beat_t rotated(input beat_t from, input logic [1:0] count, input int unit);
    beat_t result;
    for (int i = 0; i < BYTES; i++) begin
      case (count)
        2'd0: result[8*i+:8] = from[8*i+:8];
        2'd1: result[8*i+:8] = from[8*((i+unit)%BYTES)+:8];
        2'd2: result[8*i+:8] = from[8*((i+2*unit)%BYTES)+:8];
        default: result[8*i+:8] = from[8*((i+3*unit)%BYTES)+:8];
      endcase
    end
    return result;
  endfunction

  step_t step_1_q, step_2_q, step_3_q;
  logic [5:0] by_1_q, by_2_q;
  beat_t data_1_q, data_2_q, data_3_q, rest_q, merged;
  logic [5:0] by;
  assign by = part_offset - place;

  // Past the steps.  part_valid comes late: without it nothing is lost, since no beat is there, and no rest.  Of a part that
  // spills, the first beat is in step 1 meanwhile.
  logic  passes;
  step_t out;
  assign passes = ~(step_1_q.valid | step_2_q.valid | step_3_q.valid) & begins & (by == '0);
  assign out = passes ? step : step_3_q;
  always_comb begin
    for (int i = 0; i < BYTES; i++) begin
      merged[8*i+:8] = 6'(i) < step_3_q.place ? rest_q[8*i+:8] : data_3_q[8*i+:8];
    end
  end

  always_ff @(posedge clk) begin
    if (go) begin
      if (spilled_q) begin
        spilled_q <= 1'b0;
        place_q   <= '0;
      end else if (part_valid) begin
        spilled_q <= spills;
        place_q   <= spills || !part_eop ? total[5:0] : '0;
        error_q   <= part_error;
        side_q    <= part_side;
      end
      step_1_q <= step;
      step_1_q.valid <= step.valid & ~passes;
      step_2_q <= step_1_q;
      step_3_q <= step_2_q;
      by_1_q <= by;
      by_2_q <= by_1_q;
      data_1_q <= rotated(part_data, by[1:0], 1);
      data_2_q <= rotated(data_1_q, by_1_q[3:2], 4);
      data_3_q <= rotated(data_2_q, by_2_q[5:4], 16);

      beat_valid <= out.valid & out.emits;
      if (out.valid) begun_q <= ~(out.emits & out.eop) & (begun_q | out.emits);
      if (passes || step_3_q.valid) begin
        // What is beyond a beat that is full is of the next one.
        rest_q     <= passes ? part_data : step_3_q.emits ? data_3_q : merged;
        beat_data  <= passes ? part_data : merged;
        beat_bytes <= out.bytes;
        beat_sop   <= ~begun_q;
        beat_eop   <= out.eop;
        beat_error <= out.error;
        beat_side  <= out.side;
      end
    end
    if (rst) begin
      spilled_q      <= 1'b0;
      place_q        <= '0;
      step_1_q.valid <= 1'b0;
      step_2_q.valid <= 1'b0;
      step_3_q.valid <= 1'b0;
      begun_q        <= 1'b0;
      beat_valid     <= 1'b0;
    end
  end

  logic unused;
  assign unused = &{1'b0, by_1_q[1:0], by_2_q[3:0], out};
endmodule
