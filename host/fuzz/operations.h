/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What an input of control_fuzz and wire_fuzz is made of: a record each (tests/fuzz/records.h).
 * README.md has the table of the arguments.
 */
#ifndef ULLNIC_FUZZ_OPERATIONS_H
#define ULLNIC_FUZZ_OPERATIONS_H

#include "records.h"

enum operation {
  OP_REQUEST,       /* a request of a program */
  OP_REQUEST_BYTES, /* bytes that need not be one */
  OP_HANG_UP,
  OP_PROGRAM, /* uses a socket */
  OP_SLEEP,
  OP_SEGMENT, /* of TCP, near what the connection expects */
  OP_REPLY,   /* the one that it expects */
  OP_SYN,
  OP_DATAGRAM, /* UDP, ICMP, IGMP, TCP or another, whole or a fragment */
  OP_ARP,
  OP_FRAME, /* any bytes */
  OP_PATCH, /* of the next frame */
  OP_QUOTE, /* an ICMP error about what the card sent */
  OPERATIONS
};

/* Sockets in every state that a program reaches in order. */
void open_usual_sockets(void);
/* Starts the daemon, prepares, runs the input, ends the daemon, looks whether anything stays. */
int run_input(const uint8_t* data, size_t size, void (*prepare)(void));

#endif /* ULLNIC_FUZZ_OPERATIONS_H */
