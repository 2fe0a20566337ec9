/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 */
#include "qdma.h"

#include <errno.h>
#include <string.h>

#include "error.h"

enum { COMMAND_TRIES = 1000, CONFIG_COMMAND = 4, MEMORY_AND_MASTER = 6, FETCH_MAX = 3 };

static int read_word(struct ul_qdma* qdma, uint32_t address, uint32_t* value) {
  return qdma->transport->ops->read32(qdma->transport, UL_BAR_DMA, address, value);
}

static int write_word(struct ul_qdma* qdma, uint32_t address, uint32_t value) {
  return qdma->transport->ops->write32(qdma->transport, UL_BAR_DMA, address, value);
}

/** Nothing is written before the device is identified. */
static int start_function(struct ul_qdma* qdma) {
  struct ul_transport* transport = qdma->transport;
  uint32_t ids = 0;
  int result = transport->ops->read32(transport, UL_CONFIG_SPACE, 0, &ids);
  if (result != 0) {
    return result;
  }
  // 903f, 913f, 923f, 933f: physical functions 0 to 3.
  if ((ids & 0xffff) != QDMA_VENDOR || (ids >> 16 & ~0x0300u) != QDMA_DEVICE) {
    return ul_fail(ENXIO,
                   "%s: PCI device %04x:%04x is not an ullnic card (10ee:903f); give another",
                   transport->name, ids & 0xffff, ids >> 16);
  }
  if (transport->bar_size[UL_BAR_DMA] < QDMA_BAR_BYTES) {
    return ul_fail(ENXIO, "%s: its BAR0 is too small for the DMA of an ullnic card; give another",
                   transport->name);
  }
  // A previous owner may have been killed in any state.
  result = transport->ops->reset(transport);
  uint32_t command = 0;
  if (result == 0) {
    result = transport->ops->read32(transport, UL_CONFIG_SPACE, CONFIG_COMMAND, &command);
  }
  // The upper half is status, cleared by writing ones.
  return result != 0 ? result
                     : transport->ops->write32(transport, UL_CONFIG_SPACE, CONFIG_COMMAND,
                                               (command & 0xffff) | MEMORY_AND_MASTER);
}

static int look_at_version(struct ul_qdma* qdma, unsigned queues) {
  const char* name = qdma->transport->name;
  uint32_t identifier = 0;
  uint32_t version = 0;
  uint32_t available = 0;
  int result = read_word(qdma, QDMA_IDENTIFIER, &identifier);
  if (result == 0) {
    result = read_word(qdma, QDMA_VERSION, &version);
  }
  if (result == 0) {
    result = read_word(qdma, QDMA_QUEUES, &available);
  }
  if (result == 0) {
    result = read_word(qdma, QDMA_FUNCTION, &qdma->function);
  }
  if (result != 0) {
    return result;
  }
  if (identifier >> 16 != QDMA_IDENTIFIER_MAGIC) {
    return ul_fail(ENXIO, "%s: no DMA of an ullnic card behind BAR0 (0x%08x); give another", name,
                   identifier);
  }
  if ((version & QDMA_VERSION_MASK) != QDMA_VERSION_EQDMA5) {
    return ul_fail(EPROTO,
                   "%s: its DMA has version 0x%08x, this library drives 0x022xxxxx "
                   "(EQDMA 5.0); use a library or card that fits",
                   name, version);
  }
  available &= 0xfff;
  if (available < queues) {
    return ul_fail(ENXIO, "%s: its DMA has %u queues, %u are needed; give another card", name,
                   available, queues);
  }
  return 0;
}

/** Contexts are accessed through one set of registers; the caller holds the lock. */
static int command(struct ul_qdma* qdma, enum qdma_operation operation, enum qdma_selector selector,
                   unsigned qid) {
  const uint32_t word = qid << 7 | (uint32_t)operation << 5 | (uint32_t)selector << 1;
  int result = write_word(qdma, QDMA_CONTEXT_COMMAND, word);
  for (int tries = 0; result == 0 && tries < COMMAND_TRIES; ++tries) {
    uint32_t busy = 0;
    result = read_word(qdma, QDMA_CONTEXT_COMMAND, &busy);
    if (result == 0 && (busy & 1) == 0) {
      return 0;
    }
  }
  return result != 0 ? result
                     : ul_fail(EIO, "%s: its DMA does not end a context command; reset the card",
                               qdma->transport->name);
}

