/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Bytes that others have sent on a connection of lwIP's: hardware (ate), or the program itself
 * (delegated).
 */
#ifndef ULLNICD_SENT_H
#define ULLNICD_SENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/tcp_frame.h"

struct tcp_pcb;

/* lwIP gets them as if it had sent them: it keeps them, and repeats them if they are lost. The
 * first one's sequence number is `seq`, which must be the next that lwIP would write. False: no
 * memory. */
bool sent_elsewhere(struct tcp_pcb* pcb, uint32_t seq, const uint8_t* data, size_t length);
/* lwIP's IP output: true if this is what it "sends" because of that, and must not leave again. */
bool sent_takes_output(const struct tcp_fields* tcp);

#endif /* ULLNICD_SENT_H */
