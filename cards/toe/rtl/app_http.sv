// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// HTTP/1.0: any request is answered with one page.  A request ends with an empty line at the end of a segment.
module app_http
  import toe_pkg::*;
#(
    parameter int SESSIONS = 16  // the low bits of their numbers differ
) (
    input logic clk,
    input logic rst,

    // Received payload of this app's sessions: taken at once
    input logic [63:0] s_tdata,
    input logic [ 7:0] s_tkeep,
    input logic        s_tvalid,
    input logic        s_tlast,
    input sid_t        s_tdest,

    output logic [63:0] m_tdata,
    output logic [ 7:0] m_tkeep,
    output logic        m_tvalid,
    input  logic        m_tready,
    output logic        m_tlast,
    output sid_t        m_tdest,
    output logic [15:0] m_length,

    output logic close_valid,  // the page has been given
    input  logic close_ready,
    output sid_t close_sid
);
  localparam int BITS = $clog2(SESSIONS);

  // --- Requests: the last four bytes of each session
  localparam logic [31:0] EMPTY_LINE = "\n\x0d\n\x0d";  // first byte in bits 7:0
  (* ram_style = "distributed" *) logic [31:0] tail[SESSIONS];
  logic [95:0] joined;
  logic [31:0] tail_next, tail_q;
  assign joined = {s_tdata, tail[s_tdest[BITS-1:0]]};
  always_comb begin
    tail_next = joined[31:0];
    for (int i = 0; i < 8; i++) if (s_tkeep[i]) tail_next = joined[8*i+8+:32];
  end
  logic over_q, asked;  // a segment is over: tail_q is its end
  sid_t asked_sid_q;
  assign asked = over_q & (tail_q == EMPTY_LINE);
  always_ff @(posedge clk) begin
    if (s_tvalid) tail[s_tdest[BITS-1:0]] <= tail_next;
    tail_q      <= tail_next;
    over_q      <= ~rst & s_tvalid & s_tlast;
    asked_sid_q <= s_tdest;
  end

  // Requests of a session that waits for its page are ignored: it gets one page and is closed after it. So the FIFO holds
  // each session once at most, and always has room.
  logic page_valid, page_take, accepted, next_valid, next_take;
  sid_t page_sid, next_sid;
  logic [SESSIONS-1:0] waiting_q;
  assign accepted = asked & ~waiting_q[asked_sid_q[BITS-1:0]];
  always_ff @(posedge clk) begin
    if (page_take) waiting_q[page_sid[BITS-1:0]] <= 1'b0;
    if (accepted) waiting_q[asked_sid_q[BITS-1:0]] <= 1'b1;
    if (rst) waiting_q <= '0;
  end
  toe_fifo #(
      .WIDTH($bits(sid_t)),
      .DEPTH(SESSIONS)
  ) u_asked (
      .clk,
      .rst,
      .wr_valid(accepted),
      .wr_ready(),
      .wr_room (),
      .wr_data (asked_sid_q),
      .rd_valid(next_valid),
      .rd_ready(next_take),
      .rd_data (next_sid)
  );
  // The way from its memory through toe's tables would be too long for one cycle.
  axis_register #(
      .WIDTH($bits(sid_t))
  ) u_page (
      .clk,
      .rst,
      .s_data (next_sid),
      .s_valid(next_valid),
      .s_ready(next_take),
      .m_data (page_sid),
      .m_valid(page_valid),
      .m_ready(page_take)
  );

  // --- The page
  localparam string BODY = {
    "<!DOCTYPE html><html><head><title>ullnic toe</title></head><body>\n",
    "<h1>Hardware speaking</h1>\n",
    "<p>This page was served by RTL. TCP, IP, ARP and ICMP of this card are SystemVerilog; ",
    "no processor has seen your request.</p>\n",
    "<p>Port 7 echoes, port 9 discards, port 19 sends lines.</p>\n",
    "</body></html>\n"
  };
  localparam string PAGE = {
    "HTTP/1.0 200 OK\x0d\nServer: ullnic\x0d\nContent-Type: text/html\x0d\nConnection: close\x0d\n\x0d\n", BODY
  };
  localparam int LENGTH = PAGE.len();
  localparam int BEATS = (LENGTH + 7) / 8;
  localparam int LEFT = LENGTH - 8 * (BEATS - 1);
  typedef logic [BEATS-1:0][63:0] page_t;
  function automatic page_t words();
    page_t result;
    result = '0;
    for (int i = 0; i < LENGTH; ++i) result[i/8][8*(i%8)+:8] = PAGE[i];
    return result;
  endfunction
  localparam page_t WORDS = words();

  logic [$clog2(BEATS)-1:0] beat_q;
  logic closing_q;
  assign m_tvalid    = page_valid & ~closing_q;
  assign m_tdata     = WORDS[beat_q];
  assign m_tlast     = beat_q == ($bits(beat_q))'(BEATS - 1);
  assign m_tkeep     = m_tlast ? 8'((1 << LEFT) - 1) : 8'hff;
  assign m_tdest     = page_sid;
  assign m_length    = 16'(LENGTH);
  assign close_valid = closing_q;
  assign close_sid   = page_sid;
  assign page_take   = closing_q & close_ready;
  always_ff @(posedge clk) begin
    if (m_tvalid && m_tready) beat_q <= m_tlast ? '0 : beat_q + 1'b1;
    closing_q <= closing_q ? ~close_ready : m_tvalid & m_tready & m_tlast;
    if (rst) {closing_q, beat_q} <= '0;
  end
endmodule
