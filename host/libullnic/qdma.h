/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The multi-queue DMA: identification, contexts, doorbells.
 */
#ifndef ULLNIC_LIB_QDMA_H
#define ULLNIC_LIB_QDMA_H

#include <stdint.h>

#include "qdma_regs.h"
#include "transport.h"

struct ul_qdma {
  struct ul_transport* transport;
  uint32_t function;
};

/** Bus addresses of a queue's rings, and their entries in the size tables. */
struct ul_qdma_queue {
  unsigned qid;
  unsigned vector;
  uint64_t h2c_ring;
  uint64_t c2h_ring;
  uint64_t completion_ring;
};

/** Entries of the tables of sizes. */
enum { UL_RING_H2C, UL_RING_C2H, UL_RING_COMPLETION, UL_RING_KINDS };

/**
 * Checks that this is the DMA of an ullnic card, resets it, assigns the function its queues and
 * writes the size tables.
 */
int ul_qdma_start(struct ul_qdma* qdma, struct ul_transport* transport, unsigned queues,
                  const uint16_t ring_entries[UL_RING_KINDS], uint32_t buffer_bytes);
/** Writes all contexts of a queue; it runs when this returns. */
int ul_qdma_queue_start(struct ul_qdma* qdma, const struct ul_qdma_queue* queue);
/** Stops both directions of a queue. */
int ul_qdma_queue_stop(struct ul_qdma* qdma, unsigned qid);
/** Reads a context. */
int ul_qdma_context_read(struct ul_qdma* qdma, enum qdma_selector selector, unsigned qid,
                         uint32_t words[QDMA_CONTEXT_WORDS]);
/** Reads its first words, at most QDMA_CONTEXT_WORDS. */
int ul_qdma_context_part(struct ul_qdma* qdma, enum qdma_selector selector, unsigned qid,
                         uint32_t* words, unsigned count);

/** Writes all words of a context. */
int ul_qdma_context_write(struct ul_qdma* qdma, enum qdma_selector selector, unsigned qid,
                          const uint32_t words[QDMA_CONTEXT_WORDS]);
/** Clears all contexts of a queue. */
int ul_qdma_queue_clear(struct ul_qdma* qdma, unsigned qid);

/** Rings one of a queue's doorbells, QDMA_DOORBELL_*. */
static inline int ul_qdma_ring(struct ul_qdma* qdma, unsigned qid, unsigned doorbell,
                               uint32_t value) {
  return qdma->transport->ops->write32(qdma->transport, UL_BAR_DMA,
                                       QDMA_DOORBELLS + 16 * qid + doorbell, value);
}

#endif /* ULLNIC_LIB_QDMA_H */
