/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The end of a TCP socket: from shutdown() or close() until only lwIP has the connection.
 */
#ifndef ULLNICD_ENDING_H
#define ULLNICD_ENDING_H

#include "daemon/socket.h"

/* Announces the program's shutdown(), so that it is not mistaken for a close(). EINVAL: `how` does
 * not shut the sending direction. */
int ending_shutdown(struct socket* socket, uint32_t how);
/* True: the program has closed it, and the peer has not acknowledged the FIN. */
bool ending_lingers(struct socket* socket);
/* The connection is in TIME-WAIT and belongs to lwIP alone. It counts for its user until it is
 * freed. */
void ending_left_time_wait(struct socket* socket);
/* The same, if it is in TIME-WAIT. */
bool ending_leave_time_wait(struct socket* socket);
/* The program's end is closed or shut for writing; lwIP has everything that it wrote. */
void ending_finish(struct socket* socket);
/* Both directions are shut, so that nothing shows whether the program still holds its end. */
void ending_part(struct socket* socket);

#endif /* ULLNICD_ENDING_H */
