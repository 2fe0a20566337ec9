// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The interfaces' registers (../regs/toe_interface.md): as many as there are, all of them seen at once.
// Latency: an access is answered in the next cycle, when the new value is there, too.
module toe_interfaces
  import toe_pkg::*;
#(
    parameter int INTERFACES = 1
) (
    input logic clk,
    input logic rst,

    input  logic        req,
    input  logic [ 5:0] addr,       // of words: interface, register
    input  logic        req_is_wr,
    input  logic [31:0] wr_data,
    input  logic [31:0] wr_biten,
    output logic        rd_ack,
    output logic        wr_ack,
    output logic [31:0] rd_data,

    output iface_t [INTERFACES-1:0] iface
);
  localparam logic [2:0] CONTROL = 3'd0;
  localparam logic [2:0] MAC_ADDRESS_LO = 3'd1;
  localparam logic [2:0] MAC_ADDRESS_HI = 3'd2;
  localparam logic [2:0] IP = 3'd3;
  localparam logic [2:0] MASK = 3'd4;
  localparam logic [2:0] GATEWAY = 3'd5;

  iface_t which;
  logic [31:0] old, now;
  always_comb begin
    which = '0;
    for (int i = 0; i < INTERFACES; i++) if (addr[5:3] == 3'(i)) which = iface[i];
    case (addr[2:0])
      CONTROL:        old = {which.vlan, 14'h0, which.vlan_on, which.enable};
      MAC_ADDRESS_LO: old = which.mac[31:0];
      MAC_ADDRESS_HI: old = {16'h0, which.mac[47:32]};
      IP:             old = which.ip;
      MASK:           old = which.mask;
      GATEWAY:        old = which.gateway;
      default:        old = '0;
    endcase
    now = (old & ~wr_biten) | (wr_data & wr_biten);
  end

  always_ff @(posedge clk) begin
    rd_ack  <= req & ~req_is_wr & ~rst;
    wr_ack  <= req & req_is_wr & ~rst;
    rd_data <= old;
    for (int i = 0; i < INTERFACES; i++) begin
      if (req && req_is_wr && addr[5:3] == 3'(i)) begin
        case (addr[2:0])
          CONTROL:        {iface[i].vlan, iface[i].vlan_on, iface[i].enable} <= {now[31:16], now[1:0]};
          MAC_ADDRESS_LO: iface[i].mac[31:0] <= now;
          MAC_ADDRESS_HI: iface[i].mac[47:32] <= now[15:0];
          IP:             iface[i].ip <= now;
          MASK:           iface[i].mask <= now;
          GATEWAY:        iface[i].gateway <= now;
          default:        ;
        endcase
      end
    end
    if (rst) iface <= '0;
  end
endmodule
