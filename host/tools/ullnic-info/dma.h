/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * ullnic-info queue, errors and watchdog: the DMA's state as text.
 *
 * Fields that not every DMA of the project keeps (cores/qdma/README.md, "Not there yet") are
 * printed only if they are not 0: 0 may mean that they are not implemented. --raw prints all
 * words.
 */
#ifndef ULLNIC_INFO_DMA_H
#define ULLNIC_INFO_DMA_H

#include <stdbool.h>
#include <stdint.h>

#include "ullnic/dma.h"

/** Prints two readings of a queue, `interval_ms` apart, which show the indexes that advance. */
void print_queue(const struct ullnic_dma_queue* before, const struct ullnic_dma_queue* now,
                 unsigned interval_ms, bool raw);
/** `events`: as many as events_of() says. */
void print_errors(const struct ullnic_dma_errors* errors, const struct ullnic_dma_event* events,
                  bool raw);

/** What the watchdog has found, and the events before that, the newest one last. */
void print_watchdog(const struct ullnic_dma_errors* errors, const struct ullnic_dma_event* events);
void print_raw_events(const struct ullnic_dma_errors* errors,
                      const struct ullnic_dma_event* events);
/** Events of a trace that is frozen; else 0. */
unsigned events_of(const struct ullnic_dma_errors* errors);
/** Of the watchdog's limit. */
double tick_us(const struct ullnic_dma_errors* errors);

/** Bits high to low of a word. */
static inline uint32_t bits(uint32_t word, unsigned high, unsigned low) {
  return word >> low & (uint32_t)((UINT64_C(1) << (high - low + 1)) - 1);
}

enum { CLOCK_NS = 4 }; /**< a cycle of the DMA */

/** Whether the DMA has progress registers and a watchdog: `extensions` of its state. */
static inline bool has_watchdog(uint32_t extensions) { return bits(extensions, 17, 17); }

/** A line of --raw: a name and words. */
void print_raw(const char* name, const uint32_t* words, unsigned count);

#endif /* ULLNIC_INFO_DMA_H */
