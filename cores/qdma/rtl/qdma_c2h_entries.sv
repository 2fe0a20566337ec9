// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Entries that wait for the payload of their packets.
//
// Latency: an entry is shown 1 cycle after it came; one in each cycle.
//
// Interface: valid and ready on both sides.  first_is_stopped says, a cycle late, whether the queue of `first` was stopped.
//
// Operation: a FIFO whose first entry is in registers: the queue is looked up on the way there, so that nobody waits for a RAM
// and the look-up.
module qdma_c2h_entries
  import qdma_c2h_pkg::*;
#(
    parameter int DEPTH = 32  // a power of two
) (
    input logic clk,
    input logic rst,

    input  logic       entry_valid,
    output logic       entry_ready,
    input  c2h_entry_t entry,

    // Queues that were stopped
    input c2h_stop_t [STOPS-1:0] stops,

    output logic       first_valid,
    input  logic       first_ready,
    output c2h_entry_t first,
    output logic       first_is_stopped
);
  logic stored_valid, loads, next_is_stopped, still_is_stopped;
  c2h_entry_t stored, next;
  logic [$clog2(DEPTH):0] used;
  qdma_small_fifo #(
      .WIDTH($bits(c2h_entry_t)),
      .DEPTH(DEPTH)
  ) fifo (
      .clk,
      .rst,
      .wr_valid(entry_valid & (stored_valid | ~loads)),
      .wr_ready(entry_ready),
      .wr_data (entry),
      .rd_valid(stored_valid),
      .rd_ready(loads),
      .rd_data (stored),
      .used
  );
  assign loads            = ~first_valid | first_ready;
  assign next             = stored_valid ? stored : entry;
  assign next_is_stopped  = packet_is_stopped(stops, next.packet.qid, next.packet.serial);
  assign still_is_stopped = packet_is_stopped(stops, first.packet.qid, first.packet.serial);

  always_ff @(posedge clk) begin
    if (loads) begin
      first_valid <= stored_valid | entry_valid;
      first       <= next;
    end
    first_is_stopped <= loads ? next_is_stopped : first_is_stopped | still_is_stopped;
    if (rst) first_valid <= 1'b0;
  end

  logic unused;
  assign unused = &{1'b0, used};
endmodule
