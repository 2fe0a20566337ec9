// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// RCV.NXT of each session, and whether its data are welcome: one table in LUT RAM, written by two, one at a time.
// Latency: reads are combinational; what is written is read in the next cycle.
//
// `hold` keeps the TCP machine from writing anything, `hold_sid` with hold_one from writing that session; moving goes before.
// After a reset no session is open: that takes SESSIONS cycles, in which the TCP machine waits.
module toe_rx_rcv
  import toe_pkg::*;
#(
    parameter int SESSIONS = 64
) (
    input logic clk,
    input logic rst,

    input  sid_t        sid,
    output logic [31:0] nxt,
    output logic        open,

    input logic        move,      // the session of hold_sid, which is open, to move_nxt
    input logic [31:0] move_nxt,
    input logic        hold,
    input logic        hold_one,
    input sid_t        hold_sid,

    input  logic        rcv_wr,
    output logic        rcv_wr_ready,
    input  sid_t        rcv_wr_sid,
    input  logic [31:0] rcv_wr_nxt,
    input  logic        rcv_wr_open,

    input  sid_t        ack_sid,
    output logic [31:0] ack_nxt
);
  localparam int BITS = $clog2(SESSIONS);
  (* ram_style = "distributed" *) logic [31:0] ram[SESSIONS];
  (* ram_style = "distributed" *) logic open_ram[SESSIONS];

  logic clear_q, wr, wr_open;
  logic [BITS-1:0] clear_sid_q, wr_sid;
  logic [31:0] wr_nxt;
  assign rcv_wr_ready = ~(clear_q | move | hold | (hold_one & (hold_sid[BITS-1:0] == rcv_wr_sid[BITS-1:0])));
  assign wr           = clear_q | move | (rcv_wr & rcv_wr_ready);
  assign wr_sid       = clear_q ? clear_sid_q : move ? hold_sid[BITS-1:0] : rcv_wr_sid[BITS-1:0];
  assign wr_nxt       = move ? move_nxt : rcv_wr_nxt;
  assign wr_open      = ~clear_q & (move | rcv_wr_open);
  always_ff @(posedge clk) begin
    if (wr) begin
      ram[wr_sid]      <= wr_nxt;
      open_ram[wr_sid] <= wr_open;
    end
    clear_sid_q <= clear_sid_q + 1'b1;
    if (clear_sid_q == BITS'(SESSIONS - 1)) clear_q <= 1'b0;
    if (rst) begin
      clear_q     <= 1'b1;
      clear_sid_q <= '0;
    end
  end
  assign nxt     = ram[sid[BITS-1:0]];
  assign open    = open_ram[sid[BITS-1:0]];
  assign ack_nxt = ram[ack_sid[BITS-1:0]];
endmodule
