/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Times of received datagrams: SO_TIMESTAMP, SO_TIMESTAMPNS, SO_TIMESTAMPING.
 *
 * Two clocks: the card's, in ns since its reset, is the raw hardware time of SO_TIMESTAMPING. The
 * system's (CLOCK_REALTIME), when ullnicd received the frame, is used for all others. `stamping` of
 * struct control_options is the flags of SO_TIMESTAMPING, and the two bits below.
 */
#ifndef ULLNIC_PRELOAD_STAMPS_H
#define ULLNIC_PRELOAD_STAMPS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "common/protocol.h"
#include "preload/table.h"

#define STAMPS_US 0x80000000u /* SO_TIMESTAMP */
#define STAMPS_NS 0x40000000u /* SO_TIMESTAMPNS */

/* One of the three options of SOL_SOCKET. */
bool stamps_is_option(int level, int name);
/* The settings of the kernel's socket. */
uint32_t stamps_of_kernel(int fd);
/* Those of them that the card does not support, NULL: none. */
const char* stamps_in_the_way(uint32_t stamping, bool datagram);
/* setsockopt() of one on an accelerated socket. 0, or -1 with errno and a message about what is not
 * supported. */
int stamps_set(const struct entry* entry, int name, const void* value, socklen_t length);
/* The option's value. */
int stamps_value(int name, uint32_t stamping);
/* Control messages for a received datagram; MSG_CTRUNC without room. Returns the bytes they take.
 */
size_t stamps_give(const struct datagram_address* address, struct msghdr* message);

#endif /* ULLNIC_PRELOAD_STAMPS_H */
