// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Payload from the retransmit memory as a frame needs it: four bytes a step, the first two of a payload in the upper
// half.
// Latency: `data` has the first word (its lower half is not payload) LATENCY + 3 steps after `start`, and then
// one a step.
//
// The memory is read in aligned words of 32 bits; a word of the frame is made of two of them.
module toe_tx_read
  import toe_pkg::*;
#(
    parameter int SESSIONS = 64,
    parameter int RING_BYTES = 8192,
    parameter int WIDTH = 64,
    parameter int LATENCY = 2,  // of the memory
    localparam int AW = $clog2(SESSIONS * RING_BYTES * 8 / WIDTH)
) (
    input logic clk,
    input logic rst,

    input logic        step,
    input logic        start,  // with step
    input sid_t        sid,
    input logic [31:0] seq,    // of the first byte

    output logic [15:0] fetched,  // bytes of the payload that must be in the memory in this cycle
    output logic        first,    // data has the first word
    output logic [31:0] data,

    output logic [   AW-1:0] rd_addr,
    input  logic [WIDTH-1:0] rd_data
);
  localparam int RB = $clog2(RING_BYTES);
  localparam int LANES = WIDTH / 32;
  localparam int LL = $clog2(LANES);
  logic [RB-1:0] begins;
  logic [RB-3:0] word_q;  // of 32 bits
  logic [$clog2(SESSIONS)-1:0] sid_q;
  logic [1:0] turn_q;
  logic [LATENCY+2:0] first_q;
  logic [31:0] lane, lane_q, before_q;
  assign begins  = RB'(seq - 32'd2);
  assign rd_addr = {sid_q, word_q[RB-3:LL]};

  if (LANES == 1) begin : gen_one
    assign lane = rd_data;
  end else begin : gen_lanes
    logic [LATENCY-1:0][LL-1:0] lane_sel_q;
    always_ff @(posedge clk) begin
      if (step) begin
        lane_sel_q[0] <= word_q[LL-1:0];
        for (int i = 1; i < LATENCY; i++) lane_sel_q[i] <= lane_sel_q[i-1];
      end
    end
    assign lane = rd_data[32*lane_sel_q[LATENCY-1]+:32];
  end

  always_ff @(posedge clk) begin
    if (step) begin
      word_q   <= start ? begins[RB-1:2] : word_q + 1'b1;
      fetched  <= start ? 16'd2 : fetched + 16'd4;
      first_q  <= start ? (LATENCY + 3)'(1) : first_q << 1;  // one reading may end another
      lane_q   <= lane;
      before_q <= lane_q;
      if (start) begin
        sid_q  <= sid[$clog2(SESSIONS)-1:0];
        turn_q <= begins[1:0];
      end
    end
    if (rst) first_q <= '0;
  end
  assign first = first_q[LATENCY+2];
  assign data  = 32'({lane_q, before_q} >> (8 * turn_q));
endmodule
