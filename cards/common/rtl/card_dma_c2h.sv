// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A port's packets to the host: words into a FIFO of beats, and what becomes of each packet.
//
// Latency: wants 1 cycle after the first word of a packet was accepted, if no packet is before it; beat_valid 2 cycles after
// the last word of a beat.
//
// Interface: beats have valid and ready, and are those of granted packets, in order, or, while none is granted, of the next
// packet: beat_ready comes for granted packets only.  sent: the last beat of a granted packet is accepted.
// While flush is high, all is discarded (card_dma_pack).
//
//   s ─► card_dma_pack ─┬─► lengths ─► card_dma_ask ─► wants, length
//                       └─► beats ───────────────────► beat
module card_dma_c2h
  import qdma_c2h_pkg::*;
#(
    parameter int DEPTH = 64  // beats, a power of two, 8 or more
) (
    input logic clk,
    input logic rst,
    input logic flush,

    input  logic [63:0] s_tdata,
    input  logic [ 7:0] s_tkeep,
    input  logic        s_tvalid,
    output logic        s_tready,
    input  logic        s_tlast,

    // The next packet
    output logic        wants,
    output logic [15:0] length,
    input  logic        chosen,

    // Of this port's queue
    input  logic        answer_valid,
    input  c2h_answer_e answer,
    input  logic        event_valid,
    output logic        is_granted,
    output logic        is_unasked,    // a packet is dropped without an ask: the queue is closed
    output logic        is_discarded,  // a beat of a dropped packet is

    output logic         beat_valid,
    input  logic         beat_ready,
    output logic [511:0] beat_data,
    output logic         beat_last,
    output logic [  5:0] beat_mty
);
  if (DEPTH != 1 << $clog2(DEPTH) || DEPTH < 8) begin : gen_bad_depth
    $error("card_dma_c2h: DEPTH must be a power of two, 8 or more");
  end
  localparam int BITS = $clog2(DEPTH);
  localparam int MARGIN = 3;  // what card_dma_pack may have under way

  logic clear, length_valid, packed_valid, packed_last, lengths_ready, beats_ready, has_packet, is_done;
  logic has_granted, discards, sent;
  logic [ 15:0] packed_length;
  logic [511:0] packed_data;
  logic [  5:0] packed_mty;
  logic [BITS:0] lengths_used, beats_used, granted_q;
  assign clear = rst | flush;

  card_dma_pack u_pack (
      .clk,
      .rst,
      .flush,
      .s_tdata,
      .s_tkeep,
      .s_tvalid,
      .s_tready,
      .s_tlast,
      .has_room  (beats_used <= (BITS + 1)'(DEPTH - MARGIN)),
      .length_valid,
      .length    (packed_length),
      .beat_valid(packed_valid),
      .beat_data (packed_data),
      .beat_last (packed_last),
      .beat_mty  (packed_mty)
  );

  // A packet without an answer has all its beats in the FIFO, or in card_dma_pack: so there is room for each length.
  qdma_small_fifo #(
      .WIDTH(16),
      .DEPTH(DEPTH)
  ) u_lengths (
      .clk,
      .rst     (clear),
      .wr_valid(length_valid),
      .wr_ready(lengths_ready),
      .wr_data (packed_length),
      .rd_valid(has_packet),
      .rd_ready(is_done),
      .rd_data (length),
      .used    (lengths_used)
  );
  qdma_small_fifo #(
      .WIDTH(512 + 7),
      .DEPTH(DEPTH)
  ) u_beats (
      .clk,
      .rst     (clear),
      .wr_valid(packed_valid),
      .wr_ready(beats_ready),
      .wr_data ({packed_last, packed_mty, packed_data}),
      .rd_valid(beat_valid),
      .rd_ready(beat_ready | discards),
      .rd_data ({beat_last, beat_mty, beat_data}),
      .used    (beats_used)
  );

  card_dma_ask u_ask (
      .clk,
      .rst         (clear),
      .has_packet,
      .wants,
      .chosen,
      .answer_valid,
      .answer,
      .event_valid,
      .is_done,
      .is_granted,
      .is_unasked,
      .has_granted,
      .discards,
      .discard_ends(is_discarded & beat_last)
  );
  assign is_discarded = discards & beat_valid;

  // --- Packets that are granted and not sent
  assign sent         = beat_valid & beat_ready & beat_last;
  assign has_granted  = granted_q != '0;
  always_ff @(posedge clk) begin
    granted_q <= granted_q + (BITS + 1)'(is_granted) - (BITS + 1)'(sent);
    if (clear) granted_q <= '0;
  end

`ifndef SYNTHESIS
  lengths_fit :
  assert property (@(posedge clk) disable iff (clear) length_valid |-> lengths_ready);
  beats_fit :
  assert property (@(posedge clk) disable iff (clear) packed_valid |-> beats_ready);
`endif

  logic unused;
  assign unused = &{1'b0, lengths_used, lengths_ready, beats_ready};
endmodule
