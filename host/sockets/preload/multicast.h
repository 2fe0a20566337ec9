/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Groups that a UDP socket joins and leaves, and the port of the card through which it sends to
 * them.
 */
#ifndef ULLNIC_PRELOAD_MULTICAST_H
#define ULLNIC_PRELOAD_MULTICAST_H

#include <stdbool.h>
#include <sys/socket.h>

#include "preload/table.h"

enum { MULTICAST_OF_KERNEL = 1 };

bool multicast_is_option(int level, int name);
/* As setsockopt(); MULTICAST_OF_KERNEL: the socket is the kernel's, and so is the request. */
int multicast_set(int fd, struct entry* entry, int name, const void* value, socklen_t length);
/* IP_MULTICAST_IF of an accelerated socket. */
int multicast_get(const struct entry* entry, int name, void* value, socklen_t* length);
/* SO_EXA_MCAST_LISTEN. */
int multicast_listen(int fd, struct entry* entry, const void* value, socklen_t length);

#endif /* ULLNIC_PRELOAD_MULTICAST_H */
