// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The interfaces of the UltraScale+ integrated block for PCI Express at 512 bits, as PG213 has them: descriptors, and
// what stands in tuser.  Fields that are not used here (parity, TPH) are 0 or not looked at.
package qdma_usp_pkg;

  // Request types of the descriptors
  typedef enum logic [3:0] {
    TYPE_READ  = 4'd0,
    TYPE_WRITE = 4'd1
  } request_type_e;

  // --- RQ: our requests.  Two TLPs may begin and end in a beat, at dwords 0 and 8.
  localparam int RQ_USER_BITS = 137;
  typedef struct packed {
    logic [63:0] parity;
    logic [1:0][5:0] seq_num;
    logic [23:0] tph;
    logic discontinue;
    logic [1:0][3:0] eop_ptr;  // dwords
    logic [1:0] is_eop;
    logic [1:0][1:0] sop_ptr;  // in 4 dwords
    logic [1:0] is_sop;
    logic [3:0] addr_offset;
    logic [1:0][3:0] last_be;
    logic [1:0][3:0] first_be;
  } rq_user_t;

  typedef struct packed {
    logic force_ecrc;
    logic [2:0] attr;
    logic [2:0] tc;
    logic requester_id_enable;  // 0: the block fills in the bus number
    logic [15:0] completer_id;
    logic [7:0] tag;
    logic [7:0] requester_bus;
    logic [7:0] requester_func;
    logic poisoned;
    request_type_e request_type;
    logic [10:0] dwords;
    logic [61:0] addr;  // 63:2
    logic [1:0] address_type;
  } rq_descriptor_t;

  // --- RC: completions of our reads.  Four TLPs may begin and end in a beat, at dwords 0, 4, 8, 12.
  localparam int RC_USER_BITS = 161;
  typedef struct packed {
    logic [63:0] parity;
    logic discontinue;
    logic [3:0][3:0] eop_ptr;
    logic [3:0] is_eop;
    logic [3:0][1:0] sop_ptr;
    logic [3:0] is_sop;
    logic [63:0] byte_en;
  } rc_user_t;

  localparam logic [3:0] RC_NORMAL = 4'd0, RC_POISONED = 4'd1, RC_BAD_STATUS = 4'd2, RC_TIMEOUT = 4'd9;
  typedef struct packed {
    logic reserved_95;
    logic [2:0] attr;
    logic [2:0] tc;
    logic reserved_88;
    logic [15:0] completer_id;
    logic [7:0] tag;
    logic [15:0] requester_id;
    logic reserved_47;
    logic poisoned;
    logic [2:0] status;
    logic [10:0] dwords;
    logic reserved_31;
    logic request_completed;
    logic locked;
    logic [12:0] byte_count;
    logic [3:0] error_code;
    logic [11:0] lower_addr;
  } rc_descriptor_t;

  // --- CQ: requests to us, one TLP in a beat
  localparam int CQ_USER_BITS = 183;
  typedef struct packed {
    logic [63:0] parity;
    logic [21:0] tph;
    logic discontinue;
    logic [1:0][3:0] eop_ptr;
    logic [1:0] is_eop;
    logic [1:0][1:0] sop_ptr;
    logic [1:0] is_sop;
    logic [63:0] byte_en;
    logic [1:0][3:0] last_be;
    logic [1:0][3:0] first_be;
  } cq_user_t;

  typedef struct packed {
    logic reserved_127;
    logic [2:0] attr;
    logic [2:0] tc;
    logic [5:0] bar_aperture;
    logic [2:0] bar;
    logic [7:0] func;
    logic [7:0] tag;
    logic [15:0] requester_id;
    logic reserved_79;
    logic [3:0] request_type;
    logic [10:0] dwords;
    logic [61:0] addr;
    logic [1:0] address_type;
  } cq_descriptor_t;

  // --- CC: our answers, one TLP in a beat
  localparam int CC_USER_BITS = 81;
  typedef struct packed {
    logic force_ecrc;
    logic [2:0] attr;
    logic [2:0] tc;
    logic completer_id_enable;  // 0: the block fills in the bus number
    logic [7:0] completer_bus;
    logic [7:0] func;
    logic [7:0] tag;
    logic [15:0] requester_id;
    logic reserved_47;
    logic poisoned;
    logic [2:0] status;
    logic [10:0] dwords;
    logic [1:0] reserved_31;
    logic locked;
    logic [12:0] byte_count;
    logic [5:0] reserved_15;
    logic [1:0] address_type;
    logic reserved_7;
    logic [6:0] lower_addr;
  } cc_descriptor_t;
endpackage
