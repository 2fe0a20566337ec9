// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether bytes that are sent again may have been overwritten.  They are acknowledged then, as the user got room: the
// frame may be aborted.  The user has written beyond the ring from the frame's first byte on: as much is enough.
// Latency: 3 cycles after `received` or `written`.  That is when a byte that `received` counts can be in a word of the
// frame at the earliest: a cycle on into the memory, RAM_LATENCY of it, and toe_tx_read.
module toe_tx_stale
  import toe_pkg::*;
#(
    parameter int RING_BYTES = 8192
) (
    input logic clk,

    input sid_t        sid,      // of the frame
    input logic [31:0] seq,      // of its first byte
    input logic [31:0] written,  // the user's next number, combinational from sid
    input logic        fin,      // it counts a FIN

    // The packet that the user is giving, which `written` does not have
    input logic        busy,
    input sid_t        user_sid,
    input logic [31:0] user_seq,
    input logic [15:0] received,

    output logic stale  // with a sid and seq that have been there for 3 cycles
);
  localparam int RB = $clog2(RING_BYTES);
  // Bytes from seq on, less 1: a full ring is below RING_BYTES
  logic [31:0] written_q, user_base_q;
  logic [15:0] received_q;
  logic user_q, user_last_q;
  logic [31:0] held_q, user_held_q;  // their upper bits alone
  always_ff @(posedge clk) begin
    written_q   <= written - 32'(fin);
    held_q      <= written_q + ~seq;
    // Nothing of it has been written: it is `written`, with FIN
    user_q      <= busy & (user_sid == sid) & (received != 0);
    user_base_q <= user_seq + ~seq;
    received_q  <= received;
    user_held_q <= user_base_q + 32'(received_q);
    user_last_q <= user_q;
    stale       <= (held_q[31:RB] != 0) | (user_last_q & (user_held_q[31:RB] != 0));
  end
endmodule
