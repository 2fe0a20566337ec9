// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Received frames to the host's clock: the MAC's words, packed into words of 64 bits, with the verdict beside the last.
// The MAC's verdict comes VERDICT cycles after a frame's last word, so the words wait for it in a delay line.
//
//   rx_clk   s_axis, status ─►[VERDICT cycles]─► 64 bits ─► async_fifo ─► m   host_clk
//
// Latency: 64 bits are on m_data 2 to 3 edges of host_clk, VERDICT + 1 cycles of rx_clk after the last of them.
//
// host_clk takes a word in each cycle, and needs 2.3 of 3 of them for the line's rate (161 MHz).  A word that finds the
// FIFO full (a slower host_clk, or a host in reset) is dropped: its frame ends with m_lost.  A reset of rx_clk empties
// the FIFO, and m_reset reports it.
module card_rx #(
    parameter int WIDTH   = 32,  // 16 or 32
    parameter int VERDICT = 1    // cycles from the last word to the verdict, 1 or more
) (
    input logic rx_clk,
    input logic rx_rst,

    input logic [  WIDTH-1:0] s_axis_tdata,
    input logic [WIDTH/8-1:0] s_axis_tkeep,
    input logic               s_axis_tvalid,
    input logic               s_axis_tlast,
    input logic               status_good,

    input  logic        host_clk,
    input  logic        host_rst,
    output logic        m_reset,
    output logic        m_valid,
    input  logic        m_ready,
    output logic [63:0] m_data,
    output logic [ 3:0] m_bytes,
    output logic        m_last,
    output logic        m_bad,     // with m_last: the MAC's verdict, or m_lost
    output logic        m_lost     // with m_last: words of this frame are missing
);
  localparam int SLOTS = 64 / WIDTH;
  localparam int BYTES = WIDTH / 8;

  // --- Delay line
  typedef struct packed {
    logic valid;
    logic last;
    logic [BYTES-1:0] keep;
    logic [WIDTH-1:0] data;
  } beat_t;
  beat_t [VERDICT-1:0] beat_q;
  beat_t beat, now;
  assign beat = '{valid: s_axis_tvalid, last: s_axis_tlast, keep: s_axis_tkeep, data: s_axis_tdata};
  assign now  = beat_q[VERDICT-1];
  always_ff @(posedge rx_clk) begin
    beat_q[0] <= beat;
    for (int i = 1; i < VERDICT; i++) beat_q[i] <= beat_q[i-1];
    if (rx_rst) for (int i = 0; i < VERDICT; i++) beat_q[i].valid <= 1'b0;
  end

  function automatic logic [2:0] count_of(input logic [BYTES-1:0] keep);
    logic [2:0] r;
    r = '0;
    for (int i = 0; i < BYTES; i++) r += 3'(keep[i]);
    return r;
  endfunction

  // --- 64 bits
  logic [$clog2(SLOTS)-1:0] slot_q;
  logic [SLOTS-1:0][WIDTH-1:0] data_q;
  logic [3:0] bytes_q;
  logic put_q, last_q, good_q, lost_q, lost, fifo_ready, fifo_reset;
  assign lost = lost_q | ~fifo_ready;

  always_ff @(posedge rx_clk) begin
    put_q <= now.valid & (now.last | (slot_q == $clog2(SLOTS)'(SLOTS - 1)));
    if (now.valid) begin
      data_q[slot_q] <= now.data;
      bytes_q        <= 4'(BYTES) * 4'(slot_q) + 4'(count_of(now.keep));
      last_q         <= now.last;
      good_q         <= status_good;
      slot_q         <= now.last ? '0 : slot_q + 1'b1;
    end
    // The mark stays until a last word has reported it.  A reset of the FIFO clears it: no report is needed then.
    if (put_q) lost_q <= last_q ? ~fifo_ready & ~fifo_reset : lost;
    if (rx_rst) begin
      slot_q <= '0;
      put_q  <= 1'b0;
      lost_q <= 1'b0;
    end
  end

  logic m_good;
  async_fifo #(
      .WIDTH(71),
      .DEPTH(8)
  ) u_fifo (
      .wr_clk  (rx_clk),
      .wr_rst  (rx_rst),
      .wr_reset(fifo_reset),
      .wr_data ({lost_q, good_q, last_q, bytes_q, data_q}),
      .wr_valid(put_q),
      .wr_ready(fifo_ready),
      .rd_clk  (host_clk),
      .rd_rst  (host_rst),
      .rd_reset(m_reset),
      .rd_data ({m_lost, m_good, m_last, m_bytes, m_data}),
      .rd_valid(m_valid),
      .rd_ready(m_ready)
  );
  assign m_bad = m_lost | ~m_good;
endmodule
