// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A copy of each accelerated frame for the host, in the order in which they leave, without FCS.
// Latency: m_mirror_tvalid comes 3 cycles after the last word of the frame has been taken, 6 with PREFETCH, if nothing is
// before it.
//
// room says that a frame of MAX_WORDS words fits; the engine begins none without it, so no word is ever lost.
module ate_mirror
  import ate_pkg::*;
#(
    parameter int DEPTH = 1024,  // words
    parameter int MAX_WORDS = 380,  // of a frame
    parameter bit PREFETCH = 1'b0,
    parameter bit AMEND = 1'b0
) (
    input logic clk,
    input logic rst,

    input logic        valid,
    input logic [31:0] data,
    input logic [ 3:0] keep,
    input logic        last,
    input logic        bad,    // with last: the frame left with a wrong FCS

    // With PREFETCH: words 0-2, which are not among those that come, and the total length, which is known two words after
    input logic [ 2:0][31:0] head,
    input logic              is_length,
    input logic [15:0]       total,
    // With AMEND: XORed into the word before, when the MAC is ready
    input logic [31:0]       amend,
    input logic              ready,

    output logic room,

    output logic [31:0] m_mirror_tdata,
    output logic [ 3:0] m_mirror_tkeep,
    output logic        m_mirror_tvalid,
    input  logic        m_mirror_tready,
    output logic        m_mirror_tlast,
    output logic        m_mirror_tuser
);
  localparam int NEED = MAX_WORDS + (PREFETCH ? 8 : AMEND ? 5 : 4);  // with what is on its way when room is looked at
  if (DEPTH < NEED) begin : gen_shallow
    $error("ate_mirror: MIRROR_DEPTH must hold a frame of MAX_PAYLOAD bytes");
  end

  typedef struct packed {
    logic        bad;
    logic        last;
    logic [1:0]  bytes;  // 0: four
    logic [31:0] data;
  } word_t;
  word_t given, word, word_q;
  logic word_valid, valid_q;
  logic [31:0] wr_data;
  logic wr_valid;
  logic [1:0] bytes;
  assign given = '{
          bad: bad,
          last: last,
          bytes: {keep[1] & ~keep[3], (keep[0] & ~keep[1]) | (keep[2] & ~keep[3])},
          data: data
      };

  if (PREFETCH) begin : gen_prefetch
    // Three words of delay; words 0-2 come out while it fills.
    word_t [2:0] line_q;
    logic [1:0] is_length_q, count_q, left_q;
    assign word_valid = valid | (left_q != 0);
    always_comb begin
      word = line_q[2];
      if (count_q != 3) word = '{bad: 1'b0, last: 1'b0, bytes: 2'd0, data: head[count_q]};
    end
    always_ff @(posedge clk) begin
      if (word_valid) begin
        line_q      <= {line_q[1:0], given};
        is_length_q <= {is_length_q[0], is_length};
        if (is_length_q[1]) line_q[2].data[15:0] <= swap16(total);
        count_q <= count_q != 3 ? count_q + 1'b1 : line_q[2].last ? 2'd0 : count_q;
      end
      left_q <= valid & last ? 2'd3 : left_q - 2'(left_q != 0);
      if (rst) begin
        count_q <= 2'd0;
        left_q  <= 2'd0;
      end
    end
  end else begin : gen_direct
    assign word = given;
    assign word_valid = valid;
    logic unused;
    assign unused = &{head, is_length, total};
  end
  if (AMEND) begin : gen_amend
    // word_q waits for what comes with the next word, or for the end of the frame.
    logic end_q;
    assign wr_valid = valid_q & (ready | end_q);
    assign wr_data  = word_q.data ^ (amend & {32{~end_q}});
    always_ff @(posedge clk) begin
      end_q <= word_valid & word.last & ~rst;
      if (word_valid || end_q) valid_q <= word_valid;
      if (word_valid) word_q <= word;
      if (rst) valid_q <= 1'b0;
    end
  end else begin : gen_no_amend
    assign wr_valid = valid_q;
    assign wr_data  = word_q.data;
    always_ff @(posedge clk) begin
      valid_q <= word_valid & ~rst;
      word_q  <= word;
    end
    logic unused;
    assign unused = &{amend, ready};
  end

  frame_fifo #(
      .WIDTH(35),
      .DEPTH(DEPTH),
      .NEED (NEED)
  ) u_fifo (
      .clk,
      .rst,
      .wr_valid(wr_valid),
      .wr_data ({word_q.bad, word_q.bytes, wr_data}),
      .wr_last (word_q.last),
      .wr_drop (1'b0),
      .room,
      .rd_valid(m_mirror_tvalid),
      .rd_data ({m_mirror_tuser, bytes, m_mirror_tdata}),
      .rd_last (m_mirror_tlast),
      .rd_ready(m_mirror_tready)
  );
  assign m_mirror_tkeep = {bytes == 0, bytes != 1 && bytes != 2, bytes != 1, 1'b1};
endmodule
