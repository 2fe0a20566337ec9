// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What the blocks of qdma say to each other, and the map of BAR 0.
package qdma_pkg;
  import qdma_context_pkg::*;
  import qdma_tlp_pkg::*;

  localparam logic [2:0] BAR_CONFIG = 3'd0;
  localparam logic [2:0] BAR_USER = 3'd2;
  localparam int MAX_PFS = 4;
  localparam int MAX_FUNCTIONS = 256;
  localparam int SIZES = 16;  // of each array of sizes, counts and timers

  // --- BAR 0
  localparam int BAR_ADDR_BITS = 18;  // 256 KiB
  typedef logic [BAR_ADDR_BITS-1:0] bar_addr_t;
  localparam bar_addr_t CSR_END = 18'h02000;  // of a PF
  localparam bar_addr_t PF_DOORBELLS = 18'h18000;
  localparam bar_addr_t PF_DOORBELLS_END = 18'h20000;
  localparam bar_addr_t PF_MSIX = 18'h30000;  // table
  localparam bar_addr_t PF_MSIX_PENDING = 18'h34000;
  localparam bar_addr_t VF_DOORBELLS = 18'h03000;
  localparam bar_addr_t VF_DOORBELLS_END = 18'h04000;
  localparam bar_addr_t VF_MSIX = 18'h04000;
  localparam bar_addr_t VF_MSIX_PENDING = 18'h04800;
  localparam int MSIX_ADDR_BITS = 9;  // of the table: 32 entries of 16 bytes
  localparam int MSIX_PENDING_ADDR_BITS = 3;
  localparam bar_addr_t VF_VERSION = 18'h05014;
  localparam bar_addr_t VF_USER_BAR = 18'h05018;

  // --- One access of a dword
  localparam int MAX_USER_BAR_BITS = 24;
  typedef logic [MAX_USER_BAR_BITS-1:0] access_addr_t;
  typedef struct packed {
    logic is_write;
    logic is_user;  // of the user BAR, else of BAR 0
    function_t func;
    access_addr_t addr;  // 1:0 are 0
    logic [31:0] data;
    logic [3:0] strobe;
  } access_t;

  // An access of a dword of a function's MSI-X table or pending bits
  typedef struct packed {
    logic is_write;
    logic is_pending;  // the pending bits, read only; else the table
    function_t func;
    logic [4:0] vector;
    logic [1:0] dword;  // of the entry
    logic [31:0] data;
    logic [3:0] strobe;
  } msix_access_t;

  // --- Settings of completion rings
  localparam int FORMATS = 7;  // of entries
  typedef struct packed {
    logic [SIZES-1:0][15:0] count_threshold;  // entries
    logic [SIZES-1:0][15:0] timer_ticks;
    logic [31:0] tick_cycles;
    logic [15:0] coalesce_cycles;  // that an entry may wait
    logic [FORMATS-1:0][8:0] colour_place;  // bits of an entry
    logic [FORMATS-1:0][8:0] error_place;
  } completion_setting_t;

  // --- Doorbells
  typedef enum logic [1:0] {
    DOORBELL_INTERRUPT  = 2'd0,
    DOORBELL_H2C        = 2'd1,
    DOORBELL_C2H        = 2'd2,
    DOORBELL_COMPLETION = 2'd3
  } doorbell_e;

  // A doorbell that has moved its index: work for the engines.  qid is absolute; of an interrupt ring it is the ring.
  typedef struct packed {
    logic valid;
    doorbell_e kind;
    logic [10:0] qid;
  } doorbell_event_t;

  // --- Errors, for a cycle.  A bit is a bit of the leaf's status register.
  localparam int TRQ_CSR_UNMAPPED = 0;
  localparam int TRQ_VF_ACCESS = 1;
  localparam int TRQ_QSPC_UNMAPPED = 4;
  localparam int TRQ_QID_RANGE = 5;
  localparam int DSC_POISON = 1;  // those up to 15 are also sub-types
  localparam int DSC_UR_CA = 2;
  localparam int DSC_BCNT = 3;
  localparam int DSC_PARAM = 4;
  localparam int DSC_TIMEOUT = 9;
  localparam int DSC_DMA = 20;
  localparam int DSC_DSC = 21;
  localparam int C2H_BAD_LENGTH = 1;
  localparam int C2H_NO_INTERRUPT = 7;
  localparam int C2H_INVALID_QUEUE = 12;
  localparam int C2H_FULL = 13;
  localparam int C2H_CIDX = 14;

  typedef struct packed {
    logic csr_unmapped;
    logic vf_access;
    logic qspc_unmapped;
    logic qid_range;
    function_t func;
    logic [16:0] addr;
  } target_error_t;

  typedef struct packed {
    logic valid;
    logic is_c2h;
    logic [10:0] qid;
    logic [15:0] old_pidx;
    logic [15:0] new_pidx;
  } pidx_error_t;

  localparam int DESCRIPTOR_ERRORS = 4;  // sources: C2H and H2C of streams, C2H and H2C of memory-mapped transfers

  // Of a descriptor ring, found by an engine: the queue is stopped
  typedef struct packed {
    logic dsc;  // its context or a descriptor
    logic dma;  // a read
    logic [3:0] sub_type;  // bit of GLBL_DSC_ERR_STS; 0: none of the host's answers
    logic [15:0] cidx;
    logic [10:0] qid;
  } descriptor_error_t;

  // Of a completion ring, of an interrupt, or of a C2H packet
  typedef struct packed {
    logic bad_length;
    logic bad_cidx;
    logic is_full;
    logic invalid_queue;
    logic no_interrupt;
    logic [10:0] qid;
  } ring_error_t;
  localparam int WRITE_RING_ERRORS = 2, C2H_RING_ERRORS = 2;  // sources in the write path, in streaming C2H
  localparam int ENGINE_RING_ERRORS = WRITE_RING_ERRORS + C2H_RING_ERRORS;  // besides the doorbells

  // The first error of descriptor rings; PIDX are 0 if it is not a doorbell's, CIDX and sub-type if it is
  typedef struct packed {
    logic [4:0] kind;  // bit of GLBL_DSC_ERR_STS
    logic [3:0] sub_type;
    logic [15:0] cidx;
    logic is_c2h;
    logic [10:0] qid;
    logic [15:0] old_pidx;
    logic [15:0] new_pidx;
  } descriptor_log_t;

  // Why a context command is refused
  typedef struct packed {
    logic bad_selector;
    logic bad_index;
  } command_error_t;

  // The error interrupt, as GLBL_ERR_INT has it
  typedef struct packed {
    logic [3:0]  host_id;
    logic        dis_intr_on_vf;
    logic        en_coal;
    logic [10:0] vec;
    logic [11:0] func;
  } error_interrupt_t;
endpackage
