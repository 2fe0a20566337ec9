// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Words of a retransmit memory outside, whose latency is fixed, for toe_tx_read: they are asked for ahead, and wait here for
// the steps of the frame.
// Latency: words can be read LATENCY + 2 cycles after `fetch`, the next ones a cycle each; rd_data has a word 2 steps
// after its address.  Reading may begin (`start`, with a step) from LATENCY + 1 cycles after `fetch` on.
module toe_tx_fetch
  import toe_pkg::*;
#(
    parameter int SESSIONS = 64,
    parameter int RING_BYTES = 8192,
    parameter int WIDTH = 64,
    parameter int LATENCY = 2,  // 1 at least: mem_rd_data has the word so many cycles after mem_rd_en
    localparam int AW = $clog2(SESSIONS * RING_BYTES * 8 / WIDTH)
) (
    input logic clk,
    input logic rst,

    input logic        fetch,  // what has been asked for before is not wanted any more
    input sid_t        sid,
    input logic [31:0] seq,    // of the first byte
    input logic        over,   // no more is wanted

    // toe_tx_read
    input  logic             step,
    input  logic             start,
    input  logic [   AW-1:0] rd_addr,
    output logic [WIDTH-1:0] rd_data,

    output logic             mem_rd_en,
    output logic [   AW-1:0] mem_rd_addr,
    input  logic [WIDTH-1:0] mem_rd_data
);
  localparam int LB = $clog2(WIDTH / 8);
  localparam int RB = $clog2(RING_BYTES);
  localparam int WB = RB - LB;
  localparam int FB = $clog2(LATENCY + 8);  // so many are under way or wait, and none is late at a word a cycle
  (* ram_style = "distributed" *) logic [WIDTH-1:0] ram[1<<FB];
  logic [RB-1:0] begins;
  logic [WB-1:0] ask_q, first_q, front;  // words of the ring: the next one, the first one, the one that is needed
  logic [FB-1:0] got_q;
  logic [$clog2(SESSIONS)-1:0] sid_q;
  logic [LATENCY:1] flight_q;
  logic on_q, started_q, ask;
  logic [WIDTH-1:0] row_q;
  assign begins = RB'(seq - 32'd2);
  assign front  = started_q ? rd_addr[WB-1:0] : first_q;
  assign ask    = on_q & ((WB'(ask_q - front) >> FB) == 0);
  always_ff @(posedge clk) begin
    mem_rd_en   <= fetch | ask;
    mem_rd_addr <= fetch ? {sid[$clog2(SESSIONS)-1:0], begins[RB-1:LB]} : {sid_q, ask_q};
    if (ask) ask_q <= ask_q + 1'b1;
    flight_q <= fetch ? '0 : LATENCY'({flight_q, mem_rd_en});
    if (flight_q[LATENCY]) begin
      ram[got_q] <= mem_rd_data;
      got_q      <= got_q + 1'b1;
    end
    if (step && start) started_q <= 1'b1;
    if (over) on_q <= 1'b0;
    if (fetch) begin
      on_q      <= 1'b1;
      started_q <= 1'b0;
      sid_q     <= sid[$clog2(SESSIONS)-1:0];
      first_q   <= begins[RB-1:LB];
      ask_q     <= begins[RB-1:LB] + 1'b1;
      got_q     <= begins[LB+:FB];
    end
    if (step) begin
      row_q   <= ram[rd_addr[FB-1:0]];
      rd_data <= row_q;
    end
    if (rst) begin
      on_q      <= 1'b0;
      mem_rd_en <= 1'b0;
      flight_q  <= '0;
    end
  end
endmodule
