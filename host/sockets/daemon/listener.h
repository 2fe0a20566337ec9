/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Listening sockets: each new connection becomes a stream; its descriptor is passed through the
 * listener's pair.
 */
#ifndef ULLNICD_LISTENER_H
#define ULLNICD_LISTENER_H

#include "daemon/socket.h"

/* Makes a bound socket listen. 0 or errno. */
int listener_start(struct socket* socket, int backlog);
/* True: no other socket may bind to this address, whatever SO_REUSEADDR says, as on Linux. */
bool listener_in_the_way(uint32_t ip, uint16_t port, const struct control_options* options,
                         const struct user* user);
void listener_serve(struct socket* socket);

#endif /* ULLNICD_LISTENER_H */
