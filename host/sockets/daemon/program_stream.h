/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The program's stream as the daemon reads it: nothing is taken out before it is dealt with, and
 * the last byte that was dealt with stays (see common/protocol.h).
 */
#ifndef ULLNICD_PROGRAM_STREAM_H
#define ULLNICD_PROGRAM_STREAM_H

#include "daemon/socket.h"

enum { STREAM_CHUNK = 65535 };

/* New bytes at the head of the stream, at most `most`; valid until the next call for any socket. 0:
 * none now. For KIND_ATE they never reach behind the end of the program's message; `message` is
 * what is left of that. */
size_t stream_peek(struct socket* socket, size_t most, const uint8_t** data, size_t* message);
/* That many of them are dealt with. */
void stream_take(struct socket* socket, size_t count);
/* Throws the filling away: the program's end becomes writable. */
void stream_open(struct socket* socket);
/* The last byte, too: closing our end is an end of stream to the program. */
void stream_settle(struct socket* socket);
/* Bytes that the program has written and that were not taken. */
size_t stream_unread(const struct socket* socket);

/* Gives the program what was received. Returns the bytes that it took. */
size_t stream_give(struct socket* socket);
void stream_receive(struct socket* socket, struct pbuf* data);
void stream_drop_received(struct socket* socket);

#endif /* ULLNICD_PROGRAM_STREAM_H */
