// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// The mailbox: where its registers are (../regs/qdma_mailbox.rdl), and what is kept of each function.
package qdma_mailbox_pkg;
  import qdma_tlp_pkg::function_t;
  import qdma_pkg::*;

  // --- In BAR 0
  localparam bar_addr_t PF_MAILBOX = 18'h22400;
  localparam bar_addr_t VF_MAILBOX = 18'h05000;
  localparam int MAILBOX_ADDR_BITS = 12;
  // Function level reset: two places each, the mailbox's base + 0x100 the second
  localparam bar_addr_t PF_FLR = 18'h02500;
  localparam bar_addr_t VF_FLR = 18'h01100;
  localparam bar_addr_t PF_MAILBOX_FLR = 18'h22500;
  localparam bar_addr_t VF_MAILBOX_FLR = 18'h05100;

  localparam int WORDS = 32;  // of a message
  localparam int ACK_WORDS = 8;  // a bit a function
  typedef logic [11:0] offset_t;  // from the mailbox's base, of bytes
  localparam offset_t REG_STATUS = 12'h000;
  localparam offset_t REG_COMMAND = 12'h004;
  localparam offset_t REG_VECTOR = 12'h008;
  localparam offset_t REG_TARGET = 12'h00C;
  localparam offset_t REG_ENABLE = 12'h010;
  localparam offset_t REG_ACKS = 12'h020;
  localparam offset_t REG_INBOUND = 12'h800;
  localparam offset_t REG_OUTBOUND = 12'hC00;
  localparam int SEND = 0, RECEIVE = 1;  // bits of REG_COMMAND

  // An access of a dword
  typedef struct packed {
    logic is_write;
    function_t func;
    offset_t offset;
    logic [31:0] data;
  } mailbox_access_t;

  // A function: its interrupt, and of a VF the two messages between it and its PF.  A word of a message that has not been
  // written since the message before was received reads as 0.
  typedef struct packed {
    logic [4:0] vector;
    logic is_enabled;
    logic is_sent;  // by the VF: the PF has not received it
    logic is_posted;  // by the PF: the VF has not received it
    logic [WORDS-1:0] sent_words;  // that have been written
    logic [WORDS-1:0] posted_words;
  } mailbox_link_t;

  // The VFs are shared out to the PFs in order, `share` to each.
  function automatic function_t parent(input function_t func, input int share);
    parent = '0;
    for (int pf = 1; pf < MAX_PFS; pf++) if (int'(func) >= MAX_PFS + pf * share) parent = function_t'(pf);
  endfunction
  function automatic logic has_vf(input logic [11:0] func, input int vfs);
    return int'(func) >= MAX_PFS && int'(func) < MAX_PFS + vfs;
  endfunction
endpackage
