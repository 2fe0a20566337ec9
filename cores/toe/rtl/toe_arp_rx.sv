// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// ARP messages out of received frames (RFC 826), and what is wrong with them.
// Latency: a message is offered 3 cycles after the verdict on its frame.  Up to 16 wait; a further one is dropped.
//
// Malformed, ignored and counted: anything but Ethernet and IPv4, lengths other than 6 and 4, opcodes other than request and
// reply, a frame that ends too early, a sender's MAC address that is 0 or of a group, a sender's IP address that no host can
// have (RFC 1122, 3.2.1.3).  Whoever sends with an address of ours is not answered or learnt: the conflict is counted
// (RFC 5227, 2.4, without a defence).
module toe_arp_rx
  import toe_pkg::*;
  import toe_arp_pkg::*;
#(
    parameter int INTERFACES = 1
) (
    input logic clk,
    input logic rst,

    input iface_t [INTERFACES-1:0] iface,
    input rx_t rx,

    output logic   valid,
    input  logic   ready,
    output heard_t heard,

    output logic stat_malformed,
    output logic stat_conflict,
    output logic stat_dropped
);
  // As the words lie: the first byte lowest
  localparam logic [15:0] ETHERNET = 16'h0100;
  localparam logic [31:0] IPV4_LENGTHS = 32'h0406_0008;
  localparam logic [15:0] REQUEST = 16'h0100;
  localparam logic [15:0] REPLY = 16'h0200;

  // --- Fields
  logic format_q, request_q, whole_q, end_q;
  logic [47:0] mac_q;
  logic [31:0] ip_q, target_q;
  always_ff @(posedge clk) begin
    if (rx.valid) begin
      case (rx.index)
        4'd0:    whole_q <= 1'b0;
        4'd3:    format_q <= rx.word[31:16] == ETHERNET;
        4'd4:    format_q <= format_q & (rx.word == IPV4_LENGTHS);
        4'd5: begin
          format_q     <= format_q & (rx.word[15:0] inside {REQUEST, REPLY});
          request_q    <= rx.word[15:0] == REQUEST;
          mac_q[47:32] <= swap16(rx.word[31:16]);
        end
        4'd6:    mac_q[31:0] <= swap32(rx.word);
        4'd7:    ip_q <= swap32(rx.word);
        4'd9:    target_q[31:16] <= swap16(rx.word[31:16]);
        4'd10: begin
          target_q[15:0] <= swap16(rx.word[15:0]);
          whole_q        <= &rx.keep[1:0];
        end
        default: ;
      endcase
    end
    end_q <= rx.end_valid & rx.end_good & ~rst;
  end

  // --- Judgement, in the cycle after the verdict: the fields stand until word 0 of the next frame has passed
  heard_t heard_d, heard_q;
  logic [INTERFACES-1:0] ours, claimed;
  logic arp, echo, good, sender_good, wanted_q, room;
  logic room_for_two;
  assign arp = end_q & rx.arp & (heard_d.ifaces != 0);
  always_comb begin
    heard_d.ifaces = '0;
    heard_d.iface  = '0;
    echo           = 1'b0;
    for (int i = INTERFACES - 1; i >= 0; i--) begin
      heard_d.ifaces[i] = rx.mac_match[i] & iface[i].enable;
      ours[i]           = heard_d.ifaces[i] & (target_q == iface[i].ip);
      claimed[i]        = heard_d.ifaces[i] & (ip_q == iface[i].ip) & (ip_q != 0);
      if (ours[i]) heard_d.iface = iface_id_t'(i);
      if (heard_d.ifaces[i] && mac_q == iface[i].mac) echo = 1'b1;  // a frame of ours that has come back
    end
    heard_d.for_us  = ours != 0;
    heard_d.request = request_q;
    heard_d.learn   = ip_q != 0;
    heard_d.mac     = mac_q;
    heard_d.ip      = ip_q;
  end
  assign sender_good = ~mac_q[40] & (mac_q != 0) & (ip_q[31:28] < 4'd14) & (ip_q[31:24] != 8'd127);
  assign good        = format_q & whole_q & sender_good;

  always_ff @(posedge clk) begin
    heard_q        <= heard_d;
    wanted_q       <= arp & good & ~echo & (claimed == 0) & (heard_d.learn | (request_q & heard_d.for_us)) & ~rst;
    stat_malformed <= arp & ~good & ~rst;
    stat_conflict  <= arp & good & ~echo & (claimed != 0) & ~rst;
    stat_dropped   <= wanted_q & ~room & ~rst;
  end

  toe_fifo #(
      .WIDTH($bits(heard_t)),
      .DEPTH(16)
  ) u_fifo (
      .clk,
      .rst,
      .wr_valid(wanted_q),
      .wr_ready(room),
      .wr_data (heard_q),
      .wr_room (room_for_two),
      .rd_valid(valid),
      .rd_ready(ready),
      .rd_data (heard)
  );
endmodule
