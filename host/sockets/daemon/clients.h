/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Programs' connections to ullnicd's socket. In each round of the loop one request per user is
 * answered. A connection has one request at a time: the next is read once the reply has been
 * read.
 */
#ifndef ULLNICD_CLIENTS_H
#define ULLNICD_CLIENTS_H

#include <stdbool.h>

struct control_reply;
struct rights;

/* Takes over the descriptor of a connection. False: the connection is rejected. */
bool client_new(int fd, const struct rights* rights);
/* Sends the reason for the rejection and closes the connection. */
void client_turn_away(int fd, int error, const char* text);
void clients_drop_all(void);
/* Closes connections that have been idle for long. */
void clients_tick(void);

#endif /* ULLNICD_CLIENTS_H */
