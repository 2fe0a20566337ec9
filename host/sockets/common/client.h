/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A request to ullnicd and its reply. Part of libullnic-sockets.so and of libullnic.so.
 */
#ifndef ULLNIC_SOCKETS_CLIENT_H
#define ULLNIC_SOCKETS_CLIENT_H

#include <stddef.h>
#include <sys/socket.h>

#include "common/deadline.h"
#include "common/protocol.h"

/* Default timeout for a reply. */
enum { CLIENT_PATIENCE_MS = 10000 };

typedef ssize_t (*receive_message)(int fd, struct msghdr* message, int flags);

/* The C library's functions. libullnic-sockets.so interposes functions of these names and must not
 * use its own to reach ullnicd. */
struct client_calls {
  int (*socket)(int domain, int type, int protocol);
  int (*setsockopt)(int fd, int level, int name, const void* value, socklen_t length);
  int (*connect)(int fd, const struct sockaddr* address, socklen_t length);
  ssize_t (*sendmsg)(int fd, const struct msghdr* message, int flags);
  receive_message recvmsg;
  int (*poll)(struct pollfd* fds, nfds_t count, int timeout);
  int (*close)(int fd);
};

struct control_request new_request(enum control_op op);

/* recvmsg() of a message that may carry a descriptor; it is -1 if none arrived. */
ssize_t receive_with_descriptor(receive_message receive, int link, void* data, size_t size,
                                int flags, int* fd);

/*
 * Sends a request to the ullnicd that listens at `path`; `data` follows the request. Signals are
 * blocked meanwhile: a handler must not interrupt a reply that carries a descriptor.
 *
 * Returns 0 if it has replied, see reply->error. Else errno: ENAMETOOLONG the path, EPROTO no reply
 * of this version, ETIMEDOUT none before the deadline, or why it cannot be reached (ENOENT,
 * ECONNREFUSED; EACCES: this user may not).
 * `fd`: the descriptor that came with the reply, or -1; NULL if none is expected.
 */
int client_ask(const struct client_calls* calls, const char* path,
               const struct control_request* request, const void* data, size_t length,
               deadline_t deadline, struct control_reply* reply, int* fd);

/* Identifies the socket of the descriptor `shown`, a program's end of a pair: as client_ask(). From
 * then on this user's requests may name that socket. */
int client_show(const struct client_calls* calls, const char* path, int shown, deadline_t deadline,
                struct control_reply* reply);

#endif /* ULLNIC_SOCKETS_CLIENT_H */
