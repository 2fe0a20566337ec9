// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Cuts the payload of a buffer at multiples of MPS, or of MAX_WRITE where that is less.  So no TLP crosses 4 KiB.
//
// Latency: the first command 2 cycles after its segment was accepted; then one in each cycle, within segments and between.
//
// formal/splitter_covers.sv proves it together with qdma_c2h_step.
module qdma_c2h_cut
  import qdma_tlp_pkg::*;
  import qdma_c2h_pkg::*;
(
    input logic clk,
    input logic rst,

    input logic [2:0] max_payload,  // 128 << n bytes

    input  logic         segment_valid,
    output logic         segment_ready,
    input  c2h_segment_t segment,

    output logic         command_valid,
    input  logic         command_ready,
    output c2h_command_t command
);
  localparam int CUT_BITS = $clog2(MAX_WRITE);

  logic busy_q, advance, is_end;
  c2h_segment_t left_q;  // what is not cut yet
  logic [CUT_BITS-1:0] below_cut;  // address bits that are below a cut
  write_bytes_t to_cut;
  always_comb begin
    case (max_payload)
      3'd0:    below_cut = CUT_BITS'(127);
      3'd1:    below_cut = CUT_BITS'(255);
      3'd2:    below_cut = CUT_BITS'(511);
      default: below_cut = CUT_BITS'(1023);
    endcase
    to_cut = {1'b0, ~left_q.addr[CUT_BITS-1:0] & below_cut} + 1'b1;
  end
  assign is_end        = left_q.bytes <= 16'(to_cut);
  assign advance       = busy_q & (~command_valid | command_ready);
  assign segment_ready = ~busy_q | (advance & is_end);

  always_ff @(posedge clk) begin
    if (command_ready) command_valid <= 1'b0;
    if (advance) begin
      command_valid <= 1'b1;
      command <= '{
          qid: left_q.qid,
          serial: left_q.serial,
          func: left_q.func,
          addr: left_q.addr,
          bytes: is_end ? write_bytes_t'(left_q.bytes) : to_cut,
          is_last: left_q.is_last & is_end
      };
      left_q.addr <= left_q.addr + 64'(to_cut);
      left_q.bytes <= left_q.bytes - 16'(to_cut);
    end
    if (segment_ready) begin
      busy_q <= segment_valid;
      left_q <= segment;
    end
    if (rst) begin
      busy_q        <= 1'b0;
      command_valid <= 1'b0;
    end
  end
endmodule
