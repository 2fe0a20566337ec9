// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Packs the card's words of 8 bytes into beats of 64, and finds each packet's length in its header.
//
// Latency: 1 cycle from the last word of a beat to beat_valid.  A word in each cycle.  The length is there with the first
// word.
//
// Interface: s_tready is a register.  Beats and lengths have no ready: has_room says that three more of each find room,
// beside the beat that is shown; it takes effect in the next cycle.  Words are full up to the last one, which has a byte or
// more.  Lanes of a last beat that have no bytes keep older data.
//
// While flush is high all words are discarded.  A packet that is under way when it falls is discarded up to its end.
module card_dma_pack (
    input logic clk,
    input logic rst,
    input logic flush,

    input  logic [63:0] s_tdata,
    input  logic [ 7:0] s_tkeep,
    input  logic        s_tvalid,
    output logic        s_tready,
    input  logic        s_tlast,

    input logic has_room,

    output logic        length_valid,
    output logic [15:0] length,        // bytes of the packet with its header; the most that can be said, if it has more

    output logic         beat_valid,
    output logic [511:0] beat_data,
    output logic         beat_last,
    output logic [  5:0] beat_mty     // empty bytes of the last beat; 0 in others
);
  localparam logic [15:0] HEADER = 16'd16;  // bytes
  logic accept, is_inside, is_inside_q, discards_q, takes;
  logic [2:0] word_q, tail;  // tail: empty bytes of the word
  logic [16:0] total;
  assign accept       = s_tvalid & s_tready;
  assign is_inside    = accept ? ~s_tlast : is_inside_q;
  assign takes        = accept & ~discards_q & ~flush;
  assign total        = s_tdata[15:0] + HEADER;
  assign length_valid = takes & ~is_inside_q;
  assign length       = total[16] ? '1 : total[15:0];

  always_comb begin
    tail = '0;
    for (int i = 1; i < 8; i++) if (!s_tkeep[i]) tail += 3'd1;
  end

  always_ff @(posedge clk) begin
    s_tready    <= has_room;
    is_inside_q <= is_inside;
    if (flush) discards_q <= is_inside;
    else if (accept && s_tlast) discards_q <= 1'b0;

    beat_valid <= takes & (s_tlast | (word_q == 3'd7));
    beat_last  <= s_tlast;
    beat_mty   <= s_tlast ? {3'd7 - word_q, tail} : '0;
    if (takes) begin
      word_q                   <= s_tlast ? '0 : word_q + 3'd1;
      beat_data[64*word_q+:64] <= s_tdata;
    end
    if (flush) word_q <= '0;
    if (rst) begin
      s_tready    <= 1'b0;
      is_inside_q <= 1'b0;
      discards_q  <= 1'b0;
      beat_valid  <= 1'b0;
      word_q      <= '0;
    end
  end
endmodule
