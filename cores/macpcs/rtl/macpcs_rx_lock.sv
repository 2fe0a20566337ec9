// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Block lock (IEEE 802.3 figure 49-12) and receive gearbox schedule: which payload word completes in this transceiver
// word, and at which of its bits.  Latency: none; all outputs but first_next and end_bit_ahead are registers.
//
// The payload words of a block all end at the same bit `end_bit`; the next block's end two bits later (its header lies
// in between), or three where a bit is slipped.  When that passes the end of the transceiver word, one cycle completes
// no payload word (stall).  The header of the next block always ends at bit `end_bit_next` of the cycle before its first
// payload word completes, so the caller can align it there and it is registered here: nothing waits for the transceiver.
//
//   WIDTH = 32, end_bit 28:  ... |............first half^...|  ends at 28
//                            ... |...........second half^hh.|  header in bits 29, 30: end_bit_next = 30
//                            ... |..............first half^.|
module macpcs_rx_lock
  import macpcs_pkg::*;
#(
    parameter int WIDTH = 32
) (
    input logic clk,
    input logic rst,

    input logic blind,  // the decoder is to see nothing but wrong headers
    input logic [1:0] header_next,  // bits end_bit_next-1 and end_bit_next; looked at where first_next

    output slot_t slot,
    output logic first_next,  // the next cycle completes the first payload word of a block
    output logic [$clog2(WIDTH)-1:0] end_bit,
    output logic [$clog2(WIDTH)-1:0] end_bit_ahead,  // end_bit of the next cycle, but for one that a reset ends
    output logic [$clog2(
WIDTH
)-1:0] end_bit_next,  // of the next block; good from the cycle after its header was judged on
    output logic is_data,  // header of the present block; neither: it is wrong
    output logic is_control,
    output logic lock,

    output logic stat_bad_header,
    output logic stat_lock_lost
);
  localparam logic [1:0] LAST_POS = 2'(64 / WIDTH - 1);
  localparam int BITS = $clog2(WIDTH);
  localparam int HEADERS = 64;  // a window
  localparam int MAX_BAD = 16;  // so many bad headers in it lose lock

  logic wrap_q;  // end_bit_next lies in the word after: a stall comes first
  logic [$clog2(HEADERS)-1:0] headers_q;
  logic [$clog2(MAX_BAD)-1:0] bad_q;
  logic
      headers_full_q,
      bad_full_q;  // the counter is at its end; it stands still for a cycle at least before that matters

  // The header is judged in the first slot of its block, with 16-bit words, whose blocks have four, in the second.
  logic first, judge, header_right, header_bad, slip;
  assign first = ~slot.stall & (slot.pos == 0);
  if (WIDTH == 16) begin : gen_judge_second
    logic wrong_q;
    always_ff @(posedge clk) begin
      judge   <= first & ~rst;
      wrong_q <= ~header_right;
    end
    assign header_bad = judge & wrong_q;
  end else begin : gen_judge_first
    assign judge      = first;
    assign header_bad = judge & ~header_right;
  end
  assign slip          = header_bad & (~lock | bad_full_q);
  assign first_next    = slot.stall | (slot.pos == LAST_POS & ~wrap_q);
  assign end_bit_ahead = !slot.stall && slot.pos == LAST_POS ? end_bit_next : end_bit;

  // end_bit + 2, or + 3 with a slip: bit by bit, one LUT each, where an adder would be mapped to a carry chain
  logic [  BITS:0] sum;
  logic [BITS-1:0] carry;
  assign sum[1:0]   = {~(end_bit[1] ^ carry[0]), end_bit[0] ^ slip};
  assign carry[1:0] = {end_bit[1] | carry[0], end_bit[0] & slip};
  for (genvar i = 2; i < BITS; i++) begin : gen_sum
    assign sum[i]   = end_bit[i] ^ carry[i-1];
    assign carry[i] = end_bit[i] & carry[i-1];
  end
  assign sum[BITS] = carry[BITS-1];

  always_ff @(posedge clk) begin
    if (slot.stall) begin
      slot <= '{stall: 1'b0, pos: 2'd0};
    end else if (slot.pos == LAST_POS) begin
      slot <= '{stall: wrap_q, pos: 2'd0};
    end else begin
      slot.pos <= slot.pos + 2'd1;
    end
    end_bit <= end_bit_ahead;
    if (judge) {wrap_q, end_bit_next} <= sum;
    if (first_next) begin
      is_data      <= (header_next == HEADER_DATA) & ~blind;
      is_control   <= (header_next == HEADER_CONTROL) & ~blind;
      header_right <= ^header_next;
    end

    if (judge) begin
      headers_q <= headers_q + 1'b1;
      if (slip) begin
        lock      <= 1'b0;
        headers_q <= '0;
        bad_q     <= '0;
      end else if (headers_full_q) begin
        lock  <= 1'b1;
        bad_q <= '0;
      end else if (header_bad) begin
        bad_q <= bad_q + 1'b1;
      end
    end
    headers_full_q  <= &headers_q;
    bad_full_q      <= &bad_q;
    stat_bad_header <= header_bad & lock;
    stat_lock_lost  <= slip & lock;

    if (rst) begin
      slot            <= '{stall: 1'b0, pos: LAST_POS};
      end_bit         <= '0;
      end_bit_next    <= '0;
      wrap_q          <= 1'b0;
      is_data         <= 1'b0;
      is_control      <= 1'b1;
      header_right    <= 1'b1;
      lock            <= 1'b0;
      headers_q       <= '0;
      bad_q           <= '0;
      headers_full_q  <= 1'b0;
      bad_full_q      <= 1'b0;
      stat_bad_header <= 1'b0;
      stat_lock_lost  <= 1'b0;
    end
  end
endmodule
