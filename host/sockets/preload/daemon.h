/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Requests to ullnicd.
 */
#ifndef ULLNIC_PRELOAD_DAEMON_H
#define ULLNIC_PRELOAD_DAEMON_H

#include "common/client.h"

/* client_ask() at ullnicd's path, bypassing this library's own functions. */
int daemon_ask(const struct control_request* request, struct control_reply* reply, int* fd);
int daemon_ask_until(const struct control_request* request, deadline_t deadline,
                     struct control_reply* reply, int* fd);
/* The same with data after the request, and no descriptor. */
int daemon_tell(const struct control_request* request, const void* data, size_t length,
                struct control_reply* reply);
int daemon_query(uint64_t id, struct control_reply* reply);
/* The same for a descriptor received from another program. */
int daemon_show(int fd, struct control_reply* reply);

#endif /* ULLNIC_PRELOAD_DAEMON_H */
