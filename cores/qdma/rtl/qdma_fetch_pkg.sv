// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What the descriptor fetch and those that use descriptors say to each other.
package qdma_fetch_pkg;
  import qdma_tlp_pkg::*;
  import qdma_context_pkg::*;
  import qdma_read_pkg::*;

  localparam int C2H = 0, H2C = 1;  // directions, in the order of the selectors

  localparam int BATCH_BYTES = 512;  // the most that one read of descriptors asks for
  localparam int MAX_BATCH = BATCH_BYTES / 8;  // descriptors of 8 bytes
  localparam int MAX_PENDING = 15;  // batches of a queue that are under way: what fetch_pnd can count
  localparam int DESCRIPTOR_BITS = 256;
  typedef logic [$clog2(MAX_BATCH):0] places_t;  // of descriptors, 0 to MAX_BATCH

  // Of a batch; travels as the cookie of its read
  typedef struct packed {
    function_t func;
    logic [2:0] port_id;
    logic wbk_en;
    logic irq_en;
    logic wbi_chk;
    logic wbi_intvl_en;
    logic [4:0] ring_most;  // descriptors that its ring can hold, 31 if more; 0: of a queue with bypass
    logic [15:0] pidx;  // when it was fetched
    logic [1:0] dsc_sz;  // 8 << n bytes
    places_t count;
    logic wraps;  // the descriptor after it is at index 0
    logic is_start;  // nothing of its queue was under way, and it continues no other
    logic is_continued;  // the next batch of this direction continues it, unless the queue is stopped
    logic is_continuing;  // it continues the one before; memory-mapped: within its first descriptor
    index_t qid;
    logic [15:0] index;  // of its first descriptor
  } batch_t;

  // Of a descriptor of a queue with bypass; the last three are of those that the user provides
  typedef struct packed {
    logic is_bypass;
    logic no_dma;  // nothing is transferred
    logic wants_marker;  // the user is notified when it is done
    logic is_flush;  // no descriptor: what the engine has accepted before it is done when this is
  } bypass_flags_t;

  // A descriptor; with an error it stands for all that are left of its batch, and there are no data
  typedef struct packed {
    index_t qid;
    function_t func;
    logic [2:0] port_id;
    logic wbk_en;
    logic irq_en;
    logic wbi_chk;
    logic wbi_intvl_en;
    logic [4:0] ring_most;  // descriptors that its ring can hold, 31 if more
    logic [15:0] pidx;
    logic [15:0] index;
    logic [15:0] cidx;  // the index after it
    logic is_start;  // of a batch before which nothing of its queue was under way
    logic is_end;  // of its batch: a retire_t is pending
    logic is_continued;  // the next batch begins where this one ends, unless the queue is stopped
    logic is_continuing;  // its batch begins where the one before ended; memory-mapped: within its first descriptor
    read_error_e error;
    bypass_flags_t bypass;
    logic [1:0] dsc_sz;
    logic [DESCRIPTOR_BITS-1:0] data;  // the descriptor from bit 0, zeros after it
  } descriptor_t;

  typedef enum logic [1:0] {
    RETIRE_BATCH,  // all of it has been used, or dropped
    RETIRE_LEFT,   // all of it has left to the user: bypass
    RETIRE_ERROR   // no batch: an error of a descriptor that the user has provided
  } retire_e;

  typedef struct packed {
    retire_e kind;
    index_t qid;
    logic is_stopped;  // the queue has had an error
    logic err_dsc;  // an error, to be in the software context
    logic err_dma;
    logic is_rewound;  // it ended within a chain or a descriptor, or is held: to be fetched again from `index` on
    logic is_held;  // its next packet has no room at the user
    read_error_e read_error;  // with an error: the host's answer to a read; READ_OK: no read has failed
    logic [15:0] index;  // with an error: of the descriptor that has it, or of its packet
  } retire_t;

  // A queue that the fetch itself has stopped
  typedef struct packed {
    logic valid;
    logic [15:0] cidx;
    index_t qid;
  } context_error_t;
endpackage
