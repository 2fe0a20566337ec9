// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Requests out of the memory of toe_icmp_store, word by word, as their answers: addresses changed, time to live 64, type 0.  Type
// of service, identification, don't fragment and the data are the request's (RFC 1122, 3.2.2.6; RFC 1349, 5.1); its
// identification is as good as one of our own, because the requester gives each of its requests another one.
// Latency: the first word 4 cycles after `done`, then one in each cycle with m_tready.
//
//   IDLE   no request
//   HEAD   head_t is there
//   FIRST  word 1 is there
//   SEND   word 2 is there, then what each word needs; the word before is in before_q
module toe_icmp_reply
  import toe_pkg::*;
  import toe_icmp_pkg::*;
#(
    parameter int INTERFACES = 1,
    parameter int DEPTH = 1024
) (
    input logic clk,
    input logic rst,

    input iface_t [INTERFACES-1:0] iface,  // not all of it

    input  logic [$clog2(DEPTH):0] done,
    output logic [$clog2(DEPTH):0] read,
    output logic                   rd_en,
    input  logic [      WIDTH-1:0] rd_data, // a cycle later

    output logic [31:0] m_tdata,
    output logic [ 3:0] m_tkeep,
    output logic        m_tvalid,
    input  logic        m_tready,
    output logic        m_tlast
);
  localparam logic [7:0] TTL = 8'd64;
  typedef enum logic [1:0] {
    IDLE,
    HEAD,
    FIRST,
    SEND
  } state_e;
  state_e state_q;
  head_t  head_q;
  iface_t own;  // not its mask and gateway
  logic [3:0] index_q, index_next;
  logic [13:0] count_q;  // words after this one
  logic [31:0] now, before_q, word;
  logic step, last;
  assign now  = rd_data[31:0];
  assign step = (state_q == SEND) & (~m_tvalid | m_tready);
  assign last = count_q == 0;
  always_comb begin
    own = iface[0];
    for (int i = 0; i < INTERFACES; i++) if (head_q.iface == iface_id_t'(i)) own = iface[i];
  end

  always_comb begin
    index_next = index_q + 1'b1;
    case (index_q)
      4'd0:    word = {now[15:0], before_q[31:16]};
      4'd1:    word = {swap16(own.mac[47:32]), now[31:16]};
      4'd2: begin
        word       = swap32(own.mac[31:0]);
        index_next = own.vlan_on ? TAG : 4'd3;
      end
      TAG: begin
        word       = {swap16(own.vlan), 16'h0081};
        index_next = 4'd3;
      end
      4'd5:    word = {now[31:24], TTL, now[15:0]};
      4'd6:    word = {swap16(own.ip[31:16]), head_q.ip_csum};
      4'd7:    word = {before_q[31:16], swap16(own.ip[15:0])};
      4'd8:    word = {16'h0, before_q[15:0]};
      4'd9:    word = {now[31:16], head_q.zero ? 16'h0 : now[15:0]};
      BEHIND: begin
        word       = now;
        index_next = BEHIND;
      end
      default: word = now;
    endcase
  end

  always_comb begin
    case (state_q)
      IDLE:    rd_en = done != read;
      HEAD:    rd_en = 1'b1;
      FIRST:   rd_en = 1'b1;
      default: rd_en = step & ~last & (index_next inside {[4'd3 : BEHIND]});
    endcase
  end

  always_ff @(posedge clk) begin
    if (rd_en) read <= read + 1'b1;
    case (state_q)
      IDLE: if (rd_en) state_q <= HEAD;
      HEAD: begin
        head_q  <= rd_data;
        state_q <= FIRST;
      end
      FIRST: begin
        before_q <= now;
        index_q  <= '0;
        count_q  <= head_q.last;
        state_q  <= SEND;
      end
      default:
      if (step) begin
        m_tdata <= word;
        m_tlast <= last;
        m_tkeep <= last && head_q.keep != 0 ? 4'((5'd1 << head_q.keep) - 5'd1) : 4'hf;
        index_q <= index_next;
        if (index_q != TAG) count_q <= count_q - 1'b1;
        if (index_q inside {[4'd3 : BEHIND]}) before_q <= now;
        if (last) state_q <= IDLE;
      end
    endcase
    m_tvalid <= step | (m_tvalid & ~m_tready);
    if (rst) begin
      state_q  <= IDLE;
      read     <= '0;
      m_tvalid <= 1'b0;
    end
  end
endmodule
