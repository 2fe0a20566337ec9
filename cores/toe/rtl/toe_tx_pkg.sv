// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What the modules of toe_tx share.
package toe_tx_pkg;
  import toe_pkg::*;

  // A packet of the user's that lies in the retransmit memory, whole
  typedef struct packed {
    sid_t        sid;
    logic [31:0] seq;
    logic [15:0] length;
    logic [15:0] csum;    // of the payload, as sent
    logic        sum;     // csum is not known: read the memory for it
  } packet_t;

  // Where the next frame comes from
  typedef enum logic [2:0] {
    LIVE,     // nothing has been chosen: the packet that the user is giving may begin
    QUEUE,    // a packet that is in the memory
    REQUEST,  // of the TCP machine
    ACKS,
    RAW
  } source_e;

  // Indices of header words, see toe_tx_header
  localparam logic [3:0] PAYLOAD = 4'd13;  // and all words after it
  localparam logic [3:0] VLAN = 4'd15;

  // Carry-save stage of a one's complement sum: the top carry comes round.  {carry, sum}
  function automatic logic [1:0][15:0] ones_csa(input logic [15:0] a, input logic [15:0] b, input logic [15:0] c);
    logic [15:0] carry;
    carry = (a & b) | (a & c) | (b & c);
    return {{carry[14:0], carry[15]}, a ^ b ^ c};
  endfunction
endpackage
