// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The words of a frame's headers as they are sent, first byte in bits 7:0.  Combinational.
//
//   index  word                              index  word
//   0      DMAC 0-3                          7      SIP 2-3, DIP 0-1
//   1      DMAC 4-5, SMAC 0-1                8      DIP 2-3, source port
//   2      SMAC 2-5                          9      destination port, SEQ 0-1
//   15     0x8100, VLAN tag (if it has one)  10     SEQ 2-3, ACK 0-1
//   3      0x0800, 0x45, DSCP                11     ACK 2-3, offset, flags
//   4      total length, identification 0    12     window, TCP checksum
//   5      0x4000, TTL, protocol 6           13     urgent pointer 0, payload or options 0-1 (not here)
//   6      IP checksum, SIP 0-1
//
// Identification 0 with "do not fragment" is an atomic datagram of RFC 6864.
module toe_tx_header
  import toe_pkg::*;
  import toe_tx_pkg::*;
(
    input logic      [ 3:0] index,
    input logic      [15:0] dmac,      // its last two bytes; index 0 is not here
    input iface_t           iface,     // not how its neighbours are found
    input tuple_t           tuple,     // not its interface
    input settings_t        settings,  // TTL and DSCP
    input logic      [15:0] total,
    input logic      [31:0] seq,
    input logic      [31:0] ack,
    input logic      [ 3:0] offset,    // of the payload, in words
    input logic      [ 7:0] flags,
    input logic      [15:0] window,
    input logic      [15:0] ip,        // checksums; the other as sent
    input logic      [15:0] tcp,

    output logic [31:0] word
);
  always_comb begin
    case (index)
      4'd1: word = {swap16(iface.mac[47:32]), swap16(dmac)};
      4'd2: word = swap32(iface.mac[31:0]);
      VLAN: word = {swap16(iface.vlan), 16'h0081};
      4'd3: word = {settings.dscp, 2'b00, 24'h450008};
      4'd4: word = {16'h0, swap16(total)};
      4'd5: word = {8'd6, settings.ttl, 16'h0040};
      4'd6: word = {swap16(iface.ip[31:16]), swap16(ip)};
      4'd7: word = {swap16(tuple.peer_ip[31:16]), swap16(iface.ip[15:0])};
      4'd8: word = {swap16(tuple.local_port), swap16(tuple.peer_ip[15:0])};
      4'd9: word = {swap16(seq[31:16]), swap16(tuple.peer_port)};
      4'd10: word = {swap16(ack[31:16]), swap16(seq[15:0])};
      4'd11: word = {flags, offset, 4'h0, swap16(ack[15:0])};
      4'd12: word = {tcp, swap16(window)};
      default: word = 32'h0;
    endcase
  end
endmodule
