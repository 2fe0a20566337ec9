/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * TCP_CORK and MSG_MORE: less than a segment waits for more, about 200 ms at most, as on Linux.
 */
#ifndef ULLNICD_CORK_H
#define ULLNICD_CORK_H

#include "daemon/socket.h"

/* How many of the `count` bytes that are new in the program's stream may be sent now, if there is
 * room for `room`. */
size_t cork_let(struct socket* socket, size_t count, size_t room);
/* The program said that `bytes` more come, and more after them. */
void cork_more(struct socket* socket, uint32_t bytes);
/* Ends what has waited for long. */
void cork_tick(struct socket* socket);

#endif /* ULLNICD_CORK_H */
