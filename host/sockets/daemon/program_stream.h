/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The program's stream as the daemon reads it: no byte is removed before it has been processed, and
 * the last processed byte stays (see common/protocol.h).
 */
#ifndef ULLNICD_PROGRAM_STREAM_H
#define ULLNICD_PROGRAM_STREAM_H

#include "daemon/socket.h"

enum { STREAM_CHUNK = 65535 };

/* Peeks at new bytes at the head of the stream, at most `most`; valid until the next call for any
 * socket. 0: none now. For KIND_ATE they never extend past the end of the program's message, of
 * which `message` is the rest. */
size_t stream_peek(struct socket* socket, size_t most, const uint8_t** data, size_t* message);
/* Marks that many of them as processed. */
void stream_take(struct socket* socket, size_t count);
/* Discards the dummy bytes: the program's end becomes writable. */
void stream_open(struct socket* socket);
/* Removes the last byte, too: closing our end is then an end of stream to the program. */
void stream_settle(struct socket* socket);
/* Bytes that the program has written and that have not been processed. */
size_t stream_unread(const struct socket* socket);

/* Delivers received data to the program. Returns the bytes accepted. */
size_t stream_give(struct socket* socket);
void stream_receive(struct socket* socket, struct pbuf* data);
void stream_drop_received(struct socket* socket);

#endif /* ULLNICD_PROGRAM_STREAM_H */
