/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The daemon's side of common/protocol.h.
 */
#ifndef ULLNICD_CONTROL_H
#define ULLNICD_CONTROL_H

#include <stddef.h>
#include <stdint.h>

struct control_reply;
struct control_request;

/* What a user's request comes to: fills in the reply; a descriptor to go with it, if it is not -1.
 */
void control_answer(const struct control_request* request, uint32_t user, const uint8_t* data,
                    size_t length, struct control_reply* reply, int* program_end);
void control_refuse(struct control_reply* reply, int error, const char* text);
/* Begins to listen for programs. 0 or -errno; says why on stderr. */
int control_open(const char* path);
/* Questions are still answered, but there are no new sockets. */
void control_end(void);
void control_close(void);
/* About every 100 ms: who could not be heard for want of descriptors has another chance. */
void control_tick(void);

#endif /* ULLNICD_CONTROL_H */
