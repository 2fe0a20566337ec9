// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What shows how far a queue has got, and what the watchdog says to the registers.
package qdma_watch_pkg;
  // A queue has got to an index, for a cycle
  typedef struct packed {
    logic valid;
    logic [10:0] qid;
    logic [15:0] index;
  } step_t;

  // Steps of all blocks, in the order of the kinds of the trace
  typedef enum logic [3:0] {
    STEP_POSTED_H2C,   // a doorbell has moved PIDX, to index
    STEP_POSTED_C2H,
    STEP_READ,         // of a completion ring: a doorbell has moved CIDX, to index
    STEP_FETCHED_C2H,  // a batch is being read, from index on
    STEP_FETCHED_H2C,
    STEP_ISSUED,       // the payload of H2C is being read, up to index
    STEP_DONE,         // a packet of H2C is at the user, up to index
    STEP_GRANTED,      // a C2H packet has a place
    STEP_REFUSED,      // it has none; index: why, c2h_answer_e
    STEP_ENTRY,        // an entry goes to its completion ring
    STEP_STATUS_H2C,   // the status of a descriptor ring is written, with CIDX index
    STEP_STATUS_C2H,
    STEP_STOP,         // a command has disabled the queue; index: 1 of H2C
    STEP_STOPPED,      // nothing of it is under way
    STEP_ERROR         // its descriptor ring is stopped; index: 1 of H2C
  } step_e;
  localparam int STEPS = 15;

  // Of streaming C2H: buffers that are stored, or taken by packets, counted from the begin of time
  typedef struct packed {
    step_t stored;
    step_t taken;
  } buffers_t;

  typedef struct packed {
    logic [10:0] qid;         // whose progress is shown
    logic        arm;         // for a cycle
    logic        armed;
    logic [14:0] limit;       // ticks
    logic        filters;     // the trace has events of filter_qid alone
    logic [10:0] filter_qid;
    logic [5:0]  entry;       // of the trace, that is shown
  } watch_setting_t;

  // An event of the trace
  typedef struct packed {
    logic lost;  // others before it did not fit
    step_e kind;
    logic [10:0] qid;
    logic [15:0] index;
    logic [31:0] cycle;
  } trace_t;

  typedef struct packed {
    logic [15:0] issued;
    logic [15:0] done;
    logic [15:0] written;
    logic [15:0] held;  // buffers of C2H
    logic freezes;  // for a cycle
    logic frozen;
    logic is_c2h;  // of the queue that has made no progress
    logic [10:0] qid;
    logic [6:0] events;
    trace_t trace;
  } watch_state_t;
endpackage