int ul_qdma_context_write(struct ul_qdma* qdma, enum qdma_selector selector, unsigned qid,
                          const uint32_t words[QDMA_CONTEXT_WORDS]) {
  int result = 0;
  for (unsigned i = 0; result == 0 && i < QDMA_CONTEXT_WORDS; ++i) {
    result = write_word(qdma, QDMA_CONTEXT_DATA + 4 * i, words[i]);
    if (result == 0) {
      result = write_word(qdma, QDMA_CONTEXT_MASK + 4 * i, ~0u);
    }
  }
  return result != 0 ? result : command(qdma, QDMA_WRITE, selector, qid);
}

int ul_qdma_context_part(struct ul_qdma* qdma, enum qdma_selector selector, unsigned qid,
                         uint32_t* words, unsigned count) {
  int result = command(qdma, QDMA_READ, selector, qid);
  for (unsigned i = 0; result == 0 && i < count; ++i) {
    result = read_word(qdma, QDMA_CONTEXT_DATA + 4 * i, &words[i]);
  }
  return result;
}

int ul_qdma_context_read(struct ul_qdma* qdma, enum qdma_selector selector, unsigned qid,
                         uint32_t words[QDMA_CONTEXT_WORDS]) {
  return ul_qdma_context_part(qdma, selector, qid, words, QDMA_CONTEXT_WORDS);
}

int ul_qdma_start(struct ul_qdma* qdma, struct ul_transport* transport, unsigned queues,
                  const uint16_t ring_entries[UL_RING_KINDS], uint32_t buffer_bytes) {
  *qdma = (struct ul_qdma){.transport = transport};
  int result = start_function(qdma);
  if (result == 0) {
    result = look_at_version(qdma, queues);
  }
  const uint32_t map[QDMA_CONTEXT_WORDS] = {0, queues};
  if (result == 0) {
    result = ul_qdma_context_write(qdma, QDMA_FUNCTION_MAP, qdma->function, map);
  }
  for (unsigned kind = 0; result == 0 && kind < UL_RING_KINDS; ++kind) {
    result = write_word(qdma, QDMA_RING_SIZE + 4 * kind, ring_entries[kind]);
  }
  return result != 0 ? result : write_word(qdma, QDMA_BUFFER_SIZE, buffer_bytes);
}

static int change_contexts(struct ul_qdma* qdma, enum qdma_operation operation, unsigned qid,
                           const enum qdma_selector* selectors, unsigned count) {
  int result = 0;
  for (unsigned i = 0; result == 0 && i < count; ++i) {
    result = command(qdma, operation, selectors[i], qid);
  }
  return result;
}

/** Also checks that the queue runs: an error at its start is in the context. */
static int check_started(struct ul_qdma* qdma, unsigned qid) {
  uint32_t sw_h2c[QDMA_CONTEXT_WORDS];
  uint32_t sw_c2h[QDMA_CONTEXT_WORDS];
  uint32_t completion[QDMA_CONTEXT_WORDS];
  int result = ul_qdma_context_read(qdma, QDMA_SW_H2C, qid, sw_h2c);
  if (result == 0) {
    result = ul_qdma_context_read(qdma, QDMA_SW_C2H, qid, sw_c2h);
  }
  if (result == 0) {
    result = ul_qdma_context_read(qdma, QDMA_COMPLETION, qid, completion);
  }
  if (result == 0 && (!(sw_h2c[1] & QDMA_SW_ENABLE) || !(sw_c2h[1] & QDMA_SW_ENABLE) ||
                      !(completion[3] & QDMA_CMPL_VALID) || QDMA_SW_ERROR(sw_h2c[1]) != 0 ||
                      QDMA_SW_ERROR(sw_c2h[1]) != 0 || QDMA_CMPL_ERROR(completion[3]) != 0)) {
    return ul_fail(EIO, "%s: its DMA did not take queue %u; reset the card", qdma->transport->name,
                   qid);
  }
  return result;
}

