/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What of a TCP stream is not known to have arrived when its connection has failed.
 */
#ifndef ULLNICD_LOSS_H
#define ULLNICD_LOSS_H

#include <stdint.h>

struct socket;

/* Bytes of the stream that have left, or that the engine or lwIP has: the program's, and hardware's
 * as far as the mirror shows. */
uint64_t loss_sent(const struct socket* socket);
/* Writes reason and loss into the socket's text, for the program, as they are now. */
void loss_describe(struct socket* socket);
/* The same, and says it on stderr. */
void loss_tell(struct socket* socket);

#endif /* ULLNICD_LOSS_H */
