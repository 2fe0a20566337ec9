// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What the streaming H2C engine's parts say to each other, and to the user.
package qdma_h2c_pkg;
  import qdma_tlp_pkg::*;
  import qdma_context_pkg::*;
  import qdma_fetch_pkg::bypass_flags_t;

  // Beats of 64 bytes for which the user of a queue has room, or that a packet takes of it
  typedef logic [9:0] room_t;

  // Descriptor of the public drivers, 16 bytes
  typedef struct packed {
    logic [63:0] addr;
    logic [13:0] reserved_flags;
    logic is_eop;  // neither flag, outside a chain: a packet by itself
    logic is_sop;
    logic [15:0] bytes;
    logic [31:0] metadata;  // cdh_flags, pld_len
  } h2c_descriptor_t;

  // A descriptor whose place in its packet is known, or a marker: the end of a batch, an error, or both
  typedef struct packed {
    index_t qid;
    function_t func;
    logic [2:0] port_id;
    logic wbk_en;
    logic irq_en;
    logic [15:0] pidx;
    logic [15:0] index;  // of the first descriptor of its packet
    logic [15:0] cidx;  // the index after it
    logic is_first;  // of its batch
    logic is_start;
    logic is_end;  // of its batch
    logic is_marker;
    logic is_dropped;  // of a queue that was stopped, or is to be fetched again
    logic is_rewound;
    logic is_held;  // it is rewound because its packet has no room at the user
    logic err_dsc;
    logic err_dma;
    qdma_read_pkg::read_error_e read_error;  // with err_dma; READ_OK: the user has said so
    logic wants_status;  // with the end of a packet: wbi_chk, wbi_intvl_en
    logic is_sop;
    logic is_eop;
    logic [63:0] addr;
    logic [15:0] bytes;
    logic [31:0] metadata;
    bypass_flags_t bypass;
    room_t charge;  // with the end of a packet: room that it takes at the user; 0: its queue has no limit
  } h2c_command_t;

  // Beat of a packet, without its data
  typedef struct packed {
    index_t qid;
    logic [2:0] port_id;
    logic [31:0] metadata;  // of the packet's first descriptor
    logic is_sop;
    logic is_eop;
    logic is_error;  // with is_eop: the packet is not whole
    logic [6:0] bytes;  // from byte 0; 64 but at the end; 0: a packet without bytes, or an error
  } h2c_beat_t;
endpackage
