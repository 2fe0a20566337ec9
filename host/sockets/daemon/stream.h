/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * TCP sockets: between a program's stream and lwIP's connection.
 */
#ifndef ULLNICD_STREAM_H
#define ULLNICD_STREAM_H

#include "daemon/socket.h"

struct tcp_pcb;

/* Creates lwIP's side of the connection for a socket that has none. 0 or errno. */
int stream_bind(struct socket* socket, uint32_t ip, uint16_t port);
/* Begins to connect a bound socket. 0 or errno. */
int stream_connect(struct socket* socket, uint32_t ip, uint16_t port);
/* Takes over a connection that a listener accepted. */
void stream_adopt(struct socket* socket, struct tcp_pcb* pcb);
void stream_apply_options(struct socket* socket);
/* Moves data in both directions, and completes the end of the connection. */
void stream_serve(struct socket* socket);
void stream_tick(struct socket* socket);
/* Ends the connection with this errno; resets it if the peer still has it. */
void stream_abort(struct socket* socket, int error);
/* Makes lwIP's connection the socket's: `pcb` is NULL again as soon as lwIP frees it. */
void stream_take_over(struct socket* socket, struct tcp_pcb* pcb);
/* lwIP may keep the connection, but no longer for this socket. */
void stream_let_go(struct socket* socket);
/* Limits the receive window by SO_RCVBUF. Call before anything is received. */
void stream_limit_window(const struct socket* socket, struct tcp_pcb* pcb);
/* The engine has finished: remaining data is sent by lwIP. */
void stream_engine_left(struct socket* socket);

#endif /* ULLNICD_STREAM_H */
