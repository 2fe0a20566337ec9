// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Store and forward towards the card: packets of beats of 64 bytes in, words of 8 bytes out, for one port.
//
// Latency: the first word of a packet is on m_tdata 3 cycles after its last beat was accepted, if nothing is before it.  A
// beat in each cycle in, a word in each cycle out, also from packet to packet.
//
// Interface: wr_* has valid and ready; beats are full up to the last one.  m_* is AXI-Stream, straight from registers.
// room: places that are free, but for MARGIN, 2 cycles after a beat.  Who sends no more than that never waits.
// A packet for which there is no room now waits (wr_ready); the DMA's other ports wait with it, but not for a card that has
// not taken the word that it is shown for STUCK_CYCLES: until it takes one, a packet without room is dropped.
//
// Operation: beats go into a block RAM.  A packet is published with its last beat: a descriptor with the place of this beat
// and its empty bytes is written to a FIFO.  A packet that is not published is overwritten.
//
//   rd_ptr_q ──► wr_base_q ──► wr_ptr_q       places: published packets, then the one that is coming
//
// While flush is high the store is empty, but for the packet whose first word the card has been shown: m_* goes on with it.
//
// Limits: a packet of more than DEPTH beats is dropped.
module card_dma_h2c #(
    parameter int DEPTH = 256,  // beats, a power of two, 8 or more
    parameter int MARGIN = 8,
    parameter int STUCK_CYCLES = 25000
) (
    input logic clk,
    input logic rst,
    input logic flush,

    input  logic         wr_valid,
    output logic         wr_ready,
    input  logic [511:0] wr_data,
    input  logic         wr_last,
    input  logic [  5:0] wr_mty,    // empty bytes of the last beat
    input  logic         wr_empty,  // the last beat has no bytes
    input  logic         wr_error,

    output logic [9:0] room,

    output logic [63:0] m_tdata,
    output logic [ 7:0] m_tkeep,
    output logic        m_tvalid,
    input  logic        m_tready,
    output logic        m_tlast,

    // A packet was dropped
    output logic event_error,
    output logic event_long,
    output logic event_empty,
    output logic event_stuck
);
  if (DEPTH != 1 << $clog2(DEPTH) || DEPTH < 8) begin : gen_bad_depth
    $error("card_dma_h2c: DEPTH must be a power of two, 8 or more");
  end

  localparam int BITS = $clog2(DEPTH);
  typedef logic [BITS:0] ptr_t;  // a place, and the parity of the round
  typedef struct packed {
    ptr_t last;  // place of the last beat
    logic [5:0] mty;
  } packet_t;

  ptr_t wr_ptr_q, wr_base_q, rd_ptr_q, last_q, used;
  logic is_full, has_room, has_error_q, is_long_q, is_cut_q, has_error, is_long, is_cut, accept, ends, publish;
  logic published_ready, is_stuck_q;
  logic published_valid, starts;
  packet_t published;
  logic [BITS:0] published_used;

  // --- Writer
  assign used        = wr_ptr_q - rd_ptr_q;
  assign is_full     = used[BITS];
  assign has_error   = has_error_q | wr_error;
  // All places are this packet's: it never fits.
  assign is_long     = is_long_q | (is_full & (wr_base_q == rd_ptr_q));
  assign has_room    = ~is_full & published_ready;
  assign is_cut      = is_cut_q | (is_stuck_q & ~has_room);
  assign wr_ready    = flush | is_long | is_cut | has_room;
  assign accept      = wr_valid & wr_ready & ~flush;
  assign ends        = accept & wr_last;
  assign event_error = ends & has_error;
  assign event_long  = ends & is_long & ~has_error;
  assign event_stuck = ends & is_cut & ~is_long & ~has_error;
  assign event_empty = ends & wr_empty & ~is_long & ~is_cut & ~has_error;
  assign publish     = ends & ~has_error & ~is_long & ~is_cut & ~wr_empty;

  qdma_small_fifo #(
      .WIDTH($bits(packet_t)),
      .DEPTH(DEPTH)
  ) u_published (
      .clk,
      .rst     (rst | flush),
      .wr_valid(publish),
      .wr_ready(published_ready),
      .wr_data ({wr_ptr_q, wr_mty}),
      .rd_valid(published_valid),
      .rd_ready(starts),
      .rd_data (published),
      .used    (published_used)
  );

  // --- Reader: the beat whose words are sent is on `beat`, which keeps it
  logic beat_valid_q, is_final_q, shown_q;  // shown_q: the card has been shown a word of this packet
  logic goes_on, fetch, moves, beat_ends, packet_ends;
  logic [2:0] word_q, last_word;
  logic [5:0] mty_q;
  logic [7:0][63:0] beat;
  assign moves       = beat_valid_q & (~m_tvalid | m_tready) & (shown_q | ~flush);
  assign last_word   = is_final_q ? ~mty_q[5:3] : 3'd7;
  assign beat_ends   = moves & (word_q == last_word);
  assign packet_ends = beat_ends & is_final_q;
  assign goes_on     = beat_ends & ~is_final_q;
  assign starts      = published_valid & ~flush & (~beat_valid_q | packet_ends);
  assign fetch       = starts | goes_on;

  ram_sdp #(
      .WIDTH(512),
      .DEPTH(DEPTH)
  ) u_ram (
      .clk,
      .wr_en  (accept & ~is_cut),
      .wr_addr(wr_ptr_q[BITS-1:0]),
      .wr_data,
      .rd_en  (fetch),
      .rd_addr(rd_ptr_q[BITS-1:0]),
      .rd_data(beat)
  );

  always_ff @(posedge clk) begin
    room <= used > ptr_t'(DEPTH - MARGIN) ? '0 : 10'(ptr_t'(DEPTH - MARGIN) - used);
    if (accept) begin
      has_error_q <= has_error & ~wr_last;
      is_long_q   <= is_long & ~wr_last;
      is_cut_q    <= is_cut & ~wr_last;
      wr_ptr_q    <= (ends & ~publish) | is_long | is_cut ? wr_base_q : wr_ptr_q + 1'b1;
      if (publish) wr_base_q <= wr_ptr_q + 1'b1;
    end
    if (fetch) begin
      rd_ptr_q   <= rd_ptr_q + 1'b1;
      is_final_q <= rd_ptr_q == (starts ? published.last : last_q);
      word_q     <= '0;
    end else if (moves) begin
      word_q <= word_q + 1'b1;
    end
    if (starts) {last_q, mty_q} <= published;
    beat_valid_q <= fetch | (beat_valid_q & ~beat_ends);
    shown_q      <= ~starts & (shown_q | moves);

    m_tvalid     <= moves | (m_tvalid & ~m_tready);
    if (moves) begin
      m_tdata <= beat[word_q];
      m_tlast <= packet_ends;
      m_tkeep <= packet_ends ? 8'hff >> mty_q[2:0] : 8'hff;
    end

    if (flush) begin
      has_error_q <= 1'b0;
      is_long_q   <= 1'b0;
      is_cut_q    <= 1'b0;
      if (beat_valid_q && shown_q) begin
        wr_ptr_q  <= last_q + 1'b1;
        wr_base_q <= last_q + 1'b1;
      end else begin
        wr_ptr_q     <= rd_ptr_q;
        wr_base_q    <= rd_ptr_q;
        beat_valid_q <= 1'b0;
      end
    end
    if (rst) begin
      has_error_q  <= 1'b0;
      is_long_q    <= 1'b0;
      is_cut_q     <= 1'b0;
      wr_ptr_q     <= '0;
      wr_base_q    <= '0;
      rd_ptr_q     <= '0;
      beat_valid_q <= 1'b0;
      m_tvalid     <= 1'b0;
    end
  end

  // --- A card that takes nothing
  logic [$clog2(STUCK_CYCLES+1)-1:0] waited_q;
  always_ff @(posedge clk) begin
    is_stuck_q <= m_tvalid & ~m_tready & (is_stuck_q | (waited_q == ($bits(waited_q))'(STUCK_CYCLES - 1)));
    waited_q   <= waited_q + 1'b1;
    if (!m_tvalid || m_tready || is_stuck_q) waited_q <= '0;
    if (rst) begin
      is_stuck_q <= 1'b0;
      waited_q   <= '0;
    end
  end

  logic unused;
  assign unused = &{1'b0, published_used};
endmodule
