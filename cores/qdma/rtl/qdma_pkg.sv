// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What the blocks of qdma say to each other, and the map of BAR 0.
package qdma_pkg;
  import qdma_context_pkg::*;
  import qdma_tlp_pkg::*;

  localparam logic [2:0] BAR_CONFIG = 3'd0;
  localparam int MAX_PFS = 4;
  localparam int MAX_FUNCTIONS = 256;
  localparam int SIZES = 16;  // of each array of sizes, counts and timers

  // --- BAR 0
  localparam int BAR_ADDR_BITS = 18;  // 256 KiB
  typedef logic [BAR_ADDR_BITS-1:0] bar_addr_t;
  localparam bar_addr_t CSR_END = 18'h02000;  // of a PF
  localparam bar_addr_t PF_DOORBELLS = 18'h18000;
  localparam bar_addr_t PF_DOORBELLS_END = 18'h20000;
  localparam bar_addr_t VF_DOORBELLS = 18'h03000;
  localparam bar_addr_t VF_DOORBELLS_END = 18'h04000;
  localparam bar_addr_t VF_VERSION = 18'h05014;
  localparam bar_addr_t VF_USER_BAR = 18'h05018;

  // --- One access of a dword
  typedef struct packed {
    logic is_write;
    function_t func;
    bar_addr_t addr;  // 1:0 are 0
    logic [31:0] data;
    logic [3:0] strobe;
  } access_t;

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
  localparam int DSC_PIDX = 21;
  localparam int C2H_INVALID_QUEUE = 12;
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

  typedef struct packed {
    logic bad_cidx;
    logic invalid_queue;
    logic [10:0] qid;
  } cidx_error_t;

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
