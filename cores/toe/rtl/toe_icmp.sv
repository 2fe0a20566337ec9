// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// ICMP echo (RFC 792; RFC 1122, 3.2.2.6): answers to requests for our addresses, of any length that fits into the memory.
// Latency: the first word 7 cycles after the verdict on the request.
//
// Requests wait in a block RAM until they can be sent, each as a whole; one that finds no room is dropped and counted.
// toe_icmp_store says which requests are answered, toe_icmp_reply how.
module toe_icmp
  import toe_pkg::*;
#(
    parameter int INTERFACES = 1,
    parameter int DEPTH = 1024  // words, a power of two: a request of n bytes of IP takes (n + 13) / 4 + 1 of them
) (
    input logic clk,
    input logic rst,

    input iface_t [INTERFACES-1:0] iface,
    input rx_t rx,

    output logic [31:0] m_tdata,
    output logic [ 3:0] m_tkeep,
    output logic        m_tvalid,
    input  logic        m_tready,
    output logic        m_tlast,

    output logic stat_answered,
    output logic stat_dropped,   // no room
    output logic stat_bad        // its checksum is wrong, or it is shorter than its headers
);
  if (DEPTH < 32 || DEPTH > 16384 || DEPTH != 1 << $clog2(DEPTH)) begin : gen_bad_depth
    $error("toe_icmp: DEPTH must be a power of two, 32 to 16384");
  end
  localparam int BITS = $clog2(DEPTH);
  logic wr, rd_en;
  logic [BITS-1:0] wr_addr;
  logic [BITS:0] done, read;
  logic [toe_icmp_pkg::WIDTH-1:0] wr_data, rd_data;
  assign stat_answered = m_tvalid & m_tready & m_tlast;

  toe_icmp_store #(
      .DEPTH(DEPTH)
  ) u_store (
      .clk,
      .rst,
      .rx,
      .wr,
      .wr_addr,
      .wr_data,
      .done,
      .read,
      .stat_dropped,
      .stat_bad
  );
  ram_sdp #(
      .WIDTH(toe_icmp_pkg::WIDTH),
      .DEPTH(DEPTH)
  ) u_ram (
      .clk,
      .wr_en  (wr),
      .wr_addr,
      .wr_data,
      .rd_en,
      .rd_addr(read[BITS-1:0]),
      .rd_data
  );
  toe_icmp_reply #(
      .INTERFACES(INTERFACES),
      .DEPTH(DEPTH)
  ) u_reply (
      .clk,
      .rst,
      .iface,
      .done,
      .read,
      .rd_en,
      .rd_data,
      .m_tdata,
      .m_tkeep,
      .m_tvalid,
      .m_tready,
      .m_tlast
  );
endmodule
