// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// From the MAC's words to ARP's and ICMP's frames: toe_rx_parse, toe_arp, toe_icmp, toe_raw_merge.
module toe_raw_bench
  import toe_pkg::*;
#(
    parameter int INTERFACES = 1,
    parameter bit FCS = 1'b1
) (
    input logic clk,
    input logic rst,
    input logic tick,

    input iface_t [INTERFACES-1:0] iface,

    input logic [31:0] s_axis_tdata,
    input logic [ 3:0] s_axis_tkeep,
    input logic        s_axis_tvalid,
    input logic        s_axis_tlast,
    input logic        rx_status_valid,
    input logic        rx_status_good,

    output logic [31:0] m_tdata,
    output logic [ 3:0] m_tkeep,
    output logic        m_tvalid,
    input  logic        m_tready,
    output logic        m_tlast,

    output logic stat_malformed,
    output logic stat_conflict,
    output logic stat_dropped,
    output logic stat_unasked,
    output logic stat_icmp_dropped,
    output logic stat_icmp_bad
);
  rx_t rx;
  logic [1:0][31:0] tdata;
  logic [1:0][3:0] tkeep;
  logic [1:0] tvalid, tready, tlast;
  toe_rx_parse #(
      .INTERFACES(INTERFACES),
      .FCS       (FCS)
  ) u_parse (
      .clk,
      .rst,
      .iface,
      .s_axis_tdata,
      .s_axis_tkeep,
      .s_axis_tvalid,
      .s_axis_tlast,
      .rx_status_valid,
      .rx_status_good,
      .rx
  );
  toe_arp #(
      .INTERFACES(INTERFACES)
  ) u_arp (
      .clk,
      .rst,
      .iface,
      .tick,
      .rx,
      .resolve_valid(1'b0),
      .resolve_iface('0),
      .resolve_ip   ('0),
      .resolve_done (),
      .resolve_found(),
      .resolve_mac  (),
      .doubt        (1'b0),
      .doubt_iface  ('0),
      .doubt_ip     ('0),
      .changed_valid(),
      .changed_ready(1'b1),
      .changed_iface(),
      .changed_ip   (),
      .changed_mac  (),
      .m_tdata      (tdata[0]),
      .m_tkeep      (tkeep[0]),
      .m_tvalid     (tvalid[0]),
      .m_tready     (tready[0]),
      .m_tlast      (tlast[0]),
      .stat_malformed,
      .stat_conflict,
      .stat_dropped,
      .stat_unasked
  );
  toe_icmp #(
      .INTERFACES(INTERFACES)
  ) u_icmp (
      .clk,
      .rst,
      .iface,
      .rx,
      .m_tdata      (tdata[1]),
      .m_tkeep      (tkeep[1]),
      .m_tvalid     (tvalid[1]),
      .m_tready     (tready[1]),
      .m_tlast      (tlast[1]),
      .stat_answered(),
      .stat_dropped (stat_icmp_dropped),
      .stat_bad     (stat_icmp_bad)
  );
  toe_raw_merge #(
      .INPUTS(2)
  ) u_merge (
      .clk,
      .rst,
      .s_tdata (tdata),
      .s_tkeep (tkeep),
      .s_tvalid(tvalid),
      .s_tready(tready),
      .s_tlast (tlast),
      .m_tdata,
      .m_tkeep,
      .m_tvalid,
      .m_tready,
      .m_tlast
  );
endmodule
