// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Proof of ate_csum, for all fields and any pauses between the words: when the word with the TCP checksum is loaded, it is
// the complement of the folded plain sum of the partial sum, SEQ, ACK, window, length, flags and the payload's sum, each
// counted once; the IP checksum likewise of its partial sum and the total length.
//
// All is said in the order of bytes in which fields are sent.  Assumed: fields stand still while a frame is built.
module csum_words
  import ate_pkg::*;
#(
    parameter bit INVARIANTS = 1'b1,
    parameter bit [3:0] FIRST = 4'd1
) (
    input logic        clk,
    input logic        restart,
    input logic        step,
    input logic [31:0] csum,
    // Any values, which stay
    input logic [31:0] seq,
    input logic [31:0] ack,
    input logic [15:0] tcp_part,
    input logic [15:0] ip_part,
    input logic [15:0] window,
    input logic [15:0] length,
    input logic [15:0] total,
    input logic [ 7:0] flags
);
  logic [151:0] fields, fields_q;
  assign fields = {seq, ack, tcp_part, ip_part, window, length, total, flags};
  always_ff @(posedge clk) fields_q <= fields;
  logic began_q = 1'b0;
  logic [3:0] index_q;
  logic [15:0] tcp, ip;
  ate_csum #(
      .FIRST(FIRST)
  ) dut (
      .clk,
      .step,
      .index   (index_q),
      .tcp_part(tcp_part),
      .ip_part (ip_part),
      .seq     (seq),
      .ack     (ack),
      .window  (window),
      .length  (length),
      .total   (total),
      .flags   (flags),
      .csum,
      .tcp,
      .ip
  );
  function automatic logic [15:0] fold(input logic [20:0] sum);
    logic [20:0] once;
    once = 21'(sum[15:0]) + 21'(sum[20:16]);
    return once[15:0] + 16'(once[16]);
  endfunction

  // The plain sum of what has been added
  logic [20:0] plain_q;
  always_ff @(posedge clk) begin
    began_q <= 1'b1;
    if (step) begin
      if (index_q != 4'd13) index_q <= index_q + 1'b1;
      case (index_q)
        FIRST: plain_q <= 21'(swap16(tcp_part));
        FIRST + 4'd1: plain_q <= plain_q + 21'(seq[15:0]);
        FIRST + 4'd2: plain_q <= plain_q + 21'(seq[31:16]);
        FIRST + 4'd3: plain_q <= plain_q + 21'(ack[15:0]);
        FIRST + 4'd4: plain_q <= plain_q + 21'(ack[31:16]);
        FIRST + 4'd5: plain_q <= plain_q + 21'(window);
        FIRST + 4'd6: plain_q <= plain_q + 21'(swap16(length));
        FIRST + 4'd7: plain_q <= plain_q + {5'h0, flags, 8'h0};
        default: ;
      endcase
    end
    if (restart) index_q <= 4'd1;
  end
  always_comb begin
    if (!began_q) assume (restart);
    if (began_q) assume (fields == fields_q);
    if (began_q && index_q == 4'd12) assert (tcp == ~fold(plain_q + 21'(csum[31:16]) + 21'(csum[15:0])));
    if (began_q && index_q == 4'd6) assert (ip == ~swap16(fold(21'(ip_part) + 21'(total))));
    if (INVARIANTS && began_q) begin
      assert (index_q >= 4'd1 && index_q <= 4'd13);
      if (index_q > FIRST) begin
        assert (dut.sum_q == fold(plain_q));
        assert (plain_q <= 21'd65535 * 21'(index_q > FIRST + 4'd8 ? 4'd8 : index_q - FIRST));
      end
      if (index_q > 4'd1) assert (dut.ip_part_q == ip_part);
    end
  end
endmodule
