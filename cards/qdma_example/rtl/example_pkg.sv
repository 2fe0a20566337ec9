// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What the parts of the example design say to each other.
package example_pkg;
  typedef enum logic [1:0] {
    OF_LOOP,   // a packet of H2C on its way back
    OF_START,  // C2H_CONTROL.start or .immediate
    OF_DUMP,   // C2H_CONTROL.dump_data
    OF_MARKER  // C2H_CONTROL.marker
  } source_e;

  // A packet to C2H
  typedef struct packed {
    source_e source;
    logic [10:0] qid;
    logic [15:0] bytes;  // 0: no payload
    logic has_completion;
    logic has_user_format;
  } packet_t;

  // What qdma has answered to an ask
  typedef struct packed {
    logic valid;  // for a cycle
    packet_t packet;
    logic is_granted;
    logic is_held;  // ask again after an event
    logic is_closed;  // no event of any queue has come since the ask: the same answer until one does
  } verdict_t;

  // 32 numbers of the pattern from `first` on: what 64 bytes of it are
  function automatic logic [511:0] pattern(input logic [15:0] first);
    logic [511:0] data;
    for (int i = 0; i < 32; i++) data[16*i+:16] = first + 16'(i);
    return data;
  endfunction
endpackage
