// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Received words to header fields: counts the words, takes the fields out, checks the IP header, knows what is ours.
// Latency: words and verdict pass in their own cycle; a field is there in the cycle after the word that completes it.
//
// One VLAN tag (0x8100) is taken out.  What is taken from word 3 is taken from the tag's word, too, and then again: so nothing
// but the count waits for the comparison with 0x8100.  An interface with VLAN takes frames with its identifier,
// whatever their priority; one without takes untagged frames and those of identifier 0, which have a priority and no VLAN
// (802.1Q, 9.6).  A frame with a second tag is for no interface.
//
// end_good is never with a frame that ends before word 4, or, of IPv4, before the bytes that its total length counts; the
// FCS is none of these.  A total length below that of the headers is not found here.
module toe_rx_parse
  import toe_pkg::*;
#(
    parameter int INTERFACES = 1,    // 1 to 8
    parameter bit FCS        = 1'b1  // the MAC delivers it after the frame
) (
    input logic clk,
    input logic rst,

    input iface_t [INTERFACES-1:0] iface,

    // From macpcs: at most one frame's verdict is outstanding, and comes before the next frame's word 0
    input logic [31:0] s_axis_tdata,
    input logic [ 3:0] s_axis_tkeep,
    input logic        s_axis_tvalid,
    input logic        s_axis_tlast,
    input logic        rx_status_valid,
    input logic        rx_status_good,

    output rx_t rx
);
  localparam logic [15:0] TYPE_VLAN = 16'h0081, TYPE_IPV4 = 16'h0008, TYPE_ARP = 16'h0608;  // as they lie

  logic [31:0] word;
  logic [15:0] upper, lower;  // as numbers
  assign word  = s_axis_tdata;
  assign upper = swap16(word[31:16]);
  assign lower = swap16(word[15:0]);

  // --- Words
  logic [3:0] index_q;
  logic tagged_q, tag;
  assign tag = (index_q == 4'd3) & ~tagged_q & (word[15:0] == TYPE_VLAN);
  always_ff @(posedge clk) begin
    if (s_axis_tvalid) begin
      tagged_q <= ~s_axis_tlast & (tagged_q | tag);
      index_q  <= s_axis_tlast ? 4'd0 : index_q + 4'(!tag && index_q != BEHIND);
    end
    if (rst) begin
      tagged_q <= 1'b0;
      index_q  <= 4'd0;
    end
  end

  // --- Fields
  logic everyone_q, ipv4_q, options_q;
  assign rx.ipv4    = ipv4_q;
  assign rx.options = options_q;
  always_ff @(posedge clk) begin
    if (s_axis_tvalid) begin
      case (index_q)
        4'd0: begin
          everyone_q <= &word;
          rx.arp     <= 1'b0;
          ipv4_q     <= 1'b0;
          options_q  <= 1'b0;
        end
        4'd1: begin
          rx.broadcast   <= everyone_q & (&word[15:0]);
          rx.smac[47:32] <= upper;
        end
        4'd2:    rx.smac[31:0] <= swap32(word);
        4'd3: begin
          rx.arp    <= word[15:0] == TYPE_ARP;
          ipv4_q    <= word[15:0] == TYPE_IPV4 && word[23:16] == 8'h45;
          options_q <= word[15:0] == TYPE_IPV4 && word[23:20] == 4'h4 && word[19:16] > 4'd5;
        end
        4'd4:    rx.total_length <= lower;
        4'd5: begin
          rx.fragment <= lower[13:0] != 0;  // more of them, or an offset
          rx.protocol <= word[31:24];
        end
        4'd6:    rx.sip[31:16] <= upper;
        4'd7:    rx.sip[15:0] <= lower;
        default: ;
      endcase
    end
  end

  // --- Interfaces
  logic [11:0] vlan;
  logic [7:0] mac_match, ip_match;
  assign vlan = {word[19:16], word[31:24]};
  for (genvar i = 0; i < MAX_INTERFACES; i++) begin : gen_iface
    if (i < INTERFACES) begin : gen_there
      logic mac_q, vlan_q, ip_q;  // so far
      always_ff @(posedge clk) begin
        if (s_axis_tvalid) begin
          case (index_q)
            4'd0: begin
              mac_q <= word == swap32(iface[i].mac[47:16]);
              mac_match[i] <= 1'b0;
              ip_match[i] <= 1'b0;
            end
            4'd1: begin
              mac_q  <= mac_q & (lower == iface[i].mac[15:0]) | everyone_q & (&word[15:0]);
              vlan_q <= ~iface[i].vlan_on;
            end
            4'd3: begin
              vlan_q <= vlan == (iface[i].vlan_on ? iface[i].vlan[11:0] : 12'd0);
              mac_match[i] <= iface[i].enable & mac_q & vlan_q & (word[15:0] != TYPE_VLAN);
            end
            4'd7: ip_q <= upper == iface[i].ip[31:16];
            4'd8: begin
              ip_match[i] <= mac_match[i] & (ipv4_q | options_q) & ip_q & (lower == iface[i].ip[15:0]);
            end
            default: ;
          endcase
        end
      end
    end else begin : gen_none
      assign mac_match[i] = 1'b0;
      assign ip_match[i]  = 1'b0;
    end
  end
  iface_id_t first;
  always_comb begin
    first = '0;
    for (int i = INTERFACES - 1; i >= 0; i--) if (ip_match[i]) first = iface_id_t'(i);
  end
  assign rx.mac_match = mac_match;
  assign rx.ip_match  = ip_match;
  assign rx.iface     = first;

  // --- IP header checksum: from the second half of word 3 to the first half of word 8
  toe_rx_ones u_ip (
      .clk,
      .load(s_axis_tvalid & (index_q == 4'd3)),
      .add (s_axis_tvalid & (index_q inside {[4'd4 : 4'd8]})),
      .lo  (index_q == 4'd3 ? 16'h0 : word[15:0]),
      .hi  (index_q == 4'd8 ? 16'h0 : word[31:16]),
      .good(rx.ip_good)
  );

  // --- Length.  rest: bytes that are to come after word 4; left_q: words before the one that ends them, negative after it
  logic [16:0] rest;
  logic [14:0] left_q;
  logic [ 1:0] part_q;  // bytes of that one
  logic whole, enough, enough_q;
  assign rest = {1'b0, lower} - (FCS ? 17'd2 : 17'd6);
  always_comb begin
    case (part_q)
      2'd0: whole = 1'b1;
      2'd1: whole = s_axis_tkeep[0];
      2'd2: whole = s_axis_tkeep[1];
      default: whole = s_axis_tkeep[2];
    endcase
    if (ipv4_q | options_q) begin
      enough = (index_q > 4'd4) & (left_q[14] | ((left_q == 0) & whole) |
                                   ((left_q == 1) & (part_q == 0) & s_axis_tkeep[3]));
    end else enough = index_q > 4'd3;
  end
  always_ff @(posedge clk) begin
    if (s_axis_tvalid) begin
      if (index_q == 4'd4) {left_q, part_q} <= rest;
      else if (!left_q[14]) left_q <= left_q - 1'b1;
      enough_q <= enough;
    end
  end

  assign rx.valid     = s_axis_tvalid;
  assign rx.index     = index_q;
  assign rx.tag       = tag;
  assign rx.word      = word;
  assign rx.keep      = s_axis_tkeep;
  assign rx.last      = s_axis_tlast;
  assign rx.end_valid = rx_status_valid;
  assign rx.end_good  = rx_status_good & (s_axis_tvalid ? enough : enough_q);
  assign rx.end_short = rx_status_good & ~(s_axis_tvalid ? enough : enough_q);
endmodule
