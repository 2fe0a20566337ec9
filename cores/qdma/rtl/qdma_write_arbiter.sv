// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Puts the posted writes of all clients into one order: payload, completion entries, status, interrupts.
//
// Latency: 2 cycles from a client's beat to the channel.  A beat leaves in every cycle: the next one is chosen while one
// is on its way.
//
// Interface: valid and ready by beat; a client's beats are held until they are accepted, and the beats of a TLP follow
// each other without another client's between them.  A client shows a TLP when all its data are there: an open TLP
// stops the channel.
//
// Operation: the TLP that has waited longest goes first; of those that came in the same cycle, the lower client.  So
//   - what belongs together leaves in the order in which it is presented, and payload before completion before status
//     before interrupt if it is presented at once
//   - while a TLP waits, each other client sends at most one
// formal/write_order.sv proves both, and that the channel has all beats in the order in which they were accepted.
//
// A TLP of a function that may not be bus master is dropped, and counted: `dropped` for a cycle with dropped_func.
//
// moves says that the oldest beat has left: accepted by the channel, or dropped.  A beat that is dropped while others wait
// for the channel has passed them: it is not counted, so that each count takes the beats that wait on by one place.  There are
// three: beat_q and the two registers of the channel.  So a beat has left with the third count, formal/moves_count.sv.
module qdma_write_arbiter
  import qdma_tlp_pkg::*;
  import qdma_write_pkg::*;
(
    input logic clk,
    input logic rst,

    // Bit a function: its bus master enable
    input logic [255:0] master_enable,

    input  logic        [CLIENTS-1:0] client_valid,
    output logic        [CLIENTS-1:0] client_ready,
    input  write_beat_t [CLIENTS-1:0] client,

    output logic        posted_valid,
    input  logic        posted_ready,
    output write_beat_t posted,

    output logic      is_idle,      // nothing waits, and the channel would accept
    output logic      moves,        // in the cycle before, the oldest beat has left
    output logic      dropped,
    output function_t dropped_func
);
  // --- Choice
  logic [CLIENTS-1:0] waiting, grant, locked_q, unbeaten;
  logic [CLIENTS-1:0][CLIENTS-1:0] first_q;  // [i][j], i < j: i goes before j
  logic chosen_ready, chosen_last;
  write_beat_t chosen;

  always_comb begin
    for (int i = 0; i < CLIENTS; i++) begin
      unbeaten[i] = 1'b1;
      for (int j = 0; j < CLIENTS; j++) begin
        if (j < i && client_valid[j] && first_q[j][i]) unbeaten[i] = 1'b0;
        if (j > i && client_valid[j] && !first_q[i][j]) unbeaten[i] = 1'b0;
      end
    end
    grant  = client_valid & (|locked_q ? locked_q : unbeaten);
    chosen = '0;
    for (int i = 0; i < CLIENTS; i++) if (grant[i]) chosen |= client[i];
  end
  assign client_ready = grant & {CLIENTS{chosen_ready}};
  assign chosen_last  = chosen.last;
  assign waiting      = client_valid & ~(client_ready &{CLIENTS{chosen_last}});

  always_ff @(posedge clk) begin
    if (|client_ready) locked_q <= chosen_last ? '0 : grant;
    for (int i = 0; i < CLIENTS; i++) begin
      for (int j = 0; j < CLIENTS; j++) begin
        // Of two that wait, the order stays; one that waits goes before one that comes; else the lower one.
        if (j > i) begin
          if (!(waiting[i] && waiting[j])) first_q[i][j] <= waiting[i] | ~waiting[j];
        end else begin
          first_q[i][j] <= 1'b0;
        end
      end
    end
    if (rst) begin
      locked_q <= '0;
      first_q  <= '1;
    end
  end

  // --- Bus master
  logic beat_valid_q, beat_ready, is_first_q, keep, keep_q, keep_first;
  write_beat_t beat_q;
  // One that is dropped waits for the channel, too: whether it is kept takes long to look up.
  assign chosen_ready = ~beat_valid_q | beat_ready;
  assign keep_first   = master_enable[beat_q.header.func];
  assign keep         = is_first_q ? keep_first : keep_q;

  always_ff @(posedge clk) begin
    if (chosen_ready) begin
      beat_valid_q <= |grant;
      beat_q       <= chosen;
    end
    dropped <= 1'b0;
    if (beat_valid_q && chosen_ready) begin
      is_first_q   <= beat_q.last;
      keep_q       <= keep;
      dropped      <= ~keep & beat_q.last;
      dropped_func <= beat_q.header.func;
    end
    if (rst) begin
      beat_valid_q <= 1'b0;
      is_first_q   <= 1'b1;
      dropped      <= 1'b0;
    end
  end

  axis_register #(
      .WIDTH($bits(write_beat_t))
  ) channel (
      .clk,
      .rst,
      .s_data (beat_q),
      .s_valid(beat_valid_q & keep),
      .s_ready(beat_ready),
      .m_data (posted),
      .m_valid(posted_valid),
      .m_ready(posted_ready)
  );
  assign is_idle = ~|client_valid & ~beat_valid_q & beat_ready & ~posted_valid;

  always_ff @(posedge clk) begin
    moves <= posted_valid ? posted_ready : beat_valid_q & ~keep;
    if (rst) moves <= 1'b0;
  end
endmodule
