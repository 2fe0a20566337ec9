// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Mirror frames to the host's clock, 32 bits to 64, and the fence that keeps received frames after them.
// Latency: 64 bits are on m_data 2 to 3 edges of host_clk, 1 cycle of clk after the second half.
//
// The fence: for a request of the host's side a mark goes into the stream, after every frame that had left when the
// request came.  The engine's FIFO shows a frame 3 cycles after the MAC has taken its last word, and never pauses while
// it has one; so either it is empty now, or what matters is among its next MIRROR_DEPTH words.  The mark bears the
// request's number, so that one to an older request (of before a reset) is known.
//
// Resets: one of the host's side drops the rest of a frame that is under way here; m_reset reports both to the host's side.
module card_mirror #(
    parameter int MIRROR_DEPTH = 1024  // words of 32 bits that the engine's FIFO holds
) (
    input logic clk,
    input logic rst,

    input  logic [31:0] s_mirror_tdata,
    input  logic [ 3:0] s_mirror_tkeep,
    input  logic        s_mirror_tvalid,
    output logic        s_mirror_tready,
    input  logic        s_mirror_tlast,
    input  logic        s_mirror_tuser,

    input  logic        host_clk,
    input  logic        host_rst,
    output logic        m_reset,
    output logic        m_valid,
    input  logic        m_ready,
    output logic        m_fence,   // a mark, not a word
    output logic [ 1:0] m_number,  // of the request
    output logic [63:0] m_data,
    output logic [ 3:0] m_bytes,
    output logic        m_last,
    output logic        m_bad,     // with m_last: the frame left with a wrong FCS

    input  logic       fence_valid,  // a request
    output logic       fence_ready,
    input  logic [1:0] fence_number
);
  localparam int HELD = MIRROR_DEPTH + 2;  // words, with the registers after the engine's RAM
  localparam int HELD_WIDTH = $clog2(HELD + 1);

  logic put_q, fence_q, last_q, bad_q, high_q, begun_q, skip_q, fifo_ready, fifo_reset, can_put, take, mark;
  logic [1:0][31:0] data_q;
  logic [3:0] bytes_q;
  logic [HELD_WIDTH-1:0] held_q;  // words that may still be of frames from before the request
  logic request;
  logic pending_q = 1'b0;  // a request outlives every reset: the host's side waits for its mark
  logic [1:0] number, number_q;

  assign can_put = ~put_q | fifo_ready;
  assign s_mirror_tready = skip_q | (can_put & ~fifo_reset & ~(pending_q & ~begun_q & (held_q == 0)));
  assign take = s_mirror_tvalid & s_mirror_tready;
  assign mark = pending_q & can_put & ~fifo_reset & ~begun_q & ((held_q == 0) | ~s_mirror_tvalid);

  always_ff @(posedge clk) begin
    pending_q <= request | (pending_q & ~mark);
    if (request) number_q <= number;
    if (request) held_q <= HELD_WIDTH'(HELD);
    else if (take && held_q != 0) held_q <= held_q - 1'b1;
  end

  always_ff @(posedge clk) begin
    if (take) begin
      begun_q <= ~s_mirror_tlast;
      data_q[high_q] <= s_mirror_tdata;
      bytes_q        <= {1'b0, high_q, 2'b0} + 4'(s_mirror_tkeep[0]) + 4'(s_mirror_tkeep[1]) + 4'(s_mirror_tkeep[2])
                        + 4'(s_mirror_tkeep[3]);
      last_q <= s_mirror_tlast;
      bad_q <= s_mirror_tuser;
      high_q <= ~high_q & ~s_mirror_tlast;
    end
    if (mark) data_q[0] <= 32'(number_q);
    if (can_put) begin
      put_q   <= mark | (take & ~skip_q & (high_q | s_mirror_tlast));
      fence_q <= mark;
    end
    skip_q <= (skip_q | (fifo_reset & begun_q)) & ~(take & s_mirror_tlast);
    if (fifo_reset || rst) put_q <= 1'b0;
    if (rst) begin
      begun_q <= 1'b0;
      high_q  <= 1'b0;
      skip_q  <= 1'b0;
    end
  end

  async_fifo #(
      .WIDTH(71),
      .DEPTH(8)
  ) u_fifo (
      .wr_clk  (clk),
      .wr_rst  (rst),
      .wr_reset(fifo_reset),
      .wr_data ({fence_q, bad_q, last_q, bytes_q, data_q}),
      .wr_valid(put_q),
      .wr_ready(fifo_ready),
      .rd_clk  (host_clk),
      .rd_rst  (host_rst),
      .rd_reset(m_reset),
      .rd_data ({m_fence, m_bad, m_last, m_bytes, m_data}),
      .rd_valid(m_valid),
      .rd_ready(m_ready)
  );
  assign m_number = m_data[1:0];

  cdc_handshake #(
      .WIDTH(2)
  ) fence_request (
      .s_clk  (host_clk),
      .s_rst  (1'b0),
      .s_data (fence_number),
      .s_valid(fence_valid),
      .s_ready(fence_ready),
      .m_clk  (clk),
      .m_rst  (1'b0),
      .m_data (number),
      .m_valid(request)
  );
endmodule
