/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Bytes that a program itself sends on a connection of lwIP's: it gets headers, sends frames with
 * them, and reports the bytes, which lwIP then retransmits if needed.
 *
 * An ACK may arrive before the report. lwIP then counts those bytes as sent without ever seeing
 * them. Bytes that the peer acknowledges and the program never reports break the stream, so the
 * connection is reset when anything else is to be sent on it (EBADMSG).
 */
#ifndef ULLNICD_DELEGATED_H
#define ULLNICD_DELEGATED_H

#include "daemon/socket.h"

/* Provides headers for the next byte of the stream. Up to `bytes` bytes may be sent with them, or
 * with DELEGATED_SEGMENT what the window has room for, at least a segment. Replaces an earlier
 * call. `any_neighbour`: with a zero destination address if ARP has not resolved it. */
void delegated_prepare(struct socket* socket, uint32_t bytes, bool any_neighbour,
                       struct delegated* answer);
/* The program has sent these bytes. Returns 0, EINVAL no headers are in use (any more), EMSGSIZE
 * more than was allowed, ENOMEM, or the errno with which the connection ended. */
int delegated_report(struct socket* socket, const uint8_t* data, size_t length);
/* The program sends no more with its headers; call before lwIP sends anything else. False: the
 * connection was reset because the peer has received bytes that were not reported. */
bool delegated_end(struct socket* socket);

#endif /* ULLNICD_DELEGATED_H */
