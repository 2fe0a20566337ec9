/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The bytes of a TCP stream that are not known to have arrived when its connection has failed.
 */
#ifndef ULLNICD_LOSS_H
#define ULLNICD_LOSS_H

#include <stdint.h>

struct socket;

/* Bytes of the stream that have been sent or that the engine or lwIP holds: the program's, and
 * hardware's as far as mirrored. */
uint64_t loss_sent(const struct socket* socket);
/* Writes the current reason and loss into the socket's text, for the program. */
void loss_describe(struct socket* socket);
/* The same, and prints it on stderr. */
void loss_tell(struct socket* socket);

#endif /* ULLNICD_LOSS_H */
