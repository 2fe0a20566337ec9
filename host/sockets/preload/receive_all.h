/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef ULLNIC_PRELOAD_RECEIVE_ALL_H
#define ULLNIC_PRELOAD_RECEIVE_ALL_H

#include <stdbool.h>
#include <sys/socket.h>

/* recvmsg() of a TCP socket with MSG_WAITALL, MSG_TRUNC or both. On the unix socket that carries
 * the stream, the kernel's own MSG_WAITALL would lose the error that ends the wait after the first
 * bytes, and would not wait with MSG_PEEK; it does not discard with MSG_TRUNC. */
ssize_t receive_all(int fd, struct msghdr* message, int flags);

/* Of a TCP socket: whether a receive with these flags would have nothing but an error to return.
 * Waits as it would. */
bool only_error_is_left(int fd, int flags);

#endif /* ULLNIC_PRELOAD_RECEIVE_ALL_H */
