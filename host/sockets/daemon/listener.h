/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Listening sockets: each new connection becomes a stream whose end the listener's pair carries.
 */
#ifndef ULLNICD_LISTENER_H
#define ULLNICD_LISTENER_H

#include "daemon/socket.h"

/* A bound socket listens from now on. 0 or errno. */
int listener_start(struct socket* socket, int backlog);
/* True: nobody else may bind to this address, whatever SO_REUSEADDR says, as Linux has it. */
bool listener_in_the_way(uint32_t ip, uint16_t port, const struct control_options* options,
                         const struct user* user);
void listener_serve(struct socket* socket);

#endif /* ULLNICD_LISTENER_H */
