// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Latency from the time stamp that a packet carries to its arrival: greatest, least, sum, count, in windows.
//
// Latency: a packet counts 3 cycles after its first beat.
//
// Interface: stamp is valid for a cycle.  reads: a bit a register, maximum, minimum, sum and packets, the low half first, for the
// cycle of its read.  now is what a stamp has.
//
// Operation: at the end of a window the sums of it become the snapshot, unless one is being read: from the first of its
// registers until the last one.  clear begins a window and forgets the snapshot.
module example_latency (
    input logic clk,
    input logic rst,

    input logic        clear,
    input logic        enable,
    input logic [63:0] window,  // cycles; 0: without end

    input  logic        stamp_valid,
    input  logic [63:0] stamp,
    output logic [63:0] now,

    input  logic [ 7:0] reads,
    output logic [63:0] maximum,
    output logic [63:0] minimum,
    output logic [63:0] sum,
    output logic [63:0] packets
);
  typedef struct packed {
    logic [63:0] maximum;
    logic [63:0] minimum;
    logic [63:0] sum;
    logic [63:0] packets;
  } sums_t;
  localparam sums_t NONE = '{maximum: '0, minimum: '1, sum: '0, packets: '0};

  sums_t sums_q, next, snapshot_q;
  logic valid_q, ends_q, is_held;
  logic [63:0] latency_q, elapsed_q;
  logic [7:0] read_q;
  assign {maximum, minimum, sum, packets} = snapshot_q;
  assign is_held = (read_q != '0) | (reads != '0);

  always_comb begin
    next = sums_q;
    if (valid_q) begin
      if (latency_q > sums_q.maximum) next.maximum = latency_q;
      if (latency_q < sums_q.minimum) next.minimum = latency_q;
      next.sum     = sums_q.sum + latency_q;
      next.packets = sums_q.packets + 1'b1;
    end
  end

  always_ff @(posedge clk) begin
    now       <= now + 1'b1;
    valid_q   <= stamp_valid & enable;
    latency_q <= now - stamp;
    elapsed_q <= ends_q ? 64'd1 : elapsed_q + 1'b1;
    ends_q    <= (window != '0) & (elapsed_q + 1'b1 == window);
    sums_q    <= ends_q ? NONE : next;
    if (ends_q && !is_held) snapshot_q <= next;
    read_q <= (read_q | reads) == '1 ? '0 : read_q | reads;
    if (rst || clear) begin
      valid_q    <= 1'b0;
      elapsed_q  <= '0;
      ends_q     <= 1'b0;
      sums_q     <= NONE;
      snapshot_q <= NONE;
      read_q     <= '0;
    end
    if (rst) now <= '0;
  end
endmodule
