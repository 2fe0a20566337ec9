/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * TCP_CORK and MSG_MORE: less than a segment waits for more, about 200 ms at most, as on Linux.
 */
#ifndef ULLNICD_CORK_H
#define ULLNICD_CORK_H

#include "daemon/socket.h"

/* How many of `count` new bytes in the program's stream may be sent now, with room for `room`. */
size_t cork_let(struct socket* socket, size_t count, size_t room);
/* The program has announced `bytes` more with MSG_MORE, and more after them. */
void cork_more(struct socket* socket, uint32_t bytes);
/* Ends a wait that has lasted for long. */
void cork_tick(struct socket* socket);

#endif /* ULLNICD_CORK_H */
