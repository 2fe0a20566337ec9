/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Bytes on a connection of lwIP's that were sent elsewhere: by hardware (ate), or by the program
 * itself (delegated).
 */
#ifndef ULLNICD_SENT_H
#define ULLNICD_SENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/tcp_frame.h"

struct tcp_pcb;

/* Passes them to lwIP as if it had sent them: it keeps them, and retransmits them if they are lost.
 * The first one's sequence number is `seq`, which must be the next that lwIP would use. False: no
 * memory. */
bool sent_elsewhere(struct tcp_pcb* pcb, uint32_t seq, const uint8_t* data, size_t length);
/* Checks lwIP's IP output: true if lwIP "sends" it only because of that; it must not be sent
 * again. */
bool sent_takes_output(const struct tcp_fields* tcp);

#endif /* ULLNICD_SENT_H */
