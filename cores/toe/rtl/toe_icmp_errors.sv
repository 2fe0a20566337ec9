// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// ICMP errors about what we have sent (RFC 9293, 3.9.2.2; RFC 792): destination unreachable, time exceeded, parameter problem.
// Latency: valid, 2 cycles after the verdict on the frame.
//
//   word  8   type, code               13  quoted checksum, SIP 0-1
//         9   checksum                 14  SIP 2-3, DIP 0-1
//         10  rest 2-3, quoted 0x45    15  DIP 2-3, source port
//         11  length, identification   16  destination port, SEQ 0-1
//         12  offset, TTL, protocol    17  SEQ 2-3
//
// What is quoted must be what we send: an IP header of five words from the address that the error is for, not after a
// fragment's beginning, and 8 bytes of TCP.  Source quench is not looked at (RFC 6633), nor is any other message.
//
// One error at a time: others are dropped and counted until its session has been found and its event accepted.  Each error
// that arrives complete is counted once: reported, bad (checksum, too short, quoted header wrong, impossible sender), of no
// connection (or not of what is under way), or busy.
module toe_icmp_errors
  import toe_pkg::*;
(
    input logic clk,
    input logic rst,

    input rx_t rx,

    // To the TCP machine, held until over
    output logic          valid,
    output tuple_t        tuple,
    output logic   [31:0] seq,
    input  logic          match,  // with over
    input  logic          over,

    // Of the last one that was reported, until the user has accepted its event
    input  logic        taken,
    output logic [31:0] info,   // next hop's MTU (code 4 of type 3), type, code

    output logic stat_reported,
    output logic stat_bad,
    output logic stat_unmatched,
    output logic stat_busy
);
  localparam logic [7:0] ICMP = 8'd1, TCP = 8'd6;
  localparam logic [7:0] UNREACHABLE = 8'd3, TIME_EXCEEDED = 8'd11, PARAMETER = 8'd12;
  localparam logic [15:0] LEAST = 16'd56;  // bytes: two IP headers, 8 of ICMP, 8 of TCP

  logic end_q, good_q, sum_good, is_error, error, sender_good, right, take;
  logic error_kind_q;  // also of one that is skipped

  // --- Fields
  logic event_pending_q, busy, skip_q, quoted_q, own_q, is_tcp_q;
  logic [4:0] at_q;  // index of a word from 9 on
  logic [7:0] kind_q, code_q;
  logic [15:0] mtu_q;
  logic [31:0] dip_q;  // of the error
  assign busy = valid | event_pending_q;
  assign info = {mtu_q, kind_q, code_q};
  always_ff @(posedge clk) begin
    if (rx.valid) begin
      if (rx.index == 4'd7) dip_q[31:16] <= swap16(rx.word[31:16]);
      if (rx.index == 4'd8) begin
        dip_q[15:0] <= swap16(rx.word[15:0]);
        at_q        <= 5'd9;
        skip_q      <= busy;
      end else if (at_q != 5'd31) at_q <= at_q + 1'b1;
      if (rx.index == 4'd8) begin
        if (!busy) {kind_q, code_q} <= {rx.word[23:16], rx.word[31:24]};
      end else if (!skip_q) begin
        case (at_q)
          5'd10: begin
            mtu_q    <= swap16(rx.word[15:0]);
            quoted_q <= rx.word[23:16] == 8'h45;
          end
          5'd12: begin
            if ({rx.word[4:0], rx.word[15:8]} != 0) quoted_q <= 1'b0;
            is_tcp_q <= rx.word[31:24] == TCP;
          end
          5'd13:   own_q <= swap16(rx.word[31:16]) == dip_q[31:16];
          5'd14: begin
            if (swap16(rx.word[15:0]) != dip_q[15:0]) own_q <= 1'b0;
            tuple.peer_ip[31:16] <= swap16(rx.word[31:16]);
          end
          5'd15: begin
            tuple.peer_ip[15:0] <= swap16(rx.word[15:0]);
            tuple.local_port    <= swap16(rx.word[31:16]);
          end
          5'd16: begin
            tuple.peer_port <= swap16(rx.word[15:0]);
            seq[31:16]      <= swap16(rx.word[31:16]);
          end
          5'd17:   seq[15:0] <= swap16(rx.word[15:0]);
          default: ;
        endcase
      end
    end
    if (end_q && take) tuple.iface <= rx.iface;
  end

  // --- Verdict: fields of rx still stand a cycle after it
  logic [16:0] tcp_length;
  logic [3:0] mask;
  logic final_word;
  toe_rx_sum #(
      .PSEUDO(1'b0)
  ) u_sum (
      .clk,
      .rx,
      .tcp_length,
      .mask,
      .final_word,
      .good(sum_good)
  );
  assign is_error = rx.word[23:16] inside {UNREACHABLE, TIME_EXCEEDED, PARAMETER};
  assign sender_good = ~rx.smac[40] & (rx.sip[31:28] < 4'd14) & !(rx.sip[31:24] inside {8'd0, 8'd127});
  assign error = end_q & good_q & error_kind_q & rx.ipv4 & rx.ip_good & ~rx.fragment & (rx.protocol == ICMP) &
                 (rx.ip_match != 0) & ~rx.broadcast;
  assign right = sum_good & (rx.total_length >= LEAST) & quoted_q & own_q & sender_good;
  assign take = error & ~skip_q & right & is_tcp_q;
  always_ff @(posedge clk) begin
    if (rx.valid && rx.index == 4'd8) error_kind_q <= is_error;
    end_q           <= rx.end_valid & ~rst;
    good_q          <= rx.end_good;
    valid           <= ~rst & (take | (valid & ~over));
    event_pending_q <= ~rst & ((valid & over & match) | (event_pending_q & ~taken));
    stat_reported   <= ~rst & valid & over & match;
    stat_bad        <= ~rst & error & ~skip_q & ~right;
    stat_unmatched  <= ~rst & ((valid & over & ~match) | (error & ~skip_q & right & ~is_tcp_q));
    stat_busy       <= ~rst & error & skip_q;
  end
endmodule
