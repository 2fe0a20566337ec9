/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Options that are a number, mean on the card what they mean on Linux, and are checked by the
 * kernel itself on a socket of its own: IP_TTL, IP_TOS, the multicast ones, what a received
 * datagram is to bring, SO_RCVBUF.
 */
#ifndef ULLNIC_PRELOAD_IP_OPTIONS_H
#define ULLNIC_PRELOAD_IP_OPTIONS_H

#include <stdbool.h>
#include <sys/socket.h>

#include "common/protocol.h"
#include "preload/table.h"

bool ip_options_has(int level, int name);
/* As setsockopt() and getsockopt() of an accelerated socket. */
int ip_options_set(const struct entry* entry, int level, int name, const void* value,
                   socklen_t length);
int ip_options_get(const struct entry* entry, int level, int name, void* value, socklen_t* length);
/* The values of a socket of the kernel's. */
void ip_options_read(int fd, bool datagram, struct control_options* options);

#endif /* ULLNIC_PRELOAD_IP_OPTIONS_H */
