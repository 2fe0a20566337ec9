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

/* Header fields that the transmit engine supports. */
#define CONTROL_ENGINE_HEADER "IP_TTL 64 and IP_TOS 0 only"

/* Sender of a request, and what came with it. */
struct asker {
  struct user* user;
  bool may_reach_card; /* registers, raw frames */
  uint64_t cookie;     /* SO_COOKIE of a socket whose descriptor came with it; 0: none */
  const uint8_t* data; /* after the request */
  size_t length;
};

/* Executes a request: fills in the reply, and a descriptor to send with it, or -1. */
void control_answer(const struct control_request* request, const struct asker* asker,
                    struct control_reply* reply, int* program_end);
void control_describe(const struct socket* socket, struct control_reply* reply);
void control_refuse(struct control_reply* reply, int error, const char* text);
/* Starts to listen for programs. Returns 0 or -errno, with the reason on stderr. */
int control_open(const char* path);
/* Queries are still answered, but no new sockets are created. */
void control_end(void);
void control_close(void);
/* Answers one request of each user that has sent any. True: more are waiting. */
bool control_serve(void);
/* Called about every 100 ms: resumes accepting after a shortage of descriptors, and closes
 * connections that have been idle for long. */
void control_tick(void);

#endif /* ULLNICD_CONTROL_H */
