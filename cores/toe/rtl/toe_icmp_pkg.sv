// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What toe_icmp_store leaves for toe_icmp_reply in front of a request.
package toe_icmp_pkg;
  typedef struct packed {
    logic [15:0] ip_csum;  // of the answer, as it lies
    logic        zero;     // its ICMP checksum is 0, though 0xffff is written
    logic [2:0]  iface;    // that was asked
    logic [1:0]  keep;     // bytes of the last word, 0: all
    logic [13:0] last;     // index of the last word
  } head_t;
  localparam int WIDTH = $bits(head_t);  // of the memory
endpackage
