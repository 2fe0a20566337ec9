// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Loopback of transceiver words: while `on`, the receiver gets what is transmitted in place of the line.
// Latency: none from `in` to `out`, one LUT.  From tx_data to `out` about PRIME + 6 cycles.  `on` works two to three
// cycles of rx_clk later; the line then stops in mid-word, so the receiver loses its lock and finds the new one.
//
//   tx_data -> [register] -> async_fifo -> [register] -> out
//
// The FIFO has no other control than its filling.  It is read in each cycle of rx_clk once the first word has waited
// for PRIME cycles, so that PRIME + 1 words are there; with those whose places the writer does not know to be free yet,
// about 10 of DEPTH = 16 are in use, and the clocks may wander by some cycles against each other.  Where there is no
// word, the receiver gets zeros, in which there is no valid header.
//
// rx_clk must run at the rate of tx_clk: a recovered clock that is locked to the reference, or tx_clk itself.  If it
// does not, the FIFO runs empty or full now and then and begins anew: some twenty words are lost, and the receiver
// counts bad headers or a loss of lock.  With clocks 100 ppm apart that is once in 40000 cycles or so.
//
// Resets: either one empties the FIFO; it begins anew when both are over.  The FIFO works whether `on` or not.
module macpcs_pma_loopback #(
    parameter int WIDTH = 32
) (
    input logic             tx_clk,
    input logic             tx_rst,
    input logic [WIDTH-1:0] tx_data,

    input  logic             rx_clk,
    input  logic             rx_rst,
    input  logic             on,      // from any clock
    input  logic [WIDTH-1:0] in,
    output logic [WIDTH-1:0] out
);
  if (!(WIDTH inside {16, 32})) begin : gen_bad_width
    $error("macpcs_pma_loopback: WIDTH must be 16 or 32");
  end

  localparam int PRIME = 3;

  logic on_rx;
  cdc_bits u_on (
      .clk(rx_clk),
      .rst(1'b0),
      .d  (on),
      .q  (on_rx)
  );

  // --- Writer: a word in each cycle
  logic [WIDTH-1:0] tx_data_q;
  logic wr_ready, wr_reset, full_q;
  always_ff @(posedge tx_clk) begin
    tx_data_q <= tx_data;
    full_q    <= ~wr_ready & ~wr_reset & ~tx_rst;
  end

  logic rd_valid, rd_ready;
  logic [WIDTH-1:0] rd_data;
  async_fifo #(
      .WIDTH(WIDTH),
      .DEPTH(16)
  ) u_fifo (
      .wr_clk  (tx_clk),
      .wr_rst  (tx_rst | full_q),  // a full FIFO begins anew, or each further word would be on the brink
      .wr_reset,
      .wr_data (tx_data_q),
      .wr_valid(1'b1),
      .wr_ready,
      .rd_clk  (rx_clk),
      .rd_rst  (rx_rst),
      .rd_reset(),
      .rd_data,
      .rd_valid,
      .rd_ready
  );

  // --- Reader
  logic [PRIME-1:0] waited_q;
  logic [WIDTH-1:0] word_q;
  logic select_q;
  assign rd_ready = waited_q[PRIME-1];
  always_ff @(posedge rx_clk) begin
    waited_q <= {PRIME{rd_valid}} & {waited_q[PRIME-2:0], 1'b1};
    word_q   <= rd_data & {WIDTH{rd_valid & rd_ready}};
    select_q <= on_rx;
  end
  assign out = select_q ? word_q : in;
endmodule
