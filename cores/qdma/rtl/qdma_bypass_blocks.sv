// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Cuts memory-mapped descriptors of the user into blocks, each a batch by itself: so between two of them other queues have
// their turns.
//
// Latency: 1 cycle; a block in each cycle.
//
// Interface: valid and ready.  Status and marker response are those of the last block.
module qdma_bypass_blocks
  import qdma_fetch_pkg::*;
  import qdma_mm_pkg::*;
#(
    parameter int BLOCK_BYTES = 131072  // a power of two; fewer segments than a turn of qdma_mm_cut has
) (
    input logic clk,
    input logic rst,

    input  logic        s_valid,
    output logic        s_ready,
    input  descriptor_t s,
    output logic        m_valid,
    input  logic        m_ready,
    output descriptor_t m
);
  localparam int BITS = $clog2(BLOCK_BYTES);
  logic [27-BITS:0] done_q;  // blocks of the descriptor
  logic is_last, fits;
  logic [27:0] left;
  mm_descriptor_t mm, block;
  descriptor_t next;
  assign mm = mm_descriptor_t'(s.data);
  assign left = mm.bytes - {done_q, BITS'(0)};
  assign is_last = left <= 28'(BLOCK_BYTES);
  assign s_ready = fits & is_last;
  always_comb begin
    block                    = mm;
    block.src                = mm.src + 64'({done_q, BITS'(0)});
    block.dst                = mm.dst + 64'({done_q, BITS'(0)});
    block.bytes              = is_last ? left : 28'(BLOCK_BYTES);
    next                     = s;
    next.data                = DESCRIPTOR_BITS'(block);
    next.is_start            = s.is_start & (done_q == '0);
    next.wbi_chk             = s.wbi_chk & is_last;
    next.bypass.wants_marker = s.bypass.wants_marker & is_last;
  end

  axis_register #(
      .WIDTH($bits(descriptor_t))
  ) blocks (
      .clk,
      .rst,
      .s_data (next),
      .s_valid,
      .s_ready(fits),
      .m_data (m),
      .m_valid,
      .m_ready
  );

  always_ff @(posedge clk) begin
    if (s_valid && fits) done_q <= is_last ? '0 : done_q + 1'b1;
    if (rst) done_q <= '0;
  end
endmodule
