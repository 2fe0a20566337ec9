// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The words of a frame's headers as they are sent, first byte in bits 7:0.  Combinational.
//
//   index  word                              index  word
//   1      DMAC 4-5, SMAC 0-1                7      SIP 2-3, DIP 0-1
//   2      SMAC 2-5                          8      DIP 2-3, source port
//   15     0x8100, VLAN tag (if it has one)  9      destination port, SEQ 0-1
//   3      0x0800, 0x4500                    10     SEQ 2-3, ACK 0-1
//   4      total length, identification 0    11     ACK 2-3, 0x50, flags
//   5      0x4000, TTL 64, protocol 6        12     window, TCP checksum
//   6      IP checksum, SIP 0-1              13     urgent pointer 0, payload 0-1 (not here)
//
// Word 0, DMAC 0-3, is not among them: it goes to the MAC without a register.  The total length of word 4 is put in a
// cycle later, after the register that this word is loaded into.
module ate_header
  import ate_pkg::*;
(
    input logic [3:0] index,
    input conn_t conn,  // not the partial sums and what the window is made of
    input logic [7:0] flags,
    input logic [15:0] ip,
    input logic [15:0] tcp,
    output logic [31:0] word
);
  always_comb begin
    case (index)
      4'd1: word = conn.mac[1];
      4'd2: word = conn.mac[2];
      4'd15: word = {swap16(conn.vlan), 16'h0081};
      4'd3: word = 32'h00450008;
      4'd5: word = 32'h06400040;
      4'd6: word = {conn.sip[15:0], ip};
      4'd7: word = {conn.dip[15:0], conn.sip[31:16]};
      4'd8: word = {conn.ports[15:0], conn.dip[31:16]};
      4'd9: word = {conn.seq[15:0], conn.ports[31:16]};
      4'd10: word = {conn.ack[15:0], conn.seq[31:16]};
      4'd11: word = {flags, 8'h50, conn.ack[31:16]};
      4'd12: word = {tcp, conn.window};
      default: word = 32'h0;
    endcase
  end
endmodule
