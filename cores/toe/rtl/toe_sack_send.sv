// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The SACK options of a frame, word by word, and their sum: SACK-permitted after the other options of a SYN (these go this
// way, then, too), blocks in a pure ACK.  Timestamps stand before.
//
//   SYN   MSS   NOP, window scale   NOP, NOP, SACK-permitted
//   ACK   NOP, NOP, kind 5, length   left   right   left   right ...
//
// Latency: `words` is right two cycles after `begins`, `sum` 10 cycles; `data` is combinational, from the word of the urgent
// pointer on, of which it is the upper half.  Blocks are there two cycles after `begins`, for as long as the frame.
module toe_sack_send
  import toe_pkg::*;
#(
    parameter int MSS = 1460
) (
    input logic clk,

    input logic     begins,    // word 0 leaves: those below are right, but for count and blocks
    input logic     ack_only,
    input logic     syn,
    input logic     scale,
    input sack_tx_t sack,
    input logic     prepare,   // before the first word
    input logic     load,      // a word is taken
    input logic     stamped,   // the first three are timestamps

    output logic        on,     // the option is there
    output logic [ 3:0] words,  // of options, all but timestamps
    output logic [15:0] sum,    // of the SACK option, as sent
    output logic [31:0] data
);
  import ones_pkg::*;
  localparam int MOST = 9;  // words
  logic syn_q, ack_q, scale_q;
  logic [1:0] begun_q;
  logic [2:0] count;
  logic [3:0] at_q;
  logic [7:0] length;
  assign count  = ack_q ? sack.count : 3'd0;
  assign on     = syn_q | (count != 0);
  assign words  = syn_q ? (scale_q ? 4'd3 : 4'd2) : count == 0 ? 4'd0 : {count, 1'b1};
  assign length = {2'b00, count, 3'b010};

  // As they would lie without the urgent pointer, which moves them by half a word
  logic [MOST:0][31:0] list;
  always_comb begin
    list = '0;
    if (syn_q) begin
      list[0] = {16'h0204, 16'(MSS)};
      list[1] = scale_q ? 32'h01030300 : 32'h01010402;
      list[2] = 32'h01010402;
    end else begin
      list[0] = {24'h010105, length};
      for (int i = 0; i < 4; i++) {list[1+2*i], list[2+2*i]} = sack.blocks[i];
    end
  end
  // In a register, since the blocks' memory is late: the options come ten cycles later or more
  logic [MOST:0][31:0] list_q;
  always_ff @(posedge clk) list_q <= list;
  assign data = {swap16(list_q[at_q][31:16]), swap16(at_q == 0 ? 16'h0 : list_q[at_q-4'd1][15:0])};

  logic [1:0] skip_q;
  // The words of the list, each in a register before it is added: the blocks' memory is late.
  logic [3:0] add, add_q;
  logic add_on_q;
  logic [31:0] word_q;
  logic [15:0] sum_q;
  assign sum = swap16(sum_q);
  assign add = begun_q[1] ? 4'd1 : add_q;
  always_ff @(posedge clk) begin
    begun_q <= {begun_q[0], begins};
    if (begins) begin
      syn_q   <= sack.on & syn;
      ack_q   <= sack.on & ack_only;
      scale_q <= scale;
    end
    if (prepare) begin
      at_q   <= '0;
      skip_q <= stamped ? 2'd3 : 2'd0;
    end else if (load) begin
      if (skip_q != 0) skip_q <= skip_q - 1'b1;
      else if (at_q != 4'(MOST)) at_q <= at_q + 1'b1;
    end

    add_q    <= add == 4'(MOST) ? add : add + 1'b1;
    add_on_q <= ~syn_q & (add < words);
    word_q   <= list[add];
    if (begun_q[1]) begin
      sum_q <= syn_q ? 16'h0101 + 16'h0402 : count == 0 ? 16'h0 : 16'h0101 + {8'h05, length};
    end else if (add_on_q) begin
      sum_q <= ones_add3(sum_q, word_q[31:16], word_q[15:0]);
    end
  end
endmodule
