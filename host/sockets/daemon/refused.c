/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "daemon/refused.h"

#include <arpa/inet.h>
#include <inttypes.h>

#include "checks.h"
#include "daemon/log.h"

static const char* const reasons[REFUSALS] = {
    [REFUSED_FLAGS] = "segments with impossible flags",
    [REFUSED_SEQUENCE] = "segments outside of the receive window",
    [REFUSED_OVERRUN] = "segments out of order beyond the receive window",
    [REFUSED_AFTER_FIN] = "segments with data after the peer's FIN",
    [REFUSED_ACK] = "segments that acknowledge what was never sent",
    [REFUSED_OPTIONS] = "malformed options, or an MSS below 48",
    [REFUSED_FRAGMENT] = "fragments that are part of no datagram",
};
static uint64_t counts[REFUSALS];

void ullnic_refused(enum refusal reason, uint32_t source) {
  if (counts[reason]++ > 0) return;
  char address[INET_ADDRSTRLEN];
  inet_ntop(AF_INET, &source, address, sizeof(address));
  log_message("refused from %s: %s; further ones are only counted", address, reasons[reason]);
}

void refused_tell(void) {
  for (unsigned i = 0; i < REFUSALS; i++) {
    if (counts[i] > 0) log_message("refused %" PRIu64 " in all: %s", counts[i], reasons[i]);
  }
}
