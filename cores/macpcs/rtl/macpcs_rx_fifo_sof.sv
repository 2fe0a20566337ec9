// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A bit for some of the entries of a FIFO between two clocks that is known a cycle after the entry was written.
// Latency: none beside the FIFO's: `out_sof` is right when the FIFO shows the entry, if rd_clk is not too fast (below).
//
// Operation: entries with a bit are counted on both sides.  The count is the bit's place in a RAM, so the FIFO's own
// addresses are not needed.
//
//   wr_clk    put   sof_next
//              |     |  written at the end of this cycle: one period of wr_clk after the entry
//   rd_clk                  [first stage]  [second stage: entry and out_sof show]  [the user's edge]
//
// Limits: the user's edge comes two periods of rd_clk after the entry was written, or later.  So the way from the RAM to
// a register has two periods of rd_clk less one of wr_clk, which the constraints say.  wr_clk must not stop after `put`.
// Both resets are those of the FIFO: the reader leaves first, and entries are dropped on both sides.
module macpcs_rx_fifo_sof #(
    parameter int DEPTH = 16  // of the FIFO; a power of two
) (
    input logic wr_clk,
    input logic wr_reset,  // of the FIFO's writer
    input logic put,       // in this cycle an entry with a bit is written
    input logic sof_next,  // in the cycle after it: the bit

    input  logic rd_clk,
    input  logic rd_reset,  // of the FIFO's reader
    input  logic take,      // in this cycle the entry is taken
    output logic out_sof    // of the oldest entry with a bit
);
  localparam int BITS = $clog2(DEPTH);
  typedef logic [BITS-1:0] place_t;

  // place + 1, without the carry chain that an adder would become
  function automatic place_t after(input place_t place);
    place_t r;
    for (int i = 0; i < BITS; i++) r[i] = place[i] ^ (&(place | (place_t'('1) << i)));
    return r;
  endfunction

  (* ram_style = "distributed", ramstyle = "MLAB, no_rw_check" *) logic ram[DEPTH];

  logic put_q;
  place_t wr_at_q, rd_at_q;
  always_ff @(posedge wr_clk) begin
    put_q <= put;
    if (put_q) begin
      ram[wr_at_q] <= sof_next;
      wr_at_q      <= after(wr_at_q);
    end
    if (wr_reset) wr_at_q <= '0;
  end
  always_ff @(posedge rd_clk) begin
    if (take) rd_at_q <= after(rd_at_q);
    if (rd_reset) rd_at_q <= '0;
  end
  assign out_sof = ram[rd_at_q];
endmodule
