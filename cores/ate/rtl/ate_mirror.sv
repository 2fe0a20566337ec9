// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A copy of each accelerated frame for the host, in the order in which they leave, without FCS.
// Latency: m_mirror_tvalid comes 3 cycles after the MAC has taken the last word of the frame, if nothing is before it.
//
// room says that a frame of MAX_WORDS words fits; the engine begins none without it, so no word is ever lost.
module ate_mirror #(
    parameter int DEPTH = 1024,  // words
    parameter int MAX_WORDS = 380  // of a frame
) (
    input logic clk,
    input logic rst,

    input logic        valid,
    input logic [31:0] data,
    input logic [ 3:0] keep,
    input logic        last,
    input logic        bad,    // with last: the frame left with a wrong FCS

    output logic room,

    output logic [31:0] m_mirror_tdata,
    output logic [ 3:0] m_mirror_tkeep,
    output logic        m_mirror_tvalid,
    input  logic        m_mirror_tready,
    output logic        m_mirror_tlast,
    output logic        m_mirror_tuser
);
  if (DEPTH < MAX_WORDS + 4) begin : gen_shallow
    $error("ate_mirror: MIRROR_DEPTH must hold a frame of MAX_PAYLOAD bytes");
  end

  logic valid_q, last_q, bad_q;
  logic [31:0] data_q;
  logic [1:0] bytes_q, bytes;  // 0: four
  always_ff @(posedge clk) begin
    valid_q <= valid & ~rst;
    data_q  <= data;
    bytes_q <= {keep[1] & ~keep[3], (keep[0] & ~keep[1]) | (keep[2] & ~keep[3])};
    last_q  <= last;
    bad_q   <= bad;
  end

  frame_fifo #(
      .WIDTH(35),
      .DEPTH(DEPTH),
      .NEED (MAX_WORDS + 4)  // what is on its way when room is looked at
  ) u_fifo (
      .clk,
      .rst,
      .wr_valid(valid_q),
      .wr_data ({bad_q, bytes_q, data_q}),
      .wr_last (last_q),
      .wr_drop (1'b0),
      .room,
      .rd_valid(m_mirror_tvalid),
      .rd_data ({m_mirror_tuser, bytes, m_mirror_tdata}),
      .rd_last (m_mirror_tlast),
      .rd_ready(m_mirror_tready)
  );
  assign m_mirror_tkeep = {bytes == 0, bytes != 1 && bytes != 2, bytes != 1, 1'b1};
endmodule
