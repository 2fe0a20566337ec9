/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The end of a TCP socket: after shutdown() or close(), until lwIP has the connection alone.
 */
#ifndef ULLNICD_ENDING_H
#define ULLNICD_ENDING_H

#include "daemon/socket.h"

/* The program's shutdown() follows, whose end of the pair must not be taken for that of close().
 * EINVAL: `how` shuts nothing that the daemon sends. */
int ending_shutdown(struct socket* socket, uint32_t how);
/* The program has closed it, and the peer has not acknowledged its end. */
bool ending_lingers(struct socket* socket);
/* The connection is lwIP's alone: it is in TIME-WAIT. It counts for its user until it is freed. */
void ending_left_time_wait(struct socket* socket);
/* The same, if it is in TIME-WAIT. */
bool ending_leave_time_wait(struct socket* socket);
/* The program's end is gone or says no more; all that it wrote is with lwIP. */
void ending_finish(struct socket* socket);
/* Both directions are through, so that nobody can tell whether the program still holds its end. */
void ending_part(struct socket* socket);

#endif /* ULLNICD_ENDING_H */
