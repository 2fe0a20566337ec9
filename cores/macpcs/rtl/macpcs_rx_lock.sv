// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Block lock (IEEE 802.3 figure 49-12) and receive gearbox schedule: which payload word completes in this transceiver
// word, and at which of its bits.  Latency: none; all outputs are registers.
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

    input logic [1:0] header_next,  // bits end_bit_next-1 and end_bit_next; looked at where first_next

    output slot_t slot,
    output logic first_next,  // the next cycle completes the first payload word of a block
    output logic [$clog2(WIDTH)-1:0] end_bit,
    output logic [$clog2(WIDTH)-1:0] end_bit_next,  // of the next block; good from the second cycle of a block on
    output logic [1:0] header,  // of the present block
    output logic lock,

    output logic stat_bad_header,
    output logic stat_lock_lost
);
  localparam logic [1:0] LAST_POS = 2'(64 / WIDTH - 1);
  localparam int BITS = $clog2(WIDTH);
  localparam logic [5:0] HEADERS = 6'd63;  // a window of 64 headers
  localparam logic [3:0] MAX_BAD = 4'd15;  // one more loses lock

  logic wrap_q;  // end_bit_next lies in the word after: a stall comes first
  logic [5:0] headers_q;
  logic [3:0] bad_q;

  logic first, header_bad, slip;
  assign first      = ~slot.stall & (slot.pos == 0);
  assign header_bad = first & ~(^header);
  assign slip       = header_bad & (~lock | (bad_q == MAX_BAD));
  assign first_next = slot.stall | (slot.pos == LAST_POS & ~wrap_q);

  always_ff @(posedge clk) begin
    if (slot.stall) begin
      slot <= '{stall: 1'b0, pos: 2'd0};
    end else if (slot.pos == LAST_POS) begin
      slot    <= '{stall: wrap_q, pos: 2'd0};
      end_bit <= end_bit_next;
    end else begin
      slot.pos <= slot.pos + 2'd1;
    end
    if (first) {wrap_q, end_bit_next} <= {1'b0, end_bit} + (slip ? (BITS + 1)'(3) : (BITS + 1)'(2));
    if (first_next) header <= header_next;

    if (first) begin
      headers_q <= headers_q + 6'd1;
      if (slip) begin
        lock      <= 1'b0;
        headers_q <= '0;
        bad_q     <= '0;
      end else if (headers_q == HEADERS) begin
        lock  <= 1'b1;
        bad_q <= '0;
      end else if (header_bad) begin
        bad_q <= bad_q + 4'd1;
      end
    end
    stat_bad_header <= header_bad & lock;
    stat_lock_lost  <= slip & lock;

    if (rst) begin
      slot            <= '{stall: 1'b0, pos: LAST_POS};
      end_bit         <= '0;
      end_bit_next    <= '0;
      wrap_q          <= 1'b0;
      header          <= HEADER_CONTROL;
      lock            <= 1'b0;
      headers_q       <= '0;
      bad_q           <= '0;
      stat_bad_header <= 1'b0;
      stat_lock_lost  <= 1'b0;
    end
  end
endmodule
