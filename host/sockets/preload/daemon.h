/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Requests to ullnicd.
 */
#ifndef ULLNIC_PRELOAD_DAEMON_H
#define ULLNIC_PRELOAD_DAEMON_H

#include "common/protocol.h"

/* 0 when ullnicd has answered: see reply->error. Otherwise errno: it is not there. `fd`: what came
 * with the answer, or -1; NULL if none is expected. */
int daemon_ask(const struct control_request* request, struct control_reply* reply, int* fd);
int daemon_query(uint64_t id, struct control_reply* reply);
struct control_request new_request(enum control_op op);

#endif /* ULLNIC_PRELOAD_DAEMON_H */
