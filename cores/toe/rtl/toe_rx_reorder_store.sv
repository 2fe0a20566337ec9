// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A segment's words into the reorder memory: of its bytes those from `start` on and before `stop`, each at its place.
// Latency: a word is written two cycles after `valid`, but for what reaches into the next word of 32 bits of the memory: that
// is written with the next one or with `flush`.
//
//   rotated by the place modulo 4, so that each byte is in its lane; lanes below that belong to the next word (toe_tx_store)
module toe_rx_reorder_store #(
    parameter int PLACE = 14,     // bits of a place in the session's ring
    parameter int SID   = 6,
    parameter int SPAN  = 18,
    localparam int AW    = SID + PLACE - 3
) (
    input logic clk,

    input logic             load,   // the next word is a segment's first, with its bytes 0 and 1 in the upper half
    input logic [  SID-1:0] sid,
    input logic [PLACE-1:0] place,  // of the first word: of byte 0, less 2
    input logic [ SPAN-1:0] start,  // counted from the first word on: byte 0 is 2
    input logic [ SPAN-1:0] stop,
    input logic             valid,
    input logic [     31:0] word,
    input logic             flush,

    output logic [   7:0] wr_en,
    output logic [AW-1:0] wr_addr,
    output logic [  63:0] wr_data
);
  logic [SPAN-1:0] start_q, stop_q;  // from this word on; 0 is before it, too
  logic [PLACE-3:0] line_q;  // of 32 bits
  logic [SID-1:0] sid_q;
  logic [1:0] turn_q;
  logic [3:0] wanted, en;
  logic [ 7:0] turned_en;
  logic [63:0] turned;
  logic [ 3:0] rest_en_q;
  logic [31:0] rest_q, lane;
  always_comb begin
    for (int i = 0; i < 4; i++)
    wanted[i] = valid & (start_q[SPAN-1:2] == 0) & (start_q[1:0] <= 2'(i)) &
                  ((stop_q[SPAN-1:2] != 0) | (stop_q[1:0] > 2'(i)));
  end
  assign turned_en = {4'b0, wanted} << turn_q;
  assign turned    = {32'b0, word} << {turn_q, 3'b000};
  assign en        = turned_en[3:0] | rest_en_q;
  always_comb begin
    for (int i = 0; i < 4; i++) lane[8*i+:8] = rest_en_q[i] ? rest_q[8*i+:8] : turned[8*i+:8];
  end

  function automatic logic [SPAN-1:0] less(input logic [SPAN-1:0] x);
    return x[SPAN-1:2] == 0 ? '0 : x - SPAN'(4);
  endfunction
  always_ff @(posedge clk) begin
    if (valid) begin
      start_q   <= less(start_q);
      stop_q    <= less(stop_q);
      rest_en_q <= turned_en[7:4];
      rest_q    <= turned[63:32];
      line_q    <= line_q + 1'b1;
    end else if (flush) rest_en_q <= '0;
    if (load) begin
      start_q          <= start;
      stop_q           <= stop;
      {line_q, turn_q} <= place;
      sid_q            <= sid;
      rest_en_q        <= '0;
    end
    wr_en   <= !(valid | flush) ? '0 : line_q[0] ? {en, 4'b0} : {4'b0, en};
    wr_addr <= {sid_q, line_q[PLACE-3:1]};
    wr_data <= {2{lane}};
  end
endmodule
