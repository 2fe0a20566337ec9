/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * ICMP errors (RFC 792, RFC 1122 3.2.2) about what sockets have sent: as on Linux they end an
 * attempt to connect, and a UDP socket with a peer gets those that are final as an error. All else
 * is left to TCP's own patience (RFC 5927, 4).
 */
#ifndef ULLNICD_UNREACHABLE_H
#define ULLNICD_UNREACHABLE_H

/* Once, before the first port receives. 0 or errno. */
int unreachable_open(void);

#endif /* ULLNICD_UNREACHABLE_H */
