/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Numeric options that mean on the card what they mean on Linux and that the kernel validates on a
 * scratch socket: IP_TTL, IP_TOS, the multicast ones, ancillary data of received datagrams,
 * SO_RCVBUF.
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
/* Reads the values of a kernel socket. */
void ip_options_read(int fd, bool datagram, struct control_options* options);

#endif /* ULLNIC_PRELOAD_IP_OPTIONS_H */
