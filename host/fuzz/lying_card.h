/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A transport of libullnic with a card behind it that says what an input has it say: two ports,
 * an engine at port 0. What the driver may never do to a card, whatever that says, ends the run.
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
  unsigned accesses; /* until then; 0: never */
  bool open;
  int interrupt[CARD_PORTS]; /* eventfds, -1: none */
  uint32_t told[2048][4];    /* doorbells, by queue */
} lying_card;

/* As a card in order, with nothing of an earlier one. */
void lying_card_reset(void);
void lying_card_lie(unsigned region, uint64_t offset, uint32_t value);

#endif /* ULLNIC_FUZZ_LYING_CARD_H */
