/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef ULLNIC_PRELOAD_NAMES_H
#define ULLNIC_PRELOAD_NAMES_H

#include <stdint.h>
#include <sys/socket.h>

/* Writes an IPv4 address for the program, truncated to its buffer as the kernel does. */
void give_address(struct sockaddr* address, socklen_t* length, uint32_t ip, uint16_t port);

#endif /* ULLNIC_PRELOAD_NAMES_H */
