/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Requests that create sockets: CONTROL_BIND, CONTROL_CONNECT and CONTROL_ROUTE.
 */
#ifndef ULLNICD_OPENING_H
#define ULLNICD_OPENING_H

struct control_reply;
struct control_request;
struct socket;
struct user;

/* `socket`: the one that the request names, which is a datagram socket; NULL: a new one. */
void opening_bind(struct socket* socket, const struct control_request* request, struct user* user,
                  struct control_reply* reply, int* program_end);
/* `socket`: the one that the request names, a TCP or datagram socket that has not ended; NULL: a
 * new one. If it fails, a reservation of the engine is released, and a bound socket remains
 * bound. */
void opening_connect(struct socket* socket, const struct control_request* request,
                     struct user* user, struct control_reply* reply, int* program_end);
/* Whether an address is the card's; no side effects. */
void opening_route(const struct control_request* request, struct control_reply* reply);
/* Reports why socket_new() has failed. */
void opening_refuse(struct control_reply* reply, int error);

#endif /* ULLNICD_OPENING_H */
