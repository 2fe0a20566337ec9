/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Control messages of a received datagram, other than its times (see preload/stamps.h).
 */
#ifndef ULLNIC_PRELOAD_ANCILLARY_H
#define ULLNIC_PRELOAD_ANCILLARY_H

#include <stddef.h>
#include <sys/socket.h>

#include "common/protocol.h"
#include "preload/table.h"

/* Appends a message after the `used` bytes; sets MSG_CTRUNC without room. */
void ancillary_put(struct msghdr* message, size_t* used, int level, int type, const void* data,
                   size_t length);
/* Applies the options of the time when a datagram is read, as on Linux, not of when it arrived. */
void ancillary_refresh(const struct entry* entry, struct datagram_address* address);
/* Call after the program has changed them on this socket. */
void ancillary_changed(uint64_t id, const struct control_options* options);
/* Adds IP_PKTINFO, IP_TTL, IP_TOS and IP_ORIGDSTADDR as requested by the program. Sets
 * msg_controllen. */
void ancillary_give(const struct datagram_address* address, struct msghdr* message, size_t used);

#endif /* ULLNIC_PRELOAD_ANCILLARY_H */
