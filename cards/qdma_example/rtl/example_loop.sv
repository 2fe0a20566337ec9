// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// H2C packets on their way back: stores them, and asks for them one at a time.
//
// Latency: a packet is asked for 2 cycles after its last beat.
//
// Interface: s_* are beats of packets that come back, valid and ready; an error is said with the last one.  request, verdict:
// example_ask.  m_*: the beats of the packet that was granted, taken by the sender; m_done with its end.  drop: a packet for
// which there is no room is dropped, there or here; else it waits, and so does H2C.
//
// Operation: a packet is readable when its last beat has come without error.  One that is longer than the store, or
// has an error, is dropped, as one that qdma does not accept.
//
// Limits: packets of all queues wait for the oldest one.  DEPTH beats are the longest packet.
module example_loop
  import example_pkg::*;
#(
    parameter int DEPTH = 512  // beats, a power of two
) (
    input logic clk,
    input logic rst,

    input logic drop,
    input logic no_completion,

    input  logic         s_valid,
    output logic         s_ready,
    input  logic [511:0] s_data,
    input  logic         s_last,
    input  logic [  6:0] s_bytes,
    input  logic [ 10:0] s_qid,
    input  logic         s_is_error,

    output logic     request_valid,
    input  logic     request_ready,
    output packet_t  request,
    input  verdict_t verdict,
    input  logic     any_event,

    output logic         m_valid,
    input  logic         m_ready,
    output logic [511:0] m_data,
    input  logic         m_done,

    output logic [31:0] stat_dropped  // here
);
  localparam int BITS = $clog2(DEPTH);
  localparam int PACKETS = 128;
  typedef enum logic [2:0] {
    IDLE,
    ASK,
    ASKED,
    HELD,
    SEND,
    DISCARD
  } state_e;
  state_e state_q;

  // --- The store: committed up to end_q
  logic [BITS:0] wr_q, end_q, rd_q, used, stored;
  logic [15:0] coming_q, length;
  logic is_lost_q, is_full, is_too_long, writes, commits, info_ready, info_valid, fetch, pops, is_whole, ends_packet;
  logic [10:0] info_qid;
  logic [$clog2(PACKETS):0] infos_used;
  logic [15:0] info_bytes, left_q;
  assign stored      = end_q - rd_q;
  assign used        = wr_q - rd_q;
  assign is_full     = used[BITS];
  // Nothing else can leave: it waits for its own end.
  assign is_too_long = is_full & (stored == '0) & (state_q == IDLE) & ~m_valid & ~info_valid;
  assign s_ready     = (~is_full & info_ready) | is_lost_q | is_too_long | drop;
  assign writes      = s_valid & s_ready & ~is_full & info_ready & ~is_lost_q & (s_bytes != '0);
  assign is_whole    = ~is_lost_q & (s_bytes == '0 || ~is_full) & info_ready & ~s_is_error;
  assign ends_packet = s_valid & s_ready & s_last;
  assign commits     = ends_packet & is_whole;
  assign length      = coming_q + 16'(s_bytes);

  ram_sdp #(
      .WIDTH(512),
      .DEPTH(DEPTH)
  ) store (
      .clk,
      .wr_en  (writes),
      .wr_addr(wr_q[BITS-1:0]),
      .wr_data(s_data),
      .rd_en  (fetch),
      .rd_addr(rd_q[BITS-1:0]),
      .rd_data(m_data)
  );
  qdma_small_fifo #(
      .WIDTH(27),
      .DEPTH(PACKETS)
  ) infos (
      .clk,
      .rst,
      .wr_valid(commits),
      .wr_ready(info_ready),
      .wr_data ({s_qid, length}),
      .rd_valid(info_valid),
      .rd_ready((state_q == SEND & m_done) | (state_q == DISCARD & left_q == '0)),
      .rd_data ({info_qid, info_bytes}),
      .used    (infos_used)
  );
  assign pops  = m_valid & (m_ready | (state_q == DISCARD & left_q != '0));
  assign fetch = (stored != '0) & (~m_valid | pops);

  always_ff @(posedge clk) begin
    if (writes) wr_q <= wr_q + 1'b1;
    if (s_valid && s_ready) begin
      coming_q  <= s_last ? '0 : length;
      is_lost_q <= ~s_last & (is_lost_q | ((is_full | ~info_ready) & s_bytes != '0));
    end
    if (commits) end_q <= wr_q + (BITS + 1)'(writes);
    else if (ends_packet) begin
      wr_q         <= end_q;
      stat_dropped <= stat_dropped + 1'b1;
    end
    if (fetch) rd_q <= rd_q + 1'b1;
    m_valid <= fetch | (m_valid & ~pops);

    if (pops) left_q <= left_q - 1'b1;
    case (state_q)
      IDLE: begin
        left_q <= 16'((17'(info_bytes) + 17'd63) >> 6);
        if (info_valid) state_q <= ASK;
      end
      ASK:     if (request_ready) state_q <= ASKED;
      ASKED: begin
        if (verdict.valid && verdict.packet.source == OF_LOOP) begin
          if (verdict.is_granted) state_q <= SEND;
          else if (!verdict.is_held || drop) state_q <= DISCARD;
          else state_q <= verdict.is_closed && !any_event ? HELD : ASK;
        end
      end
      HELD: begin
        if (drop) state_q <= DISCARD;
        else if (any_event) state_q <= ASK;
      end
      SEND:    if (m_done) state_q <= IDLE;
      default: if (left_q == '0) state_q <= IDLE;
    endcase
    if (rst) begin
      wr_q         <= '0;
      end_q        <= '0;
      rd_q         <= '0;
      coming_q     <= '0;
      is_lost_q    <= 1'b0;
      m_valid      <= 1'b0;
      stat_dropped <= '0;
      state_q      <= IDLE;
    end
  end

  assign request_valid = state_q == ASK;
  assign request = '{
          source: OF_LOOP,
          qid: info_qid,
          bytes: info_bytes,
          has_completion: ~no_completion,
          has_user_format: 1'b0
      };

  logic unused;
  assign unused = &{1'b0, infos_used, verdict.packet};
endmodule
