// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Echo requests for us into a memory, whole, with the checksums of their answers.
// Latency: `done` moves 3 cycles after the verdict on the frame.
//
// A request whose last word is word n of its frame (without a tag) takes n + 1 words:
//
//   0      head_t, written last: what toe_icmp_reply must know beforehand
//   1...n  the frame's words; in word 9 the ICMP checksum is that of the answer
//
// Checksums (RFC 1624): in the answer's IP header the addresses change places, so only the time to live counts; in the ICMP
// message only the type, from 8 to 0.  So words 9 to n as they are stored must add up to 0xffff, and that is how the
// request is checked.  Where a sum made anew would give the other zero (RFC 1624, 3), so does this.
//
// What is not a request to us goes without a word: no echo (code 0), to everyone's MAC address or not to our IP address
// (RFC 1122, 3.2.2.6), from an address that no host can have (RFC 1122, 3.2.1.3), a fragment, with options, or not good.
module toe_icmp_store
  import toe_pkg::*;
  import toe_icmp_pkg::*;
  import ones_pkg::*;
#(
    parameter int DEPTH = 1024
) (
    input logic clk,
    input logic rst,

    input rx_t rx,

    output logic                     wr,
    output logic [$clog2(DEPTH)-1:0] wr_addr,
    output logic [        WIDTH-1:0] wr_data,
    output logic [  $clog2(DEPTH):0] done,     // up to here there are whole requests
    input  logic [  $clog2(DEPTH):0] read,     // up to here they are not needed any more

    output logic stat_dropped,
    output logic stat_bad
);
  localparam int BITS = $clog2(DEPTH);
  localparam logic [7:0] ICMP = 8'd1;
  localparam logic [7:0] TTL = 8'd64;
  localparam logic [15:0] HEADERS = 16'd28;
  // As it lies: type 8, code 0; and what the checksum gains when the type becomes 0
  localparam logic [15:0] ECHO = 16'h0008;

  // --- Words, a register after the line.  What is after the IP packet's end is cut off.
  logic [13:0] count_q, end_q;  // index of the next word; of the last one
  logic [1:0] end_keep_q;
  logic [15:0] end_d, csum;
  logic body, is_last, inside_q, whole_q, word_valid_q, body_q, own_q, echo_q, long_q, negative_q;
  logic [31:0] word_q, cut;
  logic [15:0] ttl_change_q, ip_old_q, ip_csum;
  assign end_d   = rx.total_length + 16'd13;  // the last byte of the frame
  assign body    = rx.index inside {[4'd9 : BEHIND]};
  assign is_last = body & (count_q == end_q);
  assign csum    = ones_add(rx.word[15:0], ECHO);
  always_comb begin
    cut = rx.word;
    if (is_last && end_keep_q == 2'd1) cut[15:8] = '0;
    if (is_last && end_keep_q inside {2'd1, 2'd2}) cut[23:16] = '0;
    if (is_last && end_keep_q != 2'd0) cut[31:24] = '0;
    if (rx.index == 4'd9) cut[15:0] = csum;
  end
  always_ff @(posedge clk) begin
    end_q        <= end_d[15:2];
    end_keep_q   <= end_d[1:0] + 1'b1;
    long_q       <= rx.total_length >= HEADERS;
    word_valid_q <= rx.valid & ~rx.tag & (rx.index != 4'd0) & inside_q & ~rst;
    word_q       <= cut;
    body_q       <= body;
    own_q        <= rx.index == 4'd9;
    if (rx.valid) begin
      count_q <= rx.index == 4'd0 ? 14'd1 : count_q + 14'(!rx.tag);
      if (rx.index == 4'd0) {inside_q, whole_q} <= 2'b10;
      else if (is_last) {inside_q, whole_q} <= 2'b01;
      case (rx.index)
        4'd5:    ttl_change_q <= ones_add({8'h0, rx.word[23:16]}, {8'hff, ~TTL});
        4'd6:    ip_old_q <= rx.word[15:0];
        4'd8:    echo_q <= rx.word[31:16] == ECHO;
        4'd9:    negative_q <= &csum;
        default: ;
      endcase
    end
  end
  always_ff @(posedge clk) ip_csum <= ones_add(ip_old_q, ttl_change_q);  // words before it is needed

  // --- Sum of what is stored
  logic [15:0] sum_q;
  logic other_q;  // something but the checksum is not 0
  always_ff @(posedge clk) begin
    if (word_valid_q && body_q) begin
      sum_q   <= ones_add3(own_q ? 16'h0 : sum_q, word_q[15:0], word_q[31:16]);
      other_q <= own_q ? word_q[31:16] != 0 : other_q | (word_q != 0);
    end
  end

  // --- Verdict: the fields still stand a cycle after it (end_q1), the sum is there in the next (end_q2)
  logic end_q1, good_q1, end_q2, request_q2, whole_q2, sum_good, full, spoilt_q, take;
  logic [BITS:0] wr_ptr_q, used;
  logic sender_good;
  head_t head_q, head;
  assign sender_good = ~rx.smac[40] & (rx.sip[31:28] < 4'd14) & !(rx.sip[31:24] inside {8'd0, 8'd127});
  assign sum_good    = &sum_q;
  assign used        = wr_ptr_q - read;
  assign full        = used[BITS];
  assign take        = end_q2 & request_q2 & whole_q2 & sum_good & ~spoilt_q;
  assign wr          = take | (word_valid_q & ~full);
  assign wr_addr     = take ? done[BITS-1:0] : wr_ptr_q[BITS-1:0];
  always_comb begin
    head      = head_q;
    head.zero = head_q.zero & other_q;
    wr_data   = take ? head : {{WIDTH - 32{1'b0}}, word_q};
  end
  always_ff @(posedge clk) begin
    end_q1 <= rx.end_valid & ~rst;
    good_q1 <= rx.end_good;
    end_q2 <= end_q1 & ~rst;
    request_q2 <= good_q1 & rx.ipv4 & rx.ip_good & ~rx.fragment & (rx.protocol == ICMP) & echo_q
                  & (rx.ip_match != 0) & ~rx.broadcast & sender_good;
    whole_q2 <= whole_q & long_q;
    head_q <= '{
        ip_csum: &ip_csum ? 16'h0 : ip_csum,
        zero: negative_q,
        iface: rx.iface,
        keep: end_keep_q,
        last: end_q
    };
    spoilt_q <= ~rst & ~end_q2 & (spoilt_q | (word_valid_q & full));
    if (end_q2) wr_ptr_q <= (take ? wr_ptr_q : done) + 1'b1;  // the head's place is left free
    else if (word_valid_q && !full) wr_ptr_q <= wr_ptr_q + 1'b1;
    if (take) done <= wr_ptr_q;
    stat_dropped <= end_q2 & request_q2 & whole_q2 & sum_good & spoilt_q & ~rst;
    stat_bad     <= end_q2 & request_q2 & ~(whole_q2 & sum_good) & ~rst;
    if (rst) begin
      wr_ptr_q <= (BITS + 1)'(1);
      done     <= '0;
    end
  end
endmodule
