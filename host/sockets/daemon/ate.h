/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A TCP connection that hardware sends on: keeps lwIP's connection and the engine's in step.
 *
 * Hardware owns SEQ. The program's bytes are handed to the engine as payload; user logic sends
 * between them. Each frame sent is mirrored, in the order of the line and before its ACK. Only then
 * are the bytes passed to lwIP as if it had sent them: it keeps them for retransmission. lwIP's
 * output is classified: segments "sent" for the first time are dropped here; a pure ACK is written
 * to the engine's registers and sent as an empty payload; everything else (retransmissions, probes,
 * FIN, RST) is an ordinary frame.
 */
#ifndef ULLNICD_ATE_H
#define ULLNICD_ATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ate;
struct port;
struct socket;
struct tcp_fields;

/* Reserves a connection id of the port. 0, EOPNOTSUPP, EINVAL or EBUSY. */
int ate_reserve(struct socket* socket, int id);
/* lwIP is connected: loads and enables the engine's registers. 0 or errno. */
int ate_start(struct socket* socket);
/* Hands over the program's data, as far as the window allows. */
void ate_send(struct ate* ate);
/* The program writes no more: when everything has been sent, disables the connection and returns it
 * to lwIP (stream_engine_left()). May be called again. */
void ate_close(struct ate* ate);
/* lwIP no longer has the connection. */
void ate_peer_gone(struct ate* ate);
/* Disables the connection before lwIP resets it, so that the RST has hardware's sequence number. */
void ate_stop_now(struct ate* ate);
void ate_tick(struct ate* ate);

/* Processes a mirror frame of the port. */
void ate_mirror(struct port* port, const uint8_t* frame, size_t length);
/* Checks lwIP's IP output: true if it is a pure ACK of such a connection, which the engine
 * sends. */
bool ate_takes_output(struct port* port, const struct tcp_fields* tcp);
/* Called after received frames: updates ACK, window and MAX_SEQ of connections that changed, and
 * advances those that end. True: call again within ATE_QUIET_MS. */
bool ate_service(struct port* port);

#endif /* ULLNICD_ATE_H */
