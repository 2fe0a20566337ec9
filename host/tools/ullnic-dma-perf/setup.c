/* SPDX-FileCopyrightText: 2026 The ullnic authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The card, memory for all rings, contexts of all queues.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libullnic/error.h"
#include "perf.h"

enum {
  LINE = 64,
  MAX_MIB = 1024,
  MAX_BUFFER_BYTES = 4 << 20, /**< of a C2H ring */
  MIN_BUFFERS = 8,
  FETCH_MAX = 7,
  TIMER_TICK = 25,
};
#define MIB (UINT64_C(1) << 20)
/** Far above the window of interrupts, below 39 bits. */
#define IOVA (UINT64_C(1) << 32)

/** A part of the memory, page-aligned. */
static uint64_t take(uint64_t* used, uint64_t bytes) {
  const uint64_t page = 4096;
  const uint64_t at = *used;
  *used += (bytes + page - 1) / page * page;
  return at;
}

/** Addresses of one queue's rings, relative to the memory's beginning until it exists. */
static void lay_out(struct perf* perf, struct ring* rings, uint64_t* used) {
  const struct config* config = perf->config;
  const bool is_mm = config->mode == MODE_MM;
  const uint64_t burst =
      is_mm ? config->num_pkt * config->pkt_sz : config->num_pkt * perf->slot_bytes;
  uint32_t buffers = MAX_BUFFER_BYTES / perf->slot_bytes;
  if (buffers < MIN_BUFFERS) {
    buffers = MIN_BUFFERS;
  }
  for (unsigned way = 0; way < WAYS; ++way) {
    struct ring* ring = &rings[way];
    ring->entries = config->ring_entries;
    ring->capacity = ring->entries - 1;
    if (way == WAY_C2H && ring->capacity > buffers) {
      ring->capacity = buffers;
    }
    ring->ring_iova = take(used, (ring->entries + 1) * sizeof(struct qdma_mm_descriptor));
    ring->source_iova = take(used, burst);
  }
  struct ring* c2h = &rings[WAY_C2H];
  c2h->buffers_iova = take(used, (uint64_t)c2h->capacity * perf->slot_bytes);
  c2h->completions_iova = take(used, (c2h->entries + 1) * (8ull << config->cmptsz));
  c2h->colour = 1;
}

/** Bytes for all queues; refuses a configuration that needs too many. */
static uint64_t lay_out_all(struct perf* perf) {
  uint64_t used = 0;
  for (unsigned i = 0; i < perf->ring_count; i += WAYS) {
    lay_out(perf, &perf->rings[i], &used);
  }
  if (used > MAX_MIB * MIB) {
    refuse(
        "q_range, rngidx, num_pkt and pkt_sz need %llu MiB of memory, at most %d are used; reduce "
        "one of them",
        (unsigned long long)(used / MIB), MAX_MIB);
  }
  return used;
}

static int make_memory(struct perf* perf, uint64_t bytes) {
  const struct config* config = perf->config;
  const int result = ul_dma_memory_make(&perf->memory, perf->transport, bytes, 0, 0, IOVA);
  for (unsigned i = 0; result == 0 && i < perf->ring_count; ++i) {
    struct ring* ring = &perf->rings[i];
    uint8_t* base = perf->memory.base;
    ring->qid = (unsigned)config->q_range[0] + i / WAYS;
    ring->way = i % WAYS;
    ring->descriptors = base + ring->ring_iova;
    ring->source = base + ring->source_iova;
    ring->buffers = base + ring->buffers_iova;
    ring->completions = base + ring->completions_iova;
    ring->ring_iova += IOVA;
    ring->source_iova += IOVA;
    ring->buffers_iova += IOVA;
    ring->completions_iova += IOVA;
  }
  return result;
}

/** Tables of the card: an index of a context selects one of their values. */
static int write_tables(struct perf* perf) {
  static const uint8_t timers[16] = {1, 2, 4, 5, 8, 10, 15, 20, 25, 30, 50, 75, 100, 125, 150, 200};
  static const uint8_t counts[16] = {2,  4,  8,   16,  24,  32,  48,  64,
                                     80, 96, 112, 128, 144, 160, 176, 192};
  const struct config* config = perf->config;
  const struct {
    uint32_t address, value;
  } words[] = {
      {QDMA_TIMER + 4 * (uint32_t)config->tmr_idx, timers[config->tmr_idx]},
      {QDMA_COUNT + 4 * (uint32_t)config->cntr_idx, counts[config->cntr_idx]},
      {QDMA_TIMER_TICK, TIMER_TICK},
      {QDMA_DSC_CONFIG, (uint32_t)config->wb_acc},
      {QDMA_MM_RUN_C2H, 1},
      {QDMA_MM_RUN_H2C, 1},
  };
  int result = 0;
  const unsigned count = sizeof words / sizeof *words - (config->mode == MODE_MM ? 0 : 2);
  for (unsigned i = 0; result == 0 && i < count; ++i) {
    result = perf->transport->ops->write32(perf->transport, UL_BAR_DMA, words[i].address,
                                           words[i].value);
  }
  return result;
}

