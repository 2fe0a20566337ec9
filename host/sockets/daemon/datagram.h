/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * UDP sockets. The pair is SOCK_SEQPACKET: it preserves message boundaries and, unlike SOCK_DGRAM,
 * reports when the other end is closed.
 */
#ifndef ULLNICD_DATAGRAM_H
#define ULLNICD_DATAGRAM_H

#include "daemon/socket.h"

struct arrival;

/* Sends to this peer and receives only from it from now on. 0 or errno. */
int datagram_connect(struct socket* socket, uint32_t ip, uint16_t port);
void datagram_disconnect(struct socket* socket);
/* The port of the card through which an address is reached. */
struct port* datagram_port(const struct socket* socket, uint32_t ip);
/* The program's next call fails with this errno, if its buffer has room. */
void datagram_fail(struct socket* socket, int error);
/* Hands a datagram to the program, if its buffer has room. */
void datagram_give(struct socket* socket, const struct arrival* arrival);
void datagram_serve(struct socket* socket);

#endif /* ULLNICD_DATAGRAM_H */
