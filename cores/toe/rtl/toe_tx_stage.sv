// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the retransmit memory is outside: what the user gives is kept inside, too, until the frame that was begun while it came
// has left.  Such a frame is read from here, as late and as early as from a memory inside, and never from outside, which
// may not show yet what has just been written.
// Latency: rd_data has the word LATENCY, 2, steps after its turn, which begins with the step after `start`.
//
// A ring of words in the order in which toe_tx_store writes them, each once.  There is room for two segments: the user
// begins one only if that leaves alone what the frame has still to read.
module toe_tx_stage #(
    parameter int WIDTH = 64,
    parameter int MSS   = 1460
) (
    input logic clk,
    input logic rst,

    // toe_tx_store: what it is given, and a cycle later what it writes
    input logic             valid,
    input logic             first,
    input logic             flush,
    input logic [WIDTH-1:0] wr_data,

    input  logic begun,  // the frame of the packet that is coming begins in the next cycle
    input  logic over,   // a frame has its last word taken
    output logic live,   // the frame under way is such a one
    output logic room,   // a segment can begin

    // The reading, see toe_tx_read
    input  logic             step,
    input  logic             start,
    input  logic [     31:0] seq,
    output logic [WIDTH-1:0] rd_data
);
  localparam int BYTES = WIDTH / 8;
  localparam int LB = $clog2(BYTES);
  localparam int LANES = WIDTH / 32;
  // Words of a segment: in two more than it is long, and what has begun before `room` falls
  localparam int SEGMENT = (MSS + BYTES - 1) / BYTES + 8;
  localparam int SB = $clog2(2 * SEGMENT);
  (* ram_style = "block" *) logic [WIDTH-1:0] ram[1<<SB];
  logic [SB-1:0] next_q, wr_q, base_q, frame_q, rd_q, held;
  logic put, put_q, begun_q;
  logic [LB-1:0] begins;
  assign put    = valid | flush;
  assign held   = next_q - frame_q;
  assign begins = LB'(seq - 32'd2);

  logic on;  // to the next word
  if (LANES == 1) begin : gen_one
    assign on = 1'b1;
  end else begin : gen_lanes
    logic [$clog2(LANES)-1:0] lane_q;
    always_ff @(posedge clk) if (step) lane_q <= start ? begins[LB-1:2] : lane_q + 1'b1;
    assign on = &lane_q;
  end

  logic [WIDTH-1:0] row_q;
  always_ff @(posedge clk) begin
    put_q <= put;
    wr_q  <= next_q;
    if (put_q) ram[wr_q] <= wr_data;
    if (put) next_q <= next_q + 1'b1;
    if (valid && first) base_q <= next_q;
    begun_q <= begun;
    if (begun_q) frame_q <= valid && first ? next_q : base_q;
    live <= begun | (live & ~over);
    room <= ~live | (32'(held) <= (1 << SB) - SEGMENT);
    if (step) begin
      // Two bytes in front of the first one, which nobody looks at, may be in the word before
      rd_q    <= start ? frame_q - SB'(seq[LB-1:1] == 0) : rd_q + SB'(on);
      row_q   <= ram[rd_q];
      rd_data <= row_q;
    end
    if (rst) begin
      next_q  <= '0;
      put_q   <= 1'b0;
      begun_q <= 1'b0;
      live    <= 1'b0;
      room    <= 1'b0;
    end
  end
endmodule
