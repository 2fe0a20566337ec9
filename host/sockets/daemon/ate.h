/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A TCP connection that hardware sends on: lwIP's connection and the engine's in step.
 *
 * SEQ is hardware's. The program's bytes are handed to the engine as payload; user logic sends
 * between them. Each frame that left comes back as a mirror frame, in the order of the line and
 * before the ACK for it, and only then lwIP hears of the bytes, as if it had sent them: it keeps
 * them for retransmission. lwIP's output is sorted: what it "sends" for the first time is dropped
 * here, a pure ACK goes into the engine's registers and leaves as an empty payload, all else
 * (retransmissions, probes, FIN, RST) is an ordinary frame.
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
/* Hands over what the program wrote, as far as the window allows. */
void ate_send(struct ate* ate);
/* The program writes no more: when all has left, disables the connection and hands it back to lwIP
 * (stream_engine_left()). May be called again. */
void ate_close(struct ate* ate);
/* lwIP has no connection any more. */
void ate_peer_gone(struct ate* ate);
/* Before lwIP resets the connection: disables it, so that the reset has the sequence number of
 * hardware. */
void ate_stop_now(struct ate* ate);
void ate_tick(struct ate* ate);

/* A mirror frame of the port. */
void ate_mirror(struct port* port, const uint8_t* frame, size_t length);
/* lwIP's IP output: true if it is a pure ACK of such a connection, which leaves with the engine. */
bool ate_takes_output(struct port* port, const struct tcp_fields* tcp);
/* After received frames: ACK, window and MAX_SEQ of those connections that changed, and those that
 * end. True: call again within ATE_QUIET_MS. */
bool ate_service(struct port* port);

#endif /* ULLNICD_ATE_H */
