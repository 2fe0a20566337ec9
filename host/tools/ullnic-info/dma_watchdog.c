/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The DMA's watchdog: whether it is armed, what it has found, and its trace.
 */
#include <inttypes.h>
#include <stdio.h>

#include "dma.h"

double tick_us(const struct ullnic_dma_errors* e) { return e->watchdog[2] * (CLOCK_NS * 1e-3); }

unsigned events_of(const struct ullnic_dma_errors* e) {
  const uint32_t events = bits(e->watchdog[3], 22, 16);
  if (!bits(e->watchdog[3], 31, 31)) {
    return 0;  // it is not frozen: they change
  }
  return events < ULLNIC_DMA_EVENTS ? events : ULLNIC_DMA_EVENTS;
}

static void print_event(const struct ullnic_dma_event* e, uint32_t last_cycle) {
  static const char* const names[] = {"H2C doorbell, PIDX",
                                      "C2H doorbell, PIDX",
                                      "completion doorbell, CIDX",
                                      "C2H descriptors are read, from",
                                      "H2C descriptors are read, from",
                                      "H2C payload is read, up to",
                                      "H2C packet is at the card, up to",
                                      "C2H packet is accepted",
                                      "C2H packet is refused, answer",
                                      "completion entry",
                                      "H2C status is written, CIDX",
                                      "C2H status is written, CIDX",
                                      "disabled by a command",
                                      "nothing of it is in progress",
                                      "stopped by an error",
                                      "unknown"};
  static const char* const answers[] = {"0", "1: no buffer, or its completion ring is full",
                                        "2: dropped", "3: the queue is not valid", "4: too long"};
  enum { REFUSED = 8, ENTRY = 9, ACCEPTED = 7, DISABLED = 12, ANSWERS = 5 };
  const uint32_t kind = bits(e->event, 30, 27);
  const uint32_t index = bits(e->event, 15, 0);
  printf("    %10.3f us  queue %-4" PRIu32 " %s",
         0.0 - (double)(last_cycle - e->cycle) * CLOCK_NS * 1e-3, bits(e->event, 26, 16),
         names[kind]);
  if (kind == REFUSED && index < ANSWERS) {
    printf(" %s", answers[index]);
  } else if (kind >= DISABLED) {
    printf(", %s", index != 0 ? "H2C" : "C2H");
  } else if (kind != ACCEPTED && kind != ENTRY) {
    printf(" %" PRIu32, index);
  }
  printf("%s\n", bits(e->event, 31, 31) ? " (events before it are lost)" : "");
}

/** Whose events the trace has. */
static void print_filter(uint32_t control) {
  if (bits(control, 1, 1)) {
    printf(" of queue %" PRIu32 " alone", bits(control, 26, 16));
  }
  printf("\n");
}

void print_watchdog(const struct ullnic_dma_errors* e, const struct ullnic_dma_event* events) {
  const uint32_t control = e->watchdog[0];
  const uint32_t status = e->watchdog[3];
  const double limit_ms = e->watchdog[1] * tick_us(e) * 1e-3;
  if (!bits(status, 31, 31)) {
    if (bits(control, 0, 0)) {
      printf("  watchdog: armed, has found nothing; limit %.3f ms, trace", limit_ms);
      print_filter(control);
    } else {
      printf("  watchdog: off\n");
    }
    return;
  }
  const unsigned count = events_of(e);
  printf("  watchdog: %s queue %" PRIu32
         " has had work and made no progress for %.3f ms; before that, %u events",
         bits(status, 30, 30) ? "C2H" : "H2C", bits(status, 12, 0), limit_ms, count);
  print_filter(control);
  for (unsigned i = 0; i < count; ++i) {
    print_event(&events[i], events[count - 1].cycle);
  }
}

void print_raw_events(const struct ullnic_dma_errors* e, const struct ullnic_dma_event* events) {
  for (unsigned i = 0; i < events_of(e); ++i) {
    print_raw("event, cycle", &events[i].event, 2);
  }
}
