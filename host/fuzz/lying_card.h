/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A transport of libullnic with a card whose answers the input determines: two ports, an engine at
 * port 0. Anything that the driver must never do to a card, whatever it answers, ends the run.
 */
#ifndef ULLNIC_FUZZ_LYING_CARD_H
#define ULLNIC_FUZZ_LYING_CARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LIES = 16, CARD_PORTS = 2 };

struct lie {
  bool used;
  unsigned region;
  uint64_t offset;
  uint32_t value;
};

extern struct lying_card {
  struct lie lies[LIES];
  unsigned lie_count;
  bool gone;         /* every call fails */
  unsigned accesses; /* accesses until it is gone; 0: never */
  bool open;
  int interrupt[CARD_PORTS]; /* eventfds, -1: none */
  uint32_t written[2048][4]; /* doorbells, by queue */
} lying_card;

/* Resets it to a correct card, without state of an earlier run. */
void lying_card_reset(void);
void lying_card_lie(unsigned region, uint64_t offset, uint32_t value);

#endif /* ULLNIC_FUZZ_LYING_CARD_H */