static int write_descriptor_context(struct perf* perf, const struct ring* ring) {
  const bool is_mm = perf->config->mode == MODE_MM;
  const bool is_c2h = ring->way == WAY_C2H;
  const uint32_t kind = is_mm    ? QDMA_SW_DESCRIPTOR_32 | QDMA_SW_IS_MM
                        : is_c2h ? QDMA_SW_DESCRIPTOR_8 | QDMA_SW_FETCH_CREDIT
                                 : QDMA_SW_DESCRIPTOR_16;
  const uint32_t status =
      is_mm || !is_c2h ? QDMA_SW_STATUS_ENABLE | QDMA_SW_STATUS_WHEN_DONE | QDMA_SW_STATUS_INTERVAL
                       : 0;
  const uint32_t words[QDMA_CONTEXT_WORDS] = {
      QDMA_SW_FUNCTION(perf->qdma.function),
      QDMA_SW_ENABLE | QDMA_SW_FETCH_MAX(FETCH_MAX) |
          QDMA_SW_RING_SIZE(is_c2h ? UL_RING_C2H : UL_RING_H2C) | kind | status,
      (uint32_t)ring->ring_iova, (uint32_t)(ring->ring_iova >> 32)};
  return ul_qdma_context_write(&perf->qdma, is_c2h ? QDMA_SW_C2H : QDMA_SW_H2C, ring->qid, words);
}

static int write_completion_contexts(struct perf* perf, const struct ring* ring) {
  const struct config* config = perf->config;
  const uint64_t base = ring->completions_iova;
  const uint32_t completion[QDMA_CONTEXT_WORDS] = {
      QDMA_CMPL_STATUS_ENABLE | QDMA_CMPL_TRIGGER(config->trig_mode) |
          QDMA_CMPL_FUNCTION(perf->qdma.function) | QDMA_CMPL_COUNT(config->cntr_idx) |
          QDMA_CMPL_TIMER(config->tmr_idx) | QDMA_CMPL_COLOUR |
          QDMA_CMPL_RING_SIZE(UL_RING_COMPLETION),
      (uint32_t)(base >> 6),
      (uint32_t)(base >> 38) | QDMA_CMPL_ENTRY_SIZE(config->cmptsz),
      QDMA_CMPL_VALID,
      QDMA_CMPL_MODE_BY_DOORBELL | QDMA_CMPL_TO_HOST,
      (uint32_t)(base >> 2 & 0xf) << 14};
  const uint32_t prefetch[QDMA_CONTEXT_WORDS] = {
      QDMA_PREFETCH_BUFFER_SIZE(0) | (config->pfetch_en != 0 ? QDMA_PREFETCH_ENABLE : 0),
      QDMA_PREFETCH_VALID};
  const int result = ul_qdma_context_write(&perf->qdma, QDMA_COMPLETION, ring->qid, completion);
  return result != 0 ? result
                     : ul_qdma_context_write(&perf->qdma, QDMA_PREFETCH, ring->qid, prefetch);
}

/** Memory-mapped queues have both directions: the other one writes or compares the memory. */
static bool has_way(const struct config* config, enum way way) {
  return config->mode == MODE_MM || config->dir == DIR_BI || config->dir == (uint64_t)way;
}

static int start_queues(struct perf* perf) {
  const struct config* config = perf->config;
  int result = 0;
  for (unsigned i = 0; result == 0 && i < perf->ring_count; ++i) {
    struct ring* ring = &perf->rings[i];
    if (ring->way == WAY_H2C) {
      result = ul_qdma_queue_clear(&perf->qdma, ring->qid);
    }
    if (result != 0 || !has_way(config, ring->way)) {
      continue;
    }
    if (is_c2h_stream(perf, ring)) {
      result = write_completion_contexts(perf, ring);
    }
    if (result == 0) {
      result = write_descriptor_context(perf, ring);
    }
    ring->is_open = result == 0;
  }
  return result;
}

static int find_memory_mapped(struct perf* perf) {
  enum { BOTH = 0x101 };
  uint32_t channels = 0;
  const int result =
      perf->transport->ops->read32(perf->transport, UL_BAR_DMA, QDMA_MM_CHANNELS, &channels);
  if (result == 0 && (channels & BOTH) != BOTH) {
    return ul_fail(ENXIO,
                   "%s: its DMA has no memory-mapped transfers; set mode=st, or give the card of "
                   "ullnic-qdma-example",
                   perf->transport->name);
  }
  return result;
}

int perf_open(struct perf* perf) {
  const struct config* config = perf->config;
  perf->ring_count = WAYS * config->queues;
  perf->rings = calloc(perf->ring_count, sizeof *perf->rings);
  perf->slot_bytes = ((uint32_t)config->pkt_sz + LINE - 1) / LINE * LINE;
  if (perf->rings == NULL) {
    return ul_fail_text(ENOMEM, "out of memory");
  }
  const uint64_t bytes = lay_out_all(perf);
  int result = ul_transport_open(config->card, &perf->transport);
  if (result == 0 && perf->transport->owned_elsewhere) {
    return ul_fail(EBUSY, "%s: a daemon holds this card; end it, and give the card itself",
                   config->card);
  }
  const uint16_t entries = (uint16_t)(config->ring_entries + 1);
  const uint16_t sizes[UL_RING_KINDS] = {entries, entries, entries};
  if (result == 0) {
    result = ul_qdma_start(&perf->qdma, perf->transport, (unsigned)config->q_range[1] + 1, sizes,
                           perf->slot_bytes);
  }
  if (result == 0) {
    result = config->mode == MODE_MM ? find_memory_mapped(perf) : example_find(perf);
  }
  if (result == 0) {
    result = write_tables(perf);
  }
  if (result == 0) {
    result = make_memory(perf, bytes);
  }
  if (result == 0 && is_stream(perf)) {
    result = example_prepare(perf);
  }
  return result != 0 ? result : start_queues(perf);
}

int stop_queues(struct perf* perf) {
  int result = 0;
  for (unsigned i = 0; result == 0 && i < perf->ring_count; i += WAYS) {
    result = ul_qdma_queue_stop(&perf->qdma, perf->rings[i].qid);
  }
  return result;
}

void perf_close(struct perf* perf) {
  if (perf->transport != NULL) {
    ul_dma_memory_free(&perf->memory, perf->transport);
    perf->transport->ops->close(perf->transport);
  }
  free(perf->rings);
}
