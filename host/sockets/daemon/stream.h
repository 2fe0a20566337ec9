/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * TCP sockets: between a program's stream and lwIP's connection.
 */
#ifndef ULLNICD_STREAM_H
#define ULLNICD_STREAM_H

#include "daemon/socket.h"

struct tcp_pcb;

/* Makes the connection's lwIP side for a socket that has none. 0 or errno. */
int stream_bind(struct socket* socket, uint32_t ip, uint16_t port);
/* Begins to connect a bound socket. 0 or errno. */
int stream_connect(struct socket* socket, uint32_t ip, uint16_t port);
/* Takes over a connection that a listener accepted. */
void stream_adopt(struct socket* socket, struct tcp_pcb* pcb);
void stream_apply_options(struct socket* socket);
/* Moves what can be moved, ends what is over. */
void stream_serve(struct socket* socket);
void stream_tick(struct socket* socket);
/* The connection is over with this errno; resets it if the peer still has it. */
void stream_abort(struct socket* socket, int error);
/* Makes lwIP's connection the socket's: `pcb` is NULL again as soon as lwIP frees it. */
void stream_take_over(struct socket* socket, struct tcp_pcb* pcb);
/* lwIP may keep the connection, but no longer for this socket. */
void stream_let_go(struct socket* socket);
/* How far the peer may send before the program reads, by SO_RCVBUF. Before anything is received. */
void stream_limit_window(const struct socket* socket, struct tcp_pcb* pcb);
/* The engine's part is over: what is left goes the ordinary way. */
void stream_engine_left(struct socket* socket);

#endif /* ULLNICD_STREAM_H */
