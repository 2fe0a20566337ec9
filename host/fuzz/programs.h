/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Programs of several users, which send requests to ullnicd and use the sockets that it
 * provides.
 */
#ifndef ULLNIC_FUZZ_PROGRAMS_H
#define ULLNIC_FUZZ_PROGRAMS_H

#include <stddef.h>
#include <stdint.h>

#include "common/protocol.h"

enum { PROGRAM_LINKS = 4, PROGRAM_SOCKETS = 16 };

struct program_socket {
  uint64_t id; /* 0: none */
  int fd;      /* -1: closed */
  unsigned kind;
  uint32_t local_ip;
  uint16_t local_port;
};

extern struct program_socket program_sockets[PROGRAM_SOCKETS];

void programs_start(const char* path);
/* Sends data that need not be a valid request. Each link has its own user; that of link 0 is
 * root. */
void program_send(unsigned link, const void* data, size_t length, int descriptor);
/* Reads pending replies, and the sockets that come with them. */
void programs_look(void);
void program_hang_up(unsigned link);
/* Sends a request, and lets the daemon reply. */
void program_ask(unsigned link, const struct control_request* request);
struct control_request program_request(enum control_op op);
/* Stores connections that listeners have accepted, as far as there is room. */
void program_accept(struct program_socket* listener);
void programs_close(void);

#endif /* ULLNIC_FUZZ_PROGRAMS_H */
