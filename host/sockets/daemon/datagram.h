/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * UDP sockets. The pair is SOCK_SEQPACKET: it keeps datagrams apart and, unlike SOCK_DGRAM, tells
 * when the other end is gone.
 */
#ifndef ULLNICD_DATAGRAM_H
#define ULLNICD_DATAGRAM_H

#include "daemon/socket.h"

/* 0 or errno. */
int datagram_bind(struct socket* socket, uint32_t ip, uint16_t port);
int datagram_connect(struct socket* socket, uint32_t ip, uint16_t port);
/* Multicast, see daemon/groups.h. */
int datagram_join(struct socket* socket, uint32_t group, bool silent);
void datagram_serve(struct socket* socket);

#endif /* ULLNICD_DATAGRAM_H */
