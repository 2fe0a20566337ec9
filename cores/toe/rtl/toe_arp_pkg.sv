// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// What the parts of toe_arp pass to each other.
package toe_arp_pkg;
  import toe_pkg::*;

  // An ARP message that has arrived, good and of interest to us
  typedef struct packed {
    logic [7:0]  ifaces;   // on which it can be heard
    logic        for_us;   // we are its target, as
    iface_id_t   iface;
    logic        request;
    logic        learn;    // the sender has an address (a probe of RFC 5227 has none)
    logic [47:0] mac;      // the sender
    logic [31:0] ip;
  } heard_t;

  // One to send
  typedef struct packed {
    iface_id_t   iface;
    logic        reply;
    logic        everyone;
    logic [47:0] mac;       // whom it goes to; of no meaning with everyone
    logic [31:0] ip;        // target
  } send_t;
endpackage
