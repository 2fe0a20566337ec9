// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The retransmit memory is outside: its read port for toe_tx_read, and who may be read from it when.
// Latency: as toe_tx_stage and toe_tx_fetch have it.
//
// A byte on the wire is never older than what the user gave:
//   - the frame of a packet that is coming, or has just come, is read from toe_tx_stage;
//   - a packet that was queued is not asked for before WRITE_LATENCY cycles after its last byte;
//   - what is sent again is not read before WRITE_LATENCY cycles after the end of a frame from toe_tx_stage (`recent`): nothing
//     is sent again that has not been sent, and what was queued has been in the memory for long.
module toe_tx_outside
  import toe_pkg::*;
#(
    parameter int SESSIONS = 64,
    parameter int RING_BYTES = 8192,
    parameter int WIDTH = 64,
    parameter int MSS = 1460,
    parameter int LATENCY = 2,  // of a read
    parameter int WRITE_LATENCY = 1,  // from a write to a read that sees it
    localparam int AW = $clog2(SESSIONS * RING_BYTES * 8 / WIDTH)
) (
    input logic clk,
    input logic rst,

    // The user's beats, as toe_tx_store has them; and what it writes
    input  logic             store_valid,
    input  logic             store_first,
    input  logic             store_flush,
    input  logic [WIDTH-1:0] wr_data,
    output logic             room,         // another segment may begin

    // The queue of packets
    input  logic packet_wr,
    input  logic packet_pop,
    output logic packet_waits,

    // Frames
    input  logic begun,  // of the packet that is coming
    input  logic over,
    output logic recent,

    // The reading
    input  logic             fetch,
    input  sid_t             sid,
    input  logic [     31:0] seq,
    input  logic             step,
    input  logic             start,
    input  logic [   AW-1:0] rd_addr,
    output logic [WIDTH-1:0] rd_data,

    output logic             mem_rd_en,
    output logic [   AW-1:0] mem_rd_addr,
    input  logic [WIDTH-1:0] mem_rd_data
);
  localparam int CB = $clog2(WRITE_LATENCY + 1);
  logic live;
  logic [WIDTH-1:0] stage_data, fetch_data;
  toe_tx_stage #(
      .WIDTH(WIDTH),
      .MSS  (MSS)
  ) u_stage (
      .clk,
      .rst,
      .valid  (store_valid),
      .first  (store_first),
      .flush  (store_flush),
      .wr_data,
      .begun,
      .over,
      .live,
      .room,
      .step,
      .start,
      .seq,
      .rd_data(stage_data)
  );
  toe_tx_fetch #(
      .SESSIONS(SESSIONS),
      .RING_BYTES(RING_BYTES),
      .WIDTH(WIDTH),
      .LATENCY(LATENCY)
  ) u_fetch (
      .clk,
      .rst,
      .fetch,
      .sid,
      .seq,
      .over,
      .step,
      .start,
      .rd_addr,
      .rd_data(fetch_data),
      .mem_rd_en,
      .mem_rd_addr,
      .mem_rd_data
  );
  assign rd_data = live ? stage_data : fetch_data;

  // A packet is queued in the cycle in which its last byte is written, and is asked for 4 cycles after it if its turn has come
  localparam int AGE = WRITE_LATENCY > 4 ? WRITE_LATENCY - 4 : 0;
  logic [AGE:0] ages;
  logic [3:0] ripe_q;
  logic [CB-1:0] recent_q;
  assign packet_waits = ripe_q != 0;
  assign ages[0]      = packet_wr;
  for (genvar i = 1; i <= AGE; i++) begin : gen_age
    always_ff @(posedge clk) ages[i] <= ~rst & ages[i-1];
  end
  assign recent = live | (recent_q != 0);
  always_ff @(posedge clk) begin
    ripe_q <= ripe_q + 4'(ages[AGE]) - 4'(packet_pop);
    if (live) recent_q <= CB'(WRITE_LATENCY);
    else if (recent_q != 0) recent_q <= recent_q - 1'b1;
    if (rst) begin
      ripe_q   <= '0;
      recent_q <= '0;
    end
  end
endmodule
