/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The administrator's limits for sockets (sysctl): they apply to the card's sockets as to the
 * kernel's.
 */
#ifndef ULLNICD_KERNEL_LIMITS_H
#define ULLNICD_KERNEL_LIMITS_H

enum kernel_limit { MOST_MEMBERSHIPS, MOST_SOURCES, MOST_RECEIVE_BUFFER, KERNEL_LIMITS };

/* Call once, before privileges are dropped: no file can be opened after that. */
void kernel_limits_open(void);

/* The current value; Linux's default if it cannot be read. */
unsigned kernel_limit(enum kernel_limit limit);

#endif /* ULLNICD_KERNEL_LIMITS_H */
