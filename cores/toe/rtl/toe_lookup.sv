// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Which session a tuple belongs to: a cuckoo hash table in block RAM, exact for any number of sessions up to SESSIONS.
// Latency: `found` and `sid` in the second cycle behind `look` (registers).
module toe_lookup
  import toe_pkg::*;
#(
    parameter int SESSIONS = 64
) (
    input logic clk,
    input logic rst,

    input logic [31:0] secret,  // of the hash; must not change while sessions are in the table

    input  logic   look,
    input  tuple_t tuple,
    output logic   found,
    output sid_t   sid,

    // One change at a time, never more than SESSIONS tuples.  A look-up that comes while entries move may not find one of
    // them (say in the header how this is avoided, or that it cannot happen).
    input  logic   change_valid,
    output logic   change_ready,
    input  logic   change_insert,  // else remove
    input  tuple_t change_tuple,
    input  sid_t   change_sid,
    output logic   change_failed   // one cycle: no place (counted; must be next to impossible)
);
endmodule
