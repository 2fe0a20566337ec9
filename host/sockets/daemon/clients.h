/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Programs' connections to ullnicd's socket. Each user's have one request answered in a round of
 * the loop, and each connection one at a time: the next is read when the reply has been.
 */
#ifndef ULLNICD_CLIENTS_H
#define ULLNICD_CLIENTS_H

#include <stdbool.h>

struct control_reply;
struct rights;

/* Takes over the descriptor of a connection. False: it is turned away. */
bool client_new(int fd, const struct rights* rights);
/* Says why there will be no answers, and closes it. */
void client_turn_away(int fd, int error, const char* text);
void clients_drop_all(void);
/* Closes those that have asked nothing for long. */
void clients_tick(void);

#endif /* ULLNICD_CLIENTS_H */