int ul_qdma_queue_clear(struct ul_qdma* qdma, unsigned qid) {
  static const enum qdma_selector all[] = {QDMA_SW_C2H,     QDMA_SW_H2C,     QDMA_HW_C2H,
                                           QDMA_HW_H2C,     QDMA_CREDIT_C2H, QDMA_CREDIT_H2C,
                                           QDMA_COMPLETION, QDMA_PREFETCH};
  return change_contexts(qdma, QDMA_CLEAR, qid, all, sizeof all / sizeof *all);
}

int ul_qdma_queue_start(struct ul_qdma* qdma, const struct ul_qdma_queue* queue) {
  int result = ul_qdma_queue_clear(qdma, queue->qid);
  const uint32_t h2c[QDMA_CONTEXT_WORDS] = {
      QDMA_SW_FUNCTION(qdma->function),
      QDMA_SW_ENABLE | QDMA_SW_STATUS_WHEN_DONE | QDMA_SW_STATUS_INTERVAL |
          QDMA_SW_FETCH_MAX(FETCH_MAX) | QDMA_SW_RING_SIZE(UL_RING_H2C) | QDMA_SW_DESCRIPTOR_16 |
          QDMA_SW_STATUS_ENABLE,
      (uint32_t)queue->h2c_ring, (uint32_t)(queue->h2c_ring >> 32)};
  const uint32_t c2h[QDMA_CONTEXT_WORDS] = {
      QDMA_SW_FUNCTION(qdma->function),
      QDMA_SW_ENABLE | QDMA_SW_FETCH_CREDIT | QDMA_SW_FETCH_MAX(FETCH_MAX) |
          QDMA_SW_RING_SIZE(UL_RING_C2H) | QDMA_SW_DESCRIPTOR_8,
      (uint32_t)queue->c2h_ring, (uint32_t)(queue->c2h_ring >> 32)};
  const uint64_t ring = queue->completion_ring;
  const uint32_t completion[QDMA_CONTEXT_WORDS] = {
      QDMA_CMPL_TRIGGER_EVERY | QDMA_CMPL_FUNCTION(qdma->function) | QDMA_CMPL_COLOUR |
          QDMA_CMPL_RING_SIZE(UL_RING_COMPLETION),
      (uint32_t)(ring >> 6),
      (uint32_t)(ring >> 38),
      QDMA_CMPL_VALID,
      QDMA_CMPL_MODE_BY_DOORBELL | QDMA_CMPL_VECTOR(queue->vector) | QDMA_CMPL_TO_HOST,
      (uint32_t)(ring >> 2 & 0xf) << 14};
  const uint32_t prefetch[QDMA_CONTEXT_WORDS] = {QDMA_PREFETCH_BUFFER_SIZE(0), QDMA_PREFETCH_VALID};
  const struct {
    enum qdma_selector selector;
    const uint32_t* words;
  } contexts[] = {{QDMA_COMPLETION, completion},
                  {QDMA_PREFETCH, prefetch},
                  {QDMA_SW_C2H, c2h},
                  {QDMA_SW_H2C, h2c}};
  for (unsigned i = 0; result == 0 && i < sizeof contexts / sizeof *contexts; ++i) {
    result = ul_qdma_context_write(qdma, contexts[i].selector, queue->qid, contexts[i].words);
  }
  return result != 0 ? result : check_started(qdma, queue->qid);
}

int ul_qdma_queue_stop(struct ul_qdma* qdma, unsigned qid) {
  static const enum qdma_selector running[] = {QDMA_SW_H2C, QDMA_SW_C2H, QDMA_PREFETCH,
                                               QDMA_COMPLETION};
  return change_contexts(qdma, QDMA_INVALIDATE, qid, running, sizeof running / sizeof *running);
}
