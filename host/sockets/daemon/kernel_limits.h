/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the administrator allows a socket (sysctl): it holds for the card's sockets as for the
 * kernel's.
 */
#ifndef ULLNICD_KERNEL_LIMITS_H
#define ULLNICD_KERNEL_LIMITS_H

enum kernel_limit { MOST_MEMBERSHIPS, MOST_SOURCES, MOST_RECEIVE_BUFFER, KERNEL_LIMITS };

/* Once, before privileges are dropped: no file can be opened after that. */
void kernel_limits_open(void);

/* As it is now; as Linux has it unset, if it cannot be read. */
unsigned kernel_limit(enum kernel_limit limit);

#endif /* ULLNICD_KERNEL_LIMITS_H */
