// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// Operations on completion rings, and what the engine keeps of a ring besides its context.
package qdma_completion_ring_pkg;
  import qdma_context_pkg::*;

  typedef enum logic [2:0] {
    OPERATION_POST,   // an entry
    OPERATION_READ,   // CIDX has moved or a command has changed the context: what is there now?
    OPERATION_APPLY,  // what follows from it
    OPERATION_CHECK,  // after APPLY: status and interrupt, if there is a reason
    OPERATION_TIMER,  // a timer has fired
    OPERATION_FLUSH   // writes the entries of a slot that has waited
  } operation_ring_e;

  typedef enum logic [2:0] {
    TRIGGER_OFF        = 3'd0,
    TRIGGER_EVERY      = 3'd1,
    TRIGGER_USER_COUNT = 3'd2,
    TRIGGER_USER       = 3'd3,
    TRIGGER_USER_TIMER = 3'd4,
    TRIGGER_ALL        = 3'd5   // user, timer, count
  } trigger_e;

  localparam logic [1:0] STATE_SERVICE = 2'd0;  // waits for software's CIDX
  localparam logic [1:0] STATE_TRIGGER = 2'd1;  // waits for a trigger

  localparam logic [1:0] ERROR_CIDX = 2'd1;

  // Sizes and limits are kept as the CSRs have them when the ring is set up or CIDX moves: a look-up a cycle less.  So are
  // is_all, reaches and has_reached, which follow from `unread`: to compare it takes too long where it decides.
  typedef struct packed {
    logic        is_ready;     // set up
    logic [15:0] last;         // index
    logic [15:0] threshold;    // entries that trigger, less 1
    logic [15:0] ticks;        // of the timer
    logic [15:0] unread;       // entries
    logic        is_all;       // unread == last: without a check for overflow `unread` begins again at 0
    logic        reaches;      // the next entry reaches the count
    logic        has_reached;  // the entries unread have
    logic        has_error;    // CIDX was beyond PIDX: CHECK reports it
    logic [15:0] seen;         // CIDX that `unread` takes into account
    logic [16:0] deadline;     // of the timer
    logic        has_slot;     // entries wait in it
    logic [7:0]  slot;
    logic [4:0]  fill;         // entries in it
  } ring_t;

  // What READ finds and APPLY needs
  typedef struct packed {
    index_t qid;
    logic restart;
    logic is_good;  // restart: the ring can be used
    logic [15:0] freed;  // by CIDX; restart: entries unread
    logic is_none;  // freed is 0
    logic is_all;  // restart: what ring_t has of them
    logic reaches;
    logic has_reached;
    logic [16:0] freed_and_threshold;  // so many unread: once they are freed, one more reaches the count
    logic [15:0] seen;
    logic [15:0] last;
    logic [15:0] threshold;
    logic [15:0] ticks;
  } apply_t;

  function automatic logic has_count(input logic [2:0] mode);
    return mode == TRIGGER_USER_COUNT || mode == TRIGGER_ALL;
  endfunction

  function automatic logic has_timer(input logic [2:0] mode);
    return mode == TRIGGER_USER_TIMER || mode == TRIGGER_ALL;
  endfunction

  function automatic logic has_user(input logic [2:0] mode);
    return mode >= TRIGGER_USER_COUNT && mode <= TRIGGER_ALL;
  endfunction
endpackage
