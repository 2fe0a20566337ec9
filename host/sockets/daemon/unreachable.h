/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * ICMP errors (RFC 792, RFC 1122 3.2.2) about packets of sockets. As on Linux, they end an attempt
 * to connect, and a connected UDP socket reports hard ones as an error. Established TCP connections
 * ignore them and rely on their timers (RFC 5927, 4).
 */
#ifndef ULLNICD_UNREACHABLE_H
#define ULLNICD_UNREACHABLE_H

/* Call once, before the first port receives. 0 or errno. */
int unreachable_open(void);

#endif /* ULLNICD_UNREACHABLE_H */
