// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// ARP messages to frames (RFC 826): 42 bytes, 46 with a VLAN tag; the MAC pads them.
// Latency: the first word 2 cycles after the message, then a word in each cycle with m_tready.
//
//   word                 2 with tag        5             8
//   0  DMAC 0-3             8100, VLAN     opcode, SHA   THA 0-3
//   1  DMAC 4-5, SMAC    3  0806, 1        6  SHA        9  THA 4-5, TPA
//   2  SMAC 2-5          4  0800, 6, 4     7  SPA        10 TPA 2-3, nothing
module toe_arp_frames
  import toe_pkg::*;
  import toe_arp_pkg::*;
#(
    parameter int INTERFACES = 1
) (
    input logic clk,
    input logic rst,

    input iface_t [INTERFACES-1:0] iface,  // not all of it

    input  logic  s_valid,
    output logic  s_ready,
    input  send_t s_send,

    output logic [31:0] m_tdata,
    output logic [ 3:0] m_tkeep,
    output logic        m_tvalid,
    input  logic        m_tready,
    output logic        m_tlast
);
  localparam logic [3:0] LAST = 4'd10;

  iface_t own;  // not its mask and gateway
  send_t  send_q;
  logic busy_q, step;
  logic [3:0] index_q;
  logic [47:0] dmac, tha;
  logic [31:0] word;
  always_comb begin
    own = iface[0];
    for (int i = 0; i < INTERFACES; i++) if (send_q.iface == iface_id_t'(i)) own = iface[i];
  end
  assign dmac = send_q.everyone ? '1 : send_q.mac;
  assign tha  = send_q.reply ? send_q.mac : '0;

  always_comb begin
    case (index_q)
      4'd0: word = swap32(dmac[47:16]);
      4'd1: word = {swap16(own.mac[47:32]), swap16(dmac[15:0])};
      4'd2, 4'd6: word = swap32(own.mac[31:0]);
      TAG: word = {swap16(own.vlan), 16'h0081};
      4'd3: word = 32'h0100_0608;
      4'd4: word = 32'h0406_0008;
      4'd5: word = {swap16(own.mac[47:32]), send_q.reply ? 16'h0200 : 16'h0100};
      4'd7: word = swap32(own.ip);
      4'd8: word = swap32(tha[47:16]);
      4'd9: word = {swap16(send_q.ip[31:16]), swap16(tha[15:0])};
      default: word = {16'h0, swap16(send_q.ip[15:0])};
    endcase
  end

  assign s_ready = ~busy_q;
  assign step    = busy_q & (~m_tvalid | m_tready);
  always_ff @(posedge clk) begin
    if (s_valid && s_ready) begin
      send_q  <= s_send;
      index_q <= '0;
    end
    if (step) begin
      m_tdata <= word;
      m_tlast <= index_q == LAST;
      m_tkeep <= index_q == LAST ? 4'h3 : 4'hf;
      index_q <= index_q == 4'd2 ? (own.vlan_on ? TAG : 4'd3) : index_q == TAG ? 4'd3 : index_q + 1'b1;
    end
    busy_q   <= ~rst & (s_ready ? s_valid : ~(step & (index_q == LAST)));
    m_tvalid <= ~rst & (step | (m_tvalid & ~m_tready));
  end
endmodule
