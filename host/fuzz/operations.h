/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Operations of an input of control_fuzz and wire_fuzz, one per record (tests/fuzz/records.h).
 * README.md has the table of the arguments.
 */
#ifndef ULLNIC_FUZZ_OPERATIONS_H
#define ULLNIC_FUZZ_OPERATIONS_H

#include "records.h"

enum operation {
  OP_REQUEST,       /* a request of a program */
  OP_REQUEST_BYTES, /* arbitrary bytes as a request */
  OP_HANG_UP,
  OP_PROGRAM, /* uses a socket */
  OP_SLEEP,
  OP_SEGMENT, /* a TCP segment close to what the connection expects */
  OP_REPLY,   /* the segment that it expects */
  OP_SYN,
  OP_DATAGRAM, /* UDP, ICMP, IGMP, TCP or another, whole or a fragment */
  OP_ARP,
  OP_FRAME, /* any bytes */
  OP_PATCH, /* modifies the next frame */
  OP_QUOTE, /* an ICMP error about a packet of the card */
  OPERATIONS
};

/* Opens sockets in every state that a correct program reaches. */
void open_usual_sockets(void);
/* Starts the daemon, calls `prepare`, runs the input, ends the daemon, checks for leaks. */
int run_input(const uint8_t* data, size_t size, void (*prepare)(void));

#endif /* ULLNIC_FUZZ_OPERATIONS_H */
