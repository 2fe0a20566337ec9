// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What the blocks of the write path say to each other.
package qdma_write_pkg;
  import qdma_tlp_pkg::*;
  import qdma_context_pkg::*;

  // --- Posted writes.  The order of the classes is the order of what belongs together.
  localparam int CLIENTS = 4;
  localparam int CLIENT_PAYLOAD = 0;
  localparam int CLIENT_COMPLETION = 1;
  localparam int CLIENT_STATUS = 2;
  localparam int CLIENT_INTERRUPT = 3;

  // The header is the same in all beats of a TLP.
  typedef struct packed {
    logic    last;
    posted_t header;
    beat_t   data;
  } write_beat_t;

  // A write of 1 to 4096 / 4 dwords, all bytes enabled
  function automatic posted_t write_header(input function_t func, input logic [63:2] addr, input logic [10:0] dwords);
    return
    '{
        func: func,
        addr: {addr, 2'b0},
        dwords: dwords,
        first_be: '1,
        last_be: dwords == 11'd1 ? '0 : '1,
        tc: '0,
        attr: '0
    }
    ;
  endfunction

  // --- A cause of an interrupt: of a completion ring or of a descriptor ring
  typedef struct packed {
    logic [10:0] qid;
    logic        is_c2h;
    logic [11:0] func;
    logic        is_aggregated;
    logic [10:0] vector;         // of the function; or the interrupt ring
    logic [36:0] status;         // as the entry has it: error [36:35], state [34:33], colour 32, CIDX, PIDX
  } interrupt_cause_t;

  // --- An MSI-X vector of a function
  typedef struct packed {
    function_t   func;
    logic [10:0] vector;
  } msi_vector_t;

  // --- Status to be written for a descriptor ring: the writer may keep the newest alone
  typedef struct packed {
    index_t qid;
    logic is_c2h;
    function_t func;
    logic [15:0] cidx;
    logic [15:0] pidx;
    logic is_bypass;  // of a descriptor of the user: the context has PIDX
    logic err_dsc;
    logic err_dma;
    logic wants_status;  // wbk_en
    logic wants_interrupt;  // irq_en
  } status_request_t;

  typedef struct packed {
    logic [31:0] dropped;      // TLPs of functions that are no bus master
    logic [31:0] refused;      // entries for rings that are full or not valid
    logic [31:0] discarded;    // entries that a command on their ring has dropped
    logic [31:0] lost;         // interrupts without a ring
    logic [31:0] user_failed;  // interrupts of the user that were answered by fail
    logic [63:0] full_cycles;  // of all rings
  } write_stats_t;

  // --- Completion rings
  localparam int SLOT_BYTES = 128;  // the largest write of entries, and its alignment

  typedef struct packed {
    logic [10:0] qid;
    logic        is_user_trigger;
    logic        has_user_format;      // format 1: colour and error at the places of `place`
    logic [2:0]  place;                // index of the places in C2H_CMPT_FORMAT
    logic        has_error;
    logic        has_used_descriptor;
    logic [15:0] length;
    beat_t       user;                 // bits above the 20 that the format 0 has; all bits with format 1
  } entry_t;

  typedef enum logic [1:0] {
    ROOM_YES     = 2'd0,  // a place is reserved
    ROOM_FULL    = 2'd1,  // hold it: room_event comes
    ROOM_DROP    = 2'd2,  // full, and the queue's setting says: drop
    ROOM_INVALID = 2'd3   // the ring is not valid
  } room_e;

  // What an operation on a completion ring makes, in this order
  typedef struct packed {
    logic             has_write;
    logic             has_status;
    logic             has_interrupt;
    logic [7:0]       slot;
    logic [7:0]       bytes;          // of the entries
    logic [63:0]      addr;           // of the first of them
    logic [63:0]      status_addr;
    interrupt_cause_t cause;
  } emission_t;
endpackage
