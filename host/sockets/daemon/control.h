/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The daemon's side of common/protocol.h.
 */
#ifndef ULLNICD_CONTROL_H
#define ULLNICD_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct control_reply;
struct control_request;
struct socket;
struct user;

/* What headers of the transmit engine can have. */
#define CONTROL_ENGINE_HEADER "IP_TTL 64 and IP_TOS 0 only"

/* Whose request it is, and what came with it. */
struct asker {
  struct user* user;
  bool may_reach_card; /* registers, frames as they are */
  uint64_t cookie;     /* SO_COOKIE of a socket whose descriptor came along; 0: none */
  const uint8_t* data; /* behind the request */
  size_t length;
};

/* What a request comes to: fills in the reply; a descriptor to go with it, if it is not -1. */
void control_answer(const struct control_request* request, const struct asker* asker,
                    struct control_reply* reply, int* program_end);
void control_describe(const struct socket* socket, struct control_reply* reply);
void control_refuse(struct control_reply* reply, int error, const char* text);
/* Begins to listen for programs. 0 or -errno; says why on stderr. */
int control_open(const char* path);
/* Questions are still answered, but there are no new sockets. */
void control_end(void);
void control_close(void);
/* Answers a request of each user who has asked. True: more wait. */
bool control_serve(void);
/* About every 100 ms: who could not be heard for want of descriptors has another chance; the
 * connection of one that asks nothing for long is closed. */
void control_tick(void);

#endif /* ULLNICD_CONTROL_H */
