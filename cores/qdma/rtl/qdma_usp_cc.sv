// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Puts answers to reads of our BARs onto the completer completion interface (CC) of the PCIe block, not straddled.
//
// Latency: 1 cycle; two beats if there are more than 13 dwords.
//
// Interface: target completion channel of qdma_tlp_pkg.
module qdma_usp_cc
  import qdma_tlp_pkg::*;
  import qdma_usp_pkg::*;
(
    input logic clk,
    input logic rst,

    input  logic               answer_valid,
    output logic               answer_ready,
    input  target_completion_t answer,
    input  beat_t              answer_data,

    output logic                    s_axis_cc_tvalid,
    input  logic                    s_axis_cc_tready,
    output beat_t                   s_axis_cc_tdata,
    output logic  [BEAT_DWORDS-1:0] s_axis_cc_tkeep,
    output logic                    s_axis_cc_tlast
);
  localparam int HEADER_DWORDS = 3;
  localparam int FIRST = BEAT_DWORDS - HEADER_DWORDS;  // dwords beside the descriptor

  cc_descriptor_t descriptor;
  logic is_second_q, has_second;
  logic [4:0] dwords;  // of this beat
  assign descriptor = '{
          lower_addr: answer.lower_addr,
          byte_count: answer.byte_count,
          dwords: 11'(answer.dwords),
          status: answer.status,
          requester_id: answer.transaction.requester,
          tag: answer.transaction.tag[7:0],
          func: answer.func,
          tc: answer.transaction.tc,
          attr: answer.transaction.attr,
          default: '0
      };
  assign has_second = answer.dwords > 5'(FIRST);
  always_comb begin
    if (is_second_q) dwords = answer.dwords - 5'(FIRST);
    else if (has_second) dwords = 5'(BEAT_DWORDS);
    else dwords = answer.dwords + 5'(HEADER_DWORDS);
  end
  assign answer_ready = (~s_axis_cc_tvalid | s_axis_cc_tready) & (is_second_q | ~has_second);

  always_ff @(posedge clk) begin
    if (!s_axis_cc_tvalid || s_axis_cc_tready) begin
      s_axis_cc_tvalid <= answer_valid;
      s_axis_cc_tdata  <= {answer_data[32*FIRST-1:0], descriptor};
      if (is_second_q) s_axis_cc_tdata <= BEAT_BITS'(answer_data[BEAT_BITS-1:32*FIRST]);
      s_axis_cc_tkeep <= ~(16'hFFFF << dwords);
      s_axis_cc_tlast <= is_second_q | ~has_second;
      is_second_q <= answer_valid & has_second & ~is_second_q;
    end
    if (rst) begin
      s_axis_cc_tvalid <= 1'b0;
      is_second_q      <= 1'b0;
    end
  end

  logic unused;
  assign unused = &{1'b0, answer.transaction.tag[9:8]};
endmodule
