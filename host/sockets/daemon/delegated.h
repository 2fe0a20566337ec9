/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Bytes that a program sends itself on a connection of lwIP's, by a way of its own: it is given
 * headers, sends frames with them, and reports the bytes, which are then lwIP's to repeat.
 *
 * Peers are quick: an ACK may come before the report. lwIP then counts those bytes as sent; it
 * never gets to see them. What the peer has and nobody reports breaks the stream, so the connection
 * is reset when anything else is to be sent on it (EBADMSG).
 */
#ifndef ULLNICD_DELEGATED_H
#define ULLNICD_DELEGATED_H

#include "daemon/socket.h"

/* Headers for the next byte of the stream; up to `bytes` of them may be sent, or with
 * DELEGATED_SEGMENT what the window has room for, a segment at least. Takes the place of an earlier
 * call. `any_neighbour`: with an empty destination if ARP has not found it. */
void delegated_prepare(struct socket* socket, uint32_t bytes, bool any_neighbour,
                       struct delegated* answer);
/* The program has sent these bytes. 0, EINVAL no headers are out (any more), EMSGSIZE more than was
 * allowed, ENOMEM, or how the connection ended. */
int delegated_report(struct socket* socket, const uint8_t* data, size_t length);
/* The program sends no more with its headers; call before lwIP sends anything else. False: the
 * connection was reset, because the peer has bytes that were not reported. */
bool delegated_end(struct socket* socket);

#endif /* ULLNICD_DELEGATED_H */
