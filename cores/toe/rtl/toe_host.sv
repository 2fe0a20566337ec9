// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames for us that the engine does not take, to a host: whole, good, without FCS, if `pass` has their kind.
// Latency: the first word is on offer 4 cycles after the verdict on the frame.  Nothing is in the engine's way.
//
// For us is a frame to the MAC address of an interface, or everyone's, with its VLAN.  The engine takes of these ARP; TCP, whole and
// without IP options, to the interface's IP address; echo requests there (ICMP_SERVER_EN); and ICMP errors about TCP
// (SOFT_ERRORS_EN).  It takes them whatever becomes of them there, so they are never here.  Each other frame is of one kind, the
// first of these:
//
//   broadcast  to everyone's MAC address        udp        protocol 17
//   types      not IPv4                         icmp       protocol 1
//   addresses  another IP address               protocols  any other than TCP
//   fragments  of any protocol, with options, too
//   options    IP options, of any protocol
//
// An IPv4 packet with a wrong header checksum, version or length is not passed, nor is a frame that is shorter than its packet.
module toe_host
  import toe_pkg::*;
#(
    parameter int FIFO_BYTES     = 16384,  // a power of two
    parameter bit FCS            = 1'b1,
    parameter bit ICMP_SERVER_EN = 1'b1,
    parameter bit SOFT_ERRORS_EN = 1'b0
) (
    input logic clk,
    input logic rst,

    input host_t pass,
    input rx_t   rx,

    output logic [31:0] m_tdata,
    output logic [ 3:0] m_tkeep,
    output logic        m_tvalid,
    input  logic        m_tready,
    output logic        m_tlast,

    output logic stat_passed,
    output logic stat_full,    // dropped: no room
    output logic stat_refused  // dropped: `pass` does not have it, or its IP header is wrong
);
  localparam logic [15:0] TYPE_IPV4 = 16'h0008;  // as it lies
  localparam logic [7:0] ICMP = 8'd1, TCP = 8'd6, UDP = 8'd17;
  localparam logic [15:0] ECHO = 16'h0008;  // type 8, code 0, as they lie
  localparam logic [7:0] UNREACHABLE = 8'd3, TIME_EXCEEDED = 8'd11, PARAMETER = 8'd12;

  // --- The line, a register later
  logic valid_q, last_q;
  logic [3:0] index_q, keep_q;
  logic [31:0] word_q;
  always_ff @(posedge clk) begin
    valid_q <= rx.valid & ~rst;
    index_q <= rx.index;
    last_q  <= rx.last;
    keep_q  <= rx.keep;
    word_q  <= rx.word;
  end

  // --- What toe_rx_parse does not report
  logic ip_q, echo_q, error_q, about_tcp_q, sum_good;
  logic [3:0] ihl_q, rest_q;  // rest_q: words of the IP header to come, and a half
  always_ff @(posedge clk) begin
    if (valid_q) begin
      case (index_q)
        4'd3: begin
          ip_q   <= word_q[15:0] == TYPE_IPV4;
          ihl_q  <= word_q[19:16];
          rest_q <= word_q[19:16];
        end
        4'd8: begin
          echo_q  <= word_q[31:16] == ECHO;
          error_q <= word_q[23:16] inside {UNREACHABLE, TIME_EXCEEDED, PARAMETER};
        end
        4'd12:   about_tcp_q <= word_q[31:24] == TCP;
        default: ;
      endcase
      if (index_q > 4'd3 && rest_q != 0) rest_q <= rest_q - 1'b1;
    end
  end
  toe_rx_ones u_header (
      .clk,
      .load(valid_q & (index_q == 4'd3)),
      .add (valid_q & (index_q > 4'd3) & (rest_q != 0)),
      .lo  (index_q == 4'd3 ? 16'h0 : word_q[15:0]),
      .hi  (index_q != 4'd3 && rest_q == 4'd1 ? 16'h0 : word_q[31:16]),
      .good(sum_good)
  );

  // --- Its kind, after the verdict: the fields stand until word 0 of the next frame has passed
  host_t kind, kind_q;
  logic taken, end_q, good_q, kind_end_q, right_q, over_q, refused_q;
  host_t wanted_q;
  always_comb begin
    kind  = '0;
    taken = 1'b0;
    if (rx.mac_match == 0 || rx.arp) taken = 1'b1;
    else if (rx.broadcast) kind.broadcast = 1'b1;
    else if (!ip_q) kind.types = 1'b1;
    else if (rx.ip_match == 0) kind.addresses = 1'b1;
    else if (rx.fragment) kind.fragments = 1'b1;
    else if (rx.options) kind.options = 1'b1;
    else begin
      case (rx.protocol)
        TCP:     taken = 1'b1;
        ICMP: begin
          taken     = (ICMP_SERVER_EN & echo_q) | (SOFT_ERRORS_EN & error_q & about_tcp_q);
          kind.icmp = ~taken;
        end
        UDP:     kind.udp = 1'b1;
        default: kind.protocols = 1'b1;
      endcase
    end
  end
  always_ff @(posedge clk) begin
    end_q      <= rx.end_valid & ~rst;
    good_q     <= rx.end_good;
    kind_end_q <= end_q & ~rst;
    kind_q     <= kind & {$bits(host_t) {good_q}};
    right_q    <= (rx.ipv4 | rx.options) & (rx.total_length >= 16'({ihl_q, 2'b00}));
    over_q     <= kind_end_q & ~rst;
    if (ip_q && !(right_q && sum_good)) wanted_q <= '0;
    else wanted_q <= kind_q & pass;
    refused_q    <= kind_q != 0;
    stat_refused <= over_q & refused_q & (wanted_q == 0) & ~rst;
  end

  toe_host_store #(
      .DEPTH(FIFO_BYTES / 4),
      .FCS  (FCS)
  ) u_store (
      .clk,
      .rst,
      .valid (valid_q),
      .word  (word_q),
      .keep  (keep_q),
      .last  (last_q),
      .over  (over_q),
      .wanted(wanted_q != 0),
      .m_tdata,
      .m_tkeep,
      .m_tvalid,
      .m_tready,
      .m_tlast,
      .stat_passed,
      .stat_full
  );
endmodule
