/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Requests for the card itself: CONTROL_READ_REGISTER, CONTROL_WRITE_REGISTER, CONTROL_DMA_* and
 * CONTROL_RAW. The caller checks access rights.
 */
#ifndef ULLNICD_CARD_REQUESTS_H
#define ULLNICD_CARD_REQUESTS_H

struct control_reply;
struct control_request;
struct user;

void card_register(const struct control_request* request, struct control_reply* reply);
/* Only reads, except for the watchdog, and never while the daemon itself sets up a queue: libullnic
 * has a lock for that. */
void card_dma(const struct control_request* request, struct control_reply* reply);
void card_raw(const struct control_request* request, struct user* user, struct control_reply* reply,
              int* program_end);

#endif /* ULLNICD_CARD_REQUESTS_H */
