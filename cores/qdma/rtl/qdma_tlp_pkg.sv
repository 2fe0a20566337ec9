// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The internal TLP interface: what the core speaks, whatever PCIe block the adapter stands for.  Headers are sideband and
// data begin in byte 0 of the beat that shows the header, so that a write of 64 bytes is one beat.
//
// Five channels, each with valid and ready; header and data are held until they are accepted:
//   target request      to us: reads and writes of our BARs, in the order of the link
//   target completion   from us: the answers to these reads
//   posted              from us: payload, completion entries, status, interrupt messages
//   read                from us: reads of host memory, by tag
//   completion          to us: the answers to these, by tag, in any order and in parts
// Posted writes, reads and completions are channels apart: none waits for another.  But a target completion must not
// reach the host before posted TLPs that were accepted before it: the adapter sees to that.
package qdma_tlp_pkg;

  localparam int BEAT_BITS = 512;
  localparam int BEAT_DWORDS = BEAT_BITS / 32;

  typedef logic [7:0] function_t;  // 0 to 3: PFs; 4 to 255: VFs
  typedef logic [BEAT_BITS-1:0] beat_t;

  typedef enum logic [2:0] {
    STATUS_OK = 3'b000,
    STATUS_UR = 3'b001,  // unsupported request
    STATUS_CA = 3'b100   // completer abort
  } status_e;

  // What an answer repeats of its request
  typedef struct packed {
    logic [15:0] requester;
    logic [9:0]  tag;
    logic [2:0]  tc;
    logic [2:0]  attr;
  } transaction_t;

  typedef struct packed {
    logic is_write;
    function_t func;
    logic [2:0] bar;
    logic [31:0] addr;  // in the BAR, of bytes; 1:0 are 0
    logic [10:0] dwords;  // 1 to 1024
    logic [3:0] first_be;
    logic [3:0] last_be;  // 0 with one dword
    transaction_t transaction;
  } target_request_t;

  typedef struct packed {
    status_e status;
    function_t func;
    logic [4:0] dwords;  // in the beat; 0 unless the status is OK
    logic [12:0] byte_count;
    logic [6:0] lower_addr;
    transaction_t transaction;
  } target_completion_t;

  typedef struct packed {
    function_t func;  // the requester
    logic [63:0] addr;  // of host memory; 1:0 are 0
    logic [10:0] dwords;
    logic [3:0] first_be;
    logic [3:0] last_be;
    logic [2:0] tc;
    logic [2:0] attr;
  } posted_t;

  typedef struct packed {
    function_t   func;
    logic [63:0] addr;
    logic [10:0] dwords;
    logic [3:0]  first_be;
    logic [3:0]  last_be;
    logic [7:0]  tag;
    logic [2:0]  tc;
    logic [2:0]  attr;
  } read_t;

  typedef struct packed {
    status_e status;
    logic is_poisoned;
    logic is_timeout;  // no answer came; ends the tag
    logic is_final;  // the last part of this tag
    logic [7:0] tag;
    logic [10:0] dwords;  // of this part
    logic [12:0] byte_count;  // left with this part
    logic [6:0] lower_addr;
  } completion_t;
endpackage
