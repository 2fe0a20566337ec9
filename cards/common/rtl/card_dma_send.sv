// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Sends the ports' packets in the order of their grants.
//
// Latency: a grant names the port from the next cycle on; a beat is on m_tdata 1 cycle after beat_valid of that port.  A beat
// in each cycle, also from packet to packet.
//
// Interface: grants, one a cycle at most, have no ready; may_ask says that there is room for one of each port beside those
// that are under way, and takes effect in the next cycle.  m_* is AXI-Stream.
//
// Limits: the beats of a packet go as they come.  A port whose packet is being sent and has not come whole stops the others.
module card_dma_send #(
    parameter int PORTS  = 2,
    parameter int GRANTS = 64  // packets that are granted and not sent, a power of two
) (
    input logic clk,
    input logic rst,

    input  logic [PORTS-1:0] grant,
    output logic             may_ask,

    input  logic [PORTS-1:0]        beat_valid,
    output logic [PORTS-1:0]        beat_ready,
    input  logic [PORTS-1:0][511:0] beat_data,
    input  logic [PORTS-1:0]        beat_last,
    input  logic [PORTS-1:0][  5:0] beat_mty,

    output logic         m_tvalid,
    input  logic         m_tready,
    output logic [511:0] m_tdata,
    output logic         m_tlast,
    output logic [  5:0] m_tmty
);
  localparam int BITS = $clog2(GRANTS);
  logic [PORTS-1:0] turn;  // the port whose packet is sent
  logic has_turn, is_open, moves, valid, last, order_ready;
  logic [511:0] data;
  logic [5:0] mty;
  logic [BITS:0] order_used;

  qdma_small_fifo #(
      .WIDTH(PORTS),
      .DEPTH(GRANTS)
  ) u_order (
      .clk,
      .rst,
      .wr_valid(|grant),
      .wr_ready(order_ready),
      .wr_data (grant),
      .rd_valid(has_turn),
      .rd_ready(moves & last),
      .rd_data (turn),
      .used    (order_used)
  );

  always_comb begin
    {valid, last, data, mty} = '0;
    for (int i = 0; i < PORTS; i++) begin
      valid |= turn[i] & beat_valid[i];
      last |= turn[i] & beat_last[i];
      data |= turn[i] ? beat_data[i] : '0;
      mty |= turn[i] ? beat_mty[i] : '0;
    end
  end
  assign is_open    = has_turn & (~m_tvalid | m_tready);
  assign moves      = is_open & valid;
  assign beat_ready = is_open ? turn : '0;

  always_ff @(posedge clk) begin
    // Each port may have an ask without an answer, and one more is chosen before this takes effect.
    may_ask  <= order_used < (BITS + 1)'(GRANTS - PORTS - 1);
    m_tvalid <= moves | (m_tvalid & ~m_tready);
    if (~m_tvalid | m_tready) begin
      m_tdata <= data;
      m_tlast <= last;
      m_tmty  <= mty;
    end
    if (rst) begin
      may_ask  <= 1'b0;
      m_tvalid <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  order_fits :
  assert property (@(posedge clk) disable iff (rst) |grant |-> order_ready);
`endif

  logic unused;
  assign unused = &{1'b0, order_ready};
endmodule
